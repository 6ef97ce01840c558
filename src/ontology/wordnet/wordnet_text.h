// The parts of WordNet's database files (wordnet_loader.cc): words, numbers and offsets of a line,
// and the way from an offset to its synset.
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstring>
#include <optional>
#include <string_view>
#include <utility>
#include <vector>

#include "base/text.h"
#include "ontology/draft.h"

namespace semveil::wordnet {

inline constexpr std::size_t kOffsetDigits = 8;
inline constexpr std::uint32_t kNoOffset = 0xFFFFFFFFU;

inline std::size_t distance(const char* begin, const char* end) {
  return static_cast<std::size_t>(end - begin);
}

inline const char* find_line_end(const char* p, const char* end) {
  const void* at = std::memchr(p, '\n', distance(p, end));
  return at == nullptr ? end : static_cast<const char*>(at);
}

// No NUL and nothing beyond ASCII: true for all of Princeton's files. The high bit of c | c - 1 is
// set for just these; a loop that compilers turn into vector code.
inline bool is_plain_ascii(std::string_view text) {
  unsigned char bits = 0;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    bits = static_cast<unsigned char>(bits | byte | static_cast<unsigned char>(byte - 1));
  }
  return bits < 128;
}

// An eight-digit offset, or kNoOffset. Eight bytes at `p` must be readable. All digits at once: in
// a 64-bit word, neighbours are joined to numbers of two, four, then eight digits.
inline std::uint32_t offset_at(const char* p) {
  static_assert(std::endian::native == std::endian::little);
  std::uint64_t word = 0;
  std::memcpy(&word, p, kOffsetDigits);
  constexpr std::uint64_t kHighHalves = 0xF0F0F0F0F0F0F0F0U;
  const std::uint64_t above_nine = word + 0x0606060606060606U;  // carries over where c > '9'
  if ((word & kHighHalves) != 0x3030303030303030U ||
      (above_nine & kHighHalves) != (word & kHighHalves)) {
    return kNoOffset;
  }
  word &= 0x0F0F0F0F0F0F0F0FU;
  word = (word * 10 + (word >> 8)) & 0x00FF00FF00FF00FFU;
  word = (word * 100 + (word >> 16)) & 0x0000FFFF0000FFFFU;
  return static_cast<std::uint32_t>(word * 10000 + (word >> 32));
}

// One line, read from left to right, word by word.
class Cursor {
 public:
  Cursor(const char* begin, const char* end) : p_(begin), end_(end) {}

  // The text up to the next blank, which is skipped; empty where the format has been left.
  std::string_view word() {
    const char* begin = p_;
    p_ = find_blank();
    const std::string_view text(begin, distance(begin, p_));
    if (p_ != end_) ++p_;
    return text;
  }
  // A number of one to `max_digits` digits.
  std::optional<std::uint32_t> number(unsigned base, std::size_t max_digits) {
    const std::string_view text = word();
    if (text.empty() || text.size() > max_digits) return std::nullopt;
    std::uint32_t value = 0;
    for (const char c : text) {
      unsigned digit = 99;
      if (c >= '0' && c <= '9') digit = static_cast<unsigned>(c - '0');
      if (c >= 'a' && c <= 'f') digit = static_cast<unsigned>(c - 'a') + 10;
      if (c >= 'A' && c <= 'F') digit = static_cast<unsigned>(c - 'A') + 10;
      if (digit >= base) return std::nullopt;
      value = value * base + digit;
    }
    return value;
  }
  std::uint32_t offset() {
    if (left() < kOffsetDigits || (left() > kOffsetDigits && p_[kOffsetDigits] != ' ')) {
      return kNoOffset;
    }
    const std::uint32_t value = offset_at(p_);
    p_ += std::min(left(), kOffsetDigits + 1);
    return value;
  }
  const char* at() const { return p_; }
  std::size_t left() const { return distance(p_, end_); }
  void skip(std::size_t size) { p_ += size; }
  std::string_view rest() const { return {p_, left()}; }

