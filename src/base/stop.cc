#include "base/stop.h"

#include <atomic>

namespace semveil {
namespace {

const std::stop_token*& own_slot() {
  constinit static thread_local const std::stop_token* slot = nullptr;
  return slot;
}

constinit std::atomic<StopSlot> slots = &own_slot;

// Stopped when either token is. What the callbacks ask must live longer than they do.
class Either {
 public:
  Either(const std::stop_token& a, const std::stop_token& b)
      : of_a_(a, Ask{&source_}), of_b_(b, Ask{&source_}) {}
  std::stop_token token() const { return source_.get_token(); }

 private:
  struct Ask {
    std::stop_source* source;
    void operator()() const { source->request_stop(); }
  };
  std::stop_source source_;
  std::stop_callback<Ask> of_a_, of_b_;
};

}  // namespace

const std::stop_token*& stop_slot() { return slots.load(std::memory_order_relaxed)(); }

void use_stop_slots_of(StopSlot other) { slots = other; }

std::stop_token current_stop() {
  const std::stop_token* const stop = stop_slot();
  return stop == nullptr ? std::stop_token{} : *stop;
}

void throw_stopped() { throw Stopped{}; }

// How many threads are in the middle of a commit.
static constinit std::atomic<int> commits = 0;

Unstoppable::Unstoppable() : StopScope(std::stop_token{}) { ++commits; }
Unstoppable::~Unstoppable() { --commits; }

bool is_committing() { return commits > 0; }

bool stop_requested() {
  const std::stop_token* const stop = stop_slot();
  return stop != nullptr && stop->stop_requested();
}

namespace internal {

bool done_unless_stopped(const std::stop_token& stop, const std::function<void()>& work) {
  const std::stop_token outer = current_stop();
  if (!stop.stop_possible() || stop == outer) {
    work();
    return true;
  }
  const Either either(stop, outer);
  const StopScope scope(outer.stop_possible() ? either.token() : stop);
  try {
    check_stop();
    work();
    return true;
  } catch (const Stopped&) {
    if (!stop.stop_requested()) throw;  // the outer work was stopped
    return false;
  }
}

Error stopped_error() {
  return {ErrorCode::kCancelled, "stopped before the work was done", {}, {}, {}};
}

}  // namespace internal
}  // namespace semveil
