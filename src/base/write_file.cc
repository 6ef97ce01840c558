// Writing files whole or not at all (files.h).
#include <fcntl.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <utility>

#include "base/bytes.h"
#include "base/descriptor.h"
#include "base/pending_names.h"
#include "base/wait.h"

namespace semveil {
namespace {

bool write_pieces(int fd, std::span<const std::string_view> pieces) {
  for (std::string_view piece : pieces) {
    while (!piece.empty()) {
      const ssize_t put = write_stoppable(fd, piece.data(), piece.size());
      if (put < 0 && errno == EINTR) continue;
      if (put < 0) return false;
      piece.remove_prefix(static_cast<std::size_t>(put));
    }
  }
  return true;
}

// Where a chain of symlinks leads, also if nothing is there yet.
Result<std::filesystem::path> follow_links(const std::string& path) {
  constexpr int kMaxLinks = 40;  // as the kernel has it
  std::filesystem::path target = path;
  for (int i = 0; i < kMaxLinks; ++i) {
    std::error_code no_link;
    const std::filesystem::path next = std::filesystem::read_symlink(target, no_link);
    if (no_link) return target;
    target = next.is_absolute() ? next : target.parent_path() / next;
  }
  return fail(write_error(path, ELOOP));
}

constexpr unsigned kOwnersAlone = 0600;

// What the user denies to others in every file. It cannot be asked for without being changed, which
// other threads would see; the system tells it in /proc. Everything, where it does not.
unsigned own_umask() {
  constexpr unsigned kEverything = 077;
  std::ifstream status("/proc/self/status");
  for (std::string word; status >> word;) {
    unsigned umask = 0;
    if (word == "Umask:") return status >> std::oct >> umask ? umask : kEverything;
  }
  return kEverything;
}

// A file without a name gets the mode that a new file has there, and only its owner can read it
// from here on. What it is to have in the end; 0: as it is now.
std::uint16_t made_private(int file) {
  struct stat about{};
  if (::fstat(file, &about) != 0) return 0;
  const auto mode = static_cast<std::uint16_t>(about.st_mode & ACCESSPERMS);
  return mode == kOwnersAlone || ::fchmod(file, kOwnersAlone) != 0 ? std::uint16_t{0} : mode;
}

}  // namespace

bool goes_out_directly(const std::string& path) {
  if (path == "-") return true;
  struct stat about{};
  if (has_nul(path) || ::stat(path.c_str(), &about) != 0 || S_ISDIR(about.st_mode)) return false;
  if (!S_ISREG(about.st_mode)) return true;
  // An open file without a name, reached through /dev/stdout and the like.
  const auto target = follow_links(path);
  struct stat there{};
  return target && (::stat(target->c_str(), &there) != 0 || there.st_ino != about.st_ino ||
                    there.st_dev != about.st_dev);
}

Result<PendingFile> PendingFile::create(const std::string& path, unsigned mode) {
  PendingFile pending;
  pending.path_ = path;
  const auto directly = [&]() -> Result<PendingFile> {
    pending.file_ =
        path == "-" ? STDOUT_FILENO : open_stoppable(path.c_str(), O_WRONLY | O_CLOEXEC | O_NOCTTY);
    if (pending.file_ < 0) return fail(write_error(path, errno));
    return std::move(pending);
  };
  if (path == "-") return directly();
  if (path.empty() || has_nul(path)) return fail(write_error(path, ENOENT));
  struct stat about{};
  const bool exists = ::stat(path.c_str(), &about) == 0;
  if (exists && S_ISDIR(about.st_mode)) return fail(write_error(path, EISDIR));
  if (goes_out_directly(path)) return directly();
  if (exists) mode &= about.st_mode;  // what was private stays so
  const auto target = follow_links(path);
  if (!target) return fail(target.error());
  pending.target_ = target->string();
  pending.in_place_ = exists && is_mounted(pending.target_);

  const std::string folder = folder_of(pending.target_);
  remove_leftovers(folder);
  if (pending.in_place_) {
    pending.mode_ = static_cast<std::uint16_t>(mode & ACCESSPERMS);
    pending.file_ = nameless_near(folder, 0600);
    if (pending.file_ < 0) return fail(write_error(path, errno));
    return pending;
  }
  pending.file_ = nameless_in(folder, mode);
  if (pending.file_ < 0) {
    const auto temporary = name_beside(pending.target_, kUnfinished);
    if (!temporary) return fail(write_error(path, temporary.error()));
    // Private from its first moment: who has opened it can read all that comes.
    pending.file_ = ::open(temporary->c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, kOwnersAlone);
    if (pending.file_ < 0) return fail(write_error(path, errno));
    pending.temporary_ = *temporary;            // from here on the destructor removes it
    ::flock(pending.file_, LOCK_EX | LOCK_NB);  // no leftover while we live
    pending.mode_ = static_cast<std::uint16_t>(mode & ~own_umask() & ACCESSPERMS);
    if (pending.mode_ == kOwnersAlone) pending.mode_ = 0;
    return pending;
  }
  pending.mode_ = made_private(pending.file_);
  return pending;
}

Result<PendingFile> PendingFile::write(const std::string& path,
                                       std::span<const std::string_view> pieces, unsigned mode) {
  Result<PendingFile> pending = create(path, mode);
  if (!pending) return pending;
  if (const Status status = pending->append(pieces); !status) return fail(status.error());
  return pending;
}

PendingFile::PendingFile(PendingFile&& other) noexcept
    : path_(std::move(other.path_)),
      target_(std::move(other.target_)),
      temporary_(std::exchange(other.temporary_, {})),
      replaced_(std::exchange(other.replaced_, {})),
      file_(std::exchange(other.file_, -1)),
      replaced_file_(std::exchange(other.replaced_file_, -1)),
      in_place_(other.in_place_),
      placed_(std::exchange(other.placed_, false)),
      mode_(other.mode_),
      size_(other.size_) {}

PendingFile::~PendingFile() {
  take_back();  // where something was thrown in the middle of a commit
  for (const int file : {file_, replaced_file_}) {
    if (file > STDERR_FILENO) ::close(file);
  }
  if (!temporary_.empty()) ::unlink(temporary_.c_str());
}

Status PendingFile::append(std::span<const std::string_view> pieces) {
  if (!write_pieces(file_, pieces)) return fail(write_error(path_, errno));
  for (const std::string_view piece : pieces) size_ += piece.size();
  return {};
}

std::optional<std::string> PendingFile::readable_path() const {
  if (target_.empty() || file_ < 0) return std::nullopt;
  return temporary_.empty() ? path_of_open(file_) : temporary_;
}

Status write_file(const std::string& path, std::span<const std::string_view> pieces, unsigned mode,
                  Sync sync) {
  Result<PendingFile> pending = PendingFile::write(path, pieces, mode);
  if (!pending) return fail(pending.error());
  return pending->commit(sync);
}

Status write_file(const std::string& path, std::string_view content, unsigned mode, Sync sync) {
  return write_file(path, std::span(&content, 1), mode, sync);
}

}  // namespace semveil
