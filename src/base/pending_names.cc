#include "base/pending_names.h"

#include <dirent.h>
#include <fcntl.h>
#include <sys/file.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <ctime>
#include <filesystem>
#include <memory>
#include <mutex>
#include <set>
#include <system_error>

#include "base/hex.h"

namespace semveil {
namespace {

constexpr std::string_view kPrefix = ".semveil-";
constexpr std::size_t kRandomBytes = 12;
constexpr std::time_t kLeftoverAge = 3600;  // seconds

bool is_ours(std::string_view name, std::string_view ending) {
  if (name.size() != kPrefix.size() + 2 * kRandomBytes + ending.size()) return false;
  if (!name.starts_with(kPrefix) || !name.ends_with(ending)) return false;
  const std::string_view digits = name.substr(kPrefix.size(), 2 * kRandomBytes);
  return digits.find_first_not_of("0123456789abcdef") == std::string_view::npos;
}

// Locked while whoever writes it lives. Network file systems lock only what is open for writing.
bool is_in_use(int folder, const char* name) {
  const int file = ::openat(folder, name, O_RDWR | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC);
  if (file < 0) return true;
  const bool locked = ::flock(file, LOCK_EX | LOCK_NB) != 0;
  ::close(file);
  return locked;
}

// Whether the folder has another name for that file. A copy of the folder made of links, as backups
// are, is none.
bool has_another_name(const std::string& folder, const char* name, ino_t inode) {
  const std::unique_ptr<DIR, int (*)(DIR*)> open(::opendir(folder.c_str()), ::closedir);
  if (open == nullptr) return false;
  while (const dirent* entry = ::readdir(open.get())) {
    if (entry->d_ino == inode && std::string_view(entry->d_name) != name) return true;
  }
  return false;
}

void remove_leftover(const std::string& path, int folder, const char* name) {
  const bool is_replaced = is_ours(name, kReplaced);
  if (!is_replaced && !is_ours(name, kUnfinished)) return;
  struct stat about{};
  if (::fstatat(folder, name, &about, AT_SYMLINK_NOFOLLOW) != 0) return;
  // What makes room for another file is as old as the release that it was; its name is younger.
  const std::time_t since = is_replaced ? about.st_ctime : about.st_mtime;
  const bool is_old = ::time(nullptr) - since > kLeftoverAge;
  if (!S_ISREG(about.st_mode) || about.st_uid != ::geteuid() || !is_old) return;
  const bool may_go =
      is_replaced ? has_another_name(path, name, about.st_ino) : !is_in_use(folder, name);
  if (may_go) ::unlinkat(folder, name, 0);
}

}  // namespace

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
    case EFBIG:
      return system_error("the file is larger than you may write: raise the limit (ulimit -f)")
          .at(path);
    default:
      return system_error("the file cannot be written: " + std::generic_category().message(error) +
                          "; choose another place")
          .at(path);
  }
}

std::string folder_of(const std::string& path) {
  const std::string folder = std::filesystem::path(path).parent_path().string();
  return folder.empty() ? "." : folder;
}

std::string path_of_open(int file) { return "/proc/self/fd/" + std::to_string(file); }

int nameless_in(const std::string& folder, unsigned mode) {
  return ::open(folder.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, mode);
}

namespace {

// For file systems that have no nameless files.
int named_for_a_moment(const std::string& folder, unsigned mode) {
  const auto name = name_beside(folder + "/file", kUnfinished);
  if (!name) return -1;
  const int file = ::open(name->c_str(), O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, mode);
  if (file >= 0) ::unlink(name->c_str());
  return file;
}

}  // namespace

int nameless_near(const std::string& folder, unsigned mode) {
  std::error_code ignored;
  const std::string other = std::filesystem::temp_directory_path(ignored).string();
  int file = nameless_in(folder, mode);
  if (file < 0) file = named_for_a_moment(folder, mode);
  if (file < 0) file = nameless_in(other, mode);
  if (file < 0) file = named_for_a_moment(other, mode);
  return file;
}

tl::expected<std::string, int> name_beside(const std::string& target, std::string_view ending) {
  std::array<unsigned char, kRandomBytes> random{};
  if (::getrandom(random.data(), random.size(), 0) != static_cast<ssize_t>(random.size())) {
    return tl::unexpected(errno);
  }
  const std::string name = std::string(kPrefix) + hex(random) + std::string(ending);
  return (std::filesystem::path(target).parent_path() / name).string();
}

bool is_mounted(const std::string& path) {
  struct statx about{};
  if (::statx(AT_FDCWD, path.c_str(), 0, STATX_TYPE, &about) != 0) return false;
  return (about.stx_attributes_mask & about.stx_attributes & STATX_ATTR_MOUNT_ROOT) != 0;
}

void remove_leftovers(const std::string& folder) {
  static std::mutex mutex;
  static std::set<std::string> looked_at;
  {
    const std::lock_guard lock(mutex);
    if (!looked_at.insert(folder).second) return;
  }
  const std::unique_ptr<DIR, int (*)(DIR*)> open(::opendir(folder.c_str()), ::closedir);
  if (open == nullptr) return;
  while (const dirent* entry = ::readdir(open.get())) {
    remove_leftover(folder, ::dirfd(open.get()), entry->d_name);
  }
}

}  // namespace semveil
