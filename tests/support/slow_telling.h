// The slow twin of release/telling.h: every record is guessed from all others, one by one.
#pragma once

#include <algorithm>
#include <map>
#include <span>

#include "release/telling.h"

namespace semveil::test {

inline Guesses guess_slowly(std::span<const Code> released, std::span<const Code> masked) {
  Guesses out;
  std::map<Code, std::uint64_t> recurrent;  // masked values
  for (std::size_t i = 0; i < released.size(); ++i) {
    if (masked[i] == kMissing) continue;
    ++out.records;
    if (released[i] == kMissing) continue;
    std::map<Code, int> among;
    for (std::size_t j = 0; j < released.size(); ++j) {
      if (j != i && released[j] == released[i] && masked[j] != kMissing) ++among[masked[j]];
    }
    if (among.empty()) continue;
    ++out.recurrent;
    ++recurrent[masked[i]];
    const int own = among[masked[i]];
    bool right = true;
    for (const auto& [value, count] : among) {
      right = right && (value == masked[i] || count < own);
    }
    out.right += right ? 1 : 0;
  }
  for (const auto& [value, count] : recurrent) out.blind = std::max(out.blind, count);
  return out;
}

}  // namespace semveil::test
