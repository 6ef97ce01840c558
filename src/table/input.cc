#include "table/input.h"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstring>
#include <utility>
#include <vector>

#include "base/limits.h"
#include "base/memory_error.h"
#include "base/stop.h"
#include "base/wait.h"

namespace semveil {
namespace {

constexpr std::size_t kFirstBytes = 8;
constexpr std::size_t kCopyPiece = std::size_t{1} << 20;

// As they come, with the first ones still in it.
class OnceStream : public InputStream {
 public:
  OnceStream(std::string first, int file, std::string path)
      : first_(std::move(first)), file_(file), path_(std::move(path)) {}

  Result<std::size_t> read(char* buffer, std::size_t size) override {
    if (const std::size_t kept = std::min(size, first_.size()); kept > 0) {
      std::memcpy(buffer, first_.data(), kept);
      first_.erase(0, kept);
      position_ += kept;
      return kept;
    }
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
  std::string first_;
  Descriptor file_;
  std::string path_;
  std::uint64_t position_ = 0;
};

// The bytes that tell what a table is. They may come in pieces, of files too: what a read gives is
// the file system's choice. A line that ends before them is enough, as nobody may write more yet.
Result<std::string> first_bytes_of(InputStream& stream, bool until_line) {
  std::string first(kFirstBytes, '\0');
  std::size_t used = 0;
  while (used < first.size()) {
    const auto got = stream.read(first.data() + used, first.size() - used);
    if (!got) return fail(got.error());
    if (*got == 0) break;
    used += *got;
    const bool has_line = std::string_view(first).substr(0, used).find('\n') != std::string::npos;
    if (until_line && has_line) break;
  }
  first.resize(used);
  return first;
}

bool same_state(const struct stat& a, const struct stat& b) {
  return a.st_size == b.st_size && a.st_mtim.tv_sec == b.st_mtim.tv_sec &&
         a.st_mtim.tv_nsec == b.st_mtim.tv_nsec;
}

// What begins like a text has a first line that ends. It is asked for while bytes come, as what has
// none (a device, say) may never end.
class FirstLine {
 public:
  // False: it is too long.
  bool goes_on(std::string_view bytes) {
    if (ended_) return true;
    if (length_ == 0 && is_binary(bytes)) return ended_ = true;
    ended_ = bytes.find_first_of("\r\n") != std::string_view::npos;
    length_ += bytes.size();
    return ended_ || length_ <= kMostFirstLine;
  }

 private:
  // Packed, Parquet or Arrow's. What comes in pieces so small counts as a text until its line ends.
  static bool is_binary(std::string_view bytes) {
    constexpr std::array<std::string_view, 7> kMagic = {
        "\x1F\x8B", "\x28\xB5\x2F\xFD", "PAR1", "PARE", "ARROW1", "FEA1", "\xFF\xFF\xFF\xFF"};
    return std::ranges::any_of(kMagic,
                               [&](std::string_view magic) { return bytes.starts_with(magic); });
  }
  bool ended_ = false;
  std::uint64_t length_ = 0;
};

Result<std::shared_ptr<const Spool>> spool_all(InputStream& stream, const std::string& folder,
                                               const std::string& name) {
  auto spool = Spool::create(folder);
  if (!spool) return fail(spool.error());
  std::vector<char> piece(kCopyPiece);
  FirstLine first_line;
  for (;;) {
    const auto got = stream.read(piece.data(), piece.size());
    if (!got) return fail(got.error());
    if (*got == 0) break;
    if (!first_line.goes_on({piece.data(), *got})) {
      return fail(data_error(fmt::format("the first line does not end within {} MiB: is this a "
                                         "table?",
                                         kMostFirstLine >> 20U))
                      .at(name, 1));
    }
    if (Status put = (*spool)->append({piece.data(), *got}); !put) return fail(put.error());
  }
  if (Status done = (*spool)->finish(); !done) return fail(done.error());
  return std::move(*spool);
}

}  // namespace

struct TableInput::File {
  Descriptor descriptor;
  std::string name;
  off_t start;  // standard input may stand behind the file's beginning
  struct stat about;
};

// Every pass has its own place in the one open file: another file that takes its name between two
// passes is not read, and one that is changed is noticed.
class TableInput::FileStream : public InputStream {
 public:
  explicit FileStream(std::shared_ptr<const File> file) : file_(std::move(file)) {}

