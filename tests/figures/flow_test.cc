#include "figures/flow.h"

#include <gtest/gtest.h>

#include <cmath>

namespace semveil::test {
namespace {

// Two columns of texts. Value 9 means nothing to the attributes.
Paired pairs() {
  Paired out;
  out.attributes = {std::make_shared<const Attribute>(text_attribute("a", {"u", "v", "w"})),
                    std::make_shared<const Attribute>(text_attribute("b", {"x", "y"}))};
  const auto add = [&](ConceptId a, ConceptId b, ConceptId to_a, ConceptId to_b,
                       std::uint64_t count) {
    out.before.insert(out.before.end(), {a, b});
    out.after.insert(out.after.end(), {to_a, to_b});
    out.counts.push_back(count);
  };
  add(0, 0, 0, 0, 4);
  add(0, 0, 1, 0, 2);
  add(1, 0, 1, 1, 2);
  add(1, 1, 0, 1, 1);
  add(9, 1, 9, 0, 1);
  return out;
}

// Column a, by hand: u→u 4, u→v 2, v→v 2, v→u 1, 9→9 1; released u 5, v 4, 9 1.
TEST(ObservedRisk, OfOneColumnIsThatOfItsFlowTable) {
  const std::size_t column = 0;
  const ChannelRisk risk = observed_risk(pairs(), {&column, 1});
  EXPECT_EQ(risk.how, ChannelRisk::How::kObserved);
  EXPECT_EQ(risk.columns, std::vector<std::string>{"a"});
  EXPECT_DOUBLE_EQ(risk.prior, 0.6);
  EXPECT_DOUBLE_EQ(risk.vulnerability, (4 + 2 + 1) / 10.0);
  EXPECT_DOUBLE_EQ(risk.leakage, std::log2(0.7 / 0.6));
  EXPECT_DOUBLE_EQ(risk.expected, (4 * 4 / 5.0 + 2 * 2 / 4.0 + 2 * 2 / 4.0 + 1 / 5.0 + 1) / 10);
  EXPECT_DOUBLE_EQ(risk.worst, 1);
  EXPECT_DOUBLE_EQ(risk.unchanged, 0.7);
  ASSERT_EQ(risk.values.size(), 3U);
  EXPECT_EQ(risk.values[0].value, 0U);
  EXPECT_EQ(risk.values[0].records, 6U);
  EXPECT_DOUBLE_EQ(risk.values[0].expected, (4 * 4 / 5.0 + 2 * 2 / 4.0) / 6);
  EXPECT_DOUBLE_EQ(risk.values[0].worst, 0.8);
  EXPECT_DOUBLE_EQ(risk.values[0].unchanged, 4 / 6.0);
  EXPECT_EQ(risk.values[2].value, 9U);
}

// Both: (u,x)→(u,x) 4, (u,x)→(v,x) 2, (v,x)→(v,y) 2, (v,y)→(u,y) 1, (9,y)→(9,x) 1: all origins
// known.
TEST(ObservedRisk, OfColumnsTogetherIsThatOfTheirTuples) {
  const std::vector<std::size_t> columns = {0, 1};
  const ChannelRisk risk = observed_risk(pairs(), columns);
  EXPECT_DOUBLE_EQ(risk.prior, 0.6);
  EXPECT_DOUBLE_EQ(risk.vulnerability, 1);
  EXPECT_DOUBLE_EQ(risk.expected, 1);
  EXPECT_DOUBLE_EQ(risk.unchanged, 0.4);
  EXPECT_TRUE(risk.values.empty());
}

TEST(ObservedRisk, OfNothingIsNothing) {
  Paired none = pairs();
  none.before.clear();
  none.after.clear();
  none.counts.clear();
  const std::size_t column = 0;
  EXPECT_EQ(observed_risk(none, {&column, 1}).vulnerability, 0);
}

}  // namespace
}  // namespace semveil::test
