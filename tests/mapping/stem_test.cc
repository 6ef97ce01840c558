#include "mapping/stem.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/text.h"
#include "mapping/small_ontology.h"
#include "support/generate.h"

namespace semveil {
namespace {

using test::SmallOntology;

// Porter 1980, the examples beside the rules of steps 1a to 5b.
TEST(Stemmer, FollowsPortersExamples) {
  Stemmer stemmer;
  EXPECT_EQ(stemmer.word("caresses"), "caress");
  EXPECT_EQ(stemmer.word("ponies"), "poni");
  EXPECT_EQ(stemmer.word("motoring"), "motor");
  EXPECT_EQ(stemmer.word("hopping"), "hop");
  EXPECT_EQ(stemmer.word("relational"), "relat");
  EXPECT_EQ(stemmer.word("adjustable"), "adjust");
  EXPECT_EQ(stemmer.word("controll"), "control");
}

TEST(Stemmer, GoesWordByWord) {
  EXPECT_EQ(Stemmer().text("running dogs"), "run dog");
  EXPECT_EQ(Stemmer().text(""), "");
}

TEST(Stemmer, LeavesMonstersAlone) {
  const std::string monster(5000, 's');
  EXPECT_EQ(Stemmer().word(monster), monster);
}

TEST(StemIndex, FindsExactlyTheNamesWithTheseStems) {
  test::Random random(7);
  SmallOntology small;
  small.label("root", {}, "root");
  const std::vector<std::string> parts{"ski",   "skis", "skiing", "skied",  "trip",
                                       "trips", "über", "run",    "running"};
  for (int i = 0; i < 300; ++i) {
    std::string name = parts[random.below(parts.size())];
    for (std::size_t n = random.below(3); n > 0; --n)
      name += " " + parts[random.below(parts.size())];
    small.label("C" + std::to_string(i), {"root"}, name);
  }
  const Ontology ontology = small.finish();
  const auto names = *ontology.names();
  const NameTexts texts(*names);
  const StemIndex index(texts);
  Stemmer stemmer;
  for (std::size_t i = 0; i < texts.size(); ++i) {
    const std::string stems = stemmer.text(texts.text(i));
    std::vector<std::size_t> expected;
    for (std::size_t j = 0; j < texts.size(); ++j) {
      if (stemmer.text(texts.text(j)) == stems) expected.push_back(j);
    }
    EXPECT_EQ(index.find(stems, texts), expected) << stems;
  }
  EXPECT_THAT(index.find("nothing", texts), testing::IsEmpty());
}

}  // namespace
}  // namespace semveil
