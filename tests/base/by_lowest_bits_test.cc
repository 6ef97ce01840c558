#include "base/by_lowest_bits.h"

#include <gtest/gtest.h>

#include <numeric>

#include "support/generate.h"

namespace semveil {
namespace {

TEST(ByLowestBits, IsAStableSortByThem) {
  test::Random random(17);
  for (const std::size_t size : {0, 1, 2, 3, 1000, 32767, 32768, 32769, 100000}) {
    std::vector<std::uint32_t> keys(size);
    for (std::uint32_t& key : keys) {
      key = static_cast<std::uint32_t>(random.below(random.one_in(2) ? 50 : 90000));
      if (random.one_in(10)) key = 0xFFFFFFFF;
    }
    std::uint32_t groups = 1;
    while (groups < size && groups < 32768) groups *= 2;
    std::vector<std::uint32_t> expected(size);
    std::iota(expected.begin(), expected.end(), 0);
    std::ranges::stable_sort(expected, {}, [&](std::uint32_t i) { return keys[i] % groups; });
    EXPECT_EQ(by_lowest_bits(keys), expected) << size;
  }
}

}  // namespace
}  // namespace semveil
