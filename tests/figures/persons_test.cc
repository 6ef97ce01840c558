// Figures of people with several records, against the definitions written out row by row.
#include <gtest/gtest.h>

#include <algorithm>
#include <map>
#include <set>

#include "figures/attacks.h"
#include "figures/linked_persons.h"
#include "figures/looked_up_persons.h"
#include "figures/record_linkage.h"
#include "figures/singling_out.h"
#include "support/attacked_pairs.h"

namespace semveil::test {
namespace {

using Tuple = std::vector<ConceptId>;
struct Row {
  std::uint32_t person;
  Tuple before, after;
};

// Three columns of four texts; a cell in four is another one afterwards.
std::vector<Row> any_rows(std::uint64_t seed, bool one_each) {
  Random random(seed);
  std::vector<Row> rows;
  const std::size_t count = 8 + random.below(40);
  for (std::size_t i = 0; i < count; ++i) {
    Row row{
        static_cast<std::uint32_t>(one_each ? (i * 5 + 1) % count : random.below(count / 3 + 1)),
        {},
        {}};
    for (int j = 0; j < 3; ++j) {
      row.before.push_back(static_cast<ConceptId>(random.below(4)));
      row.after.push_back(random.one_in(4) ? static_cast<ConceptId>(random.below(4))
                                           : row.before.back());
    }
    rows.push_back(std::move(row));
  }
  if (one_each) {  // 5 and the number of rows may have a divisor in common
    for (std::size_t i = 0; i < count; ++i) rows[i].person = static_cast<std::uint32_t>(count - i);
  }
  return rows;
}

struct Table {
  explicit Table(const std::vector<Row>& rows) {
    std::vector<ConceptId> before, after;
    std::vector<std::uint64_t> each;
    for (std::size_t i = 0; i < rows.size(); ++i) {
      before.insert(before.end(), rows[i].before.begin(), rows[i].before.end());
      after.insert(after.end(), rows[i].after.begin(), rows[i].after.end());
      each.push_back(PersonPairs::pair_of(static_cast<std::uint32_t>(i), rows[i].person));
    }
    pairs = texts(std::move(before), std::move(after), 3);
    persons = PersonRows::count(std::move(each), rows.size());
  }
  Paired pairs;
  PersonRows persons;
};

int apart(const Tuple& a, const Tuple& b, const std::vector<std::size_t>& columns) {
  int out = 0;
  for (const std::size_t j : columns) out += a[j] != b[j] ? 1 : 0;
  return out;
}
const std::vector<std::size_t> kAll{0, 1, 2};

// Rows of one side nearest to a tuple, in some columns.
std::vector<std::size_t> nearest(const std::vector<Row>& rows, Tuple Row::* side, const Tuple& to,
                                 const std::vector<std::size_t>& columns) {
  int least = 1000;
  for (const Row& row : rows) least = std::min(least, apart(row.*side, to, columns));
  std::vector<std::size_t> out;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    if (apart(rows[i].*side, to, columns) == least) out.push_back(i);
  }
  return out;
}

// The chance that somebody who chooses one of the persons of these rows chooses this one.
double share_of(const std::vector<Row>& rows, const std::vector<std::size_t>& linked,
                std::uint32_t person) {
  std::set<std::uint32_t> persons;
  for (const std::size_t i : linked) persons.insert(rows[i].person);
  return persons.contains(person) ? 1 / static_cast<double>(persons.size()) : 0;
}

template <class Score>
double mean_of_greatest(const std::vector<Row>& rows, const Score& score) {
  std::map<std::uint32_t, double> greatest;
  for (const Row& row : rows) greatest[row.person] = std::max(greatest[row.person], score(row));
  double sum = 0;
  for (const auto& [person, value] : greatest) sum += value;
  return sum / static_cast<double>(greatest.size());
}

// The greatest over combinations of one side of the mean over their persons.
template <class Score>
double surest(const std::vector<Row>& rows, Tuple Row::* side, const Score& score) {
  std::map<Tuple, std::map<std::uint32_t, double>> classes;
  for (const Row& row : rows) classes[row.*side][row.person] = score(row);
  double greatest = 0;
  for (const auto& [tuple, persons] : classes) {
    double sum = 0;
    for (const auto& [person, value] : persons) sum += value;
    greatest = std::max(greatest, sum / static_cast<double>(persons.size()));
  }
  return greatest;
}

constexpr std::uint64_t kTables = 60;

TEST(LinkedPersons, AreThoseWhoseAnyRowIsHit) {
  for (std::uint64_t seed = 1; seed <= kTables; ++seed) {
    const std::vector<Row> rows = any_rows(seed, false);
    const Table table(rows);
    const PairedPersons whose{table.pairs, table.persons};
    const auto meant = [&](const Row& row) {
      return share_of(rows, nearest(rows, &Row::before, row.after, kAll), row.person);
    };
    const LinkedPersons found = persons_linked_by_meaning(whose, 1 + seed % 2);
    EXPECT_NEAR(found.mean, mean_of_greatest(rows, meant), 1e-12);
    EXPECT_NEAR(found.worst, surest(rows, &Row::after, meant), 1e-12);
    for (std::size_t i = 0; i < rows.size(); ++i)
      EXPECT_NEAR(found.by_pair[i], meant(rows[i]), 1e-12);
    const auto equal = [&](const Row& row) {
      std::vector<std::size_t> linked = nearest(rows, &Row::before, row.after, kAll);
      if (rows[linked.front()].before != row.after) linked.clear();
      return share_of(rows, linked, row.person);
    };
    EXPECT_NEAR(persons_linked_by_equality(whose), mean_of_greatest(rows, equal), 1e-12);
    const auto back = [&](const Row& row) {
      return share_of(rows, nearest(rows, &Row::after, row.before, kAll), row.person);
    };
    EXPECT_NEAR(surest_person_from_originals(whose, 1), surest(rows, &Row::before, back), 1e-12);
  }
}

TEST(LinkedPersons, WithoutAColumnAreLinkedAndAloneByTheOthers) {
  for (std::uint64_t seed = 1; seed <= kTables; ++seed) {
    const std::vector<Row> rows = any_rows(seed, false);
    const Table table(rows);
    const auto found = persons_without_each_column({table.pairs, table.persons}, 1);
    ASSERT_EQ(found.size(), 3U);
    for (std::size_t j = 0; j < found.size(); ++j) {
      std::vector<std::size_t> others = kAll;
      others.erase(others.begin() + static_cast<std::ptrdiff_t>(j));
      const auto meant = [&](const Row& row) {
        return share_of(rows, nearest(rows, &Row::before, row.after, others), row.person);
      };
      EXPECT_NEAR(found[j].linkage, mean_of_greatest(rows, meant), 1e-12);
      std::set<std::uint32_t> all, alone;
      for (const Row& row : rows) {
        all.insert(row.person);
        const bool is_alone = std::ranges::all_of(rows, [&](const Row& other) {
          return other.person == row.person || apart(other.after, row.after, others) > 0;
        });
        if (is_alone) alone.insert(row.person);
      }
      EXPECT_NEAR(found[j].uniques,
                  static_cast<double>(alone.size()) / static_cast<double>(all.size()), 1e-12);
    }
  }
}

TEST(LinkedPersons, OfOneRecordEachAreLinkedRecords) {
  for (std::uint64_t seed = 1; seed <= kTables; ++seed) {
    const Table table(any_rows(seed, true));
    const PairedPersons whose{table.pairs, table.persons};
    const LinkedPersons persons = persons_linked_by_meaning(whose, 1);
    const LinkedRecords records = linked_by_meaning(table.pairs, 1);
    EXPECT_NEAR(persons.mean, records.mean, 1e-12);
    EXPECT_NEAR(persons.worst, records.worst, 1e-12);
    EXPECT_NEAR(persons_linked_by_equality(whose), linked_by_equality(table.pairs), 1e-12);
    EXPECT_NEAR(surest_person_from_originals(whose, 1), surest_from_originals(table.pairs, 1),
                1e-12);
    const WindowOptions window{.algorithm = SwapAlgorithm::kRandom, .k = 3, .swapped = {0}};
    EXPECT_NEAR(persons_linked_by_window(whose, window), linked_by_window(table.pairs, window).mean,
                1e-12);
    const auto without = persons_without_each_column(whose, 1);
    const auto expected = without_each_column(table.pairs, 1);
    for (std::size_t j = 0; j < 3; ++j) {
      EXPECT_NEAR(without[j].linkage, expected[j].linkage, 1e-12);
      EXPECT_NEAR(without[j].uniques, expected[j].uniques, 1e-12);
    }
    const auto linked = linkability(table.pairs, nullptr, 1, &table.persons);
    EXPECT_NEAR(*linked->rate, *linkability(table.pairs, nullptr, 1)->rate, 1e-12);
    const Attack guessed = inference(table.pairs, nullptr, 1, &table.persons);
    const Attack by_records = inference(table.pairs, nullptr, 1);
    EXPECT_NEAR(*guessed.rate, *by_records.rate, 1e-12);
    EXPECT_NEAR(*guessed.baseline, *by_records.baseline, 1e-12);
  }
}

struct Sides {
  explicit Sides(const Table& table)
      : original(classes_of(table.pairs, Side::kBefore)),
        released(classes_of(table.pairs, Side::kAfter)),
        originals(table.persons.moved(original.of, original.size())),
        shown(persons_of_classes(table.pairs, table.persons, Side::kAfter, released)),
        looked_up{table.pairs.attributes, original, released, table.pairs, nullptr, FitRule()} {}
  Classes original, released;
  PersonRows originals, shown, control;
  LookedUp looked_up;
};

TEST(LookedUpPersons, AreFoundByWhoFits) {
  for (std::uint64_t seed = 1; seed <= kTables; ++seed) {
    const std::vector<Row> rows = any_rows(seed, false);
    const Table table(rows);
    const Sides sides(table);
    const LookedUpPersons whose{sides.looked_up, sides.originals, sides.shown, sides.control};
    std::map<Tuple, std::set<std::uint32_t>> people, persons;
    std::map<Tuple, std::vector<std::size_t>> with;  // released rows
    for (std::size_t i = 0; i < rows.size(); ++i) {
      people[rows[i].before].insert(rows[i].person);
      persons[rows[i].after].insert(rows[i].person);
      with[rows[i].after].push_back(i);
    }
    std::optional<double> journalist;
    for (const auto& [tuple, own] : persons) {
      const auto fitting = people.find(tuple);
      if (fitting == people.end()) continue;
      double both = 0;
      for (const std::uint32_t person : own) both += fitting->second.contains(person) ? 1 : 0;
      journalist = std::max(journalist.value_or(0),
                            both / static_cast<double>(own.size() * fitting->second.size()));
    }
    const std::optional<double> risk = journalist_risk(whose);
    ASSERT_EQ(risk.has_value(), journalist.has_value());
    EXPECT_NEAR(risk.value_or(0), journalist.value_or(0), 1e-12);
    const auto chance = [&](const Row& row) {
      double sum = 0;
      for (const std::uint32_t person : people[row.before]) {
        sum += share_of(rows, with[row.before], person);
      }
      return sum / static_cast<double>(people[row.before].size());
    };
    double worst = 0;
    for (const Row& row : rows) worst = std::max(worst, chance(row));
    const OwnAmongAlike own = own_among_alike(whose);
    EXPECT_NEAR(own.worst, worst, 1e-12);
    EXPECT_NEAR(own.mean, mean_of_greatest(rows, chance), 1e-12);
  }
}

// Rows of 0 are lifted from one value and from another, that of 1 from the first: the released
// class fits two people, who count once however many of their rows fit.
TEST(LookedUpPersons, CountOnceAmongAllWhoFit) {
  const TwinDomain domain(generate(Shape::kTree, 40, 1));
  const auto attribute = make_attribute("a", domain, {"wu-palmer"});
  const Taxonomy& taxonomy = attribute->taxonomy();
  for (ConceptId parent = 1; parent < taxonomy.size(); ++parent) {
    std::vector<ConceptId> leaves;
    for (const ConceptId child : taxonomy.children(parent)) {
      if (taxonomy.children(child).empty()) leaves.push_back(child);
    }
    if (leaves.size() < 2) continue;
    Table table({});
    table.pairs = {
        {attribute}, {leaves[0], leaves[1], leaves[0]}, {parent, parent, parent}, {1, 1, 1}};
    table.persons = PersonRows::count(
        {PersonPairs::pair_of(0, 0), PersonPairs::pair_of(1, 0), PersonPairs::pair_of(2, 1)}, 3);
    const Sides sides(table);
    const PersonRows nobody;
    const LookedUpPersons whose{sides.looked_up, sides.originals, sides.shown, nobody};
    EXPECT_DOUBLE_EQ(journalist_risk(whose).value_or(0), 0.5);
    const OwnAmongAlike own = own_among_alike(whose);
    EXPECT_DOUBLE_EQ(own.worst, 0.5);  // though two of the three rows are one person's
    EXPECT_DOUBLE_EQ(own.mean, 0.5);
    EXPECT_DOUBLE_EQ(sides.shown.greatest_share(), 2.0 / 3);
    return;
  }
  FAIL() << "the tree has no siblings";
}

// People of a control count once each, and not again who has an original that fits.
TEST(LookedUpPersons, OfAControlCountOnce) {
  bool somebody_is_added = false;
  for (std::uint64_t seed = 1; seed <= kTables; ++seed) {
    const std::vector<Row> rows = any_rows(seed, false), others = any_rows(seed + 1000, false);
    const Table table(rows), control(others);
    const Sides sides(table), aside(control);
    LookedUp looked_up = sides.looked_up;
    looked_up.control = &aside.original;
    std::map<Tuple, std::set<std::uint32_t>> originals, people, persons;
    for (const Row& row : rows) {
      originals[row.before].insert(row.person);
      people[row.before].insert(row.person);
      persons[row.after].insert(row.person);
    }
    for (const Row& row : others) people[row.before].insert(row.person);
    std::optional<double> journalist;
    for (const auto& [tuple, own] : persons) {
      if (!people.contains(tuple)) continue;
      double both = 0;
      for (const std::uint32_t person : own) both += originals[tuple].contains(person) ? 1 : 0;
      journalist = std::max(journalist.value_or(0),
                            both / static_cast<double>(own.size() * people[tuple].size()));
    }
    const std::optional<double> risk =
        journalist_risk({looked_up, sides.originals, sides.shown, aside.originals});
    ASSERT_EQ(risk.has_value(), journalist.has_value());
    EXPECT_NEAR(risk.value_or(0), journalist.value_or(0), 1e-12);
    const PersonRows nobody;
    somebody_is_added |=
        *risk < journalist_risk({sides.looked_up, sides.originals, sides.shown, nobody});
  }
  EXPECT_TRUE(somebody_is_added);
}

TEST(LookedUpPersons, OfOneRecordEachAreRecords) {
  for (std::uint64_t seed = 1; seed <= kTables; ++seed) {
    const Table table(any_rows(seed, true));
    const Sides sides(table);
    const LookedUpPersons whose{sides.looked_up, sides.originals, sides.shown, sides.control};
    EXPECT_EQ(journalist_risk(whose), journalist_risk(sides.looked_up));
    const OwnAmongAlike persons = own_among_alike(whose),
                        records = own_among_alike(sides.looked_up);
    EXPECT_NEAR(persons.worst, records.worst, 1e-12);
    EXPECT_NEAR(persons.mean, records.mean, 1e-12);
  }
}

// ---- Classes of k persons -----------------------------------------------------------------------

// Rows of persons, most of whom stay what they are, put together until every class has k persons.
// Originals are leaves, and what stands for them is one of the class's, as fuse has it.
std::vector<Row> classes_of_persons(std::uint64_t seed, std::size_t k) {
  Random random(seed);
  std::vector<Row> rows;
  const std::size_t persons = 2 * k + random.below(20);
  for (std::uint32_t person = 0; person < persons; ++person) {
    const std::size_t own = 1 + (random.one_in(4) ? random.below(40) : random.below(2));
    Tuple usual;
    for (int j = 0; j < 3; ++j) usual.push_back(static_cast<ConceptId>(random.below(4)));
    for (std::size_t i = 0; i < own; ++i) {
      Tuple tuple = usual;
      if (random.one_in(3)) tuple[random.below(3)] = static_cast<ConceptId>(random.below(4));
      rows.push_back({person, tuple, {}});
    }
  }
  std::ranges::sort(rows, {}, &Row::before);  // neighbours are alike, and equal rows together
  std::vector<std::size_t> begin{0};
  std::set<std::uint32_t> there;
  for (std::size_t i = 0; i < rows.size(); ++i) {
    there.insert(rows[i].person);
    const bool ends = i + 1 < rows.size() && rows[i + 1].before != rows[i].before;
    if (ends && there.size() >= k) {
      begin.push_back(i + 1);
      there.clear();
    }
  }
  if (there.size() < k && begin.size() > 1) begin.pop_back();  // the last class takes the rest
  begin.push_back(rows.size());
  for (std::size_t c = 0; c + 1 < begin.size(); ++c) {
    const Tuple shown = rows[begin[c] + random.below(begin[c + 1] - begin[c])].before;
    for (std::size_t i = begin[c]; i < begin[c + 1]; ++i) rows[i].after = shown;
  }
  return rows;
}

// However many rows the persons have.
TEST(ClassesOfPersons, LinkNobodyMoreSurelyThanByOneInK) {
  std::size_t dominated = 0;
  for (const std::size_t k : {2, 3, 5, 10}) {
    for (std::uint64_t seed = 1; seed <= kTables; ++seed) {
      const std::vector<Row> rows = classes_of_persons(seed, k);
      std::map<Tuple, std::set<std::uint32_t>> persons;
      for (const Row& row : rows) persons[row.after].insert(row.person);
      for (const auto& [tuple, who] : persons) ASSERT_GE(who.size(), k);
      const Table table(rows);
      const Sides sides(table);
      const double bound = 1 / static_cast<double>(k) + 1e-12;
      const PairedPersons linked{table.pairs, table.persons};
      const LookedUpPersons whose{sides.looked_up, sides.originals, sides.shown, sides.control};
      EXPECT_LE(persons_linked_by_meaning(linked, 1).worst, bound);
      EXPECT_LE(surest_person_from_originals(linked, 1), bound);
      EXPECT_LE(own_among_alike(whose).worst, bound);
      EXPECT_LE(journalist_risk(whose).value_or(0), bound);
      dominated += sides.shown.greatest_share() > 1.5 * bound ? 1 : 0;
    }
  }
  EXPECT_GT(dominated, 100U);  // where counting rows would have said more than 1/k
}

// Five persons of 6, 1, 1, 1 and 1 rows, all with the same values, released as they were: whoever
// takes a row is right about the first by 0.6, whoever chooses a person by 1/5.
TEST(ClassesOfPersons, OfSixRowsOfOneAndFourOfOthersLinkByOneInFive) {
  std::vector<Row> rows;
  for (const std::uint32_t person : {0, 0, 0, 0, 0, 0, 1, 2, 3, 4}) {
    rows.push_back({person, {1, 1, 1}, {1, 1, 1}});
  }
  const Table table(rows);
  const Sides sides(table);
  const PairedPersons linked{table.pairs, table.persons};
  const LookedUpPersons whose{sides.looked_up, sides.originals, sides.shown, sides.control};
  const LinkedPersons found = persons_linked_by_meaning(linked, 1);
  EXPECT_DOUBLE_EQ(found.mean, 0.2);
  EXPECT_DOUBLE_EQ(found.worst, 0.2);
  EXPECT_DOUBLE_EQ(surest_person_from_originals(linked, 1), 0.2);
  EXPECT_DOUBLE_EQ(own_among_alike(whose).worst, 0.2);
  EXPECT_DOUBLE_EQ(journalist_risk(whose).value_or(0), 0.2);
  EXPECT_DOUBLE_EQ(sides.shown.greatest_share(), 0.6);
}

// Of A (two rows) and B (one) with x, and C (one) with y: released as x, x, y of A's and B's, and y
// of C's. Looking for x finds A's row and B's, or one of A and B: 1/2. Looking for y finds A's
// other row and C's: C is one of two, and A has no original like it.
TEST(ClassesOfPersons, AreFoundByAnyOfTheirRows) {
  const Tuple x{0, 0, 0}, y{1, 1, 1};
  const Table table({{0, x, x}, {0, x, y}, {1, x, x}, {2, y, y}});
  const Sides sides(table);
  const PairedPersons linked{table.pairs, table.persons};
  const LookedUpPersons whose{sides.looked_up, sides.originals, sides.shown, sides.control};
  EXPECT_DOUBLE_EQ(own_among_alike(whose).worst, 0.5);
  EXPECT_DOUBLE_EQ(own_among_alike(whose).mean, 0.5);
  // From the release: x is linked to A and B, who have it (1/2 each); y to C, who is one of the two
  // persons of released y, and A is not linked: (1 + 0) / 2.
  EXPECT_DOUBLE_EQ(persons_linked_by_meaning(linked, 1).worst, 0.5);
  EXPECT_DOUBLE_EQ(persons_linked_by_meaning(linked, 1).mean, (0.5 + 0.5 + 1) / 3);
}

TEST(AttackedPersons, AreTheGreatestOverTheirRows) {
  for (std::uint64_t seed = 1; seed <= kTables; ++seed) {
    const std::vector<Row> rows = any_rows(seed, false);
    const Table table(rows);
    const auto linked = [&](const Row& row) {
      const auto a = nearest(rows, &Row::after, row.before, {0, 2});
      const auto b = nearest(rows, &Row::after, row.before, {1});
      std::vector<std::size_t> both;
      std::ranges::set_intersection(a, b, std::back_inserter(both));
      return share_of(rows, both, row.person);
    };
    const auto attack = linkability(table.pairs, nullptr, 1, &table.persons);
    EXPECT_NEAR(*attack->rate, mean_of_greatest(rows, linked), 1e-12);
    std::set<std::uint32_t> all;
    for (const Row& row : rows) all.insert(row.person);
    EXPECT_EQ(attack->tried, all.size());
    EXPECT_NEAR(*attack->baseline, 1 / static_cast<double>(all.size()), 1e-12);
    const auto guessed = [&](const Row& row) {
      const auto near = nearest(rows, &Row::after, row.before, {0, 1});
      double right = 0;
      for (const std::size_t i : near) right += rows[i].after[2] == row.before[2] ? 1 : 0;
      return right / static_cast<double>(near.size());
    };
    const auto without = [&](const Row& row) {
      double right = 0;
      for (const Row& other : rows) right += other.before[2] == row.before[2] ? 1 : 0;
      return right / static_cast<double>(rows.size());
    };
    const Attack inferred = inference(table.pairs, nullptr, 1, &table.persons);
    EXPECT_NEAR(*inferred.rate, mean_of_greatest(rows, guessed), 1e-12);
    EXPECT_NEAR(*inferred.baseline, mean_of_greatest(rows, without), 1e-12);
  }
}

TEST(SinglingOut, IsRightIfAllWhoFitAreOnePerson) {
  for (std::uint64_t seed = 1; seed <= kTables; ++seed) {
    const std::vector<Row> rows = any_rows(seed, false);
    const Table table(rows);
    const Sides sides(table);
    std::map<Tuple, std::set<std::uint32_t>> people;
    std::map<Tuple, std::size_t> released;
    for (const Row& row : rows) {
      people[row.before].insert(row.person);
      ++released[row.after];
    }
    double one_origin = 0, guesses = 0, right = 0;
    std::set<std::uint32_t> pointed;
    for (const auto& [tuple, count] : released) {
      const bool is_one = people.contains(tuple) && people[tuple].size() == 1;
      one_origin += is_one ? 1 : 0;
      if (count != 1) continue;
      ++guesses;
      right += is_one ? 1 : 0;
      if (is_one) pointed.insert(*people[tuple].begin());
    }
    const SinglingOut found = singling_out(table.pairs.attributes, sides.original, sides.released,
                                           nullptr, FitRule(), 1, &sides.originals);
    EXPECT_NEAR(found.one_origin->share, one_origin / static_cast<double>(released.size()), 1e-12);
    ASSERT_EQ(found.attack.tried, static_cast<std::uint64_t>(guesses));
    if (guesses == 0) continue;
    EXPECT_NEAR(*found.attack.rate, right / guesses, 1e-12);
    EXPECT_NEAR(
        *found.attack.pointed_at,
        static_cast<double>(pointed.size()) / static_cast<double>(sides.originals.persons()),
        1e-12);
  }
}

}  // namespace
}  // namespace semveil::test
