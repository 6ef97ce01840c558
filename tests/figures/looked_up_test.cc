// Who is found by who fits: ten tables by hand, the definitions record by record, and what classes
// of k records promise.
#include "figures/looked_up.h"

#include <gtest/gtest.h>

#include <numeric>

#include "figures/class_risk.h"
#include "figures/semantic_linkage.h"
#include "semveil/fuse.h"
#include "semveil/generalize.h"
#include "semveil/microaggregate.h"
#include "support/letters.h"
#include "support/slow_attacks.h"
#include "support/slow_figures.h"

namespace semveil::test {
namespace {

struct Found {
  std::optional<double> journalist;
  OwnAmongAlike own;
  double surest = 0;
  std::uint64_t smallest = 0;  // released class, suppressed records left out
};

Found found(const Paired& pairs, MissingRule missing = MissingRule::kKeep,
            const Classes* control = nullptr) {
  std::vector<std::size_t> all(pairs.width());
  std::iota(all.begin(), all.end(), std::size_t{0});
  const Classes original = classes_of(pairs, Side::kBefore);
  const FormedClasses formed =
      without_suppressed(pairs.attributes, classes_of(pairs, Side::kAfter), all, pairs);
  const LookedUp tables{pairs.attributes, original, formed.classes, pairs, control, missing};
  return {journalist_risk(tables), own_among_alike(tables),
          std::max(linked_by_meaning(pairs, 1).worst, surest_from_originals(pairs, 1)),
          formed.classes.smallest()};
}

Paired lettered_pairs(std::vector<ConceptId> before, std::vector<ConceptId> after,
                      std::vector<std::uint64_t> counts) {
  return {{std::make_shared<const Attribute>(letters("t"))},
          std::move(before),
          std::move(after),
          std::move(counts)};
}

void expect(const Found& found, std::optional<double> journalist, double own, double mean,
            double surest) {
  ASSERT_EQ(found.journalist.has_value(), journalist.has_value());
  EXPECT_DOUBLE_EQ(found.journalist.value_or(0), journalist.value_or(0));
  EXPECT_DOUBLE_EQ(found.own.worst, own);
  EXPECT_DOUBLE_EQ(found.own.mean, mean);
  EXPECT_DOUBLE_EQ(found.surest, surest);
}

// ---- Ten tables by hand -------------------------------------------------------------------------

// Five released a's, one original a: which of the five is his is not told.
TEST(LookedUp, FiveCopiesOfOnePerson) {
  expect(found(lettered_pairs({kA, kB}, {kA, kA}, {1, 4})), 1.0 / 5, 1.0 / 5, 1.0 / 25, 1.0 / 5);
}
TEST(LookedUp, UniqueAndUnchanged) {
  expect(found(lettered_pairs({kA, kB, kC}, {kA, kB, kC}, {1, 1, 1})), 1, 1, 1, 1);
}
TEST(LookedUp, TwoOfEachAndUnchanged) {
  expect(found(lettered_pairs({kA, kB}, {kA, kB}, {2, 2})), 0.5, 0.5, 0.5, 0.5);
}
TEST(LookedUp, ExchangedPointsAtTheOther) {
  expect(found(lettered_pairs({kA, kB}, {kB, kA}, {1, 1})), 0, 0, 0, 0);
}
// Nobody fits c; the two are equally near.
TEST(LookedUp, AValueThatNobodyHad) {
  expect(found(lettered_pairs({kA, kB}, {kC, kC}, {1, 1})), std::nullopt, 0, 0, 0.5);
}
// a → a, a → b, b → b. Released a: one record, two people fit; b: two records, one fits.
TEST(LookedUp, OneOfTwoMovesToAThird) {
  expect(found(lettered_pairs({kA, kA, kB}, {kA, kB, kB}, {1, 1, 1})), 0.5, 0.5, 0.5, 0.5);
}
// Of four a's two keep it, and two others come to have it: 2 / (4 · 4).
TEST(LookedUp, HalfOfThemStay) {
  expect(found(lettered_pairs({kA, kA, kB}, {kA, kB, kA}, {2, 2, 2})), 1.0 / 8, 1.0 / 8, 1.0 / 12,
         1.0 / 8);
}
// Three further people have a, one b: a record of b is one of two people's.
TEST(LookedUp, ControlsAreTakenForTheOriginals) {
  const Classes control{1, {kA, kB}, {3, 1}, {}};
  expect(found(lettered_pairs({kA, kB}, {kA, kB}, {1, 1}), MissingRule::kKeep, &control), 0.5, 1, 1,
         1);
}
// Two values lifted to what lies above both. By equality nobody would be found.
TEST(LookedUp, TwoValuesLifted) {
  const TwinDomain domain(generate(Shape::kTree, 40, 1));
  const auto attribute = make_attribute("a", domain, {"wu-palmer"});
  const Taxonomy& taxonomy = attribute->taxonomy();
  for (ConceptId parent = 1; parent < taxonomy.size(); ++parent) {
    std::vector<ConceptId> leaves;
    for (const ConceptId child : taxonomy.children(parent)) {
      if (taxonomy.children(child).empty()) leaves.push_back(child);
    }
    if (leaves.size() < 2) continue;
    const Paired pairs{{attribute}, {leaves[0], leaves[1]}, {parent, parent}, {1, 1}};
    return expect(found(pairs), 0.5, 0.5, 0.5, 0.5);
  }
  FAIL() << "the tree has no siblings";
}
// b's only record was suppressed: he finds nothing, and nothing finds him.
TEST(LookedUp, SuppressedRecordsShowNothing) {
  expect(found(lettered_pairs({kA, kB}, {kA, kNoLetter}, {2, 1})), 0.5, 0.5, 1.0 / 3, 0.5);
}

// ---- The definitions, record by record ----------------------------------------------------------

TEST(LookedUp, IsTheChanceOfEveryRecord) {
  std::size_t lifted = 0;
  for (const Shape shape : kShapes) {
    for (const std::uint64_t seed : {1U, 2U, 3U}) {
      SCOPED_TRACE(testing::Message() << to_string(shape) << ", seed " << seed);
      const TwinDomain domain(generate(shape, 25, seed));
      const Paired all = mixed_pairs(domain, 25, seed);
      for (const bool wildcard : {false, true}) {
        const std::vector<std::size_t> some[] = {{0}, {1, 2}, {0, 1, 2, 3}};
        for (const std::vector<std::size_t>& columns : some) {
          const Paired pairs = all.over(columns);
          const Found fast = found(pairs, wildcard ? MissingRule::kWildcard : MissingRule::kKeep);
          const auto journalist = slow_journalist(pairs, wildcard);
          ASSERT_EQ(fast.journalist.has_value(), journalist.has_value());
          EXPECT_NEAR(fast.journalist.value_or(0), journalist.value_or(0), 1e-12);
          const SlowOwn own = slow_own_among_alike(pairs, wildcard);
          EXPECT_NEAR(fast.own.worst, own.worst, 1e-12);
          EXPECT_NEAR(fast.own.mean, own.mean, 1e-12);
          lifted += own.mean > 0 ? 1 : 0;
        }
      }
    }
  }
  EXPECT_GT(lifted, 20U);
}

// ---- What classes of k records promise ----------------------------------------------------------

Key key_of(unsigned char seed) {
  std::array<unsigned char, Key::kSize> bytes{};
  bytes[0] = seed;
  return Key::from_bytes(bytes);
}

Paired released(const GeneratedTable& table, const Mechanism& mechanism, std::uint64_t seed) {
  const auto plan = mechanism.fit(table.frequencies(), key_of(static_cast<unsigned char>(seed)));
  if (!plan) throw std::runtime_error(describe(plan.error(), Quote::kShow));
  MaskedBatch masked;
  (*plan)->apply(table.whole(), masked);
  Paired out;
  for (const TableColumn& column : table.columns) out.attributes.push_back(column.attribute);
  for (std::size_t row = 0; row < table.rows(); ++row) {
    for (std::size_t j = 0; j < table.columns.size(); ++j) {
      const auto cell = [&](ConceptId value) {
        return value >= kNoPart ? out.attributes[j]->missing_value() : value;
      };
      out.before.push_back(cell(table.columns[j].cells[row]));
      out.after.push_back(cell(masked.columns[j][row]));
    }
    out.counts.push_back(1);
  }
  return out;
}

TEST(LookedUp, IsAtMostOneInKWhereClassesHaveK) {
  std::size_t checked = 0, above_nothing = 0;
  for (const Shape shape : kShapes) {
    for (const std::uint64_t seed : {1U, 2U}) {
      const TwinDomain domain(generate(shape, 25, seed));
      Random random(seed);
      GeneratedTable table;
      for (const char* const name : {"a", "b"}) {
        const auto attribute = make_attribute(name, domain, {"wu-palmer"}, {}, true);
        auto cells = draw_cells(attribute->taxonomy(), 70, 8, 15, random);
        for (ConceptId& cell : cells) {
          if (cell == kMissing) cell = attribute->missing_value();
        }
        table.columns.push_back({attribute, std::move(cells)});
      }
      for (const std::uint64_t k : {2U, 3U, 5U}) {
        GeneralizeOptions lifted;
        lifted.k = k;
        lifted.suppression = 0.1;
        lifted.scope = GeneralizeScope::kFullDomain;
        std::vector<std::pair<std::string, std::unique_ptr<const Mechanism>>> methods;
        methods.emplace_back("fuse", make_fuse({.k = k}));
        methods.emplace_back("recode", make_recode({.k = k}));
        methods.emplace_back("generalize", make_generalize(lifted));
        lifted.scope = GeneralizeScope::kLocal;
        methods.emplace_back("generalize, local", make_generalize(lifted));
        methods.emplace_back("microaggregate", make_microaggregate({.k = k}));
        for (const auto& [name, mechanism] : methods) {
          SCOPED_TRACE(testing::Message() << name << ", k = " << k << ", " << to_string(shape));
          const Paired pairs = released(table, *mechanism, seed);
          for (const MissingRule missing : {MissingRule::kKeep, MissingRule::kWildcard}) {
            const Found risks = found(pairs, missing);
            if (name == "recode" && risks.smallest < k) continue;
            ASSERT_TRUE(risks.smallest == 0 || risks.smallest >= k);
            const double most = 1 / static_cast<double>(k) + 1e-12;
            EXPECT_LE(risks.journalist.value_or(0), most);
            EXPECT_LE(risks.own.worst, most);
            EXPECT_LE(risks.own.mean, risks.own.worst + 1e-12);
            EXPECT_LE(risks.surest, most);
            ++checked;
            above_nothing += risks.own.worst > 0 && risks.surest > 0 ? 1 : 0;
          }
        }
      }
    }
  }
  EXPECT_GT(checked, 100U);
  EXPECT_GT(above_nothing, checked / 2);
}

}  // namespace
}  // namespace semveil::test
