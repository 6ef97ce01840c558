// Asking, inside a long loop, whether the work was stopped (semveil/stop.h).
//
// Every thread knows the token of the work it does, so that no signature need carry it: stoppable()
// sets it, and whoever starts a thread hands it on (in_parallel, Pipeline and WriteBehind do). A
// loop that may take longer than some hundredths of a second calls check_stop() or a StopCheck.
//
// Not to be called from a C library's callback: what it throws must not pass through C.
#pragma once

#include <cstdint>
#include <stop_token>
#include <utility>

#include "semveil/stop.h"

namespace semveil {

// Thrown by a check, caught by stoppable(). No std::exception: whoever handles failures must not
// take it for one.
struct Stopped {};
[[noreturn]] void throw_stopped();

// Where the present thread keeps the token of its work; null: none.
using StopSlot = const std::stop_token*& (*)();
const std::stop_token*& stop_slot();
// A module with its own copy of this code uses the program's threads, and hence its slots.
void use_stop_slots_of(StopSlot other);

std::stop_token current_stop();

inline void check_stop() {
  const std::stop_token* const stop = stop_slot();
  if (stop != nullptr && stop->stop_requested()) throw_stopped();
}

// A check in every so many rounds of a loop whose rounds are short, or comparisons of a sort.
class StopCheck {
 public:
  static constexpr std::uint32_t kUsual = 4096;  // well below a millisecond
  explicit StopCheck(std::uint32_t rounds = kUsual) : rounds_(rounds), left_(rounds) {}
  void operator()() {
    if (--left_ != 0) return;
    left_ = rounds_;
    check_stop();
  }

 private:
  std::uint32_t rounds_, left_;
};

// The token of what this thread does while the scope lasts.
class StopScope {
 public:
  explicit StopScope(std::stop_token stop)
      : stop_(std::move(stop)),
        before_(std::exchange(stop_slot(), stop_.stop_possible() ? &stop_ : nullptr)) {}
  ~StopScope() { stop_slot() = before_; }
  StopScope(const StopScope&) = delete;
  StopScope& operator=(const StopScope&) = delete;

 private:
  std::stop_token stop_;
  const std::stop_token* before_;
};

// While it lasts, nothing stops: a commit has begun.
class Unstoppable : StopScope {
 public:
  Unstoppable();
  ~Unstoppable();
};

}  // namespace semveil
