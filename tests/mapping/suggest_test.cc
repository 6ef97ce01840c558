#include "mapping/suggest.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/text.h"
#include "mapping/edit_distance.h"
#include "mapping/small_ontology.h"
#include "support/generate.h"
#include "support/slow_edit_distance.h"

namespace semveil {
namespace {

using test::Random;
using test::slow_edit_distance;
using test::SmallOntology;
using test::to_utf8;

std::u32string random_text(Random& random, std::size_t length) {
  constexpr std::u32string_view kLetters = U"aabbcde zßéж漢𝄞";
  std::u32string text;
  for (std::size_t i = 0; i < length; ++i) text += kLetters[random.below(kLetters.size())];
  return text;
}

// A few edits away, so that small distances occur.
std::u32string edited(Random& random, std::u32string text) {
  for (std::size_t edits = random.below(6); edits > 0; --edits) {
    const std::size_t at = random.below(text.size() + 1);
    switch (random.below(4)) {
      case 0:
        text.insert(at, random_text(random, 1));
        break;
      case 1:
        if (at < text.size()) text.erase(at, 1);
        break;
      case 2:
        if (at < text.size()) text[at] = random_text(random, 1)[0];
        break;
      default:
        if (at + 1 < text.size()) std::swap(text[at], text[at + 1]);
    }
  }
  return text;
}

TEST(EditDistance, OfKnownPairs) {
  EXPECT_EQ(EditDistance("girafe").to("giraffe", 3), 1U);
  EXPECT_EQ(EditDistance("tigre").to("tiger", 3), 1U);
  EXPECT_EQ(EditDistance("ca").to("abc", 3), 3U);  // Damerau's own distance would be 2
  EXPECT_EQ(EditDistance("").to("abc", 5), 3U);
  EXPECT_EQ(EditDistance("abc").to("", 5), 3U);
  EXPECT_EQ(EditDistance("").to("", 5), 0U);
  EXPECT_EQ(EditDistance("kitten").to("sitting", 2), 3U);  // one more than the limit
  EXPECT_EQ(EditDistance("müsli").to("musli", 3), 1U);     // code points, not bytes
}

class EditDistanceOfLength : public testing::TestWithParam<std::size_t> {};
TEST_P(EditDistanceOfLength, EqualsItsTwin) {
  Random random(GetParam() + 1);
  for (int i = 0; i < 400; ++i) {
    const std::u32string a = random_text(random, GetParam());
    const std::u32string b =
        random.one_in(4) ? random_text(random, random.below(90)) : edited(random, a);
    const unsigned expected = slow_edit_distance(a, b);
    for (const unsigned limit : {0U, 1U, 2U, 3U, 7U, 200U}) {
      ASSERT_EQ(EditDistance(to_utf8(a)).to(to_utf8(b), limit), std::min(expected, limit + 1))
          << to_utf8(a) << " | " << to_utf8(b);
    }
  }
}
INSTANTIATE_TEST_SUITE_P(Lengths, EditDistanceOfLength,
                         testing::Values(0, 1, 2, 3, 8, 31, 63, 64, 65, 66, 80, 130));

TEST(EditDistance, TakesAnyBytes) {
  EXPECT_EQ(EditDistance("\xC3").to("\xFF\xFE", 3), 2U);
  EXPECT_EQ(code_points("\xF0\x9D"), 1U);
}

TEST(SuggestionLimit, GrowsWithTheLength) {
  EXPECT_EQ(suggestion_limit(1), 1U);
  EXPECT_EQ(suggestion_limit(4), 1U);
  EXPECT_EQ(suggestion_limit(5), 2U);
  EXPECT_EQ(suggestion_limit(8), 2U);
  EXPECT_EQ(suggestion_limit(9), 3U);
}

// The filters may let too much through, never too little.
TEST(Suggester, FindsExactlyTheNamesWithinTheLimit) {
  Random random(3);
  SmallOntology small;
  small.label("root", {}, "root");
  std::vector<std::u32string> names;
  for (int i = 0; i < 1500; ++i) {
    names.push_back(i % 3 == 0 || names.empty()
                        ? random_text(random, 1 + random.below(i % 50 == 0 ? 100 : 16))
                        : edited(random, names[random.below(names.size())]));
    small.label("C" + std::to_string(i), {"root"}, to_utf8(names.back()));
  }
  const Ontology ontology = small.finish();
  const NameTexts texts(**ontology.names());
  const Suggester suggester(texts);
  std::size_t found = 0;
  for (int i = 0; i < 500; ++i) {
    const std::string query = normalise(to_utf8(edited(random, names[random.below(names.size())])));
    const unsigned limit = suggestion_limit(code_points(query));
    const auto decoded = [](std::string_view text) {
      std::u32string wide;
      while (!text.empty()) wide += take_code_point(text);
      return wide;
    };
    std::vector<std::pair<std::uint32_t, unsigned>> expected, hits;
    for (std::uint32_t n = 0; n < texts.size() && !query.empty(); ++n) {
      const unsigned edits = slow_edit_distance(decoded(query), decoded(texts.text(n)));
      if (edits <= limit) expected.emplace_back(n, edits);
    }
    for (const Suggester::Hit& hit : suggester.near(query, texts)) {
      hits.emplace_back(hit.name, hit.edits);
    }
    EXPECT_THAT(hits, testing::UnorderedElementsAreArray(expected)) << query;
    found += hits.size();
  }
  EXPECT_GT(found, 500U);
}

std::vector<std::string> suggested(const Mapper& mapper, std::string_view value, std::size_t most,
                                   const Domain* domain = nullptr) {
  std::vector<std::string> texts;
  for (const Suggestion& s : mapper.suggest(value, most, domain)) {
    texts.push_back(s.text + " " + std::string(mapper.names().id(s.concept_id)) + " " +
                    std::to_string(s.edits));
  }
  return texts;
}

class Suggestions : public testing::Test {
 protected:
  Ontology ontology_ =
      SmallOntology()
          .label("R", {}, "thing")
          .label("A", {"R"}, "animal")
          .add("B2", {"A"}, {{TermKind::kLabel, "Bear"}, {TermKind::kExactSynonym, "bear"}})
          .label("B1", {"A"}, "bear")
          .label("P", {"A"}, "pear")
          .label("T", {"R"}, "bean")
          .label("X", {"R"}, "bar")
          .finish();
  Mapper mapper_ = test::mapper_of(ontology_);
};

TEST_F(Suggestions, ComeByEditsThenFirstLetterThenBytesThenId) {
  EXPECT_THAT(suggested(mapper_, "bxar", 9), testing::ElementsAre("bar X 1", "bear B1 1"));
  EXPECT_THAT(suggested(mapper_, "bear", 9),
              testing::ElementsAre("bear B1 0", "bar X 1", "bean T 1", "pear P 1"));
  EXPECT_THAT(suggested(mapper_, "bear", 2), testing::ElementsAre("bear B1 0", "bar X 1"));
}

TEST_F(Suggestions, NameATextOnceForItsFirstConcept) {
  // "bear" and "Bear" are two concepts' names; folded they are one text.
  EXPECT_THAT(suggested(mapper_, "Beer", 9), testing::ElementsAre("bear B1 1"));
}

TEST_F(Suggestions, StayInsideTheDomain) {
  const auto taxonomy = *ontology_.taxonomy();
  const Domain animals = Domain::subtree(taxonomy, test::concept_of(mapper_, "A"));
  EXPECT_THAT(suggested(mapper_, "bear", 9, &animals),
              testing::ElementsAre("bear B1 0", "pear P 1"));
}

TEST_F(Suggestions, AreNoneForNothing) {
  EXPECT_THAT(suggested(mapper_, "", 9), testing::IsEmpty());
  EXPECT_THAT(suggested(mapper_, " - ", 9), testing::IsEmpty());
  EXPECT_THAT(suggested(mapper_, std::string(1000, 'x'), 9), testing::IsEmpty());
  EXPECT_THAT(suggested(mapper_, "bear", 0), testing::IsEmpty());
}

}  // namespace
}  // namespace semveil
