// What is counted in persons, against sets of persons made row by row.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "release/analysis.h"
#include "release/person_links.h"
#include "release/privacy.h"
#include "release/row_links.h"
#include "release/verify.h"
#include "support/generate.h"
#include "support/slow_persons.h"

namespace semveil::test {
namespace {

// Columns 0 and 1 are known, 2 is sensitive; cells are missing now and then.
std::vector<PersonRow> any_rows(std::uint64_t seed) {
  Random random(seed);
  std::vector<PersonRow> rows;
  const std::size_t count = 20 + random.below(300);
  for (std::size_t i = 0; i < count; ++i) {
    const auto cell = [&](std::uint64_t values) {
      return random.one_in(12) ? kMissing : static_cast<Code>(random.below(values));
    };
    rows.push_back(
        {static_cast<std::uint32_t>(random.below(1 + count / 4)), {cell(4), cell(3), cell(5)}});
  }
  return rows;
}

struct Counted {
  TupleCounter tuples{3};
  PersonPairs persons;
};

Counted counted(const std::vector<PersonRow>& rows) {
  Counted out;
  for (const PersonRow& row : rows) {
    out.persons.add(static_cast<std::uint32_t>(out.tuples.add(row.cells)), row.person);
  }
  out.persons.settle();
  return out;
}

const std::vector<std::size_t> kKnown{0, 1};

TEST(Persons, OfProjectedTuplesAreDifferentOnes) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    const std::vector<PersonRow> rows = any_rows(seed);
    const Counted all = counted(rows);
    for (const std::vector<std::size_t>& places :
         {kKnown, std::vector<std::size_t>{2}, std::vector<std::size_t>{}}) {
      const TupleCounter found = project({all.tuples, &all.persons}, places);
      const auto expected = slow_persons(rows, places);
      ASSERT_EQ(found.size(), expected.size());
      for (const auto& [cells, persons] : expected) {
        EXPECT_EQ(found.count(*found.find(cells)), persons.size());
      }
    }
  }
}

TEST(Persons, AreUniqueWhereTheyAreAloneInAClassOfTheirs) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    const std::vector<PersonRow> rows = any_rows(seed);
    const Counted all = counted(rows);
    const ClassSizes found = class_sizes({all.tuples, &all.persons}, kKnown, MissingRule::kKeep);
    EXPECT_EQ(found.uniques, slow_uniques(rows, kKnown).size());
  }
}

TEST(Persons, WithWildcardsAreThoseOfAllRowsThatMatch) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    const std::vector<PersonRow> rows = any_rows(seed);
    const Counted all = counted(rows);
    const ClassSizes found =
        class_sizes({all.tuples, &all.persons}, kKnown, MissingRule::kWildcard);
    std::vector<std::uint64_t> expected;
    std::set<std::uint32_t> alone;
    const auto classes = slow_persons(rows, kKnown);
    for (const auto& [cells, own] : classes) {
      std::set<std::uint32_t> persons;
      for (const auto& [others, theirs] : classes) {
        bool match = true;
        for (std::size_t j = 0; j < cells.size(); ++j) {
          match &= cells[j] == others[j] || cells[j] == kMissing || others[j] == kMissing;
        }
        if (match) persons.insert(theirs.begin(), theirs.end());
      }
      expected.push_back(persons.size());
      if (persons.size() == 1) alone.insert(*persons.begin());
    }
    std::vector<std::uint64_t> sizes = found.sizes;
    std::ranges::sort(sizes);
    std::ranges::sort(expected);
    EXPECT_EQ(sizes, expected);
    EXPECT_EQ(found.uniques, alone.size());
  }
}

TEST(Persons, CountOnceWithEachValueOfTheirs) {
  for (std::uint64_t seed = 1; seed <= 50; ++seed) {
    const std::vector<PersonRow> rows = any_rows(seed);
    const Counted all = counted(rows);
    const ClassValues found({all.tuples, &all.persons}, kKnown, 2);
    const auto expected = slow_values(rows, kKnown, 2);
    const auto whole = slow_values(rows, {}, 2);
    ASSERT_EQ(found.size(), expected.size());
    std::size_t at = 0;
    for (const auto& [cells, values] : expected) {  // both ascend
      std::map<std::uint32_t, std::uint64_t> told;
      for (const PlaceCount& count : found.of(at)) told[found.codes()[count.place]] = count.count;
      EXPECT_EQ(told, values);
      ++at;
    }
    for (std::size_t place = 0; place < found.codes().size(); ++place) {
      EXPECT_EQ(found.whole()[place], whole.at({}).at(found.codes()[place]));
    }
    double most = 0;
    const auto persons = slow_persons(rows, kKnown);
    for (const auto& [cells, values] : expected) {
      for (const auto& [value, count] : values) {
        most = std::max(most,
                        static_cast<double>(count) / static_cast<double>(persons.at(cells).size()));
      }
    }
    EXPECT_DOUBLE_EQ(most_common_share({all.tuples, &all.persons}, kKnown, 2), most);
  }
}

