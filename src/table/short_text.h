// Texts of up to sixteen bytes, most cells, as two words: hashed and compared at once.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <string_view>

namespace semveil {

// A word's first bytes.
constexpr std::uint64_t first_bytes(std::size_t bytes) {
  const std::uint64_t all = ~std::uint64_t{0};
  if (bytes == 0) return 0;
  if (bytes >= 8) return all;
  return std::endian::native == std::endian::little ? all >> (64 - 8 * bytes)
                                                    : all << (64 - 8 * bytes);
}

// The first sixteen bytes of a text, zeros behind its end.
struct ShortText {
  static constexpr std::size_t kSize = 16;
  std::uint64_t first, second;

  // From loads that overlap: bytes copied one by one would have to be waited for.
  static ShortText of(std::string_view text) {
    const char* const from = text.data();
    const std::size_t size = text.size();
    if (size >= kSize) return load(from);
    if constexpr (std::endian::native != std::endian::little) {
      char bytes[kSize] = {};
      if (size > 0) std::memcpy(bytes, from, size);
      return load(bytes);
    }
    if (size > 8) {
      const std::uint64_t end = part<std::uint64_t>(from + size - 8);
      return {part<std::uint64_t>(from), end >> (8 * (16 - size))};
    }
    if (size == 8) return {part<std::uint64_t>(from), 0};
    if (size >= 4) {
      const std::uint64_t end = part<std::uint32_t>(from + size - 4);
      return {part<std::uint32_t>(from) | end >> (8 * (8 - size)) << 32, 0};
    }
    ShortText text_of{0, 0};
    for (std::size_t i = 0; i < size; ++i) {
      text_of.first |= std::uint64_t{static_cast<unsigned char>(from[i])} << (8 * i);
    }
    return text_of;
  }
  // Of a text with sixteen readable bytes from its beginning on.
  static ShortText of_padded(std::string_view text) { return load(text.data()).cut(text.size()); }

  // Without a branch: the length of a cell cannot be foretold.
  ShortText cut(std::size_t size) const {
    static constexpr auto kMasks = [] {
      std::array<std::uint64_t, kSize + 9> masks{};  // of size − 8 bytes at place `size`
      for (std::size_t i = 0; i < masks.size(); ++i) masks[i] = first_bytes(i < 8 ? 0 : i - 8);
      return masks;
    }();
    size = std::min(size, kSize);
    return {first & kMasks[size + 8], second & kMasks[size]};
  }
  // The place of the first byte that is `sought`, which is not 0; kSize: none is.
  std::size_t find(char sought) const {
    const std::size_t at = find_in(first, sought);
    return at < 8 ? at : 8 + find_in(second, sought);
  }
  std::uint64_t hash(std::size_t size, std::uint64_t seed) const {
    __extension__ using Wide = unsigned __int128;
    const Wide product = Wide{first ^ seed} * (std::rotl(second, 29) ^ (0x9E3779B97F4A7C15 + size));
    const std::uint64_t folded =
        static_cast<std::uint64_t>(product) ^ static_cast<std::uint64_t>(product >> 64);
    return (folded ^ second) * 0xD6E8FEB86659FD93;
  }
  bool operator==(const ShortText&) const = default;

 private:
  static std::size_t find_in(std::uint64_t word, char sought) {
    constexpr std::uint64_t kOnes = 0x0101010101010101;
    const std::uint64_t zero = word ^ kOnes * static_cast<unsigned char>(sought);
    // The lowest marked byte is a zero; others may be marked by its borrow.
    const std::uint64_t marks = (zero - kOnes) & ~zero & (kOnes << 7U);
    if constexpr (std::endian::native == std::endian::little) {
      return static_cast<std::size_t>(std::countr_zero(marks)) / 8;
    }
    for (std::size_t i = 0; i < 8; ++i) {
      if ((zero >> (56 - 8 * i) & 0xFFU) == 0) return i;
    }
    return 8;
  }
  template <class Number>
  static std::uint64_t part(const char* bytes) {
    Number number;
    std::memcpy(&number, bytes, sizeof number);
    return number;
  }
  static ShortText load(const char* bytes) {
    ShortText text;
    std::memcpy(&text, bytes, sizeof text);
    return text;
  }
};
static_assert(sizeof(ShortText) == ShortText::kSize);

}  // namespace semveil
