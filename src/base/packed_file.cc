#include "base/packed_file.h"

#include <zlib.h>
#include <zstd.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "base/memory_error.h"

namespace semveil {
namespace {

constexpr std::size_t kBuffer = std::size_t{1} << 18;

Error no_memory() { return memory_error("to pack the output"); }

}  // namespace

class PackedFile::Packer {
 public:
  enum class Then : std::uint8_t { kGoOn, kFlush, kEnd };

  virtual ~Packer() = default;
  virtual Status pack(std::string_view bytes, Then then, PendingFile& file) = 0;
};

namespace {

class GzipPacker : public PackedFile::Packer {
 public:
  GzipPacker() : buffer_(kBuffer) {
    constexpr int kGzip = 15 + 16;  // largest window, gzip wrapping; its header holds no time
    ready_ = deflateInit2(&zip_, Z_DEFAULT_COMPRESSION, Z_DEFLATED, kGzip, 8, Z_DEFAULT_STRATEGY) ==
             Z_OK;
  }
  ~GzipPacker() override {
    if (ready_) deflateEnd(&zip_);
  }
  GzipPacker(const GzipPacker&) = delete;
  GzipPacker& operator=(const GzipPacker&) = delete;

  Status pack(std::string_view bytes, Then then, PendingFile& file) override {
    if (!ready_) return fail(no_memory());
    do {
      constexpr std::size_t kMost = std::size_t{1} << 30;  // zlib counts in 32 bits
      const std::string_view part = bytes.substr(0, kMost);
      bytes.remove_prefix(part.size());
      // NOLINTNEXTLINE(cppcoreguidelines-pro-type-const-cast): zlib only reads it
      zip_.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(part.data()));
      zip_.avail_in = static_cast<uInt>(part.size());
      const int mode = !bytes.empty() || then == Then::kGoOn ? Z_NO_FLUSH
                       : then == Then::kFlush                ? Z_SYNC_FLUSH
                                                             : Z_FINISH;
      do {
        zip_.next_out = reinterpret_cast<Bytef*>(buffer_.data());
        zip_.avail_out = static_cast<uInt>(buffer_.size());
        deflate(&zip_, mode);
        const std::string_view made(buffer_.data(), buffer_.size() - zip_.avail_out);
        if (Status status = file.append(made); !status) return status;
      } while (zip_.avail_out == 0);
    } while (!bytes.empty());
    return {};
  }

 private:
  z_stream zip_{};
  bool ready_ = false;
  std::vector<char> buffer_;
};

class ZstdPacker : public PackedFile::Packer {
 public:
  ZstdPacker() : zip_(ZSTD_createCStream(), ZSTD_freeCStream), buffer_(ZSTD_CStreamOutSize()) {
    if (zip_) ZSTD_CCtx_setParameter(zip_.get(), ZSTD_c_checksumFlag, 1);
  }

  Status pack(std::string_view bytes, Then then, PendingFile& file) override {
    if (!zip_) return fail(no_memory());
    ZSTD_inBuffer in{bytes.data(), bytes.size(), 0};
    const ZSTD_EndDirective mode = then == Then::kGoOn    ? ZSTD_e_continue
                                   : then == Then::kFlush ? ZSTD_e_flush
                                                          : ZSTD_e_end;
    for (;;) {
      ZSTD_outBuffer out{buffer_.data(), buffer_.size(), 0};
      const std::size_t left = ZSTD_compressStream2(zip_.get(), &out, &in, mode);
      if (ZSTD_isError(left) != 0) return fail(no_memory());
      if (Status status = file.append(std::string_view(buffer_.data(), out.pos)); !status) {
        return status;
      }
      if (then == Then::kGoOn ? in.pos == in.size : left == 0) return {};
    }
  }

 private:
  std::unique_ptr<ZSTD_CStream, std::size_t (*)(ZSTD_CStream*)> zip_;
  std::vector<char> buffer_;
};

}  // namespace

PackedFile::PackedFile(PendingFile file, std::unique_ptr<Packer> packer)
    : file_(std::move(file)), packer_(std::move(packer)) {}
PackedFile::~PackedFile() = default;
PackedFile::PackedFile(PackedFile&&) noexcept = default;

Result<PackedFile> PackedFile::create(const std::string& path, unsigned mode) {
  Result<PendingFile> file = PendingFile::create(path, mode);
  if (!file) return fail(file.error());
  std::unique_ptr<Packer> packer;
  if (path.ends_with(".gz")) packer = std::make_unique<GzipPacker>();
  if (path.ends_with(".zst")) packer = std::make_unique<ZstdPacker>();
  return PackedFile(std::move(*file), std::move(packer));
}

Status PackedFile::append(std::string_view bytes) {
  return packer_ ? packer_->pack(bytes, Packer::Then::kGoOn, file_) : file_.append(bytes);
}

Status PackedFile::flush() {
  return packer_ ? packer_->pack({}, Packer::Then::kFlush, file_) : Status();
}

Status PackedFile::finish() {
  return packer_ ? packer_->pack({}, Packer::Then::kEnd, file_) : Status();
}

}  // namespace semveil
