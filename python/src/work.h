// Work on a thread of its own, while the thread that called waits.
//
// The caller lets go of the GIL. Every 50 ms it takes it again, looks for signals and tells
// progress: so Ctrl-C stops the work, other threads of Python run meanwhile, and callbacks come
// from the caller's thread alone.
#pragma once

#include <nanobind/nanobind.h>

#include <functional>
#include <optional>
#include <stop_token>

#include "errors.h"
#include "semveil/release.h"
#include "semveil/stop.h"

namespace semveil::python {

// What the work gets: it hands both on to the library.
struct Working {
  std::stop_token stop;
  WorkProgress progress;
};

namespace internal {
// Runs `work` and comes back when it is done. A signal's or a callback's exception is raised then,
// and the work was asked to stop.
void wait_for(const nb::object& progress, const std::function<void(const Working&)>& work);
}  // namespace internal

// `work` gives a Result and has nothing to do with Python.
template <class Work>
auto run(const nb::object& progress, const About& about, const Work& work) {
  using Answer = decltype(work(std::declval<const Working&>()));
  std::optional<Answer> answer;
  internal::wait_for(progress, [&](const Working& working) {
    answer.emplace(stoppable(working.stop, [&] { return work(working); }));
  });
  if (!*answer) raise(answer->error(), about);
  if constexpr (!std::is_void_v<typename Answer::value_type>) return **std::move(answer);
}

// Ends all that is under way and refuses what would begin: the interpreter goes.
void end_all_work();
// In a child of fork() nothing is under way.
void forget_all_work();

}  // namespace semveil::python