 private:
  // Eight bytes at a time: words are too short for memchr, and a loop over bytes of unforeseeable
  // length costs a mispredicted branch each.
  const char* find_blank() const {
    constexpr std::uint64_t kOnes = 0x0101010101010101U;
    const char* p = p_;
    for (; distance(p, end_) >= 8; p += 8) {
      std::uint64_t bytes = 0;
      std::memcpy(&bytes, p, 8);
      bytes ^= kOnes * ' ';
      if (const std::uint64_t zeros = (bytes - kOnes) & ~bytes & (kOnes << 7); zeros != 0) {
        return p + std::countr_zero(zeros) / 8;
      }
    }
    while (p != end_ && *p != ' ') ++p;
    return p;
  }

  const char *p_, *end_;
};

inline std::string_view without_trailing_blanks(std::string_view text) {
  while (!text.empty() && (text.back() == ' ' || text.back() == '\r')) text.remove_suffix(1);
  return text;
}

// A word as data.noun and as index.noun write it: with capitals there, without here.
inline bool same_word(std::string_view word, std::string_view lemma) {
  if (word.size() != lemma.size()) return false;
  if (std::memcmp(word.data(), lemma.data(), word.size()) == 0) return true;
  const auto folded = [](char c) { return c >= 'A' && c <= 'Z' ? static_cast<char>(c + 32) : c; };
  std::size_t i = 0;
  while (i < word.size() && folded(word[i]) == lemma[i]) ++i;
  return i == word.size();
}
// The same for letters beyond ASCII.
inline bool same_foreign_word(std::string_view word, std::string_view lemma) {
  const auto ascii = [](char c) { return static_cast<unsigned char>(c) < 128; };
  return !std::all_of(lemma.begin(), lemma.end(), ascii) && normalise(word) == normalise(lemma);
}

// Which synset has an offset: a table of buckets of 128 offsets each, as a synset's line is 186
// bytes long on average.
class SynsetFinder {
 public:
  using Index = OntologyDraft::Index;
  static constexpr Index kNone = 0xFFFFFFFFU;

  SynsetFinder() = default;
  // `offsets` by synset. In the Princeton files they ascend; other files are sorted here.
  explicit SynsetFinder(const std::vector<std::uint32_t>& offsets) : sorted_(offsets) {
    if (!std::is_sorted(offsets.begin(), offsets.end())) {
      order_.resize(offsets.size());
      for (Index i = 0; i < order_.size(); ++i) order_[i] = i;
      std::sort(order_.begin(), order_.end(), [&](Index a, Index b) {
        return std::pair(offsets[a], a) < std::pair(offsets[b], b);
      });
      for (std::size_t i = 0; i < order_.size(); ++i) sorted_[i] = offsets[order_[i]];
    }
    if (sorted_.empty()) return;
    buckets_.resize((sorted_.back() >> kShift) + 1, kNone);
    for (std::size_t i = sorted_.size(); i-- > 0;) {
      buckets_[sorted_[i] >> kShift] = static_cast<Index>(i);
    }
  }

  // A search is two steps, each of which may wait for memory; many searches at once do each step
  // for all of them.
  Index start(std::uint32_t offset) const {
    const std::size_t bucket = offset >> kShift;
    return bucket < buckets_.size() ? buckets_[bucket] : kNone;
  }
  Index find_from(std::size_t start, std::uint32_t offset) const {
    std::size_t i = start;
    while (i < sorted_.size() && sorted_[i] < offset) ++i;
    return i < sorted_.size() && sorted_[i] == offset ? place(i) : kNone;
  }
  Index find(std::uint32_t offset) const { return find_from(start(offset), offset); }

  // Two synsets with one offset, the later one second.
  std::optional<std::pair<Index, Index>> repeated() const {
    const auto twin = std::adjacent_find(sorted_.begin(), sorted_.end());
    if (twin == sorted_.end()) return std::nullopt;
    const auto i = static_cast<std::size_t>(twin - sorted_.begin());
    return std::pair(place(i), place(i + 1));
  }

 private:
  static constexpr unsigned kShift = 7;
  Index place(std::size_t i) const { return order_.empty() ? static_cast<Index>(i) : order_[i]; }

  std::vector<std::uint32_t> sorted_;
  std::vector<Index> order_;  // empty: as they came
  std::vector<Index> buckets_;
};

}  // namespace semveil::wordnet
