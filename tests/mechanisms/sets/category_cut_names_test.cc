// What cuts of a taxonomy are called, and every error with the value or root it names.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "mechanisms/sets/categories.h"
#include "ontology/loaders.h"
#include "support/loaded.h"
#include "support/slow_taxonomy.h"

namespace semveil::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::Not;
using ::testing::UnorderedElementsAre;

struct Diseases {
  explicit Diseases(const std::string& edges)
      : loaded(finished(parse_edges("child,parent,label\n" + edges, "e.csv"))) {
    Attribute made;
    made.name = "disease";
    made.domain = std::make_shared<const Domain>(Domain::whole(loaded.taxonomy));
    made.names = loaded.names;
    made.measure = value_or_throw(make_measure(loaded.taxonomy));
    attribute = std::make_shared<const Attribute>(std::move(made));
  }
  FrequencyColumn column(const std::map<std::string, std::uint64_t>& counts) const {
    std::map<ConceptId, std::uint64_t> by_value;
    for (const auto& [id, count] : counts) {
      by_value[id == "?" ? attribute->missing_value() : loaded.find(id)] = count;
    }
    FrequencyColumn out{attribute, {}, 0};
    for (const auto& [value, count] : by_value) {
      out.values.values.push_back(value);
      out.values.counts.push_back(count);
    }
    return out;
  }
  std::vector<ConceptId> concepts(const std::vector<std::string>& ids) const {
    std::vector<ConceptId> out;
    for (const std::string& id : ids) out.push_back(loaded.find(id));
    return out;
  }
  // "name: id id", by category.
  std::vector<std::string> told(const Result<Categories>& categories) const {
    if (!categories) return {describe(categories.error(), Quote::kShow)};
    std::vector<std::string> out;
    for (const Categories::Category& category : categories->list) {
      std::string line = category.name + ":";
      std::vector<std::string> ids;
      for (const ConceptId c : category.values) ids.emplace_back(attribute->id(c));
      std::sort(ids.begin(), ids.end());
      for (const std::string& id : ids) line += " " + id;
      out.push_back(line);
    }
    return out;
  }

  Loaded loaded;
  std::shared_ptr<const Attribute> attribute;
};
std::string error_of(const Result<Categories>& result) {
  if (result) return "no error";
  EXPECT_EQ(result.error().code, ErrorCode::kData);
  return describe(result.error(), Quote::kShow);
}

// myocarditis is an infection and a disease of the heart.
constexpr const char* kTwoWays =
    "all,,All\ninf,all,Infection\nheart,all,Heart disease\nskin,all,Skin disease\n"
    "flu,inf,Influenza\nmyo,inf,Myocarditis\nmyo,heart,\nangina,heart,Angina\nacne,skin,Acne\n";

TEST(CategoriesBelow, AreNamedByTheirRoots) {
  const Diseases d(kTwoWays);
  const FrequencyColumn column = d.column({{"flu", 2}, {"inf", 1}, {"angina", 1}, {"?", 4}});
  EXPECT_THAT(d.told(categories_below(d.concepts({"heart", "inf"}), column)),
              ElementsAre("Heart disease (heart): angina", "Infection (inf): flu inf"));
}

TEST(CategoriesBelow, SayWhatIsWrong) {
  const Diseases d(kTwoWays);
  const FrequencyColumn column = d.column({{"flu", 2}, {"myo", 1}, {"angina", 1}});
  const auto error = [&](const std::vector<std::string>& roots) {
    return error_of(categories_below(d.concepts(roots), column));
  };
  EXPECT_THAT(error({"inf", "heart"}),
              HasSubstr("column 'disease': \"Myocarditis (myo)\": this value is below two of"));
  EXPECT_THAT(error({"inf", "heart"}), HasSubstr("Infection (inf)"));
  EXPECT_THAT(error({"inf", "heart"}), HasSubstr("Heart disease (heart)"));
  EXPECT_THAT(error({"flu", "inf"}), HasSubstr("\"Influenza (flu)\": this root"));
  EXPECT_THAT(error({"flu", "inf"}), HasSubstr("it lies below Infection (inf)"));
  EXPECT_THAT(error({"heart"}),
              HasSubstr("\"Influenza (flu)\": this value of 2 records is below none"));
  EXPECT_THAT(error({"all", "all"}), HasSubstr("\"All (all)\": this root of a category is named"));
  EXPECT_THAT(error({}), HasSubstr("name at least two"));
  EXPECT_THAT(error_of(categories_below(d.concepts({"inf", "skin"}), d.column({{"flu", 2}}))),
              HasSubstr("\"Skin disease (skin)\": empty category"));
}

TEST(CategoriesAtDepth, HaveTheValuesAboveAlone) {
  const Diseases d(kTwoWays);
  const FrequencyColumn column =
      d.column({{"all", 1}, {"flu", 2}, {"inf", 1}, {"angina", 1}, {"acne", 1}, {"?", 4}});
  EXPECT_THAT(d.told(categories_at_depth(2, column)),
              UnorderedElementsAre("All (all): all", "Infection (inf): flu inf",
                                   "Heart disease (heart): angina", "Skin disease (skin): acne"));
}