  Result<std::size_t> read(char* buffer, std::size_t size) override {
    check_stop();
    for (;;) {
      const ssize_t got =
          ::pread(file_->descriptor.get(), buffer, std::min(size, std::size_t{INT_MAX}),
                  file_->start + static_cast<off_t>(position_));
      if (got < 0 && errno == EINTR) continue;
      if (got < 0) return fail(read_error(file_->name, errno));
      if (got == 0) {
        struct stat now{};
        if (::fstat(file_->descriptor.get(), &now) != 0 || !same_state(now, file_->about)) {
          return fail(data_error("the file was changed while it was read: run again when nobody "
                                 "writes to it")
                          .at(file_->name));
        }
      }
      position_ += static_cast<std::uint64_t>(got);
      return static_cast<std::size_t>(got);
    }
  }
  std::uint64_t position() const override { return position_; }

 private:
  std::shared_ptr<const File> file_;
  std::uint64_t position_ = 0;
};

Result<TableInput> TableInput::open(const std::string& path, Passes passes,
                                    const std::string& temp_folder) {
  TableInput input;
  input.name_ = path;
  if (has_nul(path)) return fail(read_error(path, ENOENT));
  Descriptor file(path == "-" ? STDIN_FILENO : open_stoppable(path.c_str(), O_RDONLY | O_CLOEXEC));
  struct stat about{};
  if (file.get() < 0 || ::fstat(file.get(), &about) != 0) return fail(read_error(path, errno));
  if (S_ISDIR(about.st_mode)) return fail(read_error(path, EISDIR));

  if (S_ISREG(about.st_mode)) {
    const off_t start = path == "-" ? std::max<off_t>(::lseek(STDIN_FILENO, 0, SEEK_CUR), 0) : 0;
    input.path_ = path == "-" ? "/proc/self/fd/0" : path;
    input.bytes_ = static_cast<std::uint64_t>(std::max<off_t>(about.st_size - start, 0));
    input.file_ = std::make_shared<const File>(File{std::move(file), path, start, about});
    FileStream stream(input.file_);
    auto first = first_bytes_of(stream, /*until_line=*/false);
    if (!first) return fail(first.error());
    input.first_bytes_ = *std::move(first);
    return input;
  }

  // A copy of the descriptor: the original may be standard input, which is not ours to close.
  std::unique_ptr<InputStream> stream =
      std::make_unique<OnceStream>("", ::fcntl(file.get(), F_DUPFD_CLOEXEC, 3), path);
  if (passes == Passes::kOne) {
    // A whole first line is needed anyway.
    auto first = first_bytes_of(*stream, /*until_line=*/true);
    if (!first) return fail(first.error());
    input.first_bytes_ = *first;
    input.once_ = std::make_unique<OnceStream>(*std::move(first),
                                               ::fcntl(file.get(), F_DUPFD_CLOEXEC, 3), path);
    return input;
  }
  auto spool = spool_all(*stream, temp_folder, path);
  if (!spool) return fail(spool.error());
  input.spool_ = std::move(*spool);
  input.bytes_ = input.spool_->size();
  const std::unique_ptr<InputStream> kept = read_spool(input.spool_);
  auto first = first_bytes_of(*kept, /*until_line=*/false);
  if (!first) return fail(first.error());
  input.first_bytes_ = *std::move(first);
  return input;
}

Result<std::unique_ptr<InputStream>> TableInput::read() const {
  if (file_) return unpack_any_length(std::make_unique<FileStream>(file_), name_);
  if (spool_) return unpack_any_length(read_spool(spool_), name_);
  if (!once_)
    return fail(system_error("this input can be read only once: save it to a file, and name that")
                    .at(name_));
  return unpack_any_length(std::move(once_), name_);
}

Result<std::string> TableInput::path() {
  if (!path_.empty()) return path_;
  const int file = ::memfd_create("semveil", MFD_CLOEXEC);
  if (file < 0) return fail(memory_error("to hold the table").at(name_));
  in_memory_ = std::make_shared<const Descriptor>(file);
  std::unique_ptr<InputStream> stream = spool_ ? read_spool(spool_) : std::move(once_);
  std::vector<char> piece(kCopyPiece);
  for (;;) {
    const auto got = stream->read(piece.data(), piece.size());
    if (!got) return fail(got.error());
    if (*got == 0) break;
    for (std::size_t put = 0; put < *got;) {
      const ssize_t now = ::write(file, piece.data() + put, *got - put);
      if (now < 0 && errno == EINTR) continue;
      if (now < 0) return fail(memory_error("to hold the table").at(name_));
      put += static_cast<std::size_t>(now);
    }
  }
  path_ = "/proc/self/fd/" + std::to_string(file);
  return path_;
}

}  // namespace semveil
