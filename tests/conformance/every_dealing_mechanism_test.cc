// What holds for every mechanism whose plan deals out, to exactly the fitted records, the very
// values they had (FittedMethod::deals()).
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <vector>

#include "conformance/every_mechanism.h"
#include "support/sample_checks.h"

namespace semveil::test {
namespace {

using Record = std::vector<ConceptId>;

class EveryDealingMechanism : public EveryMechanism {
 protected:
  static std::unique_ptr<const FittedMethod> load(const std::string& saved, const Fresh& fresh,
                                                  const Key& key) {
    return value_or_throw(load_fitted(GetParam().make({})->name(), saved, fresh.attributes(), key));
  }
  static Record record(const GeneratedTable& table, std::size_t row) {
    Record out;
    for (const TableColumn& column : table.columns) out.push_back(column.cells[row]);
    return out;
  }
  static bool has_cell(const GeneratedTable& table, std::size_t row) {
    return std::any_of(table.columns.begin(), table.columns.end(),
                       [row](const TableColumn& column) { return takes_part(column, row); });
  }
  static std::size_t records_with_cells(const GeneratedTable& table) {
    std::size_t count = 0;
    for (std::size_t i = 0; i < table.rows(); ++i) count += has_cell(table, i) ? 1 : 0;
    return count;
  }
  // The rows of each distinct record, in order.
  static std::map<Record, std::vector<std::size_t>> rows_by_record(const GeneratedTable& table) {
    std::map<Record, std::vector<std::size_t>> rows;
    for (std::size_t i = 0; i < table.rows(); ++i) {
      if (has_cell(table, i)) rows[record(table, i)].push_back(i);
    }
    return rows;
  }
};

TEST_P(EveryDealingMechanism, KeepsTheValuesOfEveryColumn) {
  for (const std::uint64_t seed : {1, 2, 3}) {
    const Cells out = cells(*fit(table_, key_of(seed)), table_);
    for (std::size_t j = 0; j < out.size(); ++j) {
      const std::vector<ConceptId>& cells = table_.columns[j].cells;
      EXPECT_EQ(std::multiset<ConceptId>(out[j].begin(), out[j].end()),
                std::multiset<ConceptId>(cells.begin(), cells.end()));
      EXPECT_NE(out[j], cells);
    }
  }
}

TEST_P(EveryDealingMechanism, GivesEveryRecordASlotOfItsOwn) {
  const auto plan = fit(table_, key_of(1));
  const MaskedBatch out = masked(*plan, table_.whole(), true);
  const std::size_t taking_part = records_with_cells(table_);
  ASSERT_EQ(plan->deals(), std::optional<std::uint64_t>(taking_part));
  EXPECT_EQ(out.dealt, taking_part);
  EXPECT_EQ(out.strangers, 0U);
  ASSERT_EQ(out.slots.size(), kRows);
  std::set<std::uint64_t> slots;
  for (std::size_t i = 0; i < kRows; ++i) {
    if (!has_cell(table_, i)) {
      EXPECT_EQ(out.slots[i], MaskedBatch::kNoSlot);
      continue;
    }
    EXPECT_LT(out.slots[i], taking_part);
    EXPECT_TRUE(slots.insert(out.slots[i]).second) << "row " << i;
  }
  // Those of one tuple are numbered consecutively.
  for (const auto& [cells, rows] : rows_by_record(table_)) {
    std::set<std::uint64_t> of_tuple;
    for (const std::size_t row : rows) of_tuple.insert(out.slots[row]);
    EXPECT_EQ(*of_tuple.rbegin() - *of_tuple.begin(), rows.size() - 1);
  }
  EXPECT_TRUE(masked(*plan, table_.whole()).slots.empty());
}

TEST_P(EveryDealingMechanism, CountsWhatWasDealtFromBatchToBatch) {
  const auto plan = fit(table_, key_of(1));
  const RecordBatch all = table_.whole();
  MaskedBatch reused;
  for (std::size_t first = 0; first < kRows; first += 70) {
    plan->apply(part_of(all, first, 70), reused);
  }
  EXPECT_EQ(reused.dealt, records_with_cells(table_));
  EXPECT_EQ(reused.strangers, 0U);
}

// Over the whole table as many cells are filled as emptied, in a part of it they differ.
TEST_P(EveryDealingMechanism, CountsWhatIsFilledAndEmptied) {
  const auto plan = fit(table_, key_of(1));
  const RecordBatch all = table_.whole();
  std::uint64_t differences = 0;
  for (std::size_t first = 0; first < kRows; first += 70) {
    const MaskedBatch out = masked(*plan, part_of(all, first, 70));
    for (std::size_t j = 0; j < out.columns.size(); ++j) {
      std::uint64_t filled = 0, emptied = 0;
      for (std::size_t i = 0; i < 70; ++i) {
        const bool was = table_.columns[j].cells[first + i] == kMissing;
        const bool is = out.columns[j][i] == kMissing;
        filled += was && !is ? 1 : 0;
        emptied += !was && is ? 1 : 0;
      }
      EXPECT_EQ(out.tallies[j].filled, filled);
      EXPECT_EQ(out.tallies[j].emptied, emptied);
      differences += filled != emptied ? 1 : 0;
    }
  }
  EXPECT_EQ(differences > 0, GetParam().missing_is_value);
}

TEST_P(EveryDealingMechanism, ReleasesNothingOfRecordsItDoesNotKnow) {
  const auto plan = fit(table_, key_of(1));
  const auto known = rows_by_record(table_);
  // Values that occur, in records that do not; and every fitted record once too often.
  GeneratedTable other = table_;
  for (std::size_t j = 0; j < other.columns.size(); ++j) {
    std::vector<ConceptId>& cells = other.columns[j].cells;
    std::rotate(cells.begin(), cells.begin() + static_cast<std::ptrdiff_t>(j), cells.end());
    const std::vector<ConceptId>& fitted = table_.columns[j].cells;
    cells.insert(cells.end(), fitted.begin(), fitted.end());
  }
  other.persons.clear();
  const RecordBatch batch = other.whole();
  const MaskedBatch out = masked(*plan, batch, true);
  std::uint64_t dealt = 0, strangers = 0;
  for (std::size_t i = 0; i < other.rows(); ++i) {
    if (!has_cell(other, i)) continue;
    const auto at = known.find(record(other, i));
    const bool fits = at != known.end() && batch.occurrences[i] < at->second.size();
    ++(fits ? dealt : strangers);
    if (fits) continue;
    EXPECT_EQ(out.slots[i], MaskedBatch::kNoSlot);
    for (std::size_t j = 0; j < other.columns.size(); ++j) {
      ASSERT_EQ(out.columns[j][i], kMissing) << "row " << i;
    }
  }
  EXPECT_GT(strangers, 100U);
  EXPECT_EQ(out.strangers, strangers);
  EXPECT_EQ(out.dealt, dealt);
}

TEST_P(EveryDealingMechanism, TakesACellWithoutMeaningForNoValue) {
  if (!GetParam().missing_is_value) GTEST_SKIP() << "missing is no value: there is one kind of gap";
  const auto plan = fit(table_, key_of(1));
  GeneratedTable other = table_;
  for (TableColumn& column : other.columns) {
    std::replace(column.cells.begin(), column.cells.end(), kMissing, kNoPart);
  }
  const MaskedBatch out = masked(*plan, other.whole());
  for (std::size_t j = 0; j < out.columns.size(); ++j) {
    for (std::size_t i = 0; i < kRows; ++i) {
      if (other.columns[j].cells[i] == kNoPart) {
        ASSERT_EQ(out.columns[j][i], kMissing);
      }
    }
  }
  EXPECT_EQ(out.dealt + out.strangers, [&] {
    std::uint64_t meaning = 0;
    for (std::size_t i = 0; i < kRows; ++i) {
      const Record cells = record(other, i);
      meaning += std::ranges::any_of(cells, [](ConceptId c) { return c != kNoPart; }) ? 1 : 0;
    }
    return meaning;
  }());
}

TEST_P(EveryDealingMechanism, SwapsAnewInAnotherRelease) {
  const std::string saved = fit(table_, key_of(1))->save();
  const auto one = load(saved, fresh_, key_of(1));
  const auto other = load(saved, fresh_, key_of(2));
  EXPECT_EQ(other->save(), saved);
  const MaskedBatch a = masked(*one, table_.whole(), true);
  const MaskedBatch b = masked(*other, table_.whole(), true);
  EXPECT_NE(a.columns, b.columns);
  std::size_t same_slot = 0, expected = 0;
  for (const auto& [cells, rows] : rows_by_record(table_)) {
    ++expected;  // one fixed point of a random permutation on the average, however long
    for (const std::size_t row : rows) same_slot += a.slots[row] == b.slots[row] ? 1 : 0;
  }
  // The number of fixed points of each permutation has variance 1, or 0 for a single record.
  EXPECT_LT(std::abs(static_cast<double>(same_slot) - static_cast<double>(expected)),
            kNormalBound * std::sqrt(static_cast<double>(expected)) + 5);
}

// Which record of a tuple gets which of its slots, over many keys, must not depend on the record's
// place among them. Each place is asked on its own: over the tuples, whose shuffles are
// independent, one χ²; a false alarm in 1e-7 of the checks, of which there are at most 5.
TEST_P(EveryDealingMechanism, TellsNothingByTheOrderOfTheRecordsOfATuple) {
  const Fresh small = fresh(150);
  const std::string saved = fit(small.table, key_of(1))->save();
  const auto tuples = rows_by_record(small.table);
  constexpr std::size_t kKeys = 600, kPlaces = 5;
  using Counts = std::vector<std::vector<std::uint64_t>>;  // by tuple, then slot
  std::vector<Counts> found(kPlaces), in_order(kPlaces);
  for (auto* counts : {&found, &in_order}) {
    for (std::size_t place = 0; place < kPlaces; ++place) {
      for (const auto& [cells, rows] : tuples) {
        (*counts)[place].emplace_back(place < rows.size() && rows.size() > 1 ? rows.size() : 0);
      }
    }
  }
  const RecordBatch all = small.table.whole();
  for (std::size_t seed = 0; seed < kKeys; ++seed) {
    const MaskedBatch out = masked(*load(saved, small, key_of(100 + seed)), all, true);
    std::size_t t = 0;
    for (const auto& [cells, rows] : tuples) {
      std::uint64_t first = MaskedBatch::kNoSlot;
      for (const std::size_t row : rows) first = std::min(first, out.slots[row]);
      for (std::size_t place = 0; place < kPlaces && !found[place][t].empty(); ++place) {
        ++found[place][t][out.slots[rows[place]] - first];
        ++in_order[place][t][place];
      }
      ++t;
    }
  }
  for (std::size_t place = 0; place < kPlaces; ++place) {
    std::erase_if(found[place], [](const auto& group) { return group.empty(); });
    std::erase_if(in_order[place], [](const auto& group) { return group.empty(); });
    if (found[place].empty()) continue;
    EXPECT_TRUE(is_uniform(found[place])) << "place " << place;
    // Slots dealt in the order of the records, or by one permutation for all keys.
    EXPECT_FALSE(is_uniform(in_order[place])) << "place " << place;
  }
  EXPECT_FALSE(found[0].empty());
}

std::vector<MechanismCase> dealing() {
  std::vector<MechanismCase> out = every_mechanism();
  std::erase_if(out, [](const MechanismCase& c) { return !c.deals; });
  return out;
}
INSTANTIATE_TEST_SUITE_P(All, EveryDealingMechanism, testing::ValuesIn(dealing()),
                         [](const auto& test) { return test.param.name; });

}  // namespace
}  // namespace semveil::test
