// What holds for every mechanism, whatever it does: one suite over all of them (mechanisms.h).
#include "conformance/every_mechanism.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <barrier>
#include <cmath>
#include <map>
#include <nlohmann/json.hpp>
#include <numeric>
#include <set>
#include <string>
#include <thread>
#include <tuple>
#include <vector>

#include "support/generated_table.h"

namespace semveil::test {
namespace {

using nlohmann::json;

// To the last bit.
void expect_like(const std::vector<JointTally::Column>& found,
                 const std::vector<JointTally::Column>& expected) {
  ASSERT_EQ(found.size(), expected.size());
  for (std::size_t j = 0; j < found.size(); ++j) {
    EXPECT_EQ(found[j].posteriors.value(), expected[j].posteriors.value());
    EXPECT_EQ(found[j].worst, expected[j].worst);
  }
}

TEST_P(EveryMechanism, MasksARowAlikeHoweverTheTableIsCut) {
  const auto plan = fit(table_, key_of(1));
  EXPECT_FALSE(plan->needs_persons());
  const RecordBatch all = table_.whole();
  const MaskedBatch whole = masked(*plan, all, true);
  ASSERT_EQ(whole.columns.size(), table_.columns.size());

  Random random(3);
  for (const std::size_t longest : {1, 2, 7, 64, 333}) {
    SCOPED_TRACE(longest);
    MaskedBatch reused;  // from batch to batch
    for (std::size_t first = 0; first < kRows;) {
      const std::size_t rows =
          std::min(kRows - first, longest <= 2 ? longest : 1 + random.below(longest));
      const MaskedBatch part = masked(*plan, part_of(all, first, rows), true);
      plan->apply(part_of(all, first, rows), reused);
      for (std::size_t j = 0; j < whole.columns.size(); ++j) {
        const std::vector<ConceptId> expected = rows_of(*plan, whole.columns, j, first, rows);
        ASSERT_EQ(part.columns[j], expected) << "row " << first;
        ASSERT_EQ(reused.columns[j], expected) << "row " << first;
      }
      for (std::size_t i = 0; i < rows; ++i) {
        ASSERT_EQ(part.single_origin.at(i), whole.single_origin.at(first + i));
      }
      const auto line =
          std::lower_bound(whole.trace.begin(), whole.trace.end(), first,
                           [](const TraceLine& a, std::size_t row) { return a.row < row; });
      ASSERT_LE(part.trace.size(), static_cast<std::size_t>(whole.trace.end() - line));
      for (std::size_t i = 0; i < part.trace.size(); ++i) {
        const TraceLine &a = part.trace[i], &b = line[static_cast<std::ptrdiff_t>(i)];
        ASSERT_EQ(std::tie(a.row, a.column, a.value, a.error, a.reference, a.replacement, a.rule),
                  std::tie(b.row, b.column, b.value, b.error, b.reference, b.replacement, b.rule));
      }
      first += rows;
    }
    // The reused batch has counted everything once, to the last bit of its sums.
    for (std::size_t j = 0; j < whole.columns.size(); ++j) {
      const ColumnTally &a = reused.tallies.at(j), &b = whole.tallies.at(j);
      EXPECT_EQ(std::tie(a.cells, a.changed, a.missing, a.filled, a.emptied, a.rules, a.released),
                std::tie(b.cells, b.changed, b.missing, b.filled, b.emptied, b.rules, b.released));
      EXPECT_EQ(a.errors.value(), b.errors.value());
      EXPECT_EQ(a.squared_errors.value(), b.squared_errors.value());
      EXPECT_EQ(a.distances.value(), b.distances.value());
      EXPECT_EQ(a.squared_distances.value(), b.squared_distances.value());
      EXPECT_EQ(a.posteriors.value(), b.posteriors.value());
      EXPECT_EQ(a.guesses.value(), b.guesses.value());
      EXPECT_EQ(a.worst_posterior, b.worst_posterior);
    }
    EXPECT_EQ(reused.joint.records, whole.joint.records);
    EXPECT_EQ(reused.joint.posteriors.value(), whole.joint.posteriors.value());
    EXPECT_EQ(reused.joint.worst, whole.joint.worst);
    expect_like(reused.joint.columns, whole.joint.columns);
  }
  EXPECT_TRUE(masked(*plan, table_.batch(5, 0)).columns[0].empty());
}

// Whoever adds the tallies of several batches up.
TEST_P(EveryMechanism, CountsAlikeHoweverTheTableIsCut) {
  const auto plan = fit(table_, key_of(1));
  const RecordBatch all = table_.whole();
  const MaskedBatch whole = masked(*plan, all);
  const MaskedBatch first = masked(*plan, part_of(all, 0, 300));
  MaskedBatch second = masked(*plan, part_of(all, 300, kRows - 300));
  for (std::size_t j = 0; j < whole.columns.size(); ++j) {
    ColumnTally& sum = second.tallies.at(j);
    sum.add(first.tallies.at(j));
    const ColumnTally& expected = whole.tallies.at(j);
    EXPECT_EQ(sum.cells, expected.cells);
    EXPECT_EQ(sum.changed, expected.changed);
    EXPECT_EQ(sum.missing, expected.missing);
    EXPECT_EQ(sum.released, expected.released);
    EXPECT_EQ(sum.distances.value(), expected.distances.value());
    EXPECT_EQ(sum.posteriors.value(), expected.posteriors.value());
    EXPECT_EQ(sum.guesses.value(), expected.guesses.value());
    EXPECT_EQ(sum.worst_posterior, expected.worst_posterior);
  }
  second.joint.add(first.joint);
  EXPECT_EQ(second.joint.records, whole.joint.records);
  EXPECT_EQ(second.joint.posteriors.value(), whole.joint.posteriors.value());
  EXPECT_EQ(second.joint.worst, whole.joint.worst);
  expect_like(second.joint.columns, whole.joint.columns);
}

TEST_P(EveryMechanism, MasksAlikeWhetherAnybodyCountsOrNot) {
  const auto plan = fit(table_, key_of(1));
  const MaskedBatch counted = masked(*plan, table_.whole());
  MaskedBatch silent;
  silent.counted = false;
  plan->apply(table_.whole(), silent);
  EXPECT_EQ(silent.columns, counted.columns);
  for (std::size_t j = 0; j < counted.columns.size(); ++j) {
    EXPECT_EQ(silent.tallies.at(j).missing, counted.tallies.at(j).missing);
  }
}

TEST_P(EveryMechanism, MasksByThePlaceInTheWholeTable) {
  const auto plan = fit(table_, key_of(1));
  const Cells at_the_start = cells(*plan, table_);
  const std::uint64_t far = std::uint64_t{1} << 40U;
  const Cells far_down = masked(*plan, table_.whole(far)).columns;
  if (GetParam().asks_no_row.empty()) {
    EXPECT_NE(far_down, at_the_start);
  } else {
    EXPECT_EQ(far_down, at_the_start) << GetParam().asks_no_row;
  }
  // And a part from there is what it is within the longer batch.
  const Cells part = masked(*plan, table_.batch(100, 50, far)).columns;
  for (std::size_t j = 0; j < part.size(); ++j) {
    EXPECT_EQ(part[j], rows_of(*plan, far_down, j, 100, 50));
  }
}

TEST_P(EveryMechanism, MasksAlikeInSeveralThreadsThatShareOnePlan) {
  const auto alone = fit(table_, key_of(1));
  const Cells expected = cells(*alone, table_);
  for (const std::size_t count : {1, 2, 7}) {
    for (const bool loaded : {false, true}) {
      const Fresh other = fresh();
      auto plan = fit(other.table, key_of(1));
      if (loaded) {
        const Fresh third = fresh();
        const auto mechanism = GetParam().make({});
        plan = value_or_throw(
            load_fitted(mechanism->name(), plan->save(), third.attributes(), key_of(1)));
      }
      std::vector<Cells> found(count);
      std::barrier start(static_cast<std::ptrdiff_t>(count));
      std::vector<std::jthread> threads;
      for (std::size_t t = 0; t < count; ++t) {
        threads.emplace_back([&, t] {
          start.arrive_and_wait();
          found[t] = cells(*plan, table_);
        });
      }
      threads.clear();  // joins
      for (const Cells& one : found) ASSERT_EQ(one, expected) << count << " threads";
    }
  }
}

TEST_P(EveryMechanism, IsFittedAlikeTwiceAndByAnyNumberOfThreads) {
  const auto once = fit(table_, key_of(1));
  for (const unsigned threads : {1U, 2U, 7U}) {
    const Fresh other = fresh();
    const auto again = fit(other.table, key_of(1), {.threads = threads});
    EXPECT_EQ(again->save(), once->save()) << threads << " threads";
    EXPECT_EQ(cells(*again, table_), cells(*once, table_)) << threads << " threads";
  }
}

TEST_P(EveryMechanism, ReleasesOnlyWhatMayBeReleased) {
  const auto plan = fit(table_, key_of(1));
  const Cells out = cells(*plan, table_);
  for (std::size_t j = 0; j < out.size(); ++j) {
    const TableColumn& column = table_.columns[j];
    const Attribute& attribute = *plan->released()[j];
    const std::set<ConceptId> in_the_data(column.cells.begin(), column.cells.end());
    const std::size_t width = plan->width(j);
    EXPECT_EQ(width > 1, GetParam().sets);
    ASSERT_EQ(out[j].size(), kRows * width);
    for (std::size_t i = 0; i < out[j].size(); ++i) {
      const ConceptId z = out[j][i];
      if (z == kMissing) {
        if (!attribute.missing_is_value) {
          ASSERT_EQ(column.cells[i / width], kMissing);
        }
        continue;
      }
      ASSERT_LT(z, attribute.size());
      if (!attribute.is_numeric()) {
        if (GetParam().reaches_the_root && attribute.taxonomy().is_virtual(z)) continue;
        ASSERT_FALSE(attribute.taxonomy().is_virtual(z));
        ASSERT_TRUE(attribute.candidates->contains(z)) << attribute.id(z);
      }
      if (GetParam().from_the_data) {
        ASSERT_TRUE(in_the_data.contains(z));
      }
    }
  }
}

TEST_P(EveryMechanism, MasksValuesThatTheFittedTableDidNotHave) {
  if (!GetParam().masks_no_stranger.empty()) GTEST_SKIP() << GetParam().masks_no_stranger;
  const auto plan = fit(table_, key_of(1));
  GeneratedTable unseen = table_;
  for (std::size_t j = 0; j < unseen.columns.size(); ++j) {
    TableColumn& column = unseen.columns[j];
    if (column.attribute->is_numeric()) {  // any that can be released
      ConceptId next = 0;
      for (ConceptId& cell : column.cells) {
        cell = static_cast<ConceptId>(column.attribute->size() + 1 + next);
        next = static_cast<ConceptId>((next + 1) % plan->released()[j]->size());
      }
      continue;
    }
    const Taxonomy& taxonomy = column.attribute->taxonomy();
    ConceptId next = taxonomy.has_virtual_root() ? 1 : 0;
    for (ConceptId& cell : column.cells) {
      cell = next++;
      if (next == taxonomy.size()) next = taxonomy.has_virtual_root() ? 1 : 0;
    }
  }
  const Cells out = cells(*plan, unseen);
  EXPECT_EQ(cells(*plan, unseen), out);
  for (std::size_t j = 0; j < out.size(); ++j) {
    for (const ConceptId z : out[j]) {
      if (z == kMissing && GetParam().missing_is_value) continue;
      ASSERT_LT(z, plan->released()[j]->size());
      if (unseen.columns[j].attribute->is_numeric()) continue;
      ASSERT_TRUE(unseen.columns[j].attribute->candidates->contains(z));
    }
  }
}

TEST_P(EveryMechanism, LeavesMissingCellsMissingUnlessMissingIsAValue) {
  const auto plan = fit(table_, key_of(1));
  const MaskedBatch out = masked(*plan, table_.whole());
  std::uint64_t filled_or_emptied = 0;
  for (std::size_t j = 0; j < out.columns.size(); ++j) {
    const TableColumn& column = table_.columns[j];
    std::uint64_t missing = 0, filled = 0, emptied = 0;
    for (std::size_t i = 0; i < kRows; ++i) {
      const std::vector<ConceptId> row = rows_of(*plan, out.columns, j, i, 1);
      const bool was = column.cells[i] == kMissing, is = row.front() == kMissing;
      ASSERT_EQ(std::count(row.begin(), row.end(), kMissing),
                is ? static_cast<std::ptrdiff_t>(row.size()) : 0);
      missing += was ? 1 : 0;
      filled += was && !is ? 1 : 0;
      emptied += !was && is ? 1 : 0;
      if (!GetParam().missing_is_value) {
        ASSERT_EQ(was, is) << "row " << i;
      }
    }
    ASSERT_GT(missing, 0U);
    EXPECT_EQ(out.tallies.at(j).filled, filled);
    EXPECT_EQ(out.tallies.at(j).emptied, emptied);
    if (!GetParam().missing_is_value) {
      EXPECT_EQ(out.tallies.at(j).missing, missing);
    }
    filled_or_emptied += filled + emptied;
  }
  // What is generalised may do without.
  if (GetParam().reaches_the_root && filled_or_emptied == 0) return;
  EXPECT_EQ(filled_or_emptied > 0, GetParam().missing_is_value);
}

TEST_P(EveryMechanism, CountsWhatItDid) {
  const auto plan = fit(table_, key_of(1));
  const MaskedBatch out = masked(*plan, table_.whole(), true);
  ASSERT_EQ(out.single_origin.size(), kRows);
  ASSERT_EQ(out.tallies.size(), out.columns.size());
  std::vector<std::array<std::uint64_t, kRules>> rules(out.columns.size());
  std::vector<double> errors(out.columns.size()), squared_errors(out.columns.size());
  for (const TraceLine& line : out.trace) {
    ++rules[line.column][static_cast<std::size_t>(line.rule)];
    // Numbers have units, and what is counted are distances.
    const Attribute& attribute = *table_.columns[line.column].attribute;
    const double error = attribute.is_numeric() ? line.error / attribute.unit : line.error;
    errors[line.column] += std::abs(error);
    squared_errors[line.column] += error * error;
  }
  for (std::size_t j = 0; j < out.columns.size(); ++j) {
    const TableColumn& column = table_.columns[j];
    const Attribute& attribute = *column.attribute;
    const Attribute& after = *plan->released()[j];
    std::uint64_t took_part = 0, changed = 0;
    double distances = 0, squared_distances = 0;
    std::vector<std::uint64_t> released(after.size() + 1);
    for (std::size_t i = 0; i < kRows; ++i) {
      if (!takes_part(column, i)) continue;
      const ConceptId x = column.cells[i];
      ++took_part;
      if (GetParam().sets) {  // is no value, so it is always a change, and at no distance
        ++changed;
        for (const ConceptId z : rows_of(*plan, out.columns, j, i, 1)) ++released.at(z);
        continue;
      }
      const ConceptId z = out.columns[j][i];
      ++released[z == kMissing ? after.size() : z];
      const bool both = x != kMissing && z != kMissing;
      const bool stays =
          both && attribute.is_numeric() ? attribute.numbers[x] == after.numbers[z] : x == z;
      changed += stays ? 0 : 1;
      const double distance =
          stays   ? 0
          : !both ? 1
          : attribute.is_numeric()
              ? std::min(1.0, std::abs(attribute.numbers[x] - after.numbers[z]) / attribute.unit)
              : attribute.measure->distance(x, z);
      distances += distance;
      squared_distances += distance * distance;
    }
    const ColumnTally& tally = out.tallies[j];
    EXPECT_EQ(tally.cells, took_part);
    EXPECT_EQ(tally.changed, changed);
    EXPECT_EQ(tally.released, released);
    EXPECT_NEAR(tally.distances.value(), distances, 1e-6);
    EXPECT_NEAR(tally.squared_distances.value(), squared_distances, 1e-6);
    // On average the likeliest value is believed more than the true one, and neither always.
    EXPECT_EQ(tally.posteriors.value() > 0, GetParam().sets);
    EXPECT_LE(tally.posteriors.value(), tally.guesses.value());
    EXPECT_LT(tally.guesses.value(), static_cast<double>(took_part));
    EXPECT_LE(tally.worst_posterior, 1);
    EXPECT_LE(tally.posteriors.value(),
              tally.worst_posterior * static_cast<double>(took_part) + 1e-6);
    if (GetParam().traces) {
      EXPECT_EQ(tally.rules, rules[j]);
      EXPECT_EQ(std::accumulate(rules[j].begin(), rules[j].end(), std::uint64_t{0}), took_part);
      EXPECT_NEAR(tally.errors.value(), errors[j], 1e-6);
      EXPECT_NEAR(tally.squared_errors.value(), squared_errors[j], 1e-6);
      EXPECT_GT(errors[j], 0);
    }
  }
  EXPECT_EQ(out.joint.records > 0, GetParam().sets && GetParam().columns > 1);
  EXPECT_LE(out.joint.posteriors.value(), static_cast<double>(out.joint.records));
  EXPECT_TRUE(masked(*plan, table_.whole(), false).trace.empty());
}

TEST_P(EveryMechanism, ComesBackFromItsSavedForm) {
  const auto plan = fit(table_, key_of(1));
  const auto mechanism = GetParam().make({});
  const std::string saved = plan->save();
  const Fresh other = fresh();
  const auto loaded =
      value_or_throw(load_fitted(mechanism->name(), saved, other.attributes(), key_of(1)));
  const MaskedBatch expected = masked(*plan, table_.whole(), true);
  const MaskedBatch found = masked(*loaded, other.table.whole(), true);
  EXPECT_EQ(found.columns, expected.columns);
  EXPECT_EQ(found.single_origin, expected.single_origin);
  EXPECT_EQ(found.joint.records, expected.joint.records);
  EXPECT_EQ(found.joint.posteriors.value(), expected.joint.posteriors.value());
  expect_like(found.joint.columns, expected.joint.columns);
  for (std::size_t j = 0; j < expected.tallies.size(); ++j) {
    EXPECT_EQ(loaded->width(j), plan->width(j));
    EXPECT_EQ(found.tallies[j].posteriors.value(), expected.tallies[j].posteriors.value());
    EXPECT_EQ(found.tallies[j].worst_posterior, expected.tallies[j].worst_posterior);
  }
  EXPECT_EQ(found.trace.size(), expected.trace.size());
  EXPECT_EQ(loaded->save(), saved);
  EXPECT_EQ(loaded->attributes(), other.attributes());
  EXPECT_EQ(loaded->needs_persons(), plan->needs_persons());
  EXPECT_EQ(loaded->deals(), plan->deals());
  if (!GetParam().draws_by_no_person.empty()) return;
  const auto by_person = fit(table_, key_of(1), {.by_person = true});
  const auto by_person_loaded = value_or_throw(
      load_fitted(mechanism->name(), by_person->save(), other.attributes(), key_of(1)));
  EXPECT_TRUE(by_person_loaded->needs_persons());
  EXPECT_EQ(cells(*by_person_loaded, table_), cells(*by_person, table_));
}

std::string base64(std::string_view bytes) {
  constexpr std::string_view kDigits =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string out;
  for (std::size_t i = 0; i + 3 <= bytes.size(); i += 3) {
    unsigned group = 0;
    for (std::size_t k = 0; k < 3; ++k) {
      group = group << 8U | static_cast<unsigned char>(bytes[i + k]);
    }
    for (const unsigned shift : {18U, 12U, 6U, 0U}) out += kDigits[group >> shift & 63U];
  }
  return out;
}

// Six bytes of a key in a row, as a text could show them; by chance in less than 1e-9 of the texts.
std::vector<std::string> spellings(std::string_view six) {
  std::vector<std::string> out = {std::string(six), base64(six)};
  std::string hex, upper, list, spaced;
  for (const char c : six) {
    const unsigned byte = static_cast<unsigned char>(c);
    hex += fmt::format("{:02x}", byte);
    upper += fmt::format("{:02X}", byte);
    list += fmt::format("{},", byte);
    spaced += fmt::format("{}, ", byte);
  }
  out.insert(out.end(), {hex, upper, list, spaced});
  return out;
}

bool shows(std::string_view text, const Key& key) {
  const std::string bytes(key.bytes().begin(), key.bytes().end());
  for (std::size_t i = 0; i + 6 <= bytes.size(); ++i) {
    for (const std::string& spelling : spellings(std::string_view(bytes).substr(i, 6))) {
      if (text.find(spelling) != std::string_view::npos) return true;
    }
  }
  return false;
}

TEST_P(EveryMechanism, HoldsNothingOfTheKeyInItsSavedForm) {
  const Key key = key_of(1);
  const std::string raw(key.bytes().begin(), key.bytes().end());
  ASSERT_TRUE(shows("{" + raw + "}", key));
  ASSERT_TRUE(shows("xy" + base64("ab" + raw), key));
  for (const bool by_person : {false, true}) {
    EXPECT_FALSE(shows(fit(table_, key, {.by_person = by_person})->save(), key));
    // Nor anything that depends on it.
    if (!GetParam().learns_with_the_key.empty()) continue;
    EXPECT_EQ(fit(table_, key, {.by_person = by_person})->save(),
              fit(table_, key_of(2), {.by_person = by_person})->save());
  }
}

TEST_P(EveryMechanism, MasksOtherwiseWithAnotherKey) {
  const Cells one = cells(*fit(table_, key_of(1)), table_);
  const Cells other = cells(*fit(table_, key_of(2)), table_);
  if (!GetParam().draws_nothing.empty()) {
    if (GetParam().learns_with_the_key.empty()) {
      EXPECT_EQ(one, other);
    }
    GTEST_SKIP() << GetParam().draws_nothing;
  }
  for (std::size_t j = 0; j < one.size(); ++j) EXPECT_NE(one[j], other[j]) << "column " << j;
}

TEST_P(EveryMechanism, SharesNoErrorsBetweenReleases) {
  if (!GetParam().draws_nothing.empty()) GTEST_SKIP() << GetParam().draws_nothing;
  const Key key = key_of(1);
  std::vector<MaskedBatch> releases;
  for (const auto& [digest, release] : {std::pair{"table 1", "2026"},
                                        {"table 2", "2026"},
                                        {"table 1", "2027"},
                                        {"table 12", "026"}}) {
    const auto plan = fit(table_, stream_key(key, digest, release));
    releases.push_back(masked(*plan, table_.whole(), true));
  }
  for (std::size_t a = 0; a < releases.size(); ++a) {
    for (std::size_t b = 0; b < a; ++b) {
      for (std::size_t j = 0; j < table_.columns.size(); ++j) {
        EXPECT_NE(releases[a].columns[j], releases[b].columns[j]);
      }
      ASSERT_EQ(releases[a].trace.size(), releases[b].trace.size());
      for (std::size_t i = 0; i < releases[a].trace.size(); ++i) {
        const TraceLine &x = releases[a].trace[i], &y = releases[b].trace[i];
        ASSERT_EQ(std::tie(x.row, x.column), std::tie(y.row, y.column));
        ASSERT_NE(std::abs(x.error), std::abs(y.error)) << "row " << x.row;
      }
    }
  }
}

TEST_P(EveryMechanism, MasksAPersonsValueAlikeInWhateverRowItStands) {
  if (!GetParam().draws_by_no_person.empty()) GTEST_SKIP() << GetParam().draws_by_no_person;
  const Key key = person_stream_key(key_of(1));
  const auto plan = fit(table_, key, {.by_person = true});
  ASSERT_TRUE(plan->needs_persons());
  std::vector<std::size_t> order(kRows);
  std::iota(order.begin(), order.end(), std::size_t{0});
  Random(4).shuffle(order);
  GeneratedTable shuffled = table_;
  for (std::size_t i = 0; i < kRows; ++i) {
    shuffled.persons[i] = table_.persons[order[i]];
    for (std::size_t j = 0; j < table_.columns.size(); ++j) {
      shuffled.columns[j].cells[i] = table_.columns[j].cells[order[i]];
    }
  }
  // By column, person and what decides: the value, or all values of the row.
  using Results = std::set<std::vector<ConceptId>>;
  std::map<std::tuple<std::size_t, std::string, std::vector<ConceptId>>, Results> seen;
  std::map<std::pair<std::size_t, ConceptId>, Results> of_value;
  for (const GeneratedTable* table : {&table_, static_cast<const GeneratedTable*>(&shuffled)}) {
    const Cells out = cells(*plan, *table);
    for (std::size_t j = 0; j < out.size(); ++j) {
      for (std::size_t i = 0; i < kRows; ++i) {
        if (!takes_part(table->columns[j], i)) continue;
        std::vector<ConceptId> deciding = {table->columns[j].cells[i]};
        if (!GetParam().columns_apart) {
          for (const TableColumn& column : table->columns) deciding.push_back(column.cells[i]);
        }
        const std::vector<ConceptId> result = rows_of(*plan, out, j, i, 1);
        seen[{j, table->persons[i], deciding}].insert(result);
        of_value[{j, table->columns[j].cells[i]}].insert(result);
      }
    }
  }
  for (const auto& [who, results] : seen) {
    ASSERT_EQ(results.size(), 1U) << "column " << std::get<0>(who) << ", " << std::get<1>(who);
  }
  // 40 persons share 14 values: were all persons masked alike, no value would have two results.
  for (std::size_t j = 0; j < table_.columns.size(); ++j) {
    EXPECT_TRUE(std::any_of(
        of_value.begin(), of_value.end(),
        [j](const auto& entry) { return entry.first.first == j && entry.second.size() > 5; }))
        << "column " << j;
  }
}

TEST_P(EveryMechanism, DealsWithAColumnThatIsAllMissing) {
  Fresh empty = fresh(50);
  for (ConceptId& cell : empty.table.columns.back().cells) cell = kMissing;
  const auto plan = GetParam().make({})->fit(empty.table.frequencies(), key_of(1));
  if (!plan) {
    EXPECT_NE(plan.error().message, "");
    EXPECT_TRUE(plan.error().code == ErrorCode::kData ||
                plan.error().code == ErrorCode::kGuarantee);
    return;
  }
  const MaskedBatch out = masked(**plan, empty.table.whole(), true);
  for (const ConceptId z : out.columns.back()) EXPECT_EQ(z, kMissing);
}

TEST_P(EveryMechanism, DealsWithATableWithoutRecords) {
  const Fresh empty = fresh(0);
  const auto plan = GetParam().make({})->fit(empty.table.frequencies(), key_of(1));
  if (!plan) {
    EXPECT_NE(plan.error().message, "");
    EXPECT_TRUE(plan.error().code == ErrorCode::kData ||
                plan.error().code == ErrorCode::kGuarantee);
    return;
  }
  EXPECT_TRUE(masked(**plan, empty.table.whole()).columns.front().empty());
}

TEST_P(EveryMechanism, SaysWhetherItDealsValuesOut) {
  EXPECT_EQ(fit(table_, key_of(1))->deals().has_value(), GetParam().deals);
}

// ---- Saved forms that were damaged --------------------------------------------------------------

// Every place in the JSON, as a pointer.
void list_places(const json& value, const json::json_pointer& here,
                 std::vector<json::json_pointer>& out) {
  if (!here.empty()) out.push_back(here);
  if (value.is_object()) {
    for (const auto& [key, child] : value.items()) list_places(child, here / key, out);
  }
  if (value.is_array()) {
    // Long lists: the first places, and the last.
    for (std::size_t i = 0; i < value.size(); ++i) {
      if (i < 3 || i + 1 == value.size()) list_places(value[i], here / i, out);
    }
  }
}

class DamagedPlan {
 public:
  DamagedPlan(std::string_view mechanism, const GeneratedTable& table, bool reaches_the_root)
      : mechanism_(mechanism),
        table_(table),
        first_rows_(table.batch(0, 40)),
        reaches_the_root_(reaches_the_root) {
    for (const TableColumn& column : table.columns) attributes_.push_back(column.attribute);
  }

