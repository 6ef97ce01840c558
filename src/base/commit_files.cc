// How files get their names: all of them or none (files.h).
//
//   settle    every file is complete under a temporary name, its bytes on the disk
//   place     one after the other gets its name; what had it is kept under another
//   forget    when all have theirs; or, where one fails, take_back of those before it
//
// Choice: what is replaced gets a second name (a hard link) before the new file is renamed over it:
//         at every moment the name leads to the old file or to the new one. File systems without
//         links rename it away first; then there is a moment without it.
// After a kill in the middle of placing, the folder has new files beside old ones; those that were
// replaced are still there, as .semveil-….old.
#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <utility>

#include "base/descriptor.h"
#include "base/pending_names.h"
#include "base/stop.h"
#include "semveil/files.h"

namespace semveil {
namespace {

// Some file systems have nothing to sync, and say so.
bool sync_open(int file) {
  return ::fsync(file) == 0 || errno == EINVAL || errno == ENOSYS || errno == EROFS;
}

bool sync_folder(const std::string& folder) {
  const Descriptor open(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  // A folder may be closed to readers and open to writers.
  return open.get() < 0 || sync_open(open.get());
}

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

}  // namespace

Status PendingFile::settle(Sync sync) {
  if (!target_.empty() && sync == Sync::kYes && !sync_open(file_)) {
    return fail(write_error(path_, errno));
  }
  if (in_place_) return {};
  if (!target_.empty()) {
    // Not a leftover for the next hour, however long it was not written to.
    ::futimens(file_, nullptr);
    if (temporary_.empty()) {  // linking cannot replace a file, renaming can
      const auto name = name_beside(target_, kUnfinished);
      if (!name) return fail(write_error(path_, name.error()));
      const std::string open_file = path_of_open(file_);
      if (::linkat(AT_FDCWD, open_file.c_str(), AT_FDCWD, name->c_str(), AT_SYMLINK_FOLLOW) != 0) {
        return fail(write_error(path_, errno));
      }
      temporary_ = *name;
    }
  }
  // Some file systems tell of a full disk only when the file is closed.
  if (const int file = std::exchange(file_, -1); file > STDERR_FILENO && ::close(file) != 0) {
    return fail(write_error(path_, errno));
  }
  return {};
}

Status PendingFile::place(Sync sync) {
  if (target_.empty()) return {};  // was written directly
  if (in_place_) return overwrite(sync);
  const auto name = name_beside(target_, kReplaced);
  if (!name) return fail(write_error(path_, name.error()));
  if (::link(target_.c_str(), name->c_str()) == 0 ||
      (errno != ENOENT && ::rename(target_.c_str(), name->c_str()) == 0)) {
    replaced_ = *name;
  }
  if (::rename(temporary_.c_str(), target_.c_str()) != 0) {
    const int error = errno;
    if (!replaced_.empty()) ::rename(replaced_.c_str(), target_.c_str());
    // Two names of one file: renaming one to the other leaves both.
    forget_replaced();
    return fail(write_error(path_, error));
  }
  temporary_.clear();
  placed_ = true;
  if (sync == Sync::kYes && !sync_folder(folder_of(target_))) {
    const int error = errno;
    take_back();
    return fail(write_error(path_, error));
  }
  return {};
}

Status PendingFile::overwrite(Sync sync) {
  const Descriptor there(::open(target_.c_str(), O_RDWR | O_CLOEXEC));
  if (there.get() < 0) return fail(write_error(path_, errno));
  replaced_file_ = nameless_near(folder_of(target_), 0600);
  if (replaced_file_ < 0 || !copy_all(there.get(), replaced_file_)) {
    return fail(write_error(path_, errno));
  }
  placed_ = true;
  if (!copy_all(file_, there.get()) || (sync == Sync::kYes && !sync_open(there.get()))) {
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
    if (there.get() >= 0) copy_all(replaced_file_, there.get());
  } else if (replaced_.empty()) {
    ::unlink(target_.c_str());
  } else if (::rename(replaced_.c_str(), target_.c_str()) == 0) {
    replaced_.clear();
  }
}

void PendingFile::forget_replaced() {
  if (!replaced_.empty()) ::unlink(replaced_.c_str());
  replaced_.clear();
}

Status PendingFile::commit(Sync sync) {
  std::vector<PendingFile> alone;
  alone.push_back(std::move(*this));
  return commit_together(std::move(alone), sync);
}

Status commit_together(std::vector<PendingFile> files, Sync sync) {
  check_stop();  // the last time
  const Unstoppable from_here_on;
  for (PendingFile& file : files) {
    if (Status settled = file.settle(sync); !settled) return settled;
  }
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