TEST(Persons, AreVerifiedOfEveryClass) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    const std::vector<PersonRow> rows = any_rows(seed);
    const Counted all = counted(rows);
    std::size_t least = rows.size();
    for (const auto& [cells, persons] : slow_persons(rows, kKnown)) {
      least = std::min(least, persons.size());
    }
    for (const std::uint64_t k : {least, least + 1}) {
      const Status status = verify_classes({.released = {all.tuples, &all.persons},
                                            .quasi_identifiers = kKnown,
                                            .sensitive = {},
                                            .missing = MissingRule::kCategory,
                                            .k = k});
      EXPECT_EQ(status.has_value(), k == least);
      if (!status) {
        EXPECT_NE(status.error().message.find("persons"), std::string::npos);
      }
    }
    std::size_t l = rows.size();
    for (const auto& [cells, values] : slow_values(rows, kKnown, 2)) {
      l = std::min(l, values.size());
    }
    for (const std::size_t demanded : {l, l + 1}) {
      const VerifiedColumn column{.name = "x",
                                  .place = 2,
                                  .demand = {.l = static_cast<double>(demanded), .t = {}},
                                  .attribute = {},
                                  .values = {},
                                  .whole = {}};
      const Status status = verify_classes({.released = {all.tuples, &all.persons},
                                            .quasi_identifiers = kKnown,
                                            .sensitive = {column},
                                            .missing = MissingRule::kCategory,
                                            .k = 1});
      EXPECT_EQ(status.has_value(), demanded == l);
    }
  }
}

// Three records, of one person or of two.
TEST(Persons, OfSuppressedRecordsThatShowValuesAreAsManyAsOfAClass) {
  const Counted released = counted({{0, {0, 0, 0}}, {1, {0, 0, 1}}});
  for (const std::uint32_t other : {0U, 1U}) {
    const Counted suppressed = counted({{0, {kMissing, kMissing, 0}},
                                        {0, {kMissing, kMissing, 1}},
                                        {other, {kMissing, kMissing, 0}}});
    const VerifiedColumn column{.name = "x",
                                .place = 2,
                                .demand = {.l = 2.0, .t = {}},
                                .attribute = {},
                                .values = {},
                                .whole = {}};
    const Status status = verify_classes({.released = {released.tuples, &released.persons},
                                          .quasi_identifiers = kKnown,
                                          .sensitive = {column},
                                          .missing = MissingRule::kCategory,
                                          .k = 2,
                                          .suppressed = &suppressed.tuples,
                                          .suppressed_persons = &suppressed.persons});
    EXPECT_EQ(status.has_value(), other == 1);
    if (status) continue;
    EXPECT_NE(status.error().message.find("shown of 1 suppressed persons"), std::string::npos);
  }
}

// The frequency table that a fit sees, also of a single column and with records left out.
TEST(Persons, OfAFrequencyTableAreThoseOfItsTuples) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    std::vector<PersonRow> rows = any_rows(seed);
    const Counted all = counted(rows);
    std::vector<CountedColumn> columns(3);
    for (std::size_t j = 0; j < 3; ++j) {
      columns[j].name = std::string(1, static_cast<char>('a' + j));
      columns[j].counts.assign(5, 0);
      std::vector<std::string> texts{"0", "1", "2", "3", "4"};
      columns[j].attribute =
          std::make_shared<const Attribute>(text_attribute(columns[j].name, texts));
      columns[j].concepts = {0, 1, 2, 3, 4};
      for (const PersonRow& row : rows) {
        ++(row.cells[j] == kMissing ? columns[j].missing : columns[j].counts[row.cells[j]]);
      }
    }
    const bool drops = seed % 2 == 0;
    const Analysis analysis(columns, {0, 1, 2}, all.tuples, rows.size(),
                            drops ? std::vector<bool>{true, false, false} : std::vector<bool>(),
                            &all.persons);
    if (drops) std::erase_if(rows, [](const PersonRow& row) { return row.cells[0] == kMissing; });
    const FrequencyTable table = analysis.frequencies({"a", "b"}, {{"c", Demand{.l = 2, .t = {}}}});
    const auto persons = slow_persons(rows, kKnown);
    const auto values = slow_values(rows, kKnown, 2);
    ASSERT_EQ(table.tuple_counts.size(), persons.size());
    for (std::size_t t = 0; t < persons.size(); ++t) {
      Cells32 cells;
      for (std::size_t j = 0; j < 2; ++j) {
        const Code place = table.tuples[t * 2 + j];
        cells.push_back(place == kMissing ? kMissing : table.columns[j].values.values[place]);
      }
      const auto found = table.persons.of(t);
      EXPECT_EQ(std::set<std::uint32_t>(found.begin(), found.end()), persons.at(cells));
      std::map<std::uint32_t, std::uint64_t> told;
      for (const PlaceCount& count : table.sensitive.front().of(t)) {
        told[table.sensitive.front().values[count.place]] = count.count;
      }
      const auto expected = values.find(cells);
      EXPECT_EQ(told, expected == values.end() ? decltype(told)() : expected->second);
    }
    const auto whole = slow_values(rows, {}, 2);
    for (std::size_t place = 0; place < table.sensitive.front().whole.size(); ++place) {
      EXPECT_EQ(table.sensitive.front().whole[place],
                whole.at({}).at(table.sensitive.front().values[place]));
    }
    const FrequencyTable one = analysis.frequencies({"b"});
    const auto of_one = slow_persons(rows, {1});
    ASSERT_EQ(one.persons.begin.size(), of_one.size() + 1);
    std::size_t at = 0;
    for (const auto& [cells, who] : of_one) {  // missing ones last
      EXPECT_EQ(one.persons.of(at++).size(), who.size());
    }
  }
}

