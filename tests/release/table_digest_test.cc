#include "release/table_digest.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#define XXH_INLINE_ALL  // used as a header only
#include <xxhash.h>

#include "support/generate.h"

namespace semveil::test {
namespace {

__extension__ using Wide = unsigned __int128;

// A column as texts; nothing: missing.
using TextColumn = std::vector<std::optional<std::string>>;

struct CodedColumn {
  Dictionary texts;
  std::vector<Code> codes;
};

CodedColumn coded(const TextColumn& column) {
  CodedColumn out;
  for (const auto& cell : column) out.codes.push_back(cell ? out.texts.add(*cell, 0) : kMissing);
  return out;
}

std::string order_of(const TextColumn& column, std::uint64_t first_row = 0) {
  const CodedColumn cells = coded(column);
  OrderHash hash;
  hash.add(first_row, cells.codes, cells.texts);
  return hash.digest();
}

// docs/formats/draws.md, line by line.
std::string slow_order(const TextColumn& column) {
  constexpr std::uint64_t kK = 0x9E3779B97F4A7C15;
  Wide sum = 0;
  for (std::uint64_t row = 0; row < column.size(); ++row) {
    const XXH128_hash_t hash = column[row] ? XXH3_128bits(column[row]->data(), column[row]->size())
                                           : XXH3_128bits_withSeed("", 0, 1);
    std::uint64_t m = (row + 1) * kK;
    m = (m ^ (m >> 30U)) * 0xBF58476D1CE4E5B9;
    m = (m ^ (m >> 27U)) * 0x94D049BB133111EB;
    sum += static_cast<Wide>(hash.low64 ^ m) * (hash.high64 ^ (m * kK));
  }
  std::string bytes(16, '\0');
  for (char& byte : bytes) {
    byte = static_cast<char>(static_cast<unsigned char>(sum));
    sum >>= 8U;
  }
  return bytes;
}

TextColumn generated(Random& random, std::size_t rows, std::size_t values) {
  TextColumn column;
  for (std::size_t i = 0; i < rows; ++i) {
    const std::size_t value = random.below(values + 1);
    column.push_back(value == values ? std::nullopt
                                     : std::optional("value " + std::to_string(value)));
  }
  return column;
}

TEST(OrderHash, IsTheSumThatTheDocumentDefines) {
  Random random(1);
  for (int trial = 0; trial < 50; ++trial) {
    const TextColumn column = generated(random, random.below(40), 1 + random.below(9));
    EXPECT_EQ(order_of(column), slow_order(column));
  }
  EXPECT_EQ(order_of({}), std::string(16, '\0'));
}

TEST(OrderHash, OfPartsAddsUpInAnyOrderWhateverTheirDictionariesNumber) {
  Random random(2);
  for (int trial = 0; trial < 50; ++trial) {
    const TextColumn column = generated(random, 1 + random.below(60), 7);
    const std::size_t cut = random.below(column.size() + 1);
    const auto middle = column.begin() + static_cast<std::ptrdiff_t>(cut);
    const CodedColumn first = coded(TextColumn(column.begin(), middle));
    const CodedColumn second = coded(TextColumn(middle, column.end()));
    OrderHash head, sum;
    head.add(0, first.codes, first.texts);
    sum.add(cut, second.codes, second.texts);
    sum.add(head);
    EXPECT_EQ(sum.digest(), order_of(column));
  }
}

TEST(OrderHash, TellsEveryExchangeOfTwoDifferentCells) {
  Random random(3);
  const TextColumn column = generated(random, 40, 5);
  for (std::size_t i = 0; i < column.size(); ++i) {
    for (std::size_t j = i + 1; j < column.size(); ++j) {
      TextColumn other = column;
      std::swap(other[i], other[j]);
      EXPECT_EQ(order_of(other) == order_of(column), other == column) << i << ' ' << j;
    }
  }
}

// A hash that is linear in the row's number takes these for one table: what the first exchange
// adds, the second one takes away.
TEST(OrderHash, TellsExchangesThereAndBackOverTheSameDistance) {
  const TextColumn column{"a", "b", "x", "b", "a"};
  const TextColumn other{"b", "a", "x", "a", "b"};
  EXPECT_NE(order_of(column), order_of(other));
  for (std::size_t distance = 1; distance < 50; ++distance) {
    TextColumn before(4 * distance, "x");
    TextColumn after = before;
    before[0] = after[distance] = before[3 * distance] = after[2 * distance] = "a";
    before[distance] = after[0] = before[2 * distance] = after[3 * distance] = "b";
    EXPECT_NE(order_of(before), order_of(after)) << distance;
  }
}

TEST(OrderHash, TellsMissingFromEmptyAndRowsFromOtherRows) {
  EXPECT_NE(order_of({std::nullopt}), order_of({""}));
  EXPECT_NE(order_of({"a"}, 0), order_of({"a"}, 1));
}

}  // namespace
}  // namespace semveil::test
