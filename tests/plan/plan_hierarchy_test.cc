#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "semveil/method.h"
#include "semveil/plan_text.h"

namespace semveil {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using Kind = HierarchySettings::Kind;

PlanFile parsed(const std::string& text) {
  Result<PlanFile> plan = PlanFile::parse(text, "p.toml");
  if (!plan) throw std::runtime_error(plan.error().message);
  return *std::move(plan);
}

constexpr const char* kAge = "[column.age]\nrole = 'quasi-identifier'\n";
const std::string kMask = "[mask]\nmethod = 'generalize'\nk = 2\n";

TEST(PlanHierarchy, IsReadAndWrittenBack) {
  for (const std::string said :
       {"\"flat\"", "\"prefix\"", "\"date\"", "{intervals = 5}", "{intervals = 0.25}",
        "{cuts = [-1.5, 0, 18]}", R"({intervals = 5, as = "\"{low}\" to {last}"})"}) {
    const PlanFile plan = parsed(kAge + ("hierarchy = " + said) + "\n" + kMask);
    ASSERT_TRUE(plan.columns[0].hierarchy);
    EXPECT_EQ(hierarchy_text(*plan.columns[0].hierarchy), said);
    const std::string text = to_toml(plan, "");
    EXPECT_THAT(text, HasSubstr("hierarchy = " + said + "\n"));
    EXPECT_EQ(parsed(text).columns[0].hierarchy, plan.columns[0].hierarchy);
  }
}

TEST(PlanHierarchy, KeepsItsCalendar) {
  const PlanFile plan =
      parsed(kAge + std::string("hierarchy = 'date'\ncalendar = 'week'\n") + kMask);
  EXPECT_TRUE(plan.columns[0].hierarchy->by_weeks);
  EXPECT_TRUE(parsed(to_toml(plan, "")).columns[0].hierarchy->by_weeks);
}

// Chosen by the values later, and nothing that a plan would say.
TEST(PlanHierarchy, IsChosenWhereGeneralizeNeedsOne) {
  const PlanFile plan = parsed(kAge + kMask);
  ASSERT_TRUE(plan.columns[0].hierarchy);
  EXPECT_EQ(plan.columns[0].hierarchy->kind, Kind::kChosen);
  EXPECT_TRUE(is_nominal(plan.columns[0]));
  EXPECT_EQ(to_toml(plan, "").find("hierarchy"), std::string::npos);
  EXPECT_FALSE(parsed(kAge + std::string("[mask]\nmethod = 'fuse'\nk = 2\n")).columns[0].hierarchy);
}

TEST(PlanHierarchy, LeavesNumbersToMethodsThatTakeThem) {
  const std::string age = kAge + std::string("type = 'numeric'\nhierarchy = {intervals = 5}\n");
  EXPECT_FALSE(is_nominal(parsed(age).columns[0]));
  EXPECT_FALSE(is_nominal(parsed(age + "[mask]\nmethod = 'swap'\nk = 2\n").columns[0]));
  EXPECT_TRUE(is_nominal(parsed(age + kMask).columns[0]));
  EXPECT_TRUE(is_nominal(parsed(age + "[mask]\nmethod = 'recode'\nk = 2\n").columns[0]));
  EXPECT_TRUE(is_nominal(parsed(kAge + std::string("hierarchy = 'flat'\n")).columns[0]));
}

TEST(PlanNumbersByColumn, AreReadAndWrittenBack) {
  const PlanFile plan = parsed(kAge + ("[column.'a b']\nrole = 'quasi-identifier'\n" + kMask) +
                               "suppress = 'cells'\nweights = {age = 2.5, 'a b' = 1}\n");
  const MethodKey& key = *plan.steps.at(0).about().key("weights");
  const ColumnNumbers expected{{"a b", 1}, {"age", 2.5}};
  EXPECT_EQ(setting_of<ColumnNumbers>(plan.steps.at(0), key), expected);
  EXPECT_EQ(setting_of<ColumnNumbers>(parsed(to_toml(plan, "")).steps.at(0), key), expected);
}

}  // namespace
}  // namespace semveil
