// Optimal string alignment by its recurrence, cell by cell: the twin of mapping/edit_distance.h.
#pragma once

#include <algorithm>
#include <string>
#include <vector>

namespace semveil::test {

inline unsigned slow_edit_distance(const std::u32string& a, const std::u32string& b) {
  std::vector<std::vector<unsigned>> D(a.size() + 1, std::vector<unsigned>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) {
    for (std::size_t j = 0; j <= b.size(); ++j) {
      if (i == 0 || j == 0) {
        D[i][j] = static_cast<unsigned>(i + j);
        continue;
      }
      const unsigned differ = a[i - 1] == b[j - 1] ? 0 : 1;
      D[i][j] = std::min({D[i - 1][j] + 1, D[i][j - 1] + 1, D[i - 1][j - 1] + differ});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1]) {
        D[i][j] = std::min(D[i][j], D[i - 2][j - 2] + 1);
      }
    }
  }
  return D[a.size()][b.size()];
}

inline std::string to_utf8(const std::u32string& text) {
  std::string bytes;
  const auto put = [&](char32_t bits) { bytes += static_cast<char>(bits); };
  for (const char32_t c : text) {
    if (c < 0x80) {
      put(c);
    } else if (c < 0x800) {
      put(0xC0 | c >> 6);
      put(0x80 | (c & 0x3F));
    } else if (c < 0x10000) {
      put(0xE0 | c >> 12);
      put(0x80 | (c >> 6 & 0x3F));
      put(0x80 | (c & 0x3F));
    } else {
      put(0xF0 | c >> 18);
      put(0x80 | (c >> 12 & 0x3F));
      put(0x80 | (c >> 6 & 0x3F));
      put(0x80 | (c & 0x3F));
    }
  }
  return bytes;
}

}  // namespace semveil::test
