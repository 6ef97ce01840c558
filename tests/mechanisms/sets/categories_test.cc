// Categories from a file: what is read, what it means to a column, and every error with its line.
#include "mechanisms/sets/categories.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <map>

#include "ontology/loaders.h"
#include "support/loaded.h"
#include "support/slow_taxonomy.h"

namespace semveil::test {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::StartsWith;

// "line: [value][value]", by category.
std::vector<std::string> told(const Result<std::vector<CategoryLine>>& lines) {
  if (!lines) return {"error: " + describe(lines.error(), Quote::kShow)};
  std::vector<std::string> out;
  for (const CategoryLine& line : *lines) {
    std::string text = std::to_string(line.line) + ":";
    for (const std::string& value : line.values) text += " [" + value + "]";
    out.push_back(text);
  }
  return out;
}
std::vector<std::string> told(std::string_view text) {
  return told(read_categories(text, "c.csv"));
}
std::string error_of(std::string_view text) {
  const auto lines = read_categories(text, "c.csv");
  if (lines) return "no error";
  EXPECT_EQ(lines.error().code, ErrorCode::kData);
  return describe(lines.error(), Quote::kShow);
}

TEST(CategoriesFile, HasACategoryOnEachLine) {
  EXPECT_THAT(told("flu,cold\nangina\n"), ElementsAre("1: [flu] [cold]", "2: [angina]"));
  EXPECT_THAT(told("flu,cold\nangina"), ElementsAre("1: [flu] [cold]", "2: [angina]"));
  EXPECT_THAT(told("\xEF\xBB\xBF"
                   "flu,cold\r\nangina\r\n"),
              ElementsAre("1: [flu] [cold]", "2: [angina]"));
}

TEST(CategoriesFile, TrimsValues) {
  EXPECT_THAT(told(" \tcommon cold ,\tflu\t\n"), ElementsAre("1: [common cold] [flu]"));
  EXPECT_THAT(told("Grippe à été\u00A0,b\n"), ElementsAre("1: [Grippe à été\u00A0] [b]"));
}

TEST(CategoriesFile, UnquotesValues) {
  EXPECT_THAT(told("\"a, b\",\"say \"\"ah\"\"\"\n"), ElementsAre("1: [a, b] [say \"ah\"]"));
  EXPECT_THAT(told("  \" a, b\t\" \t, \"#1\" ,c\n"), ElementsAre("1: [a, b] [#1] [c]"));
  EXPECT_THAT(told("\"#1\"\n'x'\n"), ElementsAre("1: [#1]", "2: ['x']"));
  EXPECT_THAT(told("\"a\rb\"\r\n"), ElementsAre("1: [a\rb]"));
}

TEST(CategoriesFile, SkipsCommentsAndBlankLinesAtItsEnd) {
  EXPECT_THAT(told("# \"heart, skin\nflu\n \t#x,,\nangina\n\n \t\r\n# end\n\n"),
              ElementsAre("2: [flu]", "4: [angina]"));
  EXPECT_THAT(told("flu,a # b\n"), ElementsAre("1: [flu] [a # b]"));
}

TEST(CategoriesFile, RefusesEmptyCategories) {
  EXPECT_THAT(error_of("flu\n\nangina\n"), StartsWith("c.csv:2: empty category: "));
  EXPECT_THAT(error_of("flu\n# x\n \t\r\n# y\n\nangina\n"), StartsWith("c.csv:3: empty category"));
  EXPECT_THAT(error_of("\nflu\n"), StartsWith("c.csv:1: empty category"));
  EXPECT_THAT(error_of("flu\n , ,\n"), StartsWith("c.csv:2: empty category"));
  EXPECT_THAT(error_of("flu\n\"\"\n"), StartsWith("c.csv:2: empty category"));
  EXPECT_THAT(error_of("flu\n\" \",\"\"\n"), StartsWith("c.csv:2: empty category"));
}

TEST(CategoriesFile, RefusesEmptyValues) {
  EXPECT_THAT(error_of("x\nflu, ,cold\n"), StartsWith("c.csv:2: \"flu\": an empty value behind"));
  EXPECT_THAT(error_of("x\nflu,cold,\n"), StartsWith("c.csv:2: \"cold\": an empty value behind"));
  EXPECT_THAT(error_of("x\nflu,\" \"\n"), StartsWith("c.csv:2: \"flu\": an empty value behind"));
  EXPECT_THAT(error_of("x\n,flu\n"), StartsWith("c.csv:2: the first value is empty"));
}

TEST(CategoriesFile, RefusesAValueTwice) {
  EXPECT_THAT(error_of("x\nflu,cold, \"flu\" \n"),
              StartsWith("c.csv:2: \"flu\": this value stands twice in line 2: "));
  EXPECT_THAT(error_of("flu\n#\nx,flu\n"),
              StartsWith("c.csv:3: \"flu\": this value stands in line 1 and in line 3: keep it"));
  EXPECT_THAT(told("flu\nFlu\n"), ElementsAre("1: [flu]", "2: [Flu]"));
}

TEST(CategoriesFile, RefusesStrayQuotes) {
  EXPECT_THAT(error_of("x\ny, \"flu,cold\nz\n"),
              StartsWith("c.csv:2: \"\"flu,cold\": a quoted field that never ends: close it"));
  EXPECT_THAT(error_of("x\ny,\"flu\" cold\n"),
              StartsWith("c.csv:2: \"\"flu\" cold\": text behind the closing quote"));
  EXPECT_THAT(error_of("x\n\"flu\" \"cold\"\n"), HasSubstr("text behind the closing quote"));
  EXPECT_THAT(error_of("x\nflu \"b\",c\n"),
              StartsWith("c.csv:2: \"flu \"b\"\": a quote inside a field that does not begin"));
}

TEST(CategoriesFile, RefusesWhatIsNoText) {
  EXPECT_THAT(error_of("x\ny,fl\xFC,z\n"),
              StartsWith("c.csv:2: \"fl\\xfc\": the text is not valid UTF-8: save it"));
  EXPECT_THAT(error_of(std::string_view("x\ny,f\0u,z\n", 10)),
              StartsWith("c.csv:2: \"f\\x00u\": a NUL byte in the text: "));
  EXPECT_THAT(error_of("x\n# M\xFCller\n"),
              HasSubstr("c.csv:2: \"# M\\xfcller\": the text is not"));
  EXPECT_THAT(error_of("\xFF\xFEx"), StartsWith("c.csv:1: "));
  EXPECT_THAT(error_of("x\ny\rz\n"), HasSubstr("c.csv:2: \"y\\x0dz\": a carriage return inside"));
  EXPECT_THAT(error_of("x\nz\r\r\n"), HasSubstr("c.csv:2: \"z\\x0d\": a carriage return inside"));
}

TEST(CategoriesFile, NeedsACategory) {
  EXPECT_THAT(error_of(""), StartsWith("c.csv: no category in it: write"));
  EXPECT_THAT(error_of("# only\n\n"), StartsWith("c.csv: no category in it"));
  EXPECT_THAT(error_of("\xEF\xBB\xBF"), StartsWith("c.csv: no category in it"));
}

// The values of the columns below: texts, or concepts by id and label.
class ListedCategories : public testing::Test {
 protected:
  static std::shared_ptr<const Attribute> jobs() {
    return std::make_shared<const Attribute>(
        text_attribute("job", {"clerk", "cook", "miner", "nurse"}));
  }
  static std::shared_ptr<const Attribute> diseases() {
    const Loaded loaded = finished(parse_edges(
        "child,parent,label\nall,,All\nflu,all,Influenza\ncold,all,Cold\nacne,all,\n", "e.csv"));
    Attribute made;
    made.name = "disease";
    made.domain = std::make_shared<const Domain>(Domain::whole(loaded.taxonomy));
    made.names = loaded.names;
    return std::make_shared<const Attribute>(std::move(made));
  }
  // By id or label; "missing" means the missing value.
  static std::optional<ConceptId> value_of(const Attribute& attribute, std::string_view text) {
    if (text == "missing") return attribute.missing_value();
    for (ConceptId c = 0; c < attribute.size(); ++c) {
      if (attribute.id(c) == text) return c;
      if (attribute.is_nominal() && attribute.names->label(c) == text) return c;
    }
    return std::nullopt;
  }
  static FrequencyColumn column(const std::shared_ptr<const Attribute>& attribute,
                                const std::map<std::string, std::uint64_t>& counts) {
    std::map<ConceptId, std::uint64_t> by_value;
    for (const auto& [text, count] : counts) by_value[*value_of(*attribute, text)] = count;
    FrequencyColumn out{attribute, {}, 0};
    for (const auto& [value, count] : by_value) {
      out.values.values.push_back(value);
      out.values.counts.push_back(count);
    }
    return out;
  }
  static Result<Categories> listed(std::string_view text, const FrequencyColumn& column) {
    return listed_categories(
        value_or_throw(read_categories(text, "c.csv")), "c.csv",
        [&](std::string_view value) { return value_of(*column.attribute, value); }, column);
  }
  static std::vector<std::string> told(std::string_view text, const FrequencyColumn& column) {
    const Result<Categories> categories = listed(text, column);
    if (!categories) return {describe(categories.error(), Quote::kShow)};
    std::vector<std::string> out;
    for (const Categories::Category& category : categories->list) {
      EXPECT_TRUE(std::is_sorted(category.values.begin(), category.values.end()));
      std::string line = category.name + ":";
      for (const ConceptId c : category.values) {
        line += " " + std::string(column.attribute->id(c));
      }
      out.push_back(line);
    }
    return out;
  }
  static std::string error_of(std::string_view text, const FrequencyColumn& column) {
    const Result<Categories> categories = listed(text, column);
    if (categories) return "no error";
    EXPECT_EQ(categories.error().code, ErrorCode::kData);
    return describe(categories.error(), Quote::kShow);
  }
};

TEST_F(ListedCategories, HaveTheirValuesInOrder) {
  const FrequencyColumn c = column(jobs(), {{"clerk", 1}, {"nurse", 2}, {"miner", 3}});
  EXPECT_THAT(told("# jobs\nnurse,clerk\nminer,cook\n", c),
              ElementsAre("line 2: clerk nurse", "line 3: cook miner"));
}

TEST_F(ListedCategories, TakeTwoTextsOfOneValueOnce) {
  const FrequencyColumn c = column(diseases(), {{"flu", 1}, {"cold", 2}});
  EXPECT_THAT(told("flu,Influenza\nCold\n", c), ElementsAre("line 1: flu", "line 2: cold"));
}

TEST_F(ListedCategories, RefuseTwoTextsOfOneValueInTwoCategories) {
  const FrequencyColumn c = column(diseases(), {{"flu", 1}, {"cold", 2}});
  const std::string error = error_of("flu\n#\nCold,Influenza\n", c);
  EXPECT_THAT(error, StartsWith("c.csv:3: column 'disease': \"Influenza\": this means a value that "
                                "line 1 has as well as line 3: keep it"));
  EXPECT_THAT(error, HasSubstr("Influenza (flu)"));
}

TEST_F(ListedCategories, RefuseWhatIsNoValue) {
  const FrequencyColumn c = column(jobs(), {{"clerk", 1}});
  EXPECT_THAT(
      error_of("clerk\ncook,clown\n", c),
      StartsWith("c.csv:2: column 'job': \"clown\": this is none of the column's values: "));
  EXPECT_THAT(error_of("clerk\nmissing\n", c), StartsWith("c.csv:2: column 'job': \"missing\": "));
}

TEST_F(ListedCategories, RefuseAColumnWithValuesInNone) {
  const FrequencyColumn one = column(jobs(), {{"clerk", 5}, {"nurse", 1}, {"missing", 9}});
  EXPECT_THAT(error_of("clerk\ncook\n", one),
              StartsWith("c.csv: column 'job': \"nurse\": this value of 1 record is in no "
                         "category: write"));
  const FrequencyColumn two = column(jobs(), {{"clerk", 5}, {"nurse", 2}, {"miner", 3}});
  EXPECT_THAT(error_of("clerk\ncook\n", two),
              StartsWith("c.csv: column 'job': \"miner\": this value of 3 records is in no "
                         "category, nor is 1 other value: write"));
  EXPECT_THAT(error_of("cook\n", two), HasSubstr("\"clerk\": this value of 5 records is in no "
                                                 "category, nor are 2 other values: "));
  const FrequencyColumn c = column(diseases(), {{"flu", 1}, {"cold", 2}, {"acne", 1}});
  EXPECT_THAT(error_of("cold\nacne\n", c), HasSubstr("\"Influenza (flu)\": this value"));
  EXPECT_THAT(error_of("cold\nflu\n", c), HasSubstr("\"acne\": this value"));  // id and label
}

// Missing cells and values without a record need no category.
TEST_F(ListedCategories, LeaveMissingOut) {
  FrequencyColumn c = column(jobs(), {{"clerk", 5}, {"nurse", 1}, {"missing", 9}});
  EXPECT_THAT(told("clerk\nnurse\n", c), ElementsAre("line 1: clerk", "line 2: nurse"));
  c.values.counts[1] = 0;
  EXPECT_THAT(told("clerk\ncook\n", c), ElementsAre("line 1: clerk", "line 2: cook"));
}

}  // namespace
}  // namespace semveil::test
