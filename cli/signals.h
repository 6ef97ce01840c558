// Ctrl-C, SIGTERM and SIGHUP, turned into a stop of the work (semveil/stop.h).
//
// The first one asks the work to stop, so that nothing is left behind. The second ends the program at
// once, unless it is a SIGHUP or files are just getting their names. A signal that was ignored when
// the program began stays so: a shell does that for what it runs in the background.
#pragma once

#include <atomic>
#include <csignal>
#include <stop_token>
#include <thread>

namespace semveil::cli {

// No handlers: the signals are blocked, and a thread of its own reads them.
class Signals {
 public:
  Signals();  // before any other thread begins: the others inherit what is blocked
  ~Signals();
  Signals(const Signals&) = delete;
  Signals& operator=(const Signals&) = delete;

  std::stop_token token() const { return stop_.get_token(); }
  int exit_code() const { return 128 + received_; }  // after a stop, as shells count it

 private:
  void watch();

  std::stop_source stop_;
  std::atomic<int> received_ = 0;
  sigset_t watched_{}, blocked_before_{};
  int signals_ = -1, end_ = -1;  // what the thread reads
  std::thread watcher_;
};

}  // namespace semveil::cli
