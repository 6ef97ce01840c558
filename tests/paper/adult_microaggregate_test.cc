// Adult as mu-ANT masks it: twelve quasi-identifiers, k = 3. Its squared error, with nominal
// distances of 0 or 1, is 2.99; MDAV over the same distances must be at 0.545 or below. With real
// distances less meaning is lost.
#include <gtest/gtest.h>

#include "bench/adult_table.h"
#include "mechanisms/microaggregate/microaggregate_engine.h"
#include "support/data.h"
#include "support/slow_microaggregate.h"

namespace semveil::test {
namespace {

constexpr double kMuAnt = 2.99, kPlainMdav = 0.545;

SquaredError error_of(const ClassTable& table, bool zero_one) {
  const auto outcome = microaggregate_tuples(table, {.k = 3});
  return squared_error(table, outcome->released, outcome->group, outcome->centroids, zero_one);
}

TEST(AdultMicroaggregate, LosesLittleAndLessWithMeaning) {
  const auto adult = data_file("adult/adult.data.gz");
  const auto hierarchies = data_file("arx-hierarchies/adult_hierarchy_sex.csv");
  if (!adult || !hierarchies) SEMVEIL_SKIP_WITHOUT("Adult with its hierarchies");
  const std::string folder =
      adult->substr(0, adult->size() - std::string("/adult/adult.data.gz").size());
  const ClassTable plain = bench::adult_table(folder, false);
  const ClassTable semantic = bench::adult_table(folder, true);
  ASSERT_EQ(plain.records(), 30'162U);
  ASSERT_EQ(semantic.records(), 30'162U);

  const SquaredError plain_error = error_of(plain, true);
  EXPECT_LE(plain_error.all(), kPlainMdav);
  EXPECT_LT(plain_error.all(), kMuAnt / 5);

  // The groups and centroids of the 0/1 table, measured by meaning: words are the same in both
  // tables, under other numbers.
  const auto outcome = microaggregate_tuples(plain, {.k = 3});
  double plain_by_meaning = 0;
  for (std::size_t t = 0; t < plain.size(); ++t) {
    for (std::size_t j = 0; j < plain.width(); ++j) {
      const Attribute& attribute = *semantic.attributes[j];
      if (!attribute.is_nominal()) continue;
      const auto concept_of = [&](ConceptId text) {
        for (const ConceptId c : semantic.values[j]) {
          if (attribute.id(c) == plain.attributes[j]->id(text)) return c;
        }
        return attribute.missing_value();
      };
      const ConceptId x = plain.value(t, j);
      const ConceptId z = outcome->centroids[outcome->group[t] * plain.width() + j];
      if (x == z) continue;
      const double apart = attribute.distance(concept_of(x), concept_of(z));
      plain_by_meaning += static_cast<double>(plain.counts[t]) * apart * apart;
    }
  }
  plain_by_meaning /= static_cast<double>(plain.records());
  const std::size_t relationship = 5;
  double relationship_error = 0;  // 0/1 in both
  for (std::size_t t = 0; t < plain.size(); ++t) {
    const ConceptId z = outcome->centroids[outcome->group[t] * plain.width() + relationship];
    if (plain.value(t, relationship) != z)
      relationship_error += static_cast<double>(plain.counts[t]);
  }
  plain_by_meaning += relationship_error / static_cast<double>(plain.records());

  const SquaredError by_meaning = error_of(semantic, false);
  const SquaredError semantic_zero_one = error_of(semantic, true);
  RecordProperty("plain_zero_one", std::to_string(plain_error.all()));
  RecordProperty("semantic_by_meaning", std::to_string(by_meaning.all()));
  std::printf("groups by 0/1:     numbers %.4f, words 0/1 %.4f, words by meaning %.4f\n",
              plain_error.numbers, plain_error.words, plain_by_meaning);
  std::printf("groups by meaning: numbers %.4f, words 0/1 %.4f, words by meaning %.4f\n",
              by_meaning.numbers, semantic_zero_one.words, by_meaning.words);
  EXPECT_LT(by_meaning.all(), 0.9 * (plain_error.numbers + plain_by_meaning));
}

}  // namespace
}  // namespace semveil::test
