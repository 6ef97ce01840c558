// Work that can be stopped from outside.
//
//   std::stop_source source;  // another thread calls source.request_stop()
//   Result<Table> table =
//       stoppable(source.get_token(), [&] { return Table::open("visits.fifo"); });
//
// Whatever the work asks of semveil on this thread stops soon after the token was asked to, with
// the threads that semveil began for it: usually within a tenth of a second, also while it waits
// for a pipe. The answer is then an error of ErrorCode::kCancelled; nothing was written, and what
// was allocated or opened is gone. A commit that has begun is finished, and what a stream has
// flushed stays. Functions that take WorkOptions do the same with WorkOptions::stop.
//
// Why it ends by an exception inside: an answer may be kept, shown in a table of refusals or tried
// again in another way, as failures are; a stop must not. The exception unwinds everything from the
// loop that noticed it to the outermost stoppable() of its token, which alone catches it. It passes
// through `work`, so that must not swallow what it does not know.
#pragma once

#include <functional>
#include <optional>
#include <stop_token>
#include <utility>

#include "semveil/result.h"

namespace [[gnu::visibility("default")]] semveil {

namespace internal {
// False: the token was asked to stop before the work was done.
bool done_unless_stopped(const std::stop_token& stop, const std::function<void()>& work);
Error stopped_error();
}  // namespace internal

// What `work` answers, a Result. Calls may be nested: inside, the outer token counts, too. A token
// that nobody can ask (std::stop_token{}) changes nothing.
template <class Work>
auto stoppable(const std::stop_token& stop, const Work& work) -> decltype(work()) {
  std::optional<decltype(work())> answer;
  if (!internal::done_unless_stopped(stop, [&] { answer.emplace(work()); })) {
    return fail(internal::stopped_error());
  }
  return *std::move(answer);
}

// Whether what this thread does now was asked to stop: for long loops of the caller's own.
bool stop_requested();

// Whether some thread is giving files their names. Who ends the process then leaves some new and
// some old.
bool is_committing();

}  // namespace semveil
