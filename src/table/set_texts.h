// Sets of texts in the place of one cell (SetForm), as sinks write them.
//
// Every text is prepared once, as it stands inside the cell and with what separates it from the
// next one behind it. A row is then as many copies of whole vectors, less the last separator, and
// what opens and closes the cell:
//
//   kJoined   a|b|c            "a|b, c|d"       quoted if one of its texts must be
//   kList     "[""a"",""b""]"  ["a","b"]        the second where CSV's quote is another character
//   kColumns  a,"b, c",d                        each text is a field
//
// Cost: of 300 texts about 9 ns each, of 300,000 about 16 ns, five of 30 bytes in a row and the
// rest of the row included. Memory: the texts, and 8 bytes for each.
#pragma once

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/csv_scan.h"
#include "base/growing.h"
#include "semveil/table.h"

namespace semveil {

// The names that a replaced column is written under.
std::vector<std::string> released_names(const std::string& name, const Edits::Replace& replace);
// An error where a set's column would have the name of another one that is written.
Status check_set_names(const std::vector<std::string>& columns, const Edits& edits);

// Appends the text as JSON has it, in its quotes; UTF-8 stays as it is.
void append_json(std::string_view text, std::string& out);

// Whether these are `width` codes for each row, all of `known` texts or all kMissing.
bool are_sets(std::span<const Code> codes, std::size_t rows, std::size_t width, std::size_t known);

class SetTexts {
 public:
  // Fields of CSV.
  SetTexts(const std::vector<std::string_view>& texts, const SetForm& form,
           std::string_view missing, CsvDialect dialect);
  // Joined, as they are.
  SetTexts(const std::vector<std::string_view>& texts, const SetForm& form);

  std::size_t width() const { return width_; }
  std::size_t size() const { return begin_.size() - 1; }
  // How much of the memory behind it put() may write.
  std::size_t room() const { return room_; }

  // Writes one row's set, whose codes satisfy are_sets(), and returns its end.
  [[gnu::always_inline]] char* put(const Code* codes, char* out) const {
    if (codes[0] == kMissing) [[unlikely]] {
      std::memcpy(out, missing_.data(), missing_.size());
      return out + missing_.size();
    }
    std::uint64_t quoted = quoted_;
    for (std::size_t i = 0; i < width_; ++i) quoted |= begin_[codes[i]];
    out = put(open_[quoted & 1], out);
    for (std::size_t i = 0; i < width_; ++i) {
      const std::uint64_t* const place = begin_.data() + codes[i];
      const std::uint64_t begin = place[0] >> 1, end = place[1] >> 1;
      copy(arena_.data() + begin, end - begin, out);
      out += end - begin;
    }
    return put(close_[quoted & 1], out - separator_);
  }

  // The bytes of texts and separators of one row's set that is not missing.
  std::size_t joined_size(const Code* codes) const {
    std::size_t size = 0;
    for (std::size_t i = 0; i < width_; ++i) {
      size += (begin_[codes[i] + 1] >> 1) - (begin_[codes[i]] >> 1);
    }
    return size - separator_;
  }

  // Texts are many and asked for in no order: those of rows soon to come are fetched. Inlined, as a
  // function that only prefetches would be taken for one that does nothing.
  [[gnu::always_inline]] void look_ahead(std::span<const Code> codes, std::size_t row) const {
    constexpr std::size_t kSoon = 16, kLater = 32;
    const std::size_t first = row * width_;
    if (first + width_ + kLater > codes.size()) return;
    const Code* const next = codes.data() + first;
    for (std::size_t i = 0; i < width_; ++i) {
      __builtin_prefetch(&begin_[std::min<std::size_t>(next[kLater + i], size())]);
      const std::uint64_t place = begin_[std::min<std::size_t>(next[kSoon + i], size())];
      __builtin_prefetch(arena_.data() + (place >> 1));
    }
  }

 private:
  // Most texts are one step long: a loop whose length nobody can guess costs more than the bytes.
  static constexpr std::size_t kStep = 64;

  struct Bracket {
    std::array<char, 4> bytes;
    std::uint32_t size;
  };

  static char* put(const Bracket& bracket, char* out) {
    std::memcpy(out, bracket.bytes.data(), bracket.bytes.size());
    return out + bracket.size;
  }
  [[gnu::always_inline]] static void copy(const char* from, std::size_t size, char* out) {
    std::memcpy(out, from, kStep);
    for (std::size_t done = kStep; done < size; done += kStep) {
      std::memcpy(out + done, from + done, kStep);
    }
  }
  static Bracket bracket(std::string_view text);
  void add(std::string_view text, bool needs_quotes, std::string_view separator);
  void finish();

  std::size_t width_, room_ = 0;
  std::size_t separator_ = 0;                // its bytes behind each text
  std::uint64_t quoted_ = 0;                 // 1: every cell is
  std::array<Bracket, 2> open_{}, close_{};  // of a plain cell, of a quoted one
  std::vector<std::uint64_t> begin_;  // of each text, twice, and one where its cell needs quotes
  Growing<char> arena_;
  std::string missing_;
};

}  // namespace semveil
