// How many typing errors lie between two texts.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <utility>
#include <vector>

namespace semveil {

// The code point at the front of a UTF-8 text, which it takes away; a byte that begins none stands
// for itself. The text must not be empty.
char32_t take_code_point(std::string_view& text);
std::size_t code_points(std::string_view text);

class EditDistance {  // from one text to many; immutable, thread-safe
 public:
  explicit EditDistance(std::string_view from);

  std::size_t length() const { return from_.size(); }  // in code points
  // The distance, or limit + 1 where it is greater.
  unsigned to(std::string_view text, unsigned limit) const;

 private:
  std::uint64_t places(char32_t c) const;  // bit i: from_[i] == c
  unsigned bit_parallel(std::string_view text, unsigned limit) const;
  unsigned banded(std::string_view text, unsigned limit) const;

  std::vector<char32_t> from_;
  std::array<std::uint64_t, 128> ascii_{};
  std::vector<std::pair<char32_t, std::uint64_t>> beyond_ascii_;
};

}  // namespace semveil
