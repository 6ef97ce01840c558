#include "base/csv_scan.h"

#include <algorithm>
#include <bit>
#include <cstring>

#include "base/cpu.h"

#if defined(__x86_64__)
#include <immintrin.h>
#endif

namespace semveil {
namespace {

constexpr std::uint64_t kOnes = 0x0101010101010101;
constexpr std::uint64_t kTops = 0x8080808080808080;

// 64 bytes as eight words. Bit i of a mask is byte i.
class PlainBlock {
 public:
  explicit PlainBlock(const char* bytes) { std::memcpy(words_, bytes, sizeof words_); }

  std::uint64_t equal(char c) const {
    const std::uint64_t pattern = kOnes * static_cast<unsigned char>(c);
    return gather([pattern](std::uint64_t word) {
      const std::uint64_t x = word ^ pattern;
      return ~(((x & ~kTops) + ~kTops) | x) & kTops;  // the top bit of every byte that is zero
    });
  }
  std::uint64_t high() const {
    return gather([](std::uint64_t word) { return word & kTops; });
  }
  std::uint64_t odd(char quote) const { return equal(quote) | equal('\r') | equal('\0') | high(); }

 private:
  template <class F>
  std::uint64_t gather(F tops) const {
    std::uint64_t mask = 0;
    for (int i = 0; i < 8; ++i) {
      std::uint64_t word = words_[i];
      if constexpr (std::endian::native == std::endian::big) word = __builtin_bswap64(word);
      // The product moves the eight top bits side by side into the highest byte.
      mask |= ((tops(word) >> 7) * 0x0102040810204080 >> 56) << (8 * i);
    }
    return mask;
  }
  std::uint64_t words_[8];
};

#if defined(__x86_64__)
class Avx2Block {  // used in functions compiled for AVX2 alone
 public:
  SEMVEIL_TARGET_AVX2 explicit Avx2Block(const char* bytes)
      : low_(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(bytes))),
        high_(_mm256_loadu_si256(reinterpret_cast<const __m256i*>(bytes + 32))) {}

  SEMVEIL_TARGET_AVX2 std::uint64_t equal(char c) const {
    const __m256i pattern = _mm256_set1_epi8(c);
    return mask(_mm256_cmpeq_epi8(low_, pattern), _mm256_cmpeq_epi8(high_, pattern));
  }
  SEMVEIL_TARGET_AVX2 std::uint64_t high() const { return mask(low_, high_); }
  SEMVEIL_TARGET_AVX2 std::uint64_t odd(char quote) const {
    return mask(odd(low_, quote), odd(high_, quote));
  }

 private:
  SEMVEIL_TARGET_AVX2 static __m256i odd(__m256i bytes, char quote) {
    const __m256i quotes = _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8(quote));
    const __m256i returns = _mm256_cmpeq_epi8(bytes, _mm256_set1_epi8('\r'));
    const __m256i nuls = _mm256_cmpeq_epi8(bytes, _mm256_setzero_si256());
    return _mm256_or_si256(_mm256_or_si256(quotes, returns), _mm256_or_si256(nuls, bytes));
  }
  SEMVEIL_TARGET_AVX2 static std::uint64_t mask(__m256i low, __m256i high) {
    return static_cast<std::uint32_t>(_mm256_movemask_epi8(low)) |
           std::uint64_t{static_cast<std::uint32_t>(_mm256_movemask_epi8(high))} << 32;
  }
  __m256i low_, high_;
};
#endif

// Bit i: the parity of bits 0 … i.
[[gnu::always_inline]] inline std::uint64_t prefix_xor(std::uint64_t bits) {
  for (int shift = 1; shift < 64; shift *= 2) bits ^= bits << shift;
  return bits;
}

constexpr int kAtOnce = 2;
constexpr std::size_t kMore = 2;  // words: for a part of a block or the text's end, and behind it

}  // namespace

void CsvScan::restart(CsvDialect dialect) {
  dialect_ = dialect;
  marks_.set_size(0);
  ends_.set_size(0);
  count_ = 0;
  odd_.clear();
  inside_ = 0;
  whole_ = {};
}