// ---- What links the rows of a person, counted in parts ------------------------------------------

// A value of a row, and whose row it is.
struct Link {
  std::uint64_t value, person;
};

// Few rows and many values, so that often one person alone has the values that repeat.
std::vector<Link> any_links(std::uint64_t seed) {
  Random random(seed);
  std::vector<Link> links;
  const std::size_t count = 1 + random.below(12);
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t person = random.below(4);
    links.push_back({random.one_in(10) ? 0 : 10 * person + random.below(5), person});
  }
  return links;
}

// By value the persons of its rows.
std::map<std::uint64_t, std::vector<std::uint64_t>> by_value(const std::vector<Link>& links) {
  std::map<std::uint64_t, std::vector<std::uint64_t>> out;
  for (const Link& link : links) out[link.value].push_back(link.person);
  return out;
}

std::size_t persons_in(const std::vector<std::uint64_t>& persons) {
  return std::set(persons.begin(), persons.end()).size();
}

// Dealt to three parts, which go through bytes and are merged in either order.
template <class Links, class Add>
Links merged_parts(const std::vector<Link>& links, std::uint64_t seed, const Links& none,
                   const Add& add) {
  Random random(seed);
  std::vector<Links> parts(3, none);
  for (const Link& link : links) add(parts[random.below(3)], link);
  if (seed % 2 == 0) std::ranges::reverse(parts);
  Links all = none;
  for (const Links& part : parts) {
    ByteWriter out;
    part.write(out);
    const std::string bytes = std::move(out).take();
    ByteReader in(bytes);
    all.add(Links::read(in));
    EXPECT_TRUE(in.is_done());
  }
  return all;
}

std::vector<std::string> linking_columns(const RowLinks& links) {
  std::vector<std::string> out;
  for (const RowLinks::Linking& linking : links.linking()) out.push_back(linking.column);
  return out;
}

TEST(RowLinks, AreOfAColumnWhoseValuesRepeatAndAreOfOnePersonEach) {
  std::size_t linked = 0;
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    const std::vector<Link> links = any_links(seed);
    bool repeats = false, is_shared = false;
    for (const auto& [value, persons] : by_value(links)) {
      repeats |= persons.size() > 1;
      is_shared |= persons_in(persons) > 1;
    }
    const auto add = [](RowLinks& to, const Link& link) {
      to.add_row(link.person);
      to.add(0, link.value, link.person);
    };
    const RowLinks none({"visit"});
    RowLinks whole = none;
    for (const Link& link : links) add(whole, link);
    const std::vector<std::string> found = linking_columns(whole);
    if (!is_shared) {  // else it is a matter of how many
      EXPECT_EQ(found, std::vector<std::string>(repeats ? 1 : 0, "visit")) << seed;
      linked += found.size();
    }
    EXPECT_EQ(linking_columns(merged_parts(links, seed, none, add)), found) << seed;
  }
  EXPECT_GT(linked, 50U);
  EXPECT_LT(linked, 250U);
}

TEST(PersonLinks, AreCombinationsThatOnlyOnePersonHasSeveralTimes) {
  for (std::uint64_t seed = 1; seed <= 300; ++seed) {
    const std::vector<Link> links = any_links(seed);
    std::uint64_t repeated = 0, own = 0;
    for (const auto& [value, persons] : by_value(links)) {
      repeated += persons.size() > 1 ? 1 : 0;
      own += persons.size() > 1 && persons_in(persons) == 1 ? 1 : 0;
    }
    const auto add = [](PersonLinks& to, const Link& link) { to.add(link.value, link.person); };
    PersonLinks whole;
    for (const Link& link : links) add(whole, link);
    const PersonLinks parts = merged_parts(links, seed, PersonLinks(), add);
    for (const PersonLinks* const found : {&std::as_const(whole), &parts}) {
      EXPECT_EQ(found->repeated(), repeated) << seed;
      EXPECT_EQ(found->of_one_person(), own) << seed;
    }
  }
}

}  // namespace
}  // namespace semveil::test
