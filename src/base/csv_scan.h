// Where the fields and records of a CSV text end, 64 bytes at a time.
//
// A separator or line end counts outside quotes only. Whether a byte is inside quotes is the parity
// of the quotes before it (a doubled quote counts twice, so it changes nothing): for 64 bytes at
// once that is a prefix xor of the mask of quotes. The grammar is not checked here; blocks that
// hold more than plain ASCII fields are listed, and csv_records.cc looks at their records.
//
// The idea of masks per block is simdjson's (Langdale and Lemire, "Parsing Gigabytes of JSON per
// Second", 2019).
//
// Cost: arithmetic on registers, a store per block and one per record; a bit per byte and 8 bytes
// per record.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "base/growing.h"

namespace semveil {

struct CsvDialect {
  char separator = ',';
  char quote = '"';
};

class CsvScan {
 public:
  enum Oddity : std::uint8_t { kQuote = 1, kReturn = 2, kNul = 4, kHigh = 8 };
  struct OddBlock {  // 64 bytes from `offset` hold a quote, a CR not before LF, a NUL, a byte ≥ 128
    std::uint32_t offset;
    std::uint8_t what;
  };
  static constexpr std::uint32_t kBlock = 64;
  struct End {  // of a record
    std::uint32_t at;
    std::uint32_t marks;  // before it in the text
  };

  void restart(CsvDialect dialect);
  // Scans what is new: the text begins with all that was scanned before. Less than 4 GiB.
  void extend(std::string_view text);

  // Marks are the separators and line ends that count. Bit i: there is one at the byte at + i.
  std::uint64_t marks_from(std::uint32_t at) const {
    const std::uint64_t* const word = marks_.data() + at / kBlock;
    const unsigned shift = at % kBlock;
    return word[0] >> shift | word[1] << 1U << (kBlock - 1 - shift);
  }
  const Growing<End>& ends() const { return ends_; }  // the marks that are line ends
  const std::vector<OddBlock>& odd() const { return odd_; }

  // The text's end is a line end, too.
  void end_here(std::size_t size);

 private:
  template <class Block>
  void blocks(const char* text, std::size_t from, std::size_t to, std::size_t size);
  template <class Block>
  void block(const char* bytes, std::uint32_t offset, std::uint64_t valid, bool next_is_end);
  void blocks_avx2(const char* text, std::size_t from, std::size_t to, std::size_t size);

  CsvDialect dialect_;
  Growing<std::uint64_t> marks_;  // a bit per byte
  Growing<End> ends_;
  std::uint32_t count_ = 0;  // of marks
  std::vector<OddBlock> odd_;
  std::uint64_t inside_ = 0;  // all ones: the next block begins inside quotes
  // As things stood behind the last whole block: a part of a block is scanned again.
  struct {
    std::size_t text = 0, ends = 0, odd = 0;
    std::uint32_t count = 0;
    std::uint64_t inside = 0;
  } whole_;
};

}  // namespace semveil