  // An error, or a plan that can be used and releases nothing outside the domain.
  void expect_safe(const std::string& saved) {
    const auto plan = load_fitted(mechanism_, saved, attributes_, key_of(1));
    if (!plan) {
      EXPECT_NE(plan.error().message, "");
      ++refused_;
      return;
    }
    MaskedBatch out;
    out.traced = true;
    (*plan)->apply(first_rows_, out);
    ASSERT_EQ(out.columns.size(), table_.columns.size());
    for (std::size_t j = 0; j < out.columns.size(); ++j) {
      const Attribute& attribute = *attributes_[j];
      ASSERT_EQ(out.columns[j].size(), 40U * (*plan)->width(j));
      for (const ConceptId z : out.columns[j]) {
        ASSERT_TRUE(z == kMissing || z < (*plan)->released()[j]->size());
        if (z == kMissing || attribute.is_numeric() || reaches_the_root_) continue;
        ASSERT_FALSE(attribute.taxonomy().is_virtual(z));
      }
    }
  }
  std::size_t refused() const { return refused_; }

 private:
  std::string mechanism_;
  const GeneratedTable& table_;
  RecordBatch first_rows_;
  bool reaches_the_root_;
  std::vector<std::shared_ptr<const Attribute>> attributes_;
  std::size_t refused_ = 0;
};

TEST_P(EveryMechanism, RefusesADamagedSavedFormOrUsesItSafely) {
  const auto mechanism = GetParam().make({});
  const std::string saved = fit(table_, key_of(1))->save();
  // Of a look-up any concept is one that some method may put there.
  DamagedPlan damaged(mechanism->name(), table_, GetParam().k > 0);
  for (const char* text : {"", "{}", "[]", "null", "7", "\"text\"", "{\"", "{\"a\":}"}) {
    const std::size_t before = damaged.refused();
    ASSERT_NO_FATAL_FAILURE(damaged.expect_safe(text));
    EXPECT_EQ(damaged.refused(), before + 1) << text;
  }
  for (std::size_t length = 0; length < saved.size(); length += 1 + saved.size() / 200) {
    const std::size_t before = damaged.refused();
    ASSERT_NO_FATAL_FAILURE(damaged.expect_safe(saved.substr(0, length)));
    EXPECT_EQ(damaged.refused(), before + 1) << "cut at " << length;
  }
  Random random(8);
  for (int i = 0; i < 300; ++i) {
    std::string text = saved;
    text[random.below(text.size())] = static_cast<char>(random.next());
    ASSERT_NO_FATAL_FAILURE(damaged.expect_safe(text));
  }
  const json whole = json::parse(saved);
  std::vector<json::json_pointer> places;
  list_places(whole, json::json_pointer(), places);
  const std::vector<json> others = {nullptr,
                                    true,
                                    "text",
                                    "",
                                    -1,
                                    0,
                                    4294967295U,
                                    18446744073709551615U,
                                    1e300,
                                    -1e300,
                                    json::array(),
                                    json::object(),
                                    json({1, 2}),
                                    json({"a", "b"})};
  for (const json::json_pointer& place : places) {
    SCOPED_TRACE(place.to_string());
    for (const json& other : others) {
      json changed = whole;
      changed[place] = other;
      ASSERT_NO_FATAL_FAILURE(damaged.expect_safe(changed.dump())) << other.dump();
    }
    json without = whole;
    json& parent = without[place.parent_pointer()];
    if (parent.is_object()) {
      parent.erase(place.back());
    } else {
      parent.erase(std::stoul(place.back()));
    }
    ASSERT_NO_FATAL_FAILURE(damaged.expect_safe(without.dump()));
  }
}

TEST_P(EveryMechanism, RefusesASavedFormOfSomethingElse) {
  const auto mechanism = GetParam().make({});
  const std::string saved = fit(table_, key_of(1))->save();
  EXPECT_FALSE(load_fitted("no such mechanism", saved, fresh_.attributes(), key_of(1)));
  EXPECT_FALSE(load_fitted("", saved, fresh_.attributes(), key_of(1)));
  EXPECT_FALSE(load_fitted(mechanism->name(), saved, {}, key_of(1)));
  auto too_many = fresh_.attributes();
  too_many.push_back(too_many.front());
  EXPECT_FALSE(load_fitted(mechanism->name(), saved, too_many, key_of(1)));
}

}  // namespace
}  // namespace semveil::test
