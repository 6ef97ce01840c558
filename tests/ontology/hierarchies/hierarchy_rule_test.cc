#include "ontology/hierarchies/hierarchy_rule.h"

#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <random>

#include "base/calendar.h"
#include "ontology/hierarchies/made_hierarchy.h"
#include "support/loaded.h"
#include "support/slow_hierarchy.h"
#include "support/slow_taxonomy.h"

namespace semveil::test {
namespace {

using ::testing::DoubleEq;
using ::testing::ElementsAre;
using Kind = HierarchySettings::Kind;
using Texts = std::vector<std::string>;

std::vector<std::string_view> views(const Texts& texts) { return {texts.begin(), texts.end()}; }

HierarchyRule fitted(HierarchySettings settings, const Texts& texts, bool are_numbers = false) {
  return value_or_throw(HierarchyRule::fit(std::move(settings), are_numbers, views(texts)));
}
HierarchySettings of_kind(Kind kind) {
  HierarchySettings settings;
  settings.kind = kind;
  return settings;
}
HierarchySettings intervals(double width, std::string as = "") {
  HierarchySettings settings = of_kind(Kind::kIntervals);
  settings.width = width;
  settings.as = std::move(as);
  return settings;
}
HierarchySettings cuts(std::vector<double> at, std::string as = "") {
  HierarchySettings settings = of_kind(Kind::kCuts);
  settings.cuts = std::move(at);
  settings.as = std::move(as);
  return settings;
}

Texts levels(const HierarchyRule& rule, std::string_view text) {
  Texts out;
  const auto steps = rule.steps(text);
  if (!steps) return {"unread"};
  for (const HierarchyStep& step : *steps) out.push_back(step.label);
  out.emplace_back(kEverything);
  return out;
}

// ---- Levels -------------------------------------------------------------------------------------

TEST(HierarchyRule, DoublesIntervalsUntilEverything) {
  const HierarchyRule rule = fitted(intervals(5), {"17", "90", "37"});
  EXPECT_THAT(levels(rule, "37"),
              ElementsAre("[35, 40)", "[30, 40)", "[20, 40)", "[0, 40)", "[0, 80)", "*"));
  EXPECT_THAT(levels(rule, "40.0"),
              ElementsAre("[40, 45)", "[40, 50)", "[40, 60)", "[40, 80)", "[0, 80)", "*"));
  EXPECT_THAT(levels(rule, "old"), ElementsAre("unread"));
}

TEST(HierarchyRule, NeverJoinsBothSidesOfZero) {
  const HierarchyRule rule = fitted(intervals(1), {"-3", "2"});
  EXPECT_THAT(levels(rule, "-3"), ElementsAre("[-3, -2)", "[-4, -2)", "[-4, 0)", "*"));
  EXPECT_THAT(levels(rule, "0"), ElementsAre("[0, 1)", "[0, 2)", "[0, 4)", "*"));
}

// 0.3 / 0.1 is below 3 as doubles divide.
TEST(HierarchyRule, CutsAtDecimalNumbers) {
  const HierarchyRule rule = fitted(intervals(0.1), {"0.05", "0.3", "0.7"});
  EXPECT_EQ(levels(rule, "0.3").front(), "[0.3, 0.4)");
  EXPECT_EQ(levels(rule, "0.7").front(), "[0.7, 0.8)");
  EXPECT_EQ(levels(rule, "0.29999").front(), "[0.2, 0.3)");
}

TEST(HierarchyRule, JoinsCutsTwoByTwo) {
  const HierarchyRule rule = fitted(cuts({0, 18, 65}), {"3"});
  EXPECT_THAT(levels(rule, "-1"), ElementsAre("(-inf, 0)", "(-inf, 18)", "*"));
  EXPECT_THAT(levels(rule, "18"), ElementsAre("[18, 65)", "[18, inf)", "*"));
  EXPECT_THAT(levels(rule, "65"), ElementsAre("[65, inf)", "[18, inf)", "*"));
}

TEST(HierarchyRule, TakesCharactersFromTheRight) {
  const HierarchyRule zip = fitted(of_kind(Kind::kPrefix), {"02139", "10001"});
  EXPECT_THAT(levels(zip, "02139"), ElementsAre("0213*", "021**", "02***", "0****", "*"));
  const HierarchyRule code = fitted(of_kind(Kind::kPrefix), {"E119", "E11"});
  EXPECT_THAT(levels(code, "E119"), ElementsAre("E11*", "E1**", "E***", "*"));
  EXPECT_THAT(levels(code, "E11"), ElementsAre("E11*", "E1**", "E***", "*"));
  const HierarchyRule word = fitted(of_kind(Kind::kPrefix), {"öl"});
  EXPECT_THAT(levels(word, "öl"), ElementsAre("ö*", "*"));
}

TEST(HierarchyRule, LiftsDatesByMonthsOrByWeeks) {
  const Texts column{"2024-02-29", "2019-07-01"};
  const HierarchyRule months = fitted(of_kind(Kind::kDate), column);
  EXPECT_THAT(levels(months, "2024-02-29"),
              ElementsAre("2024-02", "2024-Q1", "2024", "2020s", "*"));
  HierarchySettings by_weeks = of_kind(Kind::kDate);
  by_weeks.by_weeks = true;
  const HierarchyRule weeks = fitted(by_weeks, column);
  EXPECT_THAT(levels(weeks, "2024-12-30"), ElementsAre("2025-W01", "2025", "*"));
  EXPECT_THAT(levels(weeks, "30.12.2024"), ElementsAre("unread"));
}

TEST(HierarchyRule, HasDaysAboveTimes) {
  const HierarchyRule rule =
      fitted(of_kind(Kind::kDate), {"2024-02-29T10:30", "2024-02-29", "2024-03-01 08:00Z"});
  EXPECT_THAT(levels(rule, "2024-02-29T10:30"),
              ElementsAre("2024-02-29", "2024-02", "2024-Q1", "2024", "2020s", "*"));
  EXPECT_EQ(levels(rule, "2024-02-29").front(), "2024-02-29");
}

TEST(HierarchyRule, SpellsIntervalsAsAsked) {
  EXPECT_EQ(levels(fitted(intervals(5, "{low}-{last}"), {"17", "90"}), "37").front(), "35-39");
  EXPECT_EQ(levels(fitted(intervals(5, "from {low} to below {high}"), {"17", "90"}), "37").front(),
            "from 35 to below 40");
  const HierarchyRule rule = fitted(cuts({18, 65}, "{low}-{last}"), {"3"});
  EXPECT_EQ(levels(rule, "3").front(), "<18");
  EXPECT_EQ(levels(rule, "18").front(), "18-64");
  EXPECT_EQ(levels(rule, "90").front(), "65+");
  const Texts halves{"1.5"};
  EXPECT_FALSE(HierarchyRule::fit(intervals(5, "{low}-{last}"), true, views(halves)));
}

TEST(HierarchyRule, RefusesIntervalsTooNarrowForTheNumbers) {
  const Texts column{"1", "1e300"};
  EXPECT_FALSE(HierarchyRule::fit(intervals(5), true, views(column)));
  EXPECT_THAT(levels(fitted(intervals(5), {"1", "20"}), "1e300"), ElementsAre("*"));
}

// ---- Choosing -----------------------------------------------------------------------------------

Kind chosen(const Texts& texts, bool are_numbers = false) {
  return chosen_hierarchy(are_numbers, views(texts)).kind;
}

TEST(HierarchyRule, IsChosenByTheValues) {
  EXPECT_EQ(chosen({"male", "female"}), Kind::kFlat);
  EXPECT_EQ(chosen({"2024-01-01", "2023-05-06"}), Kind::kDate);
  EXPECT_EQ(chosen({"02139", "10001"}), Kind::kPrefix);
  EXPECT_EQ(chosen({"01", "12"}), Kind::kPrefix);
  EXPECT_EQ(chosen({"1", "2"}), Kind::kFlat);  // codes of something
  EXPECT_EQ(chosen({"1", "2"}, true), Kind::kIntervals);
  EXPECT_EQ(chosen({"1946", "1950", "1967", "1971", "1989", "2001"}), Kind::kIntervals);
  EXPECT_EQ(chosen({"7"}, true), Kind::kFlat);
  EXPECT_EQ(chosen({}), Kind::kFlat);
  const Texts ages{"17", "90", "30", "31", "32", "33"};
  EXPECT_EQ(chosen_hierarchy(false, views(ages)).width, 5);
  const Texts rates{"0.01", "0.31"};
  EXPECT_THAT(chosen_hierarchy(true, views(rates)).width, DoubleEq(0.02));
}

// ---- Against the twin ---------------------------------------------------------------------------

// Digits behind the point, none where there are cents to spare.
std::string cents_text(long long cents) {
  return fmt::format("{}{}.{:02}", cents < 0 ? "-" : "", std::abs(cents) / 100,
                     std::abs(cents) % 100);
}

TEST(HierarchyRule, AgreesWithItsTwinOnIntervals) {
  for (unsigned seed = 0; seed < 60; ++seed) {
    std::mt19937 draw(seed);
    const long long width = std::array{5, 10, 25, 50, 100, 500, 700}[draw() % 7];
    const long long reach = std::array{300, 2'000, 9'000}[draw() % 3];
    const long long from = draw() % 2 == 0 ? 0 : -reach / 2;
    std::vector<long long> column;
    Texts texts;
    for (int i = 0; i < 12; ++i) {
      column.push_back(from + static_cast<long long>(draw() % static_cast<unsigned>(reach)));
      texts.push_back(cents_text(column.back()));
    }
    const HierarchyRule rule = fitted(intervals(static_cast<double>(width) / 100), texts);
    for (const long long value : column) {
      EXPECT_EQ(levels(rule, cents_text(value)), slow_intervals(value, width, column))
          << "seed " << seed;
    }
  }
}

TEST(HierarchyRule, AgreesWithItsTwinOnCutsAndPrefixes) {
  for (unsigned seed = 0; seed < 60; ++seed) {
    std::mt19937 draw(seed);
    std::vector<long long> at{-static_cast<long long>(draw() % 20)};
    for (auto i = draw() % 6; i > 0; --i)
      at.push_back(at.back() + 1 + static_cast<long long>(draw() % 9));
    const HierarchyRule rule = fitted(cuts({at.begin(), at.end()}), {"0"});
    for (long long value = -25; value < 40; ++value) {
      EXPECT_EQ(levels(rule, std::to_string(value)), slow_cuts(value, at));
    }
    Texts codes;
    for (int i = 0; i < 9; ++i) {
      std::string code;
      for (auto n = 1 + draw() % 5; n > 0; --n) code += static_cast<char>('a' + draw() % 3);
      codes.push_back(code);
    }
    const HierarchyRule prefix = fitted(of_kind(Kind::kPrefix), codes);
    for (const std::string& code : codes) {
      EXPECT_EQ(levels(prefix, code), slow_prefixes(code, codes));
    }
  }
}

// Every period holds its day, and the next wider one holds the period.
TEST(HierarchyRule, HasPeriodsThatHoldEachOther) {
  const Texts column{"1999-01-01", "2031-12-31"};
  HierarchySettings by_weeks = of_kind(Kind::kDate);
  by_weeks.by_weeks = true;
  for (const HierarchyRule& rule :
       {fitted(of_kind(Kind::kDate), column), fitted(by_weeks, column)}) {
    for (std::int64_t day = *parse_iso_date("1999-01-01"); day < 22'000; day += 13) {
      auto low = static_cast<double>(day), high = static_cast<double>(day + 1);
      const auto steps = rule.steps(iso_date_text(day)).value();
      for (const HierarchyStep& step : steps) {
        ASSERT_LE(step.low, low);
        ASSERT_GE(step.high, high);
        low = step.low;
        high = step.high;
        // Who reads the label finds the same days.
        const auto at_low = rule.steps(iso_date_text(static_cast<std::int64_t>(low))).value();
        const auto at_end = rule.steps(iso_date_text(static_cast<std::int64_t>(high) - 1)).value();
        const auto behind = rule.steps(iso_date_text(static_cast<std::int64_t>(high))).value();
        const auto i = static_cast<std::size_t>(&step - steps.data());
        ASSERT_EQ(at_low[i].label, step.label);
        ASSERT_EQ(at_end[i].label, step.label);
        ASSERT_NE(behind[i].label, step.label);
      }
    }
  }
}

// ---- The made ontology --------------------------------------------------------------------------

struct Made {
  MadeHierarchy made;
  std::shared_ptr<const Names> names;
  double share(std::string_view id) const {
    const auto at = std::ranges::find(made.levels.ids, id);
    EXPECT_NE(at, made.levels.ids.end()) << id;
    return made.shares[static_cast<std::size_t>(at - made.levels.ids.begin())];
  }
};
Made made(const HierarchyRule& rule, const Texts& texts) {
  MadeHierarchy hierarchy = value_or_throw(make_hierarchy(rule, views(texts), "column"));
  auto names = value_or_throw(hierarchy.ontology.names());
  return {std::move(hierarchy), std::move(names)};
}

TEST(MadeHierarchy, HasTheLevelsOfTheRule) {
  const Texts texts{"17", "21", "22", " 90 ", "none", "a;\"b\nc"};
  const HierarchyRule rule = fitted(intervals(5), texts);
  const Made hierarchy = made(rule, texts);
  const VghLevels& table = hierarchy.made.levels;
  EXPECT_EQ(table.levels, rule.fitted().levels + 2);
  for (const std::string text : {"17", "21", "22", "90"}) {
    const auto at = std::ranges::find(table.ids, text);
    ASSERT_NE(at, table.ids.end());
    Texts found;
    for (unsigned level = 1; level < table.levels; ++level) {
      const auto place = static_cast<std::size_t>(at - table.ids.begin()) * table.levels + level;
      found.push_back(table.ids[table.of[place]]);
    }
    EXPECT_EQ(found, levels(rule, text));
  }
  EXPECT_EQ(std::ranges::find(table.ids, "none"), table.ids.end());
}

TEST(MadeHierarchy, HoldsAnyTextWhereThereIsNoRule) {
  const Texts texts{"a;\"b\nc", "*", "\"", "d"};
  const Made hierarchy = made(fitted(of_kind(Kind::kFlat), texts), texts);
  EXPECT_EQ(hierarchy.made.levels.ids.size(), 4U);  // the star is everything
  EXPECT_TRUE(hierarchy.made.shares.empty());
  EXPECT_EQ(made(fitted(of_kind(Kind::kFlat), {}), {}).made.levels.ids, Texts{"*"});
}

TEST(MadeHierarchy, LosesTheWidthWithinTheRange) {
  const Texts texts{"17", "38", "61", "90"};
  const Made hierarchy = made(fitted(intervals(5), texts), texts);
  EXPECT_EQ(hierarchy.share("17"), 0);
  EXPECT_DOUBLE_EQ(hierarchy.share("[15, 20)"), slow_width(15, 20, 17, 90));
  EXPECT_DOUBLE_EQ(hierarchy.share("[35, 40)"), slow_width(35, 40, 17, 90));
  EXPECT_DOUBLE_EQ(hierarchy.share("[80, 160)"), slow_width(80, 160, 17, 90));
  EXPECT_DOUBLE_EQ(hierarchy.share("[90, 95)"), 0);
  EXPECT_EQ(hierarchy.share("*"), 1);
  const Texts same{"5", "5.0"};
  EXPECT_EQ(made(fitted(intervals(5), same), same).share("*"), 0);  // there is nothing to lose
}

TEST(MadeHierarchy, PlacesTextsThatItHasNotSeen) {
  const Texts texts{"17", "21", "38", "90"};
  const HierarchyRule rule = fitted(intervals(5), texts);
  const Made hierarchy = made(rule, texts);
  const auto placed = [&](const HierarchyRule& by, const Made& in, std::string_view text) {
    const ConceptId c = place_by_rule(by, *in.names, text);
    return c == kNoPlace ? std::string("nowhere") : std::string(in.names->id(c));
  };
  EXPECT_EQ(placed(rule, hierarchy, "22"), "[20, 25)");
  EXPECT_EQ(placed(rule, hierarchy, "30"), "[30, 40)");  // nobody was in [30, 35)
  EXPECT_EQ(placed(rule, hierarchy, "1000"), "*");
  EXPECT_EQ(placed(rule, hierarchy, "many"), "nowhere");
  const Texts zips{"02139", "02141"};
  const HierarchyRule prefix = fitted(of_kind(Kind::kPrefix), zips);
  EXPECT_EQ(placed(prefix, made(prefix, zips), "02138"), "0213*");
  EXPECT_EQ(placed(prefix, made(prefix, zips), "90210"), "*");
  const HierarchyRule flat = fitted(of_kind(Kind::kFlat), zips);
  EXPECT_EQ(placed(flat, made(flat, zips), "02138"), "nowhere");
}

}  // namespace
}  // namespace semveil::test
