// How files get their names: all of them or none (files.h).
//
//   settle    every file is complete, its bytes on the disk
//   place     one after the other gets its name; what had it is kept under another
//   forget    when all have theirs; or, where one fails, take_back of those before it
//
// Choice: what is replaced gets a second name (a hard link) before the new file is renamed over it:
//         at every moment the name leads to the old file or to the new one. File systems without
//         links rename it away first; then there is a moment without it.
// Choice: only the owner can read a file until it has its name, so that nobody else can read what a
//         kill leaves. Then it gets its mode.
// After a kill in the middle of placing, the folder has new files beside old ones; those that were
// replaced are still there, as .semveil-….old.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <string>
#include <utility>

#include "base/descriptor.h"
#include "base/pending_names.h"
#include "base/stop.h"
#include "semveil/files.h"

namespace semveil {

// Some file systems have nothing to sync, and say so.
bool sync_file(int file) {
  return ::fsync(file) == 0 || errno == EINVAL || errno == ENOSYS || errno == EROFS;
}

bool sync_folder(const std::string& folder) {
  const Descriptor open(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  // A folder may be closed to readers and open to writers.
  return open.get() < 0 || sync_file(open.get());
}

namespace {

// Both from their beginnings; `to` ends where `from` does.
bool copy_all(int from, int to) {
  std::array<char, 1 << 16> buffer;
  if (::lseek(from, 0, SEEK_SET) != 0 || ::lseek(to, 0, SEEK_SET) != 0) return false;
  off_t size = 0;
  for (;;) {
    const ssize_t got = ::read(from, buffer.data(), buffer.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return false;
    if (got == 0) break;
    for (ssize_t put = 0; put < got;) {
      const ssize_t some = ::write(to, buffer.data() + put, static_cast<std::size_t>(got - put));
      if (some < 0 && errno == EINTR) continue;
      if (some < 0) return false;
      put += some;
    }
    size += got;
  }
  return ::ftruncate(to, size) == 0;
}

// The other name under which what has the target's name can be put back; empty where nothing has
// it. An errno where it cannot be kept: then it must not be replaced.
tl::expected<std::string, int> kept_beside(const std::string& target) {
  struct stat about{};
  if (::lstat(target.c_str(), &about) != 0) {
    if (errno == ENOENT) return {};
    return tl::unexpected(errno);
  }
  if (!S_ISREG(about.st_mode)) {  // came there meanwhile
    return tl::unexpected(S_ISDIR(about.st_mode) ? EISDIR : EEXIST);
  }
  auto name = name_beside(target, kReplaced);
  if (!name || ::link(target.c_str(), name->c_str()) == 0) return name;
  const bool has_no_links = errno == EPERM || errno == EOPNOTSUPP || errno == ENOSYS ||
                            errno == EMLINK || errno == EINVAL;
  if (has_no_links && ::rename(target.c_str(), name->c_str()) == 0) return name;
  return tl::unexpected(errno);
}

}  // namespace

Status PendingFile::settle(Sync sync) {
  if (target_.empty()) {  // was written directly
    const int file = std::exchange(file_, -1);
    if (file > STDERR_FILENO && ::close(file) != 0) return fail(write_error(path_, errno));
    return {};
  }
  if (sync == Sync::kYes && !sync_file(file_)) return fail(write_error(path_, errno));
  // Not a leftover for the next hour, however long it was not written to.
  ::futimens(file_, nullptr);
  // Some file systems tell of a full disk only when a file is closed. It stays open all the same,
  // for what place() does with it.
  const int again = ::fcntl(file_, F_DUPFD_CLOEXEC, 0);
  if (again < 0 || ::close(again) != 0) return fail(write_error(path_, errno));
  return {};
}

Status PendingFile::place(Sync sync) {
  if (target_.empty()) return {};
  if (in_place_) return overwrite(sync);
  if (temporary_.empty()) {  // linking cannot replace a file, renaming can
    const auto name = name_beside(target_, kUnfinished);
    if (!name) return fail(write_error(path_, name.error()));
    const std::string open_file = path_of_open(file_);
    if (::linkat(AT_FDCWD, open_file.c_str(), AT_FDCWD, name->c_str(), AT_SYMLINK_FOLLOW) != 0) {
      return fail(write_error(path_, errno));
    }
    temporary_ = *name;
  }
  auto kept = kept_beside(target_);
  if (!kept) return fail(write_error(path_, kept.error()));
  replaced_ = *std::move(kept);
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) {
    const int error = errno;
    // Where that fails the other name stays: it may lead to the last copy.
    if (!replaced_.empty() && ::rename(replaced_.c_str(), target_.c_str()) == 0) {
      forget_replaced();  // two names of one file: renaming one to the other leaves both
    }
    return fail(write_error(path_, error));
  }
  temporary_.clear();
  placed_ = true;
  if ((mode_ != 0 && ::fchmod(file_, mode_) != 0) ||
      (sync == Sync::kYes && !sync_folder(folder_of(target_)))) {
    const int error = errno;
    take_back();
    return fail(write_error(path_, error));
  }
  return {};
}

Status PendingFile::overwrite(Sync sync) {
  Descriptor there(::open(target_.c_str(), O_RDWR | O_CLOEXEC));
  struct stat about{};
  if (there.get() < 0 || ::fstat(there.get(), &about) != 0) {
    return fail(write_error(path_, errno));
  }
  replaced_file_ = nameless_near(folder_of(target_), 0600);
  if (replaced_file_ < 0 || !copy_all(there.get(), replaced_file_)) {
    return fail(write_error(path_, errno));
  }
  placed_ = true;
  // A secret becomes private before it is there. Where the file is somebody else's, they have
  // decided who reads it.
  const auto mode = static_cast<std::uint16_t>(about.st_mode & ACCESSPERMS);
  if (mode != mode_) ::fchmod(there.get(), std::exchange(mode_, mode));
  if (!copy_all(file_, there.get()) || (sync == Sync::kYes && !sync_file(there.get())) ||
      ::close(there.release()) != 0) {
    const int error = errno;
    take_back();
    return fail(write_error(path_, error));
  }
  return {};
}

void PendingFile::take_back() {
  if (!std::exchange(placed_, false)) return;
  if (replaced_file_ >= 0) {
    const Descriptor there(::open(target_.c_str(), O_WRONLY | O_CLOEXEC));
    if (there.get() < 0) return;
    copy_all(replaced_file_, there.get());
    ::fchmod(there.get(), mode_);
  } else if (replaced_.empty()) {
    ::unlink(target_.c_str());
  } else if (::rename(replaced_.c_str(), target_.c_str()) == 0) {
    replaced_.clear();
  }
}

void PendingFile::forget_replaced() {
  placed_ = false;
  if (!replaced_.empty()) ::unlink(replaced_.c_str());
  replaced_.clear();
}

Status PendingFile::commit(Sync sync) {
  std::vector<PendingFile> alone;
  alone.push_back(std::move(*this));
  return commit_together(std::move(alone), sync);
}

Status commit_together(std::vector<PendingFile> files, Sync sync) {
  for (PendingFile& file : files) {
    if (Status settled = file.settle(sync); !settled) return settled;
    check_stop();  // a disk may take long
  }
  const Unstoppable from_here_on;
  for (std::size_t i = 0; i < files.size(); ++i) {
    if (Status placed = files[i].place(sync); !placed) {
      while (i-- > 0) files[i].take_back();
      return placed;
    }
  }
  for (PendingFile& file : files) file.forget_replaced();
  return {};
}

}  // namespace semveil
