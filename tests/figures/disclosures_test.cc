// What a release discloses: by hand, against the definitions, and for each word of protection a
// release that is unsafe in exactly that way, and a safe one.
#include "figures/disclosures.h"

#include <gtest/gtest.h>

#include "mechanisms/sets/categories.h"
#include "support/attacked_pairs.h"
#include "support/slow_disclosure.h"
#include "support/slow_sets.h"

namespace semveil::test {
namespace {

// A quasi-identifier of texts, and a secret of diseases.
enum Town : ConceptId { kAix, kBonn, kCork, kDole, kAll };
enum Disease : ConceptId { kFlu, kHiv, kCold, kUlcer, kGastritis, kCancer };
const std::vector<std::uint32_t> kKinds{0, 0, 0, 1, 1, 1};  // infections, the stomach
const std::vector<std::uint32_t> kGrave{0, 1, 0, 0, 0, 1};
const SecretGroups kGroups{kKinds, kGrave};

struct Record {
  ConceptId town, shown_town, disease;
};
Paired table(const std::vector<Record>& records) {
  Paired out;
  out.attributes = {std::make_shared<const Attribute>(
                        text_attribute("town", {"Aix", "Bonn", "Cork", "Dole", "any"})),
                    std::make_shared<const Attribute>(text_attribute(
                        "disease", {"a flu", "b hiv", "c cold", "d ulcer", "e gastritis",
                                    "f "
                                    "cancer"}))};
  for (const Record& record : records) {
    out.before.insert(out.before.end(), {record.town, record.disease});
    out.after.insert(out.after.end(), {record.shown_town, record.disease});
    out.counts.push_back(1);
  }
  return out;
}

Disclosure told(const Paired& pairs, std::string_view attack, ClassOf how = ClassOf::kRecord) {
  for (const FoundDisclosure& found : class_disclosures(pairs, how, MissingRule::kKeep, kGroups)) {
    if (found.told.attack == attack) return found.told;
  }
  ADD_FAILURE() << attack;
  return {};
}

// The example of secrets_in_classes.h.
TEST(Disclosures, ByHand) {
  const Paired pairs = table({{kAix, kAix, kFlu},
                              {kAix, kAix, kFlu},
                              {kAix, kAix, kHiv},
                              {kBonn, kBonn, kHiv},
                              {kBonn, kBonn, kCold},
                              {kBonn, kBonn, kCold}});
  const Disclosure attribute = told(pairs, "attribute");
  EXPECT_NEAR(attribute.mean, 5.0 / 9, kFine);
  EXPECT_NEAR(*attribute.worst, 2.0 / 3, kFine);
  EXPECT_NEAR(attribute.baseline, 1.0 / 3, kFine);
  EXPECT_NEAR(*attribute.baseline_worst, 1.0 / 3, kFine);
  EXPECT_EQ(attribute.fewest, 2U);
  EXPECT_EQ(attribute.protects, Protection::kNo);
  const Disclosure skewness = told(pairs, "skewness");
  EXPECT_NEAR(skewness.mean, 4.0 / 6, kFine);
  EXPECT_NEAR(*skewness.worst, 2.0 / 3, kFine);
  EXPECT_NEAR(skewness.baseline, 1.0 / 3, kFine);
  // All are infections, as the whole table is: nothing is told by a class.
  const Disclosure similarity = told(pairs, "similarity");
  EXPECT_EQ(similarity.mean, 1);
  EXPECT_EQ(similarity.baseline, 1);
  EXPECT_EQ(similarity.fewest, 1U);
  EXPECT_EQ(similarity.protects, Protection::kYes);
  // HIV is grave: the guess is "not grave" in both.
  EXPECT_NEAR(told(pairs, "sensitivity").mean, 4.0 / 6, kFine);
  EXPECT_NEAR(told(pairs, "sensitivity").baseline, 4.0 / 6, kFine);
}

TEST(Disclosures, AreTheirDefinitions) {
  for (const Shape shape : kShapes) {
    for (const std::uint64_t seed : {1U, 2U, 3U}) {
      SCOPED_TRACE(testing::Message() << to_string(shape) << ", seed " << seed);
      const TwinDomain domain(generate(shape, 25, seed));
      const Paired all = attacked_pairs(domain, 40, seed);
      // Columns a and c are known; b, a word, is the secret.
      const Paired pairs = all.over(std::vector<std::size_t>{0, 2, 1});
      std::vector<std::uint32_t> groups(all.attributes[1]->size());
      for (std::size_t v = 0; v < groups.size(); ++v) {
        groups[v] = v % 4 == 3 ? SetColumn::kNoCategory : static_cast<std::uint32_t>(v % 4);
      }
      for (const ClassOf how : {ClassOf::kRecord, ClassOf::kValues}) {
        const SecretsInClasses secrets(pairs, how, MissingRule::kKeep);
        const auto same = [](const Disclosed& found, const SlowDisclosed& slow) {
          EXPECT_NEAR(found.mean, slow.mean, kFine);
          EXPECT_NEAR(found.worst, slow.worst, kFine);
          EXPECT_EQ(found.fewest, slow.fewest);
          EXPECT_EQ(found.sharing, slow.sharing);
        };
        same(secrets.belief(), slow_belief(pairs, how));
        same(secrets.likeliest({}), slow_likeliest(pairs, how, {}));
        same(secrets.likeliest(groups), slow_likeliest(pairs, how, groups));
      }
      const auto rows =
          class_disclosures(pairs, ClassOf::kRecord, MissingRule::kKeep, {groups, {}});
      ASSERT_EQ(rows.size(), 3U);
      EXPECT_NEAR(rows[0].told.baseline, slow_belief(pairs, ClassOf::kRecord).baseline, kFine);
      EXPECT_NEAR(*rows[0].told.baseline_worst, slow_belief(pairs, ClassOf::kRecord).baseline_worst,
                  kFine);
      EXPECT_NEAR(rows[2].told.baseline, slow_likeliest(pairs, ClassOf::kRecord, groups).baseline,
                  kFine);
      // Membership: of the other half of another table.
      const Paired others =
          attacked_pairs(domain, 25, seed + 50).over(std::vector<std::size_t>{0, 2, 1});
      const std::vector<std::size_t> known{0, 1};
      const Paired seen = pairs.over(known);
      const Disclosure membership =
          membership_disclosure(seen.attributes, classes_of(seen, Side::kBefore),
                                classes_of(others.over(known), Side::kBefore),
                                classes_of(seen, Side::kAfter), MissingRule::kKeep);
      EXPECT_NEAR(membership.mean, slow_membership(pairs, others), kFine);
    }
  }
}

// ---- Each word of protection, and its opposite --------------------------------------------------

std::vector<Record> repeated(std::vector<Record> records, std::size_t times) {
  std::vector<Record> out;
  for (std::size_t i = 0; i < times; ++i) out.insert(out.end(), records.begin(), records.end());
  return out;
}

// Every town has the six diseases alike.
std::vector<Record> even(std::size_t times) {
  std::vector<Record> out;
  for (const ConceptId town : {kAix, kBonn, kCork}) {
    for (ConceptId d = kFlu; d <= kCancer; ++d) out.push_back({town, town, d});
  }
  return repeated(out, times);
}

TEST(Disclosures, OfClassesLikeTheTableAreNone) {
  const Paired pairs = table(even(5));
  for (const char* attack : {"attribute", "skewness", "similarity", "sensitivity"}) {
    EXPECT_EQ(told(pairs, attack).protects, Protection::kYes) << attack;
  }
}

// One class of twenty shares a value, among two hundred of others: on average hardly anything is
// told, to those twenty everything.
TEST(Disclosures, OfAClassThatSharesItsValueAreTold) {
  std::vector<Record> records = even(66);  // 1188
  records.insert(records.end(), 20, {kDole, kDole, kHiv});
  const Paired pairs = table(records);
  EXPECT_EQ(told(pairs, "attribute").protects, Protection::kOnAverage);
  EXPECT_EQ(told(pairs, "attribute").worst, 1);
  EXPECT_EQ(told(pairs, "attribute").fewest, 1U);
  EXPECT_EQ(told(pairs, "skewness").protects, Protection::kOnAverage);
  const auto rows = class_disclosures(pairs, ClassOf::kRecord, MissingRule::kKeep, kGroups);
  EXPECT_EQ(rows[0].sharing, 20U);
  // Homogeneous throughout: no.
  const Paired whole = table({{kAix, kAix, kFlu},
                              {kAix, kAix, kFlu},
                              {kBonn, kBonn, kHiv},
                              {kBonn, kBonn, kHiv},
                              {kCork, kCork, kUlcer},
                              {kCork, kCork, kUlcer}});
  for (const char* attack : {"attribute", "skewness", "similarity"}) {
    EXPECT_EQ(told(whole, attack).protects, Protection::kNo) << attack;
  }
}

// Each class has its values alike, but they are all of one kind: only similarity tells.
TEST(Disclosures, OfAClassOfOneCategoryAreTold) {
  const Paired pairs = table(repeated({{kAix, kAix, kFlu},
                                       {kAix, kAix, kHiv},
                                       {kAix, kAix, kCold},
                                       {kBonn, kBonn, kUlcer},
                                       {kBonn, kBonn, kGastritis},
                                       {kBonn, kBonn, kCancer}},
                                      5));
  EXPECT_EQ(told(pairs, "similarity").protects, Protection::kNo);
  EXPECT_EQ(told(pairs, "similarity").mean, 1);
  EXPECT_EQ(told(pairs, "similarity").fewest, 1U);
  EXPECT_EQ(told(pairs, "sensitivity").protects, Protection::kYes);
}

// Grave diseases of two kinds in one class: only sensitivity tells.
TEST(Disclosures, OfAClassOfOneLevelAreTold) {
  const Paired pairs = table(repeated({{kAix, kAix, kHiv},
                                       {kAix, kAix, kCancer},
                                       {kBonn, kBonn, kFlu},
                                       {kBonn, kBonn, kUlcer},
                                       {kBonn, kBonn, kCold},
                                       {kBonn, kBonn, kGastritis}},
                                      5));
  EXPECT_EQ(told(pairs, "sensitivity").protects, Protection::kNo);
  EXPECT_EQ(told(pairs, "sensitivity").fewest, 1U);
  EXPECT_EQ(told(pairs, "similarity").protects, Protection::kYes);
}

// A skewed class whose most frequent value is not that of the table.
TEST(Disclosures, OfASkewedClassAreTold) {
  std::vector<Record> records = even(5);
  for (Record& record : records) {
    if (record.town == kAix && record.disease != kHiv) record.disease = kFlu;
    if (record.town == kBonn && record.disease != kHiv) record.disease = kUlcer;
  }
  const Paired pairs = table(records);
  EXPECT_EQ(told(pairs, "skewness").protects, Protection::kNo);
}

// Nobody is known to be in a class of swapped records: who looks himself up learns what the
// strangers there have.
TEST(Disclosures, OfSwappedRecordsAreThoseOfStrangers) {
  std::vector<Record> records = even(20);
  Random random(3);
  std::vector<ConceptId> towns;
  for (const Record& record : records) towns.push_back(record.town);
  random.shuffle(towns);
  for (std::size_t i = 0; i < records.size(); ++i) records[i].shown_town = towns[i];
  const Disclosure safe = told(table(records), "attribute", ClassOf::kValues);
  EXPECT_EQ(safe.protects, Protection::kOnAverage);  // at worst it is not known
  EXPECT_FALSE(safe.worst);
  // Left where they are, with a disease for each town: looking up tells.
  for (Record& record : records) {
    record.shown_town = record.town;
    record.disease = record.town;
  }
  EXPECT_EQ(told(table(records), "attribute", ClassOf::kValues).protects, Protection::kNo);
}

TEST(IdentityDisclosure, IsNearChanceOrNot) {
  EXPECT_EQ(identity_disclosure(0.02, 0.05, 1000).protects, Protection::kYes);
  EXPECT_EQ(identity_disclosure(0.02, 1, 1000).protects, Protection::kOnAverage);  // one unique
  EXPECT_EQ(identity_disclosure(0.5, 1, 1000).protects, Protection::kNo);
}

TEST(MembershipDisclosure, IsOfThoseWhoFitAndAreIn) {
  const auto classes = [](const std::vector<Record>& records, Side side) {
    return classes_of(table(records).over(std::vector<std::size_t>{0}), side);
  };
  const Attributes town{table({}).attributes.front()};
  const std::vector<Record> in{{kAix, kAix, kFlu}, {kBonn, kBonn, kFlu}};
  const auto measured = [&](const std::vector<Record>& control) {
    return membership_disclosure(town, classes(in, Side::kBefore), classes(control, Side::kBefore),
                                 classes(in, Side::kAfter), MissingRule::kKeep);
  };
  // The control lives elsewhere: whoever fits is in.
  const Disclosure unsafe = measured({{kCork, kCork, kFlu}, {kDole, kDole, kFlu}});
  EXPECT_EQ(unsafe.mean, 1);
  EXPECT_EQ(unsafe.protects, Protection::kNo);
  // It lives there, too: nothing is learned.
  const Disclosure safe = measured({{kAix, kAix, kFlu}, {kBonn, kBonn, kFlu}});
  EXPECT_EQ(safe.mean, 0);
  EXPECT_EQ(safe.in, 1);
  EXPECT_EQ(safe.control, 1);
  EXPECT_EQ(safe.protects, Protection::kYes);
}

// ---- DisclosedSets
// ---------------------------------------------------------------------------------------

struct DisclosedSets {
  std::vector<ConceptId> truth, released;
  std::size_t l = 2;
};
Protection of_sets(const DisclosedSets& sets, std::string_view attack) {
  const std::vector<std::uint64_t> alike(6, 1);
  for (const Disclosure& one :
       set_disclosures({sets.truth, sets.released, sets.l}, alike, kGroups)) {
    if (one.attack == attack) return one.protects;
  }
  ADD_FAILURE() << attack;
  return Protection::kNo;
}

// Two kinds, alike: a set of one of each tells no kind; a set of one kind tells it (the paper's
// stomach).
TEST(SetDisclosures, OfDifferentCategoriesTellNoCategory) {
  const DisclosedSets ean{{kFlu, kUlcer, kHiv, kCancer},
                          {kFlu, kGastritis, kUlcer, kCold, kHiv, kUlcer, kFlu, kCancer}};
  EXPECT_EQ(of_sets(ean, "similarity"), Protection::kYes);
  const DisclosedSets an{{kFlu, kUlcer, kHiv, kCancer},
                         {kFlu, kCold, kUlcer, kGastritis, kHiv, kFlu, kGastritis, kCancer}};
  EXPECT_EQ(of_sets(an, "similarity"), Protection::kNo);
}

// All six values in a set tell nothing at all; two tell a half of what one in six would.
TEST(SetDisclosures, OfAllValuesTellNothing) {
  DisclosedSets all{{}, {}, 6};
  DisclosedSets two{{}, {}, 2};
  for (ConceptId d = kFlu; d <= kCancer; ++d) {
    all.truth.push_back(d);
    all.released.insert(all.released.end(), {kFlu, kHiv, kCold, kUlcer, kGastritis, kCancer});
    two.truth.push_back(d);
    two.released.insert(two.released.end(), {d, d == kFlu ? kHiv : kFlu});
  }
  for (const char* attack : {"attribute", "skewness", "similarity", "sensitivity"}) {
    EXPECT_EQ(of_sets(all, attack), Protection::kYes) << attack;
  }
  EXPECT_EQ(of_sets(two, "attribute"), Protection::kNo);
  EXPECT_EQ(of_sets(two, "skewness"), Protection::kNo);
}

}  // namespace
}  // namespace semveil::test
