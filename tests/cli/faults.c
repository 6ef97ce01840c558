// Preloaded into the program (faulting.py): lets the system fail where a test wants it to.
//
//   FAULTS_CALL=rename    open, write, fsync, link, rename, close, chmod or say (standard output)
//   FAULTS_AT=3           the third of them in this process
//   FAULTS_ERROR=5        fails with this errno; 0: the process is killed before the call
//   FAULTS_ONWARDS=1      so do all behind it
//   FAULTS_DELAY=300      the call waits so many milliseconds, and then does what it does
//   FAULTS_NO_NAMELESS=1  there is no O_TMPFILE, as on network file systems
//   FAULTS_LATER=7200     the clock is so many seconds ahead
//   FAULTS_LOG=FILE       gets a line for every call: its name, the inode, the path
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdarg.h>
#include <stdatomic.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

#undef _FORTIFY_SOURCE

static long number_in(const char* name, long otherwise) {
  const char* text = getenv(name);
  return text == NULL ? otherwise : strtol(text, NULL, 10);
}

// One line in one write, past the functions below.
static void note(const char* call, unsigned long inode, const char* what) {
  const char* path = getenv("FAULTS_LOG");
  if (path == NULL) return;
  char line[600];
  int size = snprintf(line, sizeof line, "%s %lu %.500s\n", call, inode, what);
  int file = (int)syscall(SYS_openat, AT_FDCWD, path, O_WRONLY | O_APPEND | O_CREAT, 0600);
  if (file < 0) return;
  syscall(SYS_write, file, line, (size_t)size);
  syscall(SYS_close, file);
}

// Whether this call fails; then errno says why.
static int fails(const char* call) {
  static atomic_long calls;
  const char* wanted = getenv("FAULTS_CALL");
  if (wanted == NULL || strcmp(wanted, call) != 0) return 0;
  long now = atomic_fetch_add(&calls, 1) + 1;
  long at = number_in("FAULTS_AT", 1);
  if (now != at && !(now > at && number_in("FAULTS_ONWARDS", 0))) return 0;
  long delay = number_in("FAULTS_DELAY", 0);
  if (delay > 0) {
    usleep((unsigned)delay * 1000);
    return 0;
  }
  long error = number_in("FAULTS_ERROR", EIO);
  if (error == 0) {
    kill(getpid(), SIGKILL);
    for (;;) pause();
  }
  errno = (int)error;
  return 1;
}

static int fails_on(const char* call, int file) {
  struct stat about;
  int error = errno;
  memset(&about, 0, sizeof about);
  fstat(file, &about);
  errno = error;
  note(call, about.st_ino, S_ISDIR(about.st_mode) ? "folder" : "file");
  return fails(call);
}

static int fails_between(const char* call, const char* from, const char* to) {
  struct stat about;
  int error = errno;
  memset(&about, 0, sizeof about);
  stat(from, &about);
  errno = error;
  note(call, about.st_ino, to);
  return fails(call);
}

#define NEXT(name) ((__typeof__(&name))dlsym(RTLD_NEXT, #name))

static int opened(int folder, const char* path, int flags, mode_t mode) {
  note("open", 0, path);
  if ((flags & O_TMPFILE) == O_TMPFILE && number_in("FAULTS_NO_NAMELESS", 0)) {
    errno = EOPNOTSUPP;
    return -1;
  }
  if (fails("open")) return -1;
  return (int)syscall(SYS_openat, folder, path, flags, mode);
}

#define MODE_BEHIND(flags)                    \
  mode_t mode = 0;                            \
  if ((flags) & (O_CREAT | __O_TMPFILE)) {    \
    va_list more;                             \
    va_start(more, flags);                    \
    mode = (mode_t)va_arg(more, unsigned);    \
    va_end(more);                             \
  }

int open(const char* path, int flags, ...) {
  MODE_BEHIND(flags)
  return opened(AT_FDCWD, path, flags, mode);
}
int open64(const char* path, int flags, ...) {
  MODE_BEHIND(flags)
  return opened(AT_FDCWD, path, flags, mode);
}
int openat(int folder, const char* path, int flags, ...) {
  MODE_BEHIND(flags)
  return opened(folder, path, flags, mode);
}
int openat64(int folder, const char* path, int flags, ...) {
  MODE_BEHIND(flags)
  return opened(folder, path, flags, mode);
}
// What _FORTIFY_SOURCE makes of calls without a mode.
int __open_2(const char* path, int flags) { return opened(AT_FDCWD, path, flags, 0); }
int __open64_2(const char* path, int flags) { return opened(AT_FDCWD, path, flags, 0); }
int __openat_2(int folder, const char* path, int flags) { return opened(folder, path, flags, 0); }
int __openat64_2(int folder, const char* path, int flags) { return opened(folder, path, flags, 0); }

// Those that wake somebody are no files' (eventfd): they would only make a run wait for ever.
static int is_of_a_file(int file) {
  struct stat about;
  int error = errno;
  int is = fstat(file, &about) == 0 && S_ISREG(about.st_mode);
  errno = error;
  return is;
}

ssize_t write(int file, const void* bytes, size_t size) {
  if (is_of_a_file(file) && fails_on("write", file)) return -1;
  return NEXT(write)(file, bytes, size);
}
ssize_t pwrite(int file, const void* bytes, size_t size, off_t at) {
  if (is_of_a_file(file) && fails_on("write", file)) return -1;
  return NEXT(pwrite)(file, bytes, size, at);
}
int fsync(int file) { return fails_on("fsync", file) ? -1 : NEXT(fsync)(file); }
int fdatasync(int file) { return fails_on("fsync", file) ? -1 : NEXT(fdatasync)(file); }
int fchmod(int file, mode_t mode) {
  return fails_on("chmod", file) ? -1 : NEXT(fchmod)(file, mode);
}

int link(const char* from, const char* to) {
  return fails_between("link", from, to) ? -1 : NEXT(link)(from, to);
}
int linkat(int at, const char* from, int in, const char* to, int flags) {
  return fails_between("link", from, to) ? -1 : NEXT(linkat)(at, from, in, to, flags);
}
int rename(const char* from, const char* to) {
  return fails_between("rename", from, to) ? -1 : NEXT(rename)(from, to);
}
int renameat2(int at, const char* from, int in, const char* to, unsigned flags) {
  return fails_between("rename", from, to) ? -1 : NEXT(renameat2)(at, from, in, to, flags);
}

time_t time(time_t* out) {
  struct timespec now;
  syscall(SYS_clock_gettime, CLOCK_REALTIME, &now);
  time_t later = now.tv_sec + number_in("FAULTS_LATER", 0);
  if (out != NULL) *out = later;
  return later;
}

// The descriptor is gone all the same, as POSIX leaves open and Linux does.
int close(int file) {
  int of_a_file = is_of_a_file(file);
  if (of_a_file) note("close", 0, "");
  int failed = of_a_file && fails("close");
  int error = errno;
  int closed = NEXT(close)(file);
  if (!failed) return closed;
  errno = error;
  return -1;
}

size_t fwrite(const void* bytes, size_t size, size_t count, FILE* to) {
  if (to == stdout) {
    note("say", 0, "");
    if (fails("say")) return 0;
  }
  return NEXT(fwrite)(bytes, size, count, to);
}
