#include "base/bytes.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstdint>
#include <cstring>
#include <functional>
#include <optional>
#include <system_error>
#include <utility>
#include <vector>

#include "base/descriptor.h"
#include "base/limits.h"
#include "base/memory_error.h"
#include "base/peeked.h"
#include "base/stop.h"
#include "base/wait.h"

namespace semveil {

Error read_error(const std::string& path, int error) {
  switch (error) {
    case ENOENT:
    case ENOTDIR:
    case ENAMETOOLONG:
      return data_error("no such file: check the path").at(path);
    case EISDIR:
      return data_error("this is a folder: give a file inside it").at(path);
    case EACCES:
    case EPERM:
      return system_error("no permission to read the file: check its owner and mode").at(path);
    default:
      return system_error("the file cannot be read: " + std::generic_category().message(error) +
                          "; look at the disk, or read a copy")
          .at(path);
  }
}

std::string_view unpacked_name(std::string_view name) {
  for (const std::string_view packed : {".gz", ".zst"}) {
    if (name.ends_with(packed)) name.remove_suffix(packed.size());
  }
  return name;
}

namespace {

constexpr std::uint64_t kMaxFileBytes = 0xFFFFFFFEU;
constexpr std::size_t kPiece = std::size_t{1} << 18;

Error too_large(const std::string& path) {
  return data_error("the file holds more than 4 GiB, more than is read whole: split it").at(path);
}

Result<Descriptor> open_for_reading(const std::string& path, struct stat& about) {
  if (has_nul(path)) return fail(read_error(path, ENOENT));
  Descriptor file(path == "-" ? STDIN_FILENO : open_stoppable(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0 || ::fstat(file.get(), &about) != 0) return fail(read_error(path, errno));
  if (S_ISDIR(about.st_mode)) return fail(read_error(path, EISDIR));
  return file;
}

class DescriptorStream : public InputStream {
 public:
  DescriptorStream(Descriptor file, std::string path)
      : file_(std::move(file)), path_(std::move(path)) {}

  Result<std::size_t> read(char* buffer, std::size_t size) override {
    for (;;) {
      wait_until_readable(file_.get());
      const ssize_t got = ::read(file_.get(), buffer, std::min(size, std::size_t{INT_MAX}));
      if (got >= 0) position_ += static_cast<std::uint64_t>(got);
      if (got >= 0) return static_cast<std::size_t>(got);
      if (errno != EINTR) return fail(read_error(path_, errno));
    }
  }
  std::uint64_t position() const override { return position_; }

 private:
  Descriptor file_;
  std::string path_;
  std::uint64_t position_ = 0;
};

class MemoryStream : public InputStream {
 public:
  explicit MemoryStream(std::string_view bytes) : rest_(bytes) {}
  Result<std::size_t> read(char* buffer, std::size_t size) override {
    check_stop();
    const std::size_t got = std::min(size, rest_.size());
    std::memcpy(buffer, rest_.data(), got);
    rest_.remove_prefix(got);
    position_ += got;
    return got;
  }
  std::uint64_t position() const override { return position_; }

 private:
  std::string_view rest_;
  std::uint64_t position_ = 0;
};

// What gzip and zstd streams share: a window of packed bytes.
class PackedStream : public InputStream {
 public:
  std::uint64_t position() const override { return source_->position(); }

 protected:
  PackedStream(std::unique_ptr<InputStream> source, std::string path, const char* tool)
      : tool_(tool), source_(std::move(source)), path_(std::move(path)), packed_(kPiece) {}

  std::size_t left() const { return end_ - begin_; }
  char* next() { return packed_.data() + begin_; }
  void skip(std::size_t size) { begin_ += size; }
  // False at the end of the file.
  Result<bool> refill() {
    const auto got = source_->read(packed_.data(), packed_.size());
    if (!got) return fail(got.error());
    begin_ = 0;
    end_ = *got;
    return *got > 0;
  }
  tl::unexpected<Error> damaged(const std::string& how) const {
    return fail(data_error("the packed data " + how + ": fetch the file again, or check it with `" +
                           tool_ + " -t`")
                    .at(path_));
  }

 private:
  const char* tool_;
  std::unique_ptr<InputStream> source_;
  std::string path_;
  std::vector<char> packed_;
  std::size_t begin_ = 0, end_ = 0;
};

// A gzip file is one or more members, unpacked one after the other; zero bytes may fill up the end
// (tapes, block devices). Anything else behind a member is damage.
class GzipStream : public PackedStream {
 public:
  GzipStream(std::unique_ptr<InputStream> source, std::string path)
      : PackedStream(std::move(source), std::move(path), "gzip") {
    ready_ = inflateInit2(&zip_, 15 + 16) == Z_OK;  // 15: largest window, 16: gzip wrapping
  }
  ~GzipStream() override {
    if (ready_) inflateEnd(&zip_);
  }
  GzipStream(const GzipStream&) = delete;
  GzipStream& operator=(const GzipStream&) = delete;

  Result<std::size_t> read(char* buffer, std::size_t size) override {
    if (!ready_) return fail(memory_error("to unpack gzip data"));
    size = std::min(size, kPiece);  // zlib counts in 32 bits
    while (size > 0) {
      if (left() == 0) {
        const auto more = refill();
        if (!more) return fail(more.error());
        if (!*more && inside_) return damaged("ends too early");
        if (!*more) return 0;
      }
      if (!inside_ && padding_) {
        if (std::any_of(next(), next() + left(), [](char c) { return c != 0; })) {
          return damaged("is followed by other bytes");
        }
        skip(left());
        continue;
      }
      if (!inside_ && *next() == 0) {
        padding_ = true;
        continue;
      }
      inside_ = true;
      zip_.next_in = reinterpret_cast<Bytef*>(next());
      zip_.avail_in = static_cast<uInt>(left());
      zip_.next_out = reinterpret_cast<Bytef*>(buffer);
      zip_.avail_out = static_cast<uInt>(size);
      const int result = inflate(&zip_, Z_NO_FLUSH);
      skip(left() - zip_.avail_in);
      if (result == Z_STREAM_END) {
        inside_ = false;
        inflateReset(&zip_);
      } else if (result != Z_OK && result != Z_BUF_ERROR) {
        return damaged("is corrupt");
      }
      if (const std::size_t made = size - zip_.avail_out; made > 0) return made;
    }
    return 0;
  }

 private:
  z_stream zip_{};
  bool ready_ = false;
  bool inside_ = true;  // a member has begun and not ended
  bool padding_ = false;
};

class ZstdStream : public PackedStream {
 public:
  ZstdStream(std::unique_ptr<InputStream> source, std::string path)
      : PackedStream(std::move(source), std::move(path), "zstd"),
        zip_(ZSTD_createDStream(), ZSTD_freeDStream) {}

  Result<std::size_t> read(char* buffer, std::size_t size) override {
    if (!zip_) return fail(memory_error("to unpack zstd data"));
    ZSTD_outBuffer out{buffer, size, 0};
    while (size > 0) {
      // Even without more input there may be output left inside the decoder.
      ZSTD_inBuffer in{next(), left(), 0};
      const std::size_t result = ZSTD_decompressStream(zip_.get(), &out, &in);
      if (ZSTD_isError(result) != 0) {
        return damaged(std::string("is corrupt (") + ZSTD_getErrorName(result) + ")");
      }
      if (in.pos > 0 || out.pos > 0) inside_ = result != 0;
      skip(in.pos);
      if (out.pos > 0) return out.pos;
      if (left() > 0) continue;
      const auto more = refill();
      if (!more) return fail(more.error());
      if (!*more && inside_) return damaged("ends too early");
      if (!*more) return 0;
    }
    return 0;
  }

 private:
  std::unique_ptr<ZSTD_DStream, std::size_t (*)(ZSTD_DStream*)> zip_;
  bool inside_ = true;
};

// Ends with an error where more comes than may come.
class BoundedStream : public InputStream {
 public:
  // Of a stream that has given so many bytes: whether these are too many.
  using IsTooMuch = std::function<bool(std::uint64_t given, const InputStream& stream)>;
  BoundedStream(std::unique_ptr<InputStream> stream, IsTooMuch is_too_much, Error refusal)
      : stream_(std::move(stream)),
        is_too_much_(std::move(is_too_much)),
        refusal_(std::move(refusal)) {}

  Result<std::size_t> read(char* buffer, std::size_t size) override {
    auto got = stream_->read(buffer, size);
    if (!got) return got;
    given_ += *got;
    if (is_too_much_(given_, *stream_)) return fail(refusal_);
    return got;
  }
  std::uint64_t position() const override { return stream_->position(); }

 private:
  std::unique_ptr<InputStream> stream_;
  IsTooMuch is_too_much_;
  Error refusal_;
  std::uint64_t given_ = 0;
};

// `packed`: bytes that all of it was packed in; nothing where the stream itself knows.
std::unique_ptr<InputStream> bounded_unpacking(std::unique_ptr<InputStream> stream,
                                               std::optional<std::uint64_t> packed,
                                               const std::string& path) {
  const auto is_too_much = [packed](std::uint64_t given, const InputStream& from) {
    return given > kFreelyUnpacked && given / kMostTimesUnpacked > packed.value_or(from.position());
  };
  return std::make_unique<BoundedStream>(
      std::move(stream), is_too_much,
      data_error("the packed data unpack to more than " + std::to_string(kMostTimesUnpacked) +
                 " times their size, as data do that are made to fill a memory: if they are what "
                 "you want, unpack them first and name what comes out")
          .at(path));
}

struct ForeignFormat {
  std::string_view magic, what;
};
constexpr std::array<ForeignFormat, 4> kForeign{
    {{"\xFD\x37zX", "this is an xz file: unpack it first"},
     {"PK\x03\x04",
      "this is a zip archive, as .xlsx and .ods files are: unpack it first, or save the sheet as "
      "CSV"},
     {"7z\xBC\xAF", "this is a 7z archive: unpack it first"},
     {"\xD0\xCF\x11\xE0", "this is an Excel or Word file: save the sheet as CSV"}}};
constexpr std::string_view kBzip2 = "BZh";  // a text may begin like this: more bytes decide
constexpr std::size_t kBzip2Bytes = 10;

// What a file is that we do not unpack, and what to do about it. Empty: none of them.
std::string_view foreign_format(std::string_view first_bytes) {
  if (first_bytes.starts_with(kBzip2) && first_bytes.size() >= kBzip2Bytes &&
      first_bytes.substr(4, 6) == "1AY&SY") {
    return "this is a bzip2 file: unpack it first";
  }
  for (const ForeignFormat& format : kForeign) {
    if (first_bytes.starts_with(format.magic)) return format.what;
  }
  return {};
}

enum class Packing : std::uint8_t { kPlain, kGzip, kZstd };

Packing packing_of(std::string_view first_bytes) {
  if (first_bytes.starts_with("\x1F\x8B")) return Packing::kGzip;
  if (first_bytes.starts_with("\x28\xB5\x2F\xFD")) return Packing::kZstd;
  // A skippable frame; parallel compressors begin with one.
  if (first_bytes.size() >= 4 && (first_bytes[0] & 0xF0) == 0x50 &&
      first_bytes.substr(1, 3) == "\x2A\x4D\x18") {
    return Packing::kZstd;
  }
  return Packing::kPlain;
}

}  // namespace

bool is_packed(std::string_view first_bytes) { return packing_of(first_bytes) != Packing::kPlain; }

Result<std::unique_ptr<InputStream>> InputStream::open(const std::string& path, Unpack unpack) {
  struct stat about{};
  auto file = open_for_reading(path, about);
  if (!file) return fail(file.error());
  std::unique_ptr<InputStream> stream = std::make_unique<DescriptorStream>(std::move(*file), path);
  if (unpack == Unpack::kNo) return stream;
  return InputStream::unpack(std::move(stream), path);
}

Result<std::unique_ptr<InputStream>> InputStream::unpack(std::unique_ptr<InputStream> packed,
                                                         std::string path) {
  auto source = std::make_unique<PeekedStream>(std::move(packed));
  const auto first_bytes = source->peek(4);
  if (!first_bytes) return fail(first_bytes.error());
  const bool packs = is_packed(*first_bytes);
  auto stream = unpack_any_length(std::move(source), path);
  if (!stream || !packs) return stream;
  return bounded_unpacking(*std::move(stream), std::nullopt, path);
}

std::unique_ptr<InputStream> bounded_by(std::unique_ptr<InputStream> stream, std::uint64_t packed,
                                        std::string path) {
  return bounded_unpacking(std::move(stream), packed, path);
}

std::unique_ptr<InputStream> bounded_pipe(std::unique_ptr<InputStream> stream, std::string path) {
  const auto is_too_much = [](std::uint64_t given, const InputStream&) {
    return given > kMostPipedBytes;
  };
  return std::make_unique<BoundedStream>(
      std::move(stream), is_too_much,
      data_error("this is no file, and gives more than " + std::to_string(kMostPipedBytes >> 20U) +
                 " MiB: write what it gives to a file, and name that")
          .at(std::move(path)));
}

Result<std::unique_ptr<InputStream>> open_bounded(const std::string& path) {
  auto stream = InputStream::open(path);
  struct stat about{};
  if (!stream || (::stat(path.c_str(), &about) == 0 && S_ISREG(about.st_mode))) return stream;
  return bounded_pipe(*std::move(stream), path);
}

Result<std::unique_ptr<InputStream>> unpack_any_length(std::unique_ptr<InputStream> packed,
                                                       std::string path) {
  auto source = std::make_unique<PeekedStream>(std::move(packed));
  auto first_bytes = source->peek(4);
  if (first_bytes && first_bytes->starts_with(kBzip2)) first_bytes = source->peek(kBzip2Bytes);
  if (!first_bytes) return fail(first_bytes.error());
  if (const std::string_view what = foreign_format(*first_bytes); !what.empty()) {
    return fail(data_error(std::string(what)).at(path));
  }
  std::unique_ptr<InputStream> stream;
  switch (packing_of(*first_bytes)) {
    case Packing::kGzip:
      stream = std::make_unique<GzipStream>(std::move(source), std::move(path));
      break;
    case Packing::kZstd:
      stream = std::make_unique<ZstdStream>(std::move(source), std::move(path));
      break;
    case Packing::kPlain:
      stream = std::move(source);
      break;
  }
  return stream;
}

std::unique_ptr<InputStream> InputStream::over(std::string_view bytes) {
  return std::make_unique<MemoryStream>(bytes);
}

Result<FileBytes> FileBytes::read(const std::string& path, Unpack unpack) {
  struct stat about{};
  auto file = open_for_reading(path, about);
  if (!file) return fail(file.error());
  FileBytes bytes;

  if (S_ISREG(about.st_mode) && about.st_size > 0) {
    const auto size = static_cast<std::uint64_t>(about.st_size);
    if (size > kMaxFileBytes) return fail(too_large(path));
    void* start = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, file->get(), 0);
    if (start != MAP_FAILED) {
      const std::shared_ptr<const void> mapping(start, [size](void* p) { ::munmap(p, size); });
      const std::string_view view(static_cast<const char*>(start), size);
      const bool as_it_is = unpack == Unpack::kNo ||
                            (packing_of(view) == Packing::kPlain && foreign_format(view).empty());
      if (as_it_is) {
        bytes.view_ = view;
        bytes.owner_ = mapping;
        return bytes;
      }
    }
  }

  // Packed, a pipe, or a file system that cannot map.
  auto stream =
      InputStream::unpack(std::make_unique<DescriptorStream>(std::move(*file), path), path);
  if (!stream) return fail(stream.error());
  if (!S_ISREG(about.st_mode)) *stream = bounded_pipe(std::move(*stream), path);
  return read_all(**stream, path);
}

Result<FileBytes> FileBytes::read_all(InputStream& stream, const std::string& name) {
  auto content = std::make_shared<std::string>();
  std::size_t used = 0;
  for (;;) {
    if (used == content->size()) content->resize(std::max(kPiece, used * 2));
    const auto got = stream.read(content->data() + used, content->size() - used);
    if (!got) return fail(got.error());
    if (*got == 0) break;
    used += *got;
    if (used > kMaxFileBytes) return fail(too_large(name));
  }
  content->resize(used);
  FileBytes bytes;
  bytes.view_ = *content;
  bytes.owner_ = content;
  return bytes;
}

}  // namespace semveil
