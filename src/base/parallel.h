// Work cut into pieces that any thread may take. What a piece computes must not depend on who takes
// it; results are put together in the order of the pieces.
#pragma once

#include <algorithm>
#include <atomic>
#include <cstddef>
#include <thread>
#include <vector>

namespace semveil {

// work(piece) for 0 … pieces − 1, by at most so many threads; the caller's is one of them.
template <class Work>
void in_parallel(unsigned threads, std::size_t pieces, const Work& work) {
  std::atomic<std::size_t> next = 0;
  const auto take = [&] {
    for (std::size_t piece = next++; piece < pieces; piece = next++) work(piece);
  };
  std::vector<std::jthread> others;
  const std::size_t wanted = std::min<std::size_t>(threads, pieces);
  for (std::size_t t = 1; t < wanted; ++t) others.emplace_back(take);
  take();
}

}  // namespace semveil
