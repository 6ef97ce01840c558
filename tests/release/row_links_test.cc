#include "release/row_links.h"

#include <gtest/gtest.h>

#include "release/person_links.h"
#include "support/generate.h"

namespace semveil::test {
namespace {

struct ValueOfPerson {
  std::uint64_t value, person;
};

std::uint64_t hash_of_number(std::uint64_t number) { return person_hash(std::to_string(number)); }

RowLinks counted_links(const std::vector<ValueOfPerson>& rows,
                       std::size_t most = RowLinks::kMostValues) {
  RowLinks out({"column"}, most);
  for (const ValueOfPerson& row : rows) {
    out.add_row(hash_of_number(row.person));
    out.add(0, hash_of_number(row.value), hash_of_number(row.person));
  }
  return out;
}

// Persons with three rows and one value, their own but for every `shared`th.
std::vector<ValueOfPerson> rows_of_shared_values(std::uint64_t persons, std::uint64_t shared) {
  std::vector<ValueOfPerson> out;
  for (std::uint64_t row = 0; row < 3 * persons; ++row) {
    const std::uint64_t who = row % persons;
    out.push_back({who % shared == 0 ? 0 : who, who});
  }
  return out;
}

TEST(RowLinks, JoinThoseWhoseValuesNobodyElseHas) {
  const auto linking = counted_links(rows_of_shared_values(300, 3)).linking();
  ASSERT_EQ(linking.size(), 1U);
  EXPECT_EQ(linking[0].persons, 200U);
  EXPECT_TRUE(counted_links(rows_of_shared_values(300, 1)).linking().empty());
}

TEST(RowLinks, AreNotWhatChanceMakes) {
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    Random random(seed);
    std::vector<ValueOfPerson> rows;
    const std::uint64_t persons = 20 + random.below(60), values = 5 + random.below(40);
    for (std::uint64_t i = 0; i < 3 * persons; ++i) {
      rows.push_back({random.below(values), random.below(persons)});
    }
    EXPECT_TRUE(counted_links(rows).linking().empty()) << seed;
  }
}

TEST(RowLinks, OfPartsAndFromBytesAreThoseOfTheWhole) {
  const std::vector<ValueOfPerson> rows = rows_of_shared_values(500, 7);
  for (const std::size_t most : {std::size_t{40}, RowLinks::kMostValues}) {
    const auto whole = counted_links(rows, most).linking();
    ASSERT_EQ(whole.size(), 1U);
    const std::vector<ValueOfPerson> first(rows.begin(), rows.begin() + 700),
        last(rows.begin() + 700, rows.end());
    ByteWriter bytes;
    counted_links(last, most).write(bytes);
    const std::string written = std::move(bytes).take();
    ByteReader in(written);
    RowLinks sum = RowLinks::read(in);
    EXPECT_TRUE(in.is_done());
    RowLinks parts = counted_links(first, most);
    parts.add(sum);
    EXPECT_EQ(parts.linking().at(0).persons, whole[0].persons);
    EXPECT_EQ(parts.persons_with_several_rows(), 500U);
  }
}

TEST(RowLinks, OfManyValuesAreEstimated) {
  const auto linking = counted_links(rows_of_shared_values(20'000, 2), 1000).linking();
  ASSERT_EQ(linking.size(), 1U);
  EXPECT_NEAR(static_cast<double>(linking[0].persons), 10'000, 2'000);
}

}  // namespace
}  // namespace semveil::test
