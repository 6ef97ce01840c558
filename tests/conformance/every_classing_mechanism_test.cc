// What holds for every mechanism whose plan looks tuples up: groups of k.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "conformance/every_mechanism.h"
#include "semveil/classes.h"
#include "support/generated_persons.h"

namespace semveil::test {
namespace {

using Record = std::vector<ConceptId>;

class EveryClassingMechanism : public EveryMechanism {
 protected:
  static Record record(const Cells& columns, std::size_t row) {
    Record out;
    for (const auto& column : columns) out.push_back(column[row]);
    return out;
  }
  Cells before() const {
    Cells out;
    for (const TableColumn& column : table_.columns) out.push_back(column.cells);
    return out;
  }
};

TEST_P(EveryClassingMechanism, GivesEveryGroupItsRecords) {
  const auto plan = fit(table_, key_of(1));
  const MaskedBatch out = masked(*plan, table_.whole());
  ASSERT_EQ(out.strangers, 0U);
  ASSERT_EQ(out.suppressed.size(), kRows);
  const std::uint64_t k = GetParam().k;
  if (GetParam().by_column) {
    for (const auto& column : out.columns) {
      std::map<ConceptId, std::uint64_t> sizes;
      for (const ConceptId z : column) ++sizes[z];
      for (const auto& [z, size] : sizes) EXPECT_GE(size, k);
    }
    return;
  }
  std::map<Record, std::uint64_t> sizes;
  std::uint64_t suppressed = 0;
  for (std::size_t i = 0; i < kRows; ++i) {
    if (out.suppressed[i]) {
      ++suppressed;
      for (const auto& column : out.columns) EXPECT_EQ(column[i], kMissing);
    } else {
      ++sizes[record(out.columns, i)];
    }
  }
  ASSERT_FALSE(sizes.empty());
  for (const auto& [tuple, size] : sizes) EXPECT_GE(size, k);
  const ClassFit* const fitted = class_fit(*plan);
  ASSERT_NE(fitted, nullptr);
  EXPECT_EQ(fitted->k, k);
  EXPECT_EQ(fitted->suppressed, suppressed);
  // Something had to be done.
  std::map<Record, std::uint64_t> original;
  for (std::size_t i = 0; i < kRows; ++i) ++original[record(before(), i)];
  EXPECT_TRUE(std::any_of(original.begin(), original.end(),
                          [&](const auto& entry) { return entry.second < k; }));
}

TEST_P(EveryClassingMechanism, TreatsEqualRecordsAlike) {
  const Cells in = before();
  const Cells out = cells(*fit(table_, key_of(1)), table_);
  std::map<Record, Record> seen;
  for (std::size_t i = 0; i < kRows; ++i) {
    const auto [at, first] = seen.try_emplace(record(in, i), record(out, i));
    if (!first) {
      ASSERT_EQ(at->second, record(out, i)) << "row " << i;
    }
  }
}

TEST_P(EveryClassingMechanism, KnowsNoTupleButThoseOfTheTable) {
  const auto plan = fit(table_, key_of(1));
  GeneratedTable other = table_;
  const Taxonomy& taxonomy = other.columns.front().attribute->taxonomy();
  const std::set<ConceptId> known(other.columns.front().cells.begin(),
                                  other.columns.front().cells.end());
  ConceptId unknown = taxonomy.has_virtual_root() ? 1 : 0;
  while (known.contains(unknown)) ++unknown;
  ASSERT_LT(unknown, taxonomy.size());
  other.columns.front().cells[17] = unknown;
  const MaskedBatch out = masked(*plan, other.whole());
  EXPECT_EQ(out.strangers, 1U);
  for (const auto& column : out.columns) EXPECT_EQ(column[17], kMissing);
}

TEST_P(EveryClassingMechanism, LooksUpWhatItFoundAlsoWhenItIsLoaded) {
  const auto plan = fit(table_, key_of(1));
  const auto loaded = value_or_throw(
      load_fitted(GetParam().make({})->name(), plan->save(), fresh_.attributes(), key_of(2)));
  const MaskedBatch expected = masked(*plan, table_.whole());
  const MaskedBatch found = masked(*loaded, table_.whole());
  EXPECT_EQ(found.columns, expected.columns);
  EXPECT_EQ(found.suppressed, expected.suppressed);
  const ClassFit &a = *class_fit(*plan), &b = *class_fit(*loaded);
  EXPECT_EQ(a.k, b.k);
  EXPECT_EQ(a.suppressed, b.suppressed);
  EXPECT_EQ(a.suppresses_sensitive, b.suppresses_sensitive);
  EXPECT_EQ(a.levels, b.levels);
  EXPECT_EQ(a.loss, b.loss);
}

TEST_P(EveryClassingMechanism, RefusesMoreThanThereAre) {
  const Fresh small = fresh(static_cast<std::size_t>(GetParam().k) - 1);
  const auto plan = GetParam().make({})->fit(small.table.frequencies(), key_of(1));
  ASSERT_FALSE(plan);
  EXPECT_EQ(plan.error().code, ErrorCode::kGuarantee);
}

// Persons with several rows each: k counts them.
TEST_P(EveryClassingMechanism, GivesEveryGroupItsPersons) {
  std::vector<std::uint32_t> person;
  for (std::size_t i = 0; i < kRows; ++i) {
    person.push_back(static_cast<std::uint32_t>(i * 11 % (kRows / 2)));
  }
  FrequencyTable table = table_.frequencies();
  tell_persons(table_, person, table);
  const auto plan = value_or_throw(GetParam().make({})->fit(table, key_of(1)));
  const MaskedBatch out = masked(*plan, table_.whole());
  const std::uint64_t k = GetParam().k;
  for (std::size_t j = 0; j < (GetParam().by_column ? out.columns.size() : 1); ++j) {
    std::map<Record, std::set<std::uint32_t>> classes;
    for (std::size_t i = 0; i < kRows; ++i) {
      if (out.suppressed[i]) continue;
      const Record own = GetParam().by_column ? Record{out.columns[j][i]} : record(out.columns, i);
      classes[own].insert(person[i]);
    }
    for (const auto& [tuple, persons] : classes) EXPECT_GE(persons.size(), k);
  }
}

// Whoever has one row is masked as if nobody had asked.
TEST_P(EveryClassingMechanism, MasksPersonsOfOneRowAsRecords) {
  std::vector<std::uint32_t> person;
  for (std::size_t i = 0; i < kRows; ++i) {
    person.push_back(static_cast<std::uint32_t>((i * 9 + 3) % kRows));  // each once
  }
  FrequencyTable table = table_.frequencies();
  const auto without = value_or_throw(GetParam().make({})->fit(table, key_of(1)));
  tell_persons(table_, person, table);
  const auto with = value_or_throw(GetParam().make({})->fit(table, key_of(1)));
  EXPECT_EQ(without->save(), with->save());
}

std::vector<MechanismCase> classing_mechanisms() {
  std::vector<MechanismCase> out = every_mechanism();
  std::erase_if(out, [](const MechanismCase& c) { return c.k == 0; });
  return out;
}
INSTANTIATE_TEST_SUITE_P(All, EveryClassingMechanism, testing::ValuesIn(classing_mechanisms()),
                         [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace semveil::test
