#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <thread>

#include "mapping/small_ontology.h"
#include "support/data.h"

namespace semveil {
namespace {

using test::mapper_of;
using test::shown;
using test::SmallOntology;
using test::SmallTerm;
using testing::HasSubstr;

constexpr TermKind kLabel = TermKind::kLabel, kExact = TermKind::kExactSynonym,
                   kNarrow = TermKind::kNarrowSynonym, kBroad = TermKind::kBroadSynonym,
                   kRelated = TermKind::kRelatedSynonym, kAlt = TermKind::kAltId,
                   kXref = TermKind::kXref;

std::string matched(SmallOntology& small, std::string_view value) {
  const Ontology ontology = small.finish();
  return shown(mapper_of(ontology), value);
}

// Concepts that hold one text in ever looser ways; with the best taken away, the next answers.
TEST(Ladder, TakesTheStrictestStepThatAnswers) {
  struct Holder {
    const char* id;
    SmallTerm term;
    const char* expected;
  };
  const std::vector<Holder> holders{
      {"ski trip", {kLabel, "unrelated"}, "id: ski trip"},
      {"A", {kAlt, "ski trip"}, "id: A"},
      {"B", {kLabel, "ski trip"}, "label: B"},
      {"C", {kExact, "ski trip"}, "synonym: C"},
      {"D", {kBroad, "ski trip"}, "synonym: D"},
      {"SKI trip", {kLabel, "other"}, "normalised: SKI trip"},
      {"E", {kAlt, "Ski Trip"}, "normalised: E"},
      {"F", {kLabel, "Ski-Trip"}, "normalised: F"},
      {"G", {kExact, "ski_trip"}, "normalised: G"},
      {"H", {kRelated, "SKI TRIP"}, "normalised: H"},
      {"I", {kLabel, "skitrip"}, "normalised: I"},
      {"J", {kExact, "s-k-i trip"}, "normalised: J"},
      {"K", {kNarrow, "SkiTrip"}, "normalised: K"},
      {"L", {kLabel, "skis trip"}, "stem: L"},
      {"M", {kXref, "ski trip"}, "unmapped:"},
  };
  for (std::size_t first = 0; first < holders.size(); ++first) {
    SmallOntology small;
    small.label("root", {}, "root");
    for (std::size_t i = holders.size(); i-- > first;) {
      small.add(holders[i].id, {"root"}, {holders[i].term});
    }
    EXPECT_EQ(matched(small, "ski trip"), holders[first].expected) << first;
  }
}

TEST(Ladder, LemmaComesBeforeStemAndAfterEverythingElse) {
  SmallOntology small;
  small.label("R", {}, "root").label("L", {"R"}, "Pony").label("S", {"R"}, "ponied");
  EXPECT_EQ(matched(small, "Ponies"), "lemma: L");
  SmallOntology squeezed;
  squeezed.label("R", {}, "root").label("L", {"R"}, "guinea pig").label("Q", {"R"}, "guineapigs");
  EXPECT_EQ(matched(squeezed, "guinea pigs"), "normalised: Q");
}

TEST(Ladder, PrefersLabelsAndExactSynonymsInTheLooseSteps) {
  SmallOntology lemma;
  lemma.label("R", {}, "root")
      .add("A", {"R"}, {{kLabel, "a"}, {kRelated, "dog"}})
      .add("B", {"R"}, {{kLabel, "b"}, {kExact, "dog"}})
      .add("C", {"R"}, {{kLabel, "c"}, {kNarrow, "Dog"}});
  EXPECT_EQ(matched(lemma, "dogs"), "lemma: B");
  SmallOntology stem;
  stem.label("R", {}, "root")
      .add("A", {"R"}, {{kLabel, "a"}, {kExact, "hiking tour"}})
      .label("B", {"R"}, "hike tours");
  EXPECT_EQ(matched(stem, "hiked tour"), "stem: B");
}

TEST(Ladder, ListsSensesByKindThenId) {
  SmallOntology small;
  small.label("R", {}, "root")
      .add("3", {"R"}, {{kLabel, "x"}, {kNarrow, "cold"}})
      .add("20", {"R"}, {{kLabel, "y"}, {kRelated, "cold"}})
      .add("1", {"R"}, {{kLabel, "z"}, {kRelated, "cold"}})
      .add("2", {"R"}, {{kLabel, "w"}, {kBroad, "cold"}, {kNarrow, "cold"}});
  EXPECT_EQ(matched(small, "cold"), "synonym: 2 3 1 20");
}

TEST(Ladder, IdsKeepTheirHyphensButNotTheirCase) {
  SmallOntology small;
  small.label("R", {}, "root").label("Q1-23", {"R"}, "a").label("Q12-3", {"R"}, "b");
  const Ontology ontology = small.finish();
  const Mapper mapper = mapper_of(ontology);
  EXPECT_EQ(shown(mapper, "Q1-23"), "id: Q1-23");
  EXPECT_EQ(shown(mapper, " q1-23 "), "normalised: Q1-23");
  EXPECT_EQ(shown(mapper, "Q123"), "unmapped:");
  EXPECT_EQ(shown(mapper, "Q1_23"), "unmapped:");
}

TEST(Ladder, UnderstandsLabelsWithTheirId) {
  SmallOntology small;
  small.label("R", {}, "root")
      .label("D:1", {"R"}, "dog")
      .label("D:2", {"R"}, "dog")
      .label("odd (x)", {"R"}, "fork (tool)")
      .label("Z", {"R"}, "cat (D:1)");
  const Ontology ontology = small.finish();
  const Mapper mapper = mapper_of(ontology);
  EXPECT_EQ(shown(mapper, "dog"), "label: D:1 D:2");
  EXPECT_EQ(shown(mapper, "dog (D:2)"), "label: D:2");
  EXPECT_EQ(shown(mapper, "fork (tool) (odd (x))"), "label: odd (x)");
  EXPECT_EQ(shown(mapper, "cat (D:1)"), "label: Z");   // a label that looks like the form
  EXPECT_EQ(shown(mapper, "cat (D:2)"), "unmapped:");  // not this concept's label
  EXPECT_EQ(shown(mapper, "dog(D:2)"), "unmapped:");
  EXPECT_EQ(shown(mapper, " ("), "unmapped:");
}

TEST(Ladder, FoldsUnicode) {
  SmallOntology small;
  small.label("R", {}, "root")
      .label("fi", {"R"}, "ﬁsh")
      .label("full", {"R"}, "ｃａｔ")
      .label("sharp", {"R"}, "Straße")
      .label("i", {"R"}, "irmak")
      .label("dotless", {"R"}, "ırk")
      .label("blank", {"R"}, "polar\u00A0bear")
      .label("soft", {"R"}, "ze\u00ADbra")
      .label("nfd", {"R"}, "cafe\u0301");
  const Ontology ontology = small.finish();
  const Mapper mapper = mapper_of(ontology);
  EXPECT_EQ(shown(mapper, "ﬁsh"), "label: fi");
  EXPECT_EQ(shown(mapper, "FISH"), "normalised: fi");
  EXPECT_EQ(shown(mapper, "Cat"), "normalised: full");
  EXPECT_EQ(shown(mapper, "STRASSE"), "normalised: sharp");
  EXPECT_EQ(shown(mapper, "STRAẞE"), "normalised: sharp");
  EXPECT_EQ(shown(mapper, "IRMAK"), "normalised: i");
  // Folding is not Turkish: the dotless i stays itself, and a dotted capital is two code points.
  EXPECT_EQ(shown(mapper, "irk"), "unmapped:");
  EXPECT_EQ(shown(mapper, "İrmak"), "unmapped:");
  EXPECT_EQ(shown(mapper, "Polar Bear"), "normalised: blank");
  EXPECT_EQ(shown(mapper, "polar–bear"), "normalised: blank");  // en dash
  EXPECT_EQ(shown(mapper, "zebra"), "normalised: soft");
  EXPECT_EQ(shown(mapper, "CAFÉ"), "normalised: nfd");
}

TEST(Ladder, AnswersNothingToNothing) {
  SmallOntology small;
  small.label("R", {}, "root").label("A", {"R"}, "-").label("B", {"R"}, "--");
  const Ontology ontology = small.finish();
  const Mapper mapper = mapper_of(ontology);
  EXPECT_EQ(shown(mapper, ""), "unmapped:");
  EXPECT_EQ(shown(mapper, "   "), "unmapped:");
  EXPECT_EQ(shown(mapper, "_"), "unmapped:");
  EXPECT_EQ(shown(mapper, "-"), "label: A");
  EXPECT_EQ(shown(mapper, "\xFF\xFE"), "unmapped:");
}

TEST(Ladder, NeverAnswersWithTheVirtualRoot) {
  SmallOntology small;
  small.label("A", {}, "a").label("B", {}, "b");
  const Ontology ontology = small.finish();
  const Mapper mapper = mapper_of(ontology);
  EXPECT_EQ(shown(mapper, "(top)"), "unmapped:");
  EXPECT_EQ(shown(mapper, "top"), "unmapped:");
  EXPECT_TRUE(mapper.suggest("(top)", 9).empty());
}

TEST(Ladder, StartsWithTheFile) {
  SmallOntology small;
  small.label("R", {}, "root").label("A", {"R"}, "dog").label("B", {"R"}, "cat");
  const Ontology ontology = small.finish();
  auto file = MappingFile::parse("value,concept\ndog,B\ncat,\n", "m.csv", ontology);
  ASSERT_TRUE(file) << file.error().message;
  const Mapper mapper = mapper_of(ontology, std::make_shared<const MappingFile>(*std::move(file)));
  EXPECT_EQ(shown(mapper, "dog"), "file: B");
  EXPECT_EQ(shown(mapper, "Dog"), "normalised: A");  // the file means this very text
  EXPECT_EQ(shown(mapper, "cat"), "unmapped:");
}

// Names of equal rank: synsets 1 and 3 hold the word, in whatever case and place.
TEST(MapperEqualNames, GiveAllConceptsThatHoldTheWord) {
  SmallOntology small("wordnet");
  small.label("00000009-n", {}, "root")
      .add("00000001-n", {"00000009-n"}, {{kLabel, "bird", 1}, {kExact, "turkey", 2}})
      .add("00000002-n", {"00000009-n"}, {{kLabel, "Turkey", 1}})
      .add("00000003-n", {"00000009-n"}, {{kLabel, "flop", 1}, {kExact, "turkey", 3}})
      .add("00000004-n", {"00000009-n"}, {{kLabel, "acre-foot", 1}});
  const Ontology ontology = small.finish();
  const Mapper mapper = mapper_of(ontology);
  EXPECT_EQ(shown(mapper, "turkey"), "synonym: 00000002-n 00000001-n 00000003-n");
  EXPECT_EQ(shown(mapper, "Turkey"), "label: 00000002-n 00000001-n 00000003-n");
  EXPECT_EQ(shown(mapper, "TURKEY"), "normalised: 00000002-n 00000001-n 00000003-n");
  EXPECT_EQ(shown(mapper, "turkeys"), "lemma: 00000002-n 00000001-n 00000003-n");
  EXPECT_EQ(shown(mapper, "turkeyed"), "stem: 00000002-n 00000001-n 00000003-n");
  EXPECT_EQ(shown(mapper, "00000003"), "id: 00000003-n");
  EXPECT_EQ(shown(mapper, "turkey.n.03"), "id: 00000003-n");
  EXPECT_EQ(shown(mapper, "Turkey.N.1"), "id: 00000002-n");
  EXPECT_EQ(shown(mapper, "acre_foot.n.01"), "id: 00000004-n");
  EXPECT_EQ(shown(mapper, "turkey.n.04"), "unmapped:");
  EXPECT_EQ(shown(mapper, "turkey.n.00"), "unmapped:");
  EXPECT_EQ(shown(mapper, "turkey.v.01"), "unmapped:");
  EXPECT_EQ(shown(mapper, ".n.01"), "unmapped:");
  EXPECT_EQ(shown(mapper, "turkey.n."), "unmapped:");
}

TEST(MapperEqualNames, OrderSeveralBasesByTheExceptionList) {
  SmallOntology small("wordnet");
  small.label("R", {}, "root")
      .add("A", {"R"}, {{kLabel, "axis", 1}})
      .add("B", {"R"}, {{kLabel, "ax", 1}})
      .add("C", {"R"}, {{kLabel, "key", 1}, {kExact, "ax", 2}})
      .exception("axes", "ax")
      .exception("axes", "axis");
  EXPECT_EQ(matched(small, "axes"), "lemma: B C A");
}

TEST(MapperOtherFormats, DoNotKnowWordNetsIds) {
  SmallOntology small;
  small.label("00000009-n", {}, "root").add("00000001-n", {"00000009-n"}, {{kLabel, "dog", 1}});
  const Ontology ontology = small.finish();
  const Mapper mapper = mapper_of(ontology);
  EXPECT_EQ(shown(mapper, "00000001"), "unmapped:");
  EXPECT_EQ(shown(mapper, "dog.n.01"), "unmapped:");
}

TEST(MapperOnly, ListsTheSensesWithShortDefinitions) {
  SmallOntology small;
  small.label("R", {}, "root")
      .add("A", {"R"}, {{kLabel, "cold"}}, std::string(59, 'a') + "é")
      .add("B", {"R"}, {{kLabel, "cold"}}, std::string(59, 'b') + "éé")
      .add("C", {"R"}, {{kLabel, "cold"}});
  const Ontology ontology = small.finish();
  const Mapper mapper = mapper_of(ontology);
  const Result<ConceptId> only = mapper.only("cold");
  ASSERT_FALSE(only);
  EXPECT_EQ(only.error().code, ErrorCode::kData);
  EXPECT_EQ(only.error().value, "cold");
  EXPECT_EQ(only.error().message,
            "means 3 concepts; use the id of one:\n  A cold: " + std::string(59, 'a') +
                "é\n  B cold: " + std::string(59, 'b') + "é…\n  C cold");
}

TEST(MapperOnly, SuggestsWhereNothingMatches) {
  SmallOntology small;
  small.label("R", {}, "root").label("G", {"R"}, "giraffe");
  const Ontology ontology = small.finish();
  const Mapper mapper = mapper_of(ontology);
  const Result<ConceptId> only = mapper.only("girafe");
  ASSERT_FALSE(only);
  EXPECT_EQ(only.error().value, "girafe");
  EXPECT_THAT(only.error().hint, HasSubstr("\n  G giraffe"));
  EXPECT_THAT(only.error().message, testing::Not(HasSubstr("girafe")));
  EXPECT_TRUE(mapper.only("Giraffe"));
}

TEST(Mapper, IsThreadSafeFromTheFirstCall) {
  SmallOntology small;
  small.label("R", {}, "root");
  for (int i = 0; i < 200; ++i) {
    small.label("C" + std::to_string(i), {"R"}, "hiking trail " + std::to_string(i));
  }
  const Ontology ontology = small.finish();
  const Mapper mapper = mapper_of(ontology);
  std::vector<std::string> answers(8);
  {
    std::vector<std::jthread> threads;
    for (std::string& answer : answers) {
      threads.emplace_back([&] {
        answer = shown(mapper, "hikes trails 7") + mapper.suggest("hiking trial 7", 1).at(0).text;
      });
    }
  }
  for (const std::string& answer : answers) EXPECT_EQ(answer, "stem: C7hiking trail 7");
}

class MapperOnWordNet : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    if (auto wordnet = test::installed_wordnet()) mapper_.emplace(mapper_of(*wordnet));
  }
  static void TearDownTestSuite() { mapper_.reset(); }
  void SetUp() override {
    if (!mapper_) SEMVEIL_SKIP_WITHOUT("an installed WordNet");
  }
  static std::size_t senses(std::string_view value) { return mapper_->match(value).senses.size(); }
  static std::string first(std::string_view value) {
    Match match = mapper_->match(value);
    match.senses.resize(std::min<std::size_t>(match.senses.size(), 1));
    return shown(match, mapper_->names());
  }
  static inline std::optional<Mapper> mapper_;
};

