// Work cut into pieces that any thread may take. What a piece computes must not depend on who takes
// it; results are put together in the order of the pieces.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <exception>
#include <mutex>
#include <system_error>
#include <thread>
#include <vector>

#include "base/stop.h"

namespace semveil {

// work(piece) for 0 … pieces − 1, by at most so many threads; the caller's is one of them. What a
// piece throws first is thrown here; a thread that cannot be had is done without. Before each piece
// it is asked whether the work was stopped.
template <class Work>
void in_parallel(unsigned threads, std::size_t pieces, const Work& work) {
  std::atomic<std::size_t> next = 0;
  std::mutex mutex;
  std::exception_ptr thrown;
  const auto take = [&] {
    try {
      for (std::size_t piece = next++; piece < pieces; piece = next++) {
        check_stop();
        work(piece);
      }
    } catch (...) {
      const std::lock_guard lock(mutex);
      if (!thrown) thrown = std::current_exception();
      next = pieces;
    }
  };
  {
    std::vector<std::jthread> others;
    const std::size_t wanted = std::min<std::size_t>(threads, pieces);
    const auto take_too = [&, stop = current_stop()] {
      const StopScope scope(stop);
      take();
    };
    try {
      for (std::size_t t = 1; t < wanted; ++t) others.emplace_back(take_too);
    } catch (const std::system_error&) {
    }
    take();
  }
  if (thrown) std::rethrow_exception(thrown);
}

}  // namespace semveil
