// Every figure of an audit has its words.
#include <gmock/gmock.h>

#include <set>

#include "semveil/audit_figures.h"

namespace semveil {
namespace {

// Names of the JSON; tests/cli/test_explain.py asks for every key of a real audit.
TEST(Explanations, AreFoundByTheNamesOfTheJson) {
  for (const char* name :
       {"columns.variance_expected", "columns.distribution.pooled", "pairs.sampled",
        "partition_distance", "downstream.tested", "privacy.sensitive.t", "attacks.risk_interval",
        "contributions.linkage_without", "risky_values.linked", "channels.vulnerability",
        "channels.half_width", "channels.values.worst"}) {
    const FigureExplanation* words = explain_figure(name);
    ASSERT_NE(words, nullptr) << name;
    EXPECT_EQ(words->name, name);
  }
  for (const char* name : {"", ".", "original", "no.such.figure", "columns", "rmse",
                           "columns.rmse_expected", "channel.worst"}) {
    EXPECT_EQ(explain_figure(name), nullptr) << name;
  }
}

TEST(Explanations, AreOneForBothTables) {
  const std::pair<const char*, const char*> names[] = {
      {"records_masked", "records"},
      {"columns.mean_original", "columns.mean"},
      {"columns.number_mean_masked", "columns.number_mean"},
      {"columns.distribution.original", "columns.distribution"},
      {"pairs.correlation_masked", "pairs.correlation"},
      {"discernibility_original", "discernibility"},
      {"clusters.masked.height", "clusters.height"},
      {"downstream.original", "downstream"},
      {"classes_original.count", "classes.count"},
      {"privacy_original.sensitive.l", "privacy.sensitive.l"},
      {"attacks.singling-out", "attacks.singling_out"},
      {"columns.masked", "columns.masked"},  // a figure of its own
  };
  for (const auto& [name, entry] : names) {
    ASSERT_NE(explain_figure(name), nullptr) << name;
    EXPECT_EQ(explain_figure(name)->name, entry);
  }
}

TEST(Explanations, AreWholeAndDifferent) {
  std::set<std::string_view> names;
  for (const FigureExplanation& words : figure_explanations()) {
    EXPECT_TRUE(names.insert(words.name).second) << words.name;
    EXPECT_EQ(explain_figure(words.name), &words);
    EXPECT_FALSE(words.title.empty()) << words.name;
    EXPECT_TRUE(words.plain.ends_with('.')) << words.name;
    EXPECT_LE(words.plain.size(), 200U) << words.name;
    EXPECT_FALSE(words.formula.empty()) << words.name;
    EXPECT_FALSE(words.range.empty()) << words.name;
  }
}

}  // namespace
}  // namespace semveil