TEST(CategoriesAtDepth, SayWhatIsWrong) {
  const Diseases d(kTwoWays);
  const FrequencyColumn column = d.column({{"flu", 2}, {"myo", 1}, {"angina", 1}});
  const std::string two = error_of(categories_at_depth(2, column));
  EXPECT_THAT(two, HasSubstr("column 'disease': \"Myocarditis (myo)\": this value is below two"));
  EXPECT_THAT(two, HasSubstr("Heart disease (heart)"));
  EXPECT_THAT(two, HasSubstr("Infection (inf)"));
  EXPECT_THAT(error_of(categories_at_depth(1, column)), HasSubstr("depth 1 makes 1 category"));
  EXPECT_THAT(error_of(categories_at_depth(0, column)), HasSubstr("counted from 1"));
  EXPECT_THAT(error_of(categories_at_depth(2, d.column({{"?", 3}}))), HasSubstr("no category"));
}

// Several roots hang below the virtual one, which is at depth 1 itself.
TEST(CategoriesAtDepth, CountTheVirtualRoot) {
  const Diseases d("a,,A\nb,,B\nc,a,C\n");
  const FrequencyColumn column = d.column({{"c", 2}, {"b", 1}});
  EXPECT_THAT(d.told(categories_at_depth(2, column)), UnorderedElementsAre("A (a): c", "B (b): b"));
  EXPECT_THAT(error_of(categories_at_depth(1, column)), HasSubstr("1 category"));
}

TEST(BalancedCategories, AreNamedByWhatTheyHaveInCommon) {
  const Diseases d(
      "all,,All\ninf,all,Infection\nheart,all,Heart disease\n"
      "flu,inf,Influenza\ncold,inf,Cold\nangina,heart,Angina\nblock,heart,Heart block\n");
  const FrequencyColumn even =
      d.column({{"flu", 2}, {"cold", 2}, {"angina", 2}, {"block", 2}, {"?", 9}});
  EXPECT_THAT(d.told(balanced_categories(2, even)),
              UnorderedElementsAre("Infection: cold flu", "Heart disease: angina block"));
  EXPECT_THAT(
      d.told(balanced_categories(4, even)),
      UnorderedElementsAre("Influenza: flu", "Cold: cold", "Angina: angina", "Heart block: block"));
  const std::vector<std::string> whole = d.told(balanced_categories(1, even));
  ASSERT_EQ(whole.size(), 1U);
  EXPECT_THAT(whole[0], HasSubstr(" … "));
  EXPECT_THAT(whole[0], Not(HasSubstr("All")));
  EXPECT_THAT(d.told(balanced_categories(1, d.column({{"all", 1}}))), ElementsAre("All: all"));
}

// 1.25 times the share is 7 of 12: for kinship's sake 7 | 5 is left as it is, 8 | 4 is not.
TEST(BalancedCategories, PreferKinWithinTheirShare) {
  const Diseases d("all,,All\ni,all,I\nh,all,H\n1,i,\n2,i,\n3,i,\n4,i,\n5,h,\n6,h,\n");
  EXPECT_THAT(d.told(balanced_categories(
                  2, d.column({{"1", 2}, {"2", 2}, {"3", 2}, {"4", 1}, {"5", 3}, {"6", 2}}))),
              UnorderedElementsAre("I: 1 2 3 4", "H: 5 6"));
  EXPECT_THAT(d.told(balanced_categories(
                  2, d.column({{"1", 2}, {"2", 2}, {"3", 2}, {"4", 2}, {"5", 2}, {"6", 2}}))),
              Not(testing::Contains("H: 5 6")));
}

TEST(BalancedCategories, SayWhatIsWrong) {
  const Diseases d(kTwoWays);
  EXPECT_THAT(error_of(balanced_categories(3, d.column({{"flu", 2}, {"acne", 1}, {"?", 2}}))),
              HasSubstr("column 'disease': 3 categories are wanted of a column with 2 values"));
  EXPECT_THAT(error_of(balanced_categories(0, d.column({{"flu", 2}}))), HasSubstr("at least 2"));
}

// 16,500 · 16,501 places of 4 bytes.
TEST(BalancedCategories, RefuseToTakeMoreThanAGibibyte) {
  constexpr unsigned kValues = 33001;
  std::string edges = "all,,All\n";
  std::map<std::string, std::uint64_t> counts;
  for (unsigned v = 0; v < kValues; ++v) {
    const std::string id = std::to_string(100000 + v);
    edges += id + ",all,\n";
    counts[id] = 1;
  }
  const Diseases d(edges);
  const FrequencyColumn column = d.column(counts);
  EXPECT_THAT(error_of(balanced_categories(kValues / 2 + 1, column)),
              HasSubstr("column 'disease': 16501 categories of 33001 values take more than 1 GiB"));
  EXPECT_EQ(value_or_throw(balanced_categories(10, column)).list.size(), 10U);
}

TEST(CategoryCuts, NeedATaxonomy) {
  const FrequencyColumn numbers{
      std::make_shared<const Attribute>(numeric_attribute("age", {1, 2}, 1)), {{0, 1}, {1, 1}}, 0};
  const FrequencyColumn texts{
      std::make_shared<const Attribute>(text_attribute("job", {"x", "y"})), {{0, 1}, {1, 1}}, 0};
  const std::vector<ConceptId> roots{0};
  for (const FrequencyColumn* column : {&numbers, &texts}) {
    const std::string what = column == &numbers ? "column 'age': a column of numbers has no taxon"
                                                : "column 'job': a column of texts has no taxon";
    EXPECT_THAT(error_of(balanced_categories(2, *column)), HasSubstr(what));
    EXPECT_THAT(error_of(categories_at_depth(2, *column)), HasSubstr(what));
    EXPECT_THAT(error_of(categories_below(roots, *column)), HasSubstr(what));
  }
}

}  // namespace
}  // namespace semveil::test
