// The attacks on sets: by hand, against the definitions, and where the answer is known beforehand.
#include "figures/set_attacks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <numeric>

#include "support/generate.h"
#include "support/slow_sets.h"

namespace semveil::test {
namespace {

constexpr std::uint32_t kNoKind = SetColumn::kNoCategory;

struct Sets {
  std::size_t l = 0;
  std::vector<ConceptId> truth, released;
  ReleasedSets view() const { return {truth, released, l}; }
};

// Diseases of section III: 0-1 cancer of the blood and lymph, 2 the heart, 3-5 the stomach.
enum SectionDisease : ConceptId {
  kLymphoma,
  kLeukemia,
  kHeartAttack,
  kStomachInflammation,
  kStomachCancer,
  kStomachUlcer
};
const std::vector<std::uint32_t> kIllness{0, 0, 1, 2, 2, 2};
const std::vector<std::uint64_t> kAlike(6, 1);

TEST(SimilarityAttack, GivesThePapersExamples) {
  const Sets blood{3, {kLeukemia}, {kLymphoma, kHeartAttack, kLeukemia}};
  const SimilarityAttack of_blood = similarity_attack(blood.view(), kIllness, kAlike);
  EXPECT_EQ(of_blood.counted.greatest, 2.0 / 3);
  EXPECT_EQ(of_blood.counted.right, 1);
  const Sets stomach{3, {kStomachUlcer}, {kStomachInflammation, kStomachCancer, kStomachUlcer}};
  const SimilarityAttack of_stomach = similarity_attack(stomach.view(), kIllness, kAlike);
  EXPECT_EQ(of_stomach.counted.greatest, 1);
  EXPECT_EQ(of_stomach.counted.right, 1);
  // Both: a mean of 5/6.
  const Sets both{
      3,
      {kLeukemia, kStomachUlcer},
      {kLymphoma, kHeartAttack, kLeukemia, kStomachInflammation, kStomachCancer, kStomachUlcer}};
  EXPECT_NEAR(similarity_attack(both.view(), kIllness, kAlike).counted.mean, 5.0 / 6, kFine);
}

// 1 lymphoma, 2 leukemias, 5 heart attacks. By frequency the heart attack has 5/8, cancer 3/8: the
// guess that counting misses.
TEST(SetAttacks, ByHand) {
  const std::vector<std::uint64_t> counts{1, 2, 5, 0, 0, 0};
  const Sets sets{
      3,
      {kHeartAttack, kLeukemia, kMissing, kStomachUlcer},
      {kLymphoma, kHeartAttack, kLeukemia,                     //
       kLymphoma, kHeartAttack, kLeukemia,                     //
       kLymphoma, kHeartAttack, kLeukemia,                     // nobody's
       kStomachInflammation, kStomachCancer, kStomachUlcer}};  // without any record: a third each
  const AttributeDisclosure disclosed = attribute_disclosure(sets.view(), counts);
  EXPECT_EQ(disclosed.records, 3U);
  EXPECT_NEAR(disclosed.mean, (5.0 / 8 + 2.0 / 8 + 1.0 / 3) / 3, kFine);
  EXPECT_EQ(disclosed.worst, 5.0 / 8);
  EXPECT_EQ(disclosed.above, 1.0 / 3);
  const SetGuess skewness = skewness_attack(sets.view(), counts);
  EXPECT_NEAR(skewness.mean, (5.0 / 8 + 5.0 / 8 + 1.0 / 3) / 3, kFine);
  EXPECT_EQ(skewness.greatest, 5.0 / 8);
  EXPECT_NEAR(skewness.right, (1 + 0 + 1.0 / 3) / 3, kFine);
  const SimilarityAttack similarity = similarity_attack(sets.view(), kIllness, counts);
  EXPECT_NEAR(similarity.counted.mean, (2.0 / 3 + 2.0 / 3 + 1) / 3, kFine);
  EXPECT_EQ(similarity.counted.greatest, 1);
  EXPECT_NEAR(similarity.counted.right, 2.0 / 3, kFine);
  EXPECT_NEAR(similarity.weighted.mean, (5.0 / 8 + 5.0 / 8 + 1) / 3, kFine);
  EXPECT_EQ(similarity.weighted.greatest, 1);
  EXPECT_NEAR(similarity.weighted.right, 2.0 / 3, kFine);
}

TEST(RepeatedRelease, LeavesWhatBothSetsHave) {
  const Sets first{2, {0, 1, 2, 3, kMissing}, {0, 4, 5, 1, 2, 3, kMissing, kMissing, 0, 1}};
  const Sets second{3, {0, 1, 2, 3, kMissing}, {5, 0, 3, 1, 5, 0, 4, 0, 3, 3, 0, 1, 2, 3, 4}};
  // {0}: found; {1, 5}; {3}, which is not the true one; two records take no part.
  const RepeatedRelease left = repeated_release(first.view(), second.view());
  EXPECT_EQ(left.records, 3U);
  EXPECT_EQ(left.mean_size, 4.0 / 3);
  EXPECT_EQ(left.single, 2.0 / 3);
  EXPECT_EQ(left.found, 1.0 / 3);
}

// l distinct values in random order, the true one among them but for a few records.
Sets generated_sets(std::size_t records, std::size_t values, std::size_t l, std::uint64_t seed) {
  Random random(seed);
  Sets out{l, {}, {}};
  std::vector<ConceptId> all(values);
  std::iota(all.begin(), all.end(), ConceptId{0});
  for (std::size_t i = 0; i < records; ++i) {
    random.shuffle(all);
    out.truth.push_back(random.one_in(9) ? kMissing
                                         : all[random.below(random.one_in(7) ? values : l)]);
    const bool empty = random.one_in(11);
    for (std::size_t j = 0; j < l; ++j) out.released.push_back(empty ? kMissing : all[j]);
  }
  return out;
}

void expect_near(const SetGuess& fast, const SetGuess& slow) {
  EXPECT_NEAR(fast.mean, slow.mean, kFine);
  EXPECT_NEAR(fast.greatest, slow.greatest, kFine);
  EXPECT_NEAR(fast.right, slow.right, kFine);
}

TEST(SetAttacks, AreWhatTheirDefinitionsSay) {
  constexpr std::size_t kValues = 12;
  for (std::uint64_t seed = 1; seed <= 30; ++seed) {
    Random random(1000 + seed);
    const std::size_t l = 1 + random.below(kValues);
    SCOPED_TRACE(testing::Message() << "seed " << seed << ", l " << l);
    const Sets sets = generated_sets(60, kValues, l, seed);
    const Sets again = generated_sets(60, kValues, 1 + random.below(kValues), seed + 500);
    // Few different weights, so that there are ties; the last value is beyond the end of both.
    std::vector<std::uint64_t> weights;
    std::vector<std::uint32_t> category;
    for (std::size_t v = 0; v + 1 < kValues; ++v) {
      weights.push_back(random.below(4));
      category.push_back(random.one_in(6) ? kNoKind : static_cast<std::uint32_t>(random.below(4)));
    }
    const AttributeDisclosure fast = attribute_disclosure(sets.view(), weights);
    const AttributeDisclosure slow = slow_attribute_disclosure(sets.view(), weights);
    EXPECT_EQ(fast.records, slow.records);
    EXPECT_NEAR(fast.mean, slow.mean, kFine);
    EXPECT_NEAR(fast.worst, slow.worst, kFine);
    EXPECT_NEAR(fast.above, slow.above, kFine);
    expect_near(skewness_attack(sets.view(), weights), slow_skewness(sets.view(), weights));
    const SimilarityAttack similarity = similarity_attack(sets.view(), category, weights);
    expect_near(similarity.counted, slow_similarity_counted(sets.view(), category));
    expect_near(similarity.weighted, slow_similarity_weighted(sets.view(), category, weights));
    Sets second = again;
    second.truth = sets.truth;
    const RepeatedRelease left = repeated_release(sets.view(), second.view());
    const RepeatedRelease slow_left = slow_repeated_release(sets.view(), second.view());
    EXPECT_EQ(left.records, slow_left.records);
    EXPECT_NEAR(left.mean_size, slow_left.mean_size, kFine);
    EXPECT_NEAR(left.single, slow_left.single, kFine);
    EXPECT_NEAR(left.found, slow_left.found, kFine);
  }
}

TEST(SetAttacks, DoNotDependOnTheOrderOfRecordsOrOfValues) {
  const std::vector<std::uint64_t> weights{3, 1, 4, 1, 5, 9, 2, 6};
  const std::vector<std::uint32_t> category{0, 0, 1, 1, 2, 2, 3, 3};
  const Sets sets = generated_sets(500, 8, 3, 1);
  Sets turned{3, {}, {}};
  for (std::size_t i = sets.truth.size(); i-- > 0;) {
    turned.truth.push_back(sets.truth[i]);
    for (std::size_t j = 3; j-- > 0;) turned.released.push_back(sets.released[3 * i + j]);
  }
  EXPECT_EQ(attribute_disclosure(sets.view(), weights).mean,
            attribute_disclosure(turned.view(), weights).mean);
  EXPECT_EQ(skewness_attack(sets.view(), weights).mean,
            skewness_attack(turned.view(), weights).mean);
  EXPECT_EQ(similarity_attack(sets.view(), category, weights).weighted.mean,
            similarity_attack(turned.view(), category, weights).weighted.mean);
}

TEST(SetAttacks, KnowAllOfAValueThatStandsAlone) {
  const Sets alone{1, {0, 1, 2, 3, 4, 5}, {0, 1, 2, 3, 4, 5}};
  const std::vector<std::uint64_t> weights{1, 2, 3, 0, 5, 6};
  const AttributeDisclosure disclosed = attribute_disclosure(alone.view(), weights);
  EXPECT_EQ(disclosed.mean, 1);
  EXPECT_EQ(disclosed.worst, 1);
  EXPECT_EQ(disclosed.above, 0);  // 1 is 1/l
  const SetGuess skewness = skewness_attack(alone.view(), weights);
  const SimilarityAttack similarity = similarity_attack(alone.view(), kIllness, weights);
  for (const SetGuess& guess : {skewness, similarity.counted, similarity.weighted}) {
    EXPECT_EQ(guess.mean, 1);
    EXPECT_EQ(guess.greatest, 1);
    EXPECT_EQ(guess.right, 1);
  }
  const RepeatedRelease left = repeated_release(alone.view(), alone.view());
  EXPECT_EQ(left.mean_size, 1);
  EXPECT_EQ(left.single, 1);
  EXPECT_EQ(left.found, 1);
}

// Every value equally often, categories of equal size, one value of each category in a set: nothing
// stands out. Quarters are exact in fixed point.
TEST(SetAttacks, KnowOneInLWhereNothingStandsOut) {
  constexpr std::size_t kL = 4;
  const std::vector<std::uint64_t> weights(8, 300);
  const std::vector<std::uint32_t> category{0, 0, 1, 1, 2, 2, 3, 3};
  Random random(7);
  Sets sets{kL, {}, {}};
  for (ConceptId i = 0; i < 8 * 100; ++i) {
    const ConceptId truth = i % 8;
    sets.truth.push_back(truth);
    for (ConceptId c = 0; c < kL; ++c) {
      const bool own = category[truth] == c;
      sets.released.push_back(own ? truth : 2 * c + static_cast<ConceptId>(random.below(2)));
    }
  }
  const AttributeDisclosure disclosed = attribute_disclosure(sets.view(), weights);
  EXPECT_EQ(disclosed.mean, 1.0 / kL);
  EXPECT_EQ(disclosed.worst, 1.0 / kL);
  EXPECT_EQ(disclosed.above, 0);
  const SetGuess skewness = skewness_attack(sets.view(), weights);
  const SimilarityAttack similarity = similarity_attack(sets.view(), category, weights);
  for (const SetGuess& guess : {skewness, similarity.counted, similarity.weighted}) {
    EXPECT_EQ(guess.mean, 1.0 / kL);
    EXPECT_EQ(guess.greatest, 1.0 / kL);
    EXPECT_EQ(guess.right, 1.0 / kL);
  }
  // One value a little more frequent, and it shows.
  std::vector<std::uint64_t> skewed = weights;
  ++skewed[5];
  EXPECT_GT(attribute_disclosure(sets.view(), skewed).above, 0.1);
  EXPECT_GT(skewness_attack(sets.view(), skewed).mean, 1.0 / kL);
}

TEST(SetAttacks, OfNobodyTellNothing) {
  const Sets nobody{2, {kMissing, 0}, {0, 1, kMissing, kMissing}};
  EXPECT_EQ(attribute_disclosure(nobody.view(), kAlike).records, 0U);
  EXPECT_EQ(attribute_disclosure(nobody.view(), kAlike).mean, 0);
  EXPECT_EQ(skewness_attack(nobody.view(), kAlike).mean, 0);
  EXPECT_EQ(similarity_attack(nobody.view(), kIllness, kAlike).counted.mean, 0);
  EXPECT_EQ(repeated_release(nobody.view(), nobody.view()).records, 0U);
}

}  // namespace
}  // namespace semveil::test
