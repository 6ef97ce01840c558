// Optimal string alignment distance: the fewest insertions, deletions, substitutions and exchanges
// of two neighbours that turn one text into another, no place edited twice.
//
//   D(i,j) = min of  D(i−1,j) + 1,  D(i,j−1) + 1,  D(i−1,j−1) + [a_i ≠ b_j],
//                    D(i−2,j−2) + 1  if a_i = b_{j−1} and a_{i−1} = b_j
//
//   "girafe" → "giraffe" 1     "tigre" → "tiger" 1     "ca" → "abc" 3 (2 if places could be edited
//                                                                      again)
//
// Neighbouring cells of D differ by at most 1, so a column of D is two bit vectors (where it rises,
// where it falls), and one step to the next column is a dozen instructions on 64 rows at once: the
// carry of one addition runs along the diagonals of matches. An exchange adds one term (TR below).
//
// Texts are compared by code point. Up to 64 of them fit the vectors; longer ones are rare (2 of
// WordNet's 146,347 names) and take the plain recurrence inside a band of 2·limit + 1 diagonals.
//
// Cost:    O(n) for the vectors, O(n·limit) for the band; gives up when the limit is out of reach.
// Source:  H. Hyyrö, A bit-vector algorithm for computing Levenshtein and Damerau edit distances,
//          Nordic Journal of Computing 10, 2003; after G. Myers, JACM 46(3), 1999.
#include "mapping/edit_distance.h"

#include <algorithm>

namespace semveil {

char32_t take_code_point(std::string_view& text) {
  const auto lead = static_cast<unsigned char>(text.front());
  text.remove_prefix(1);
  const unsigned more = lead >= 0xF0 ? 3 : lead >= 0xE0 ? 2 : lead >= 0xC0 ? 1 : 0;
  if (more == 0) return lead;
  char32_t c = lead & (0x3FU >> more);
  for (unsigned i = 0; i < more && !text.empty() && (text.front() & 0xC0) == 0x80; ++i) {
    c = c << 6 | (static_cast<unsigned char>(text.front()) & 0x3FU);
    text.remove_prefix(1);
  }
  return c;
}

std::size_t code_points(std::string_view text) {
  std::size_t count = 0;
  for (; !text.empty(); ++count) take_code_point(text);
  return count;
}

EditDistance::EditDistance(std::string_view from) {
  from_.reserve(from.size());
  while (!from.empty()) from_.push_back(take_code_point(from));
  if (from_.size() > 64) return;
  for (std::size_t i = 0; i < from_.size(); ++i) {
    const std::uint64_t bit = std::uint64_t{1} << i;
    if (from_[i] < ascii_.size()) {
      ascii_[from_[i]] |= bit;
      continue;
    }
    const auto known = std::find_if(beyond_ascii_.begin(), beyond_ascii_.end(),
                                    [&](const auto& entry) { return entry.first == from_[i]; });
    if (known == beyond_ascii_.end()) {
      beyond_ascii_.emplace_back(from_[i], bit);
    } else {
      known->second |= bit;
    }
  }
}

unsigned EditDistance::to(std::string_view text, unsigned limit) const {
  return from_.size() <= 64 ? bit_parallel(text, limit) : banded(text, limit);
}

std::uint64_t EditDistance::places(char32_t c) const {
  if (c < ascii_.size()) return ascii_[c];
  for (const auto& [known, bits] : beyond_ascii_) {
    if (known == c) return bits;
  }
  return 0;
}

unsigned EditDistance::bit_parallel(std::string_view text, unsigned limit) const {
  if (from_.empty()) {
    return static_cast<unsigned>(std::min<std::size_t>(code_points(text), limit + 1U));
  }
  const std::uint64_t last_row = std::uint64_t{1} << (from_.size() - 1);
  std::uint64_t VP = ~std::uint64_t{0}, VN = 0, D0 = 0, PM_before = 0;
  std::size_t distance = from_.size();
  while (!text.empty()) {
    const std::uint64_t PM = places(take_code_point(text));
    const std::uint64_t TR = ((~D0 & PM) << 1) & PM_before;
    D0 = (((PM & VP) + VP) ^ VP) | PM | VN | TR;
    std::uint64_t HP = VN | ~(D0 | VP);
    std::uint64_t HN = D0 & VP;
    if (HP & last_row) ++distance;
    if (HN & last_row) --distance;
    // Each column still to come takes off 1 at most; there are no more columns than bytes.
    if (distance > limit + text.size()) return limit + 1;
    HP = HP << 1 | 1;
    HN <<= 1;
    VP = HN | ~(D0 | HP);
    VN = HP & D0;
    PM_before = PM;
  }
  return static_cast<unsigned>(std::min<std::size_t>(distance, limit + 1U));
}

unsigned EditDistance::banded(std::string_view text, unsigned limit) const {
  const std::vector<char32_t>& a = from_;
  std::vector<char32_t> b;
  b.reserve(text.size());
  while (!text.empty()) b.push_back(take_code_point(text));
  const std::size_t m = a.size(), n = b.size();
  if (m > n + limit || n > m + limit) return limit + 1;

  // Outside the band every cell exceeds the limit, whatever its value: `far` stands for it.
  const unsigned far = limit + 1;
  std::vector<unsigned> two_up(n + 1, far), up(n + 1, far), row(n + 1, far);
  for (std::size_t j = 0; j <= std::min<std::size_t>(n, limit); ++j) {
    up[j] = static_cast<unsigned>(j);
  }
  for (std::size_t i = 1; i <= m; ++i) {
    const std::size_t from = i > limit ? i - limit : 0, to = std::min(n, i + limit);
    if (from > 0) row[from - 1] = far;
    for (std::size_t j = from; j <= to; ++j) {
      if (j == 0) {
        row[0] = std::min(static_cast<unsigned>(i), far);
        continue;
      }
      unsigned best = std::min({up[j] + 1, row[j - 1] + 1, up[j - 1] + (a[i - 1] != b[j - 1])});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        best = std::min(best, two_up[j - 2] + 1);
      }
      row[j] = std::min(best, far);
    }
    if (to < n) row[to + 1] = far;
    std::swap(two_up, up);
    std::swap(up, row);
  }
  return std::min(up[n], far);
}

}  // namespace semveil
