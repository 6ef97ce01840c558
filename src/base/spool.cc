#include "base/spool.h"

#include <fcntl.h>
#include <sodium.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <system_error>
#include <utility>

#include "base/stop.h"

namespace semveil {
namespace {

constexpr std::size_t kCipherBlock = 64;
constexpr std::size_t kMostAtOnce = std::size_t{1} << 24;  // bytes: reading can be stopped
constexpr std::size_t kNonce = crypto_stream_chacha20_NONCEBYTES;
constexpr std::array<unsigned char, kNonce> kNoNonce{};  // a key is used for one file alone

Error spool_error(const std::string& folder, int error) {
  if (error == ENOSPC || error == EDQUOT) {
    return system_error("the disk for temporary files is full: make room or choose another folder")
        .at(folder);
  }
  return system_error("no temporary file can be written in this folder: " +
                      std::generic_category().message(error) + "; choose another one")
      .at(folder);
}

// A file that nobody else can open, and that is gone when it is closed.
int open_nameless(const std::string& folder) {
  const int file = ::open(folder.c_str(), O_TMPFILE | O_EXCL | O_RDWR | O_CLOEXEC, 0600);
  if (file >= 0 || (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL)) return file;
  std::string name = folder + "/.semveil-XXXXXX";
  const int named = ::mkostemp(name.data(), O_CLOEXEC);
  if (named >= 0) ::unlink(name.c_str());
  return named;
}

class SpoolStream : public InputStream {
 public:
  explicit SpoolStream(std::shared_ptr<const Spool> spool) : spool_(std::move(spool)) {}
  Result<std::size_t> read(char* buffer, std::size_t size) override {
    const auto got = spool_->read(position_, buffer, size);
    if (got) position_ += *got;
    return got;
  }
  std::uint64_t position() const override { return position_; }

 private:
  std::shared_ptr<const Spool> spool_;
  std::uint64_t position_ = 0;
};

}  // namespace

Result<std::shared_ptr<Spool>> Spool::create(const std::string& folder, std::size_t buffer) {
  if (has_nul(folder)) return fail(spool_error(folder, ENOENT));
  if (::sodium_init() < 0)
    return fail(system_error("libsodium cannot be used on this system: install it again"));
  Descriptor file(open_nameless(folder.empty() ? "." : folder));
  if (file.get() < 0) return fail(spool_error(folder, errno));
  return std::shared_ptr<Spool>(new Spool(std::move(file), folder, buffer));
}

Spool::Spool(Descriptor file, std::string folder, std::size_t buffer)
    : file_(std::move(file)),
      folder_(std::move(folder)),
      buffer_((buffer + kCipherBlock - 1) / kCipherBlock * kCipherBlock) {
  ::randombytes_buf(key_.data(), key_.size());
}

Spool::~Spool() {
  ::sodium_memzero(key_.data(), key_.size());
  if (waiting_.capacity() > 0) ::sodium_memzero(waiting_.data(), waiting_.capacity());
}

void Spool::crypt(std::uint64_t block, char* bytes, std::size_t size) const {
  auto* const data = reinterpret_cast<unsigned char*>(bytes);
  ::crypto_stream_chacha20_xor_ic(data, data, size, kNoNonce.data(), block, key_.data());
}

Status Spool::append(std::string_view bytes) {
  while (!bytes.empty()) {
    if (waiting_.capacity() == 0) waiting_.make_room(buffer_);
    const std::size_t now = std::min(bytes.size(), buffer_ - waiting_.size());
    waiting_.append(bytes.data(), now);
    bytes.remove_prefix(now);
    if (waiting_.size() < buffer_) break;
    if (Status status = write_waiting(); !status) return status;
  }
  return {};
}

Status Spool::write_waiting() {
  crypt(written_ / kCipherBlock, waiting_.data(), waiting_.size());
  std::string_view left(waiting_.data(), waiting_.size());
  while (!left.empty()) {
    const ssize_t put = ::write(file_.get(), left.data(), left.size());
    if (put < 0 && errno == EINTR) continue;
    if (put < 0) return fail(spool_error(folder_, errno));
    left.remove_prefix(static_cast<std::size_t>(put));
  }
  written_ += waiting_.size();
  waiting_.set_size(0);
  return {};
}

Status Spool::finish() {
  Status status = write_waiting();
  if (waiting_.capacity() > 0) ::sodium_memzero(waiting_.data(), waiting_.capacity());
  waiting_ = {};
  return status;
}

Result<std::size_t> Spool::read(std::uint64_t from, char* buffer, std::size_t size) const {
  check_stop();
  const std::uint64_t block = from / kCipherBlock;
  const std::size_t inside = from % kCipherBlock;
  std::array<char, kCipherBlock> part{};
  // From the middle of a block no further than to its end.
  char* const to = inside == 0 ? buffer : part.data() + inside;
  const std::size_t most =
      inside == 0 ? std::min(size, kMostAtOnce) : std::min(size, kCipherBlock - inside);
  ssize_t got = 0;
  do {
    got = ::pread(file_.get(), to, most, static_cast<off_t>(from));
  } while (got < 0 && errno == EINTR);
  if (got < 0) return fail(spool_error(folder_, errno));
  const auto bytes = static_cast<std::size_t>(got);
  if (inside == 0) {
    crypt(block, buffer, bytes);
  } else {
    crypt(block, part.data(), part.size());
    std::memcpy(buffer, to, bytes);
  }
  return bytes;
}

std::unique_ptr<InputStream> read_spool(std::shared_ptr<const Spool> spool) {
  return std::make_unique<SpoolStream>(std::move(spool));
}

}  // namespace semveil
