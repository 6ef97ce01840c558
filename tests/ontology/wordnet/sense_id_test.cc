#include "ontology/wordnet/sense_id.h"

#include <gtest/gtest.h>

namespace semveil {
namespace {

TEST(SenseIds, AreALemmaItsPartOfSpeechAndANumber) {
  const auto dog = parse_sense_id("domestic_dog.n.01");
  ASSERT_TRUE(dog);
  EXPECT_EQ(dog->lemma, "domestic dog");
  EXPECT_EQ(dog->sense, 1U);
  EXPECT_EQ(parse_sense_id("a.N.12")->sense, 12U);
  EXPECT_EQ(parse_sense_id("St._Louis.n.1")->lemma, "St. Louis");
  EXPECT_EQ(parse_sense_id("a.n.9999")->sense, 9999U);
}

TEST(SenseIds, AreNothingElse) {
  for (const char* text : {"", "dog", "dog.n", "dog.n.", "dog.v.01", "dog.n.1a", "dog.n.00",
                           ".n.01", "dog.n.10000", "dog..01", "n.01", "-.01"}) {
    EXPECT_FALSE(parse_sense_id(text)) << text;
  }
}

}  // namespace
}  // namespace semveil