TEST_F(MapperOnWordNet, KnowsADogInEveryForm) {
  EXPECT_EQ(senses("dog"), 7U);
  EXPECT_EQ(senses("Dogs"), 7U);
  EXPECT_EQ(first("dog"), "label: 02084071-n");
  EXPECT_EQ(first("DOG"), "normalised: 02084071-n");
  EXPECT_EQ(first("dogs"), "lemma: 02084071-n");
  EXPECT_EQ(shown(*mapper_, "dog.n.01"), "id: 02084071-n");
  EXPECT_EQ(shown(*mapper_, "Canis_familiaris.n.01"), "id: 02084071-n");
  EXPECT_EQ(shown(*mapper_, "domestic dog.n.01"), "id: 02084071-n");
  EXPECT_EQ(shown(*mapper_, "02084071"), "id: 02084071-n");
  EXPECT_EQ(shown(*mapper_, "02084071-n"), "id: 02084071-n");
  EXPECT_EQ(shown(*mapper_, "02084071-N"), "normalised: 02084071-n");
  EXPECT_EQ(shown(*mapper_, "dog (02084071-n)"), "label: 02084071-n");
}

TEST_F(MapperOnWordNet, FollowsMorphy) {
  EXPECT_EQ(first("mice"), "lemma: 02330245-n");
  EXPECT_EQ(senses("mice"), senses("mouse"));
  EXPECT_EQ(first("geese"), "lemma: 01855672-n");
  EXPECT_EQ(first("boxesful"), "lemma: 13765624-n");
  EXPECT_EQ(first("Attorneys General"), "lemma: 09822830-n");
  EXPECT_EQ(first("attorneys at law"), first("attorneys-at-law"));
  EXPECT_EQ(shown(*mapper_, "guinea pigs"), "lemma: 10668666-n 02364673-n");
  // WordNet has no ski trip, in no number.
  EXPECT_EQ(first("Ski trips"), "unmapped:");
  EXPECT_EQ(first("Ski-jumps"), first("ski jumps"));
}

TEST_F(MapperOnWordNet, AsksWhichPersonIsMeant) {
  const Result<ConceptId> only = mapper_->only("person");
  ASSERT_FALSE(only);
  EXPECT_THAT(only.error().message, HasSubstr("means 3 concepts"));
  EXPECT_THAT(only.error().message, HasSubstr("\n  00007846-n person: a human being"));
  EXPECT_TRUE(mapper_->only("person.n.01"));
}

}  // namespace
}  // namespace semveil
