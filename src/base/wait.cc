#include "base/wait.h"

#include <fcntl.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <string>

#include "base/descriptor.h"
#include "base/stop.h"

namespace semveil {
namespace {

// Of a file: so much is written before anybody asks again whether to stop.
constexpr std::size_t kAtOnce = std::size_t{1} << 24;

bool is_ready(int file, short what) {
  pollfd asked{.fd = file, .events = what, .revents = 0};
  return ::poll(&asked, 1, 0) > 0;
}

// A stop wakes the wait: its callback makes the event readable.
void wait_until(int file, short what) {
  if (is_ready(file, what)) return;
  const Descriptor event(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
  if (event.get() < 0) return;
  const std::stop_callback wake(current_stop(), [&] { ::eventfd_write(event.get(), 1); });
  for (;;) {
    check_stop();
    std::array<pollfd, 2> asked{{{.fd = file, .events = what, .revents = 0},
                                 {.fd = event.get(), .events = POLLIN, .revents = 0}}};
    const int ready = ::poll(asked.data(), asked.size(), -1);
    if (ready < 0 && errno != EINTR) return;  // the read or write says what is wrong
    if (ready > 0 && asked[0].revents != 0) return;
  }
}

bool is_named_pipe(const char* path) {
  struct stat about{};
  return ::stat(path, &about) == 0 && S_ISFIFO(about.st_mode);
}

void let_block(int file) {
  if (const int flags = ::fcntl(file, F_GETFL); flags >= 0) {
    ::fcntl(file, F_SETFL, flags & ~O_NONBLOCK);
  }
}

// Nobody reads yet: opening fails at once and must be tried again.
int open_when_read(const char* path, int flags) {
  constexpr int kBetweenTries = 20;  // milliseconds
  for (;;) {
    const int file = ::open(path, flags | O_NONBLOCK);
    if (file >= 0 || errno != ENXIO) return file;
    check_stop();
    ::poll(nullptr, 0, kBetweenTries);
  }
}

}  // namespace

void wait_until_readable(int file) {
  check_stop();
  if (current_stop().stop_possible()) wait_until(file, POLLIN);
}

int open_stoppable(const char* path, int flags) {
  if (!current_stop().stop_possible() || !is_named_pipe(path)) return ::open(path, flags);
  const bool writes = (flags & O_ACCMODE) == O_WRONLY;
  Descriptor file(writes ? open_when_read(path, flags) : ::open(path, flags | O_NONBLOCK));
  if (file.get() < 0) return -1;
  if (!writes) wait_until(file.get(), POLLIN);  // for somebody who writes
  let_block(file.get());
  return file.release();
}

long write_stoppable(int file, const char* bytes, std::size_t size) {
  check_stop();
  struct stat about{};
  if (!current_stop().stop_possible() || ::fstat(file, &about) != 0 || !S_ISFIFO(about.st_mode)) {
    return ::write(file, bytes, std::min(size, kAtOnce));
  }
  // Opened anew, as not to block is a mark that all who share an open pipe would get.
  const Descriptor pipe(
      ::open(("/proc/self/fd/" + std::to_string(file)).c_str(), O_WRONLY | O_NONBLOCK | O_CLOEXEC));
  for (;;) {
    wait_until(file, POLLOUT);
    if (pipe.get() < 0) return ::write(file, bytes, std::min<std::size_t>(size, PIPE_BUF));
    const ssize_t put = ::write(pipe.get(), bytes, size);
    if (put >= 0 || errno != EAGAIN) return put;
  }
}

}  // namespace semveil
