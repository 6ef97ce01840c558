// Work in parts.
#pragma once

#include <algorithm>
#include <future>
#include <vector>

namespace semveil {

// f(i) for i < count, in as many contiguous parts as there are threads. What a part throws is
// thrown here; a thread that cannot be had is done without.
template <class F>
void in_parts(std::size_t count, unsigned threads, F f) {
  const std::size_t parts = std::clamp<std::size_t>(threads, 1, std::max<std::size_t>(count, 1));
  std::vector<std::future<void>> others;
  const auto part = [&](std::size_t p) {
    for (std::size_t i = count * p / parts; i < count * (p + 1) / parts; ++i) f(i);
  };
  for (std::size_t p = 1; p < parts; ++p) {
    others.push_back(std::async(std::launch::async | std::launch::deferred, part, p));
  }
  part(0);
  for (std::future<void>& other : others) other.get();
}

}  // namespace semveil