// `valid`: the bytes of the text among the block's.
template <class Block>
[[gnu::always_inline]] inline void CsvScan::block(const char* bytes, std::uint32_t offset,
                                                  std::uint64_t valid, bool next_is_end) {
  const Block block(bytes);
  std::uint64_t line_ends = block.equal('\n') & valid;
  std::uint64_t marks = (block.equal(dialect_.separator) & valid) | line_ends;
  std::uint64_t inside = inside_;
  if ((block.odd(dialect_.quote) & valid) != 0) [[unlikely]] {
    const std::uint64_t quotes = block.equal(dialect_.quote) & valid;
    const std::uint64_t before_end = line_ends >> 1 | std::uint64_t{next_is_end} << 63;
    const std::uint64_t returns = block.equal('\r') & valid & ~before_end;
    const auto what = static_cast<std::uint8_t>(
        (quotes != 0 ? kQuote : 0) | (returns != 0 ? kReturn : 0) |
        ((block.equal('\0') & valid) != 0 ? kNul : 0) | ((block.high() & valid) != 0 ? kHigh : 0));
    if (what != 0) odd_.push_back({offset, what});
    inside ^= prefix_xor(quotes);
    inside_ ^= (std::popcount(quotes) & 1) != 0 ? ~std::uint64_t{0} : 0;
  }
  marks &= ~inside;
  line_ends &= ~inside;

  marks_.data()[offset / kBlock] = marks;
  End* end = ends_.data() + ends_.size();
  std::uint64_t left = line_ends;
  // Two at once, some of them for nothing: a branch that depends on the text costs more.
  do {
    for (int i = 0; i < kAtOnce; ++i) {
      const std::uint64_t before = (left & (~left + 1)) - 1;
      *end++ = {offset + static_cast<std::uint32_t>(std::countr_zero(left)),
                count_ + static_cast<std::uint32_t>(std::popcount(marks & before))};
      left &= left - 1;
    }
  } while (left != 0);
  ends_.set_size(ends_.size() + static_cast<std::size_t>(std::popcount(line_ends)));
  count_ += static_cast<std::uint32_t>(std::popcount(marks));
}

template <class Block>
[[gnu::always_inline]] inline void CsvScan::blocks(const char* text, std::size_t from,
                                                   std::size_t to, std::size_t size) {
  constexpr std::size_t kSpan = std::size_t{64} * kBlock;  // between two looks at the room
  while (from < to) {
    const std::size_t stop = to - from > kSpan ? from + kSpan : to;
    ends_.make_room(kSpan + kAtOnce);
    for (; from < stop; from += kBlock) {
      const bool next_is_end = from + kBlock < size && text[from + kBlock] == '\n';
      block<Block>(text + from, static_cast<std::uint32_t>(from), ~std::uint64_t{0}, next_is_end);
    }
  }
}

#if defined(__x86_64__)
SEMVEIL_TARGET_AVX2 void CsvScan::blocks_avx2(const char* text, std::size_t from, std::size_t to,
                                              std::size_t size) {
  blocks<Avx2Block>(text, from, to, size);
}
#else
void CsvScan::blocks_avx2(const char* text, std::size_t from, std::size_t to, std::size_t size) {
  blocks<PlainBlock>(text, from, to, size);
}
#endif

void CsvScan::extend(std::string_view text) {
  ends_.set_size(whole_.ends);
  count_ = whole_.count;
  odd_.resize(whole_.odd);
  inside_ = whole_.inside;
  const std::size_t words = text.size() / kBlock, whole = words * kBlock;
  marks_.make_room(words + kMore - std::min(words + kMore, marks_.size()));
  marks_.set_size(words + kMore);
  std::fill_n(marks_.data() + words, kMore, 0);
  if (has_avx2()) {
    blocks_avx2(text.data(), whole_.text, whole, text.size());
  } else {
    blocks<PlainBlock>(text.data(), whole_.text, whole, text.size());
  }
  whole_ = {whole, ends_.size(), odd_.size(), count_, inside_};
  if (const std::size_t rest = text.size() - whole; rest > 0) {
    char padded[kBlock] = {};
    std::memcpy(padded, text.data() + whole, rest);
    ends_.make_room(kBlock + kAtOnce);
    block<PlainBlock>(padded, static_cast<std::uint32_t>(whole), (std::uint64_t{1} << rest) - 1,
                      false);
  }
}

void CsvScan::end_here(std::size_t size) {
  ends_.push_back({static_cast<std::uint32_t>(size), count_++});
  marks_.data()[size / kBlock] |= std::uint64_t{1} << size % kBlock;
}

}  // namespace semveil
