// Writing files whole or not at all (files.h).
#include <fcntl.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <filesystem>
#include <system_error>
#include <utility>

#include "base/bytes.h"
#include "base/descriptor.h"
#include "base/hex.h"
#include "base/wait.h"

namespace semveil {
namespace {

Error write_error(const std::string& target, int error) {
  const std::string path = target == "-" ? "standard output" : target;
  switch (error) {
    case ENOENT:
    case ENOTDIR:
      return system_error("the folder to write to does not exist: make it first").at(path);
    case EISDIR:
      return system_error("this is a folder: name a file to write").at(path);
    case EACCES:
    case EPERM:
    case EROFS:
      return system_error("no permission to write here: choose another place").at(path);
    case ENOSPC:
    case EDQUOT:
      return system_error("the disk is full: make room or choose another place").at(path);
    default:
      return system_error("the file cannot be written: " + std::generic_category().message(error))
          .at(path);
  }
}

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

// Leads to an open file, also to one without a name.
std::string path_of_open(int file) { return "/proc/self/fd/" + std::to_string(file); }

// Unpredictable, so that nobody can have put a link in its place.
Result<std::filesystem::path> name_beside(const std::filesystem::path& target) {
  std::array<unsigned char, 12> random{};
  if (::getrandom(random.data(), random.size(), 0) != static_cast<ssize_t>(random.size())) {
    return fail(write_error(target.string(), errno));
  }
  const std::string name = ".semveil-" + hex(random);
  return target.parent_path() / (name + ".tmp");
}

}  // namespace

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
  if (exists) {
    if (S_ISDIR(about.st_mode)) return fail(write_error(path, EISDIR));
    if (!S_ISREG(about.st_mode)) return directly();
    mode &= about.st_mode;  // what was private stays so
  }
  const auto target = follow_links(path);
  if (!target) return fail(target.error());
  // An open file without a name, reached through /dev/stdout and the like.
  struct stat there{};
  if (exists && (::stat(target->c_str(), &there) != 0 || there.st_ino != about.st_ino ||
                 there.st_dev != about.st_dev)) {
    return directly();
  }
  pending.target_ = target->string();

  const std::filesystem::path folder = target->has_parent_path() ? target->parent_path() : ".";
  pending.file_ = ::open(folder.c_str(), O_TMPFILE | O_WRONLY | O_CLOEXEC, mode);
  if (pending.file_ >= 0) return pending;
  const auto temporary = name_beside(*target);
  if (!temporary) return fail(temporary.error());
  pending.file_ = ::open(temporary->c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, mode);
  if (pending.file_ < 0) return fail(write_error(path, errno));
  pending.temporary_ = temporary->string();  // from here on the destructor removes it
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
      file_(std::exchange(other.file_, -1)),
      size_(other.size_) {}

PendingFile::~PendingFile() {
  if (file_ > STDERR_FILENO) ::close(file_);
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

Status PendingFile::commit() {
  const bool nameless = !target_.empty() && temporary_.empty();
  if (nameless) {  // linking cannot replace a file, renaming can
    const auto name = name_beside(target_);
    if (!name) return fail(name.error());
    const std::string open_file = path_of_open(file_);
    if (::linkat(AT_FDCWD, open_file.c_str(), AT_FDCWD, name->c_str(), AT_SYMLINK_FOLLOW) != 0) {
      return fail(write_error(path_, errno));
    }
    temporary_ = name->string();
  }
  // Some file systems tell of a full disk only when the file is closed.
  if (const int file = std::exchange(file_, -1); file > STDERR_FILENO && ::close(file) != 0) {
    return fail(write_error(path_, errno));
  }
  if (target_.empty()) return {};  // was written directly
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) return fail(write_error(path_, errno));
  temporary_.clear();
  return {};
}

Status write_file(const std::string& path, std::span<const std::string_view> pieces,
                  unsigned mode) {
  Result<PendingFile> pending = PendingFile::write(path, pieces, mode);
  if (!pending) return fail(pending.error());
  return pending->commit();
}

Status write_file(const std::string& path, std::string_view content, unsigned mode) {
  return write_file(path, std::span(&content, 1), mode);
}

}  // namespace semveil
