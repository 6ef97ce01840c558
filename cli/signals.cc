#include "signals.h"

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/signalfd.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <system_error>

#include "semveil/stop.h"

namespace semveil::cli {

Signals::Signals() {
  sigemptyset(&watched_);
  for (const int signal : {SIGINT, SIGTERM, SIGHUP}) {
    struct sigaction now{};
    if (::sigaction(signal, nullptr, &now) == 0 && now.sa_handler != SIG_IGN) {
      sigaddset(&watched_, signal);
    }
  }
  signals_ = ::signalfd(-1, &watched_, SFD_CLOEXEC);
  end_ = ::eventfd(0, EFD_CLOEXEC);
  if (signals_ < 0 || end_ < 0) return;  // then they end the program as they always do
  ::pthread_sigmask(SIG_BLOCK, &watched_, &blocked_before_);
  try {
    watcher_ = std::thread([this] { watch(); });
  } catch (const std::system_error&) {
    ::pthread_sigmask(SIG_SETMASK, &blocked_before_, nullptr);
  }
}

Signals::~Signals() {
  if (watcher_.joinable()) {
    ::eventfd_write(end_, 1);
    watcher_.join();
  }
  for (const int file : {signals_, end_}) {
    if (file >= 0) ::close(file);
  }
}

void Signals::watch() {
  for (;;) {
    std::array<pollfd, 2> asked{{{.fd = signals_, .events = POLLIN, .revents = 0},
                                 {.fd = end_, .events = POLLIN, .revents = 0}}};
    if (::poll(asked.data(), asked.size(), -1) < 0) {
      if (errno == EINTR) continue;
      return;
    }
    if (asked[1].revents != 0) return;
    signalfd_siginfo arrived{};
    if (::read(signals_, &arrived, sizeof arrived) != sizeof arrived) continue;
    const int signal = static_cast<int>(arrived.ssi_signo);
    // A terminal that is closed says so twice: the system does, and the shell.
    if (received_ != 0 && signal == SIGHUP) continue;
    // Files that are getting their names would be some new and some old; it takes a moment.
    if (received_ != 0 && is_committing()) continue;
    if (received_ != 0) ::_exit(128 + signal);
    received_ = signal;
    stop_.request_stop();
  }
}

}  // namespace semveil::cli
