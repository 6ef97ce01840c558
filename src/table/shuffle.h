// The keyed random order of rows, the same for every format and however a table is cut.
//
// Row r goes to part draw(r, 0) >> 56; inside a part the rows are sorted by (draw(r, 1), r); the
// parts follow each other. That is a sort of all rows by independent random numbers, so every order
// is equally likely, but only one part of the rows need be in memory.
//
// Cost: two draws a row and a sort of each part.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "semveil/key.h"

namespace semveil {

inline constexpr std::size_t kShuffleParts = 256;

class ShuffleOrder {  // immutable, thread-safe
 public:
  explicit ShuffleOrder(const Key& key) : draws_(key, "shuffle") {}

  // The parts of rows in sequence.
  std::vector<std::uint8_t> parts(std::uint64_t first_row, std::size_t rows) const {
    std::vector<std::uint64_t> draws(rows);
    draws_.of_rows(first_row, 0, draws);
    std::vector<std::uint8_t> parts(rows);
    std::transform(draws.begin(), draws.end(), parts.begin(),
                   [](std::uint64_t draw) { return static_cast<std::uint8_t>(draw >> 56); });
    return parts;
  }

  // How the rows of one part follow each other: places in `rows`, which are numbers of rows.
  std::vector<std::uint32_t> order(std::span<const std::uint64_t> rows) const {
    std::vector<std::uint64_t> draws(rows.size());
    draws_.of_addresses(rows, 1, draws);
    std::vector<std::uint32_t> order(rows.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = static_cast<std::uint32_t>(i);
    std::sort(order.begin(), order.end(), [&](std::uint32_t a, std::uint32_t b) {
      return std::pair(draws[a], rows[a]) < std::pair(draws[b], rows[b]);
    });
    return order;
  }

 private:
  Draws draws_;
};

}  // namespace semveil
