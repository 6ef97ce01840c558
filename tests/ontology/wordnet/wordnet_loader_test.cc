#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <span>

#include "ontology/instances.h"
#include "ontology/loaders.h"
#include "support/data.h"
#include "support/loaded.h"
#include "support/temporary_folder.h"

namespace semveil {
namespace {

using ::testing::ElementsAre;
using ::testing::HasSubstr;
using ::testing::IsEmpty;

// Four synsets, one of them an instance, one with two parents; a verb and an antonym to pass over.
constexpr const char* kData =
    "  1 This software and database is being provided to you\n"
    "  14 WordNet 3.0 Copyright 2006 by Princeton University.  All rights reserved.  \n"
    "00001740 03 n 01 entity 0 001 ~ 00002084 n 0000 | that which is perceived  \n"
    "00002084 05 n 03 dog 0 domestic_dog 0 Canis_familiaris 0 003 @ 00001740 n 0000 "
    "+ 00692347 v 0101 ! 00002999 n 0101 | a member of the genus Canis; \"the dog barked\"  \n"
    "00002999 18 n 02 frank 0 dog 1 002 @ 00001740 n 0000 @ 00002084 n 0000 | a | b\n"
    "00003500 18 n 01 Rex 0 002 @i 00002084 n 0000 @i 00002999 n 0000 | the dog Rex \n";
constexpr const char* kIndex =
    "  1 This software\n"
    "canis_familiaris n 1 1 @ 1 0 00002084  \n"
    "dog n 2 3 @ ~ + 2 1 00002999 00002084  \n"
    "domestic_dog n 1 0 1 0 00002084  \n"
    "entity n 1 1 ~ 1 1 00001740  \n"
    "frank n 1 1 @ 1 0 00002999  \n"
    "rex n 1 1 @i 1 0 00003500  \n";

Result<OntologyDraft> parse(std::string_view data, std::string_view index = kIndex,
                            std::string_view exceptions = {}) {
  return parse_wordnet({data, index, exceptions, "dict/data.noun"});
}

TEST(WordNetLoader, SynsetsBecomeConceptsWithTheirWords) {
  const test::Loaded wordnet = test::finished(parse(kData));
  ASSERT_EQ(wordnet.taxonomy->size(), 4U);
  EXPECT_FALSE(wordnet.taxonomy->has_virtual_root());
  EXPECT_EQ(wordnet.names->id(0), "00001740-n");
  EXPECT_EQ(wordnet.names->label(0), "entity");

  const ConceptId dog = wordnet.find("00002084-n");
  std::vector<std::string> words;
  for (TermId t = wordnet.names->first_term(dog); t < wordnet.names->last_term(dog); ++t) {
    words.emplace_back(wordnet.names->term(t).text);
  }
  EXPECT_THAT(words, ElementsAre("00002084-n", "dog", "domestic dog", "Canis familiaris"));
  EXPECT_EQ(wordnet.names->term(wordnet.names->first_term(dog) + 1).kind, TermKind::kLabel);
  EXPECT_EQ(wordnet.names->term(wordnet.names->first_term(dog) + 2).kind, TermKind::kExactSynonym);
}

TEST(WordNetLoader, HypernymsAndInstanceHypernymsBecomeLinks) {
  const test::Loaded wordnet = test::finished(parse(kData));
  EXPECT_THAT(wordnet.parents("00001740-n"), IsEmpty());
  EXPECT_THAT(wordnet.parents("00002084-n"), ElementsAre("00001740-n"));
  EXPECT_THAT(wordnet.parents("00002999-n"), ElementsAre("00001740-n", "00002084-n"));
  EXPECT_THAT(wordnet.parents("00003500-n"), ElementsAre("00002084-n", "00002999-n"));
}

// Told from both ends, kept once; parts of other parts of speech and of topics (;c) are none.
TEST(WordNetLoader, PartsMembersAndSubstancesAreKeptBesideTheTaxonomy) {
  const test::Loaded wordnet = test::finished(parse(
      "00000001 03 n 01 thing 0 000 | x\n"
      "00000002 03 n 01 car 0 003 @ 00000001 n 0000 %p 00000003 n 0000 ;c 00000004 n 0000 | x\n"
      "00000003 03 n 01 wheel 0 003 @ 00000001 n 0000 #p 00000002 n 0000 #m 00000004 n 0000 | x\n"
      "00000004 03 n 01 fleet 0 002 @ 00000001 n 0000 %s 00000002 n 0000 | x\n",
      "car n 1 0 1 0 00000002\nfleet n 1 0 1 0 00000004\nthing n 1 0 1 0 00000001\n"
      "wheel n 1 0 1 0 00000003\n"));
  const auto wholes = [&](const char* id) {
    std::vector<std::string> ids;
    for (const ConceptId c : wordnet.names->wholes(wordnet.find(id))) {
      ids.emplace_back(wordnet.names->id(c));
    }
    return ids;
  };
  EXPECT_THAT(wholes("00000001-n"), IsEmpty());
  EXPECT_THAT(wholes("00000002-n"), ElementsAre("00000004-n"));
  EXPECT_THAT(wholes("00000003-n"), ElementsAre("00000002-n", "00000004-n"));
  EXPECT_THAT(wordnet.parents("00000003-n"), ElementsAre("00000001-n"));
  EXPECT_FALSE(
      parse("00000001 03 n 01 thing 0 001 #p 00000009 n 0000 | x\n", "thing n 1 0 1 0 00000001\n"));
}

TEST(WordNetLoader, ASenseIsTheSynsetsPlaceInTheIndex) {
  const test::Loaded wordnet = test::finished(parse(kData));
  const auto senses = [&](std::string_view id) {
    const ConceptId c = wordnet.find(id);
    std::map<std::string, int> by_word;
    for (TermId t = wordnet.names->first_term(c); t < wordnet.names->last_term(c); ++t) {
      by_word.emplace(wordnet.names->term(t).text, wordnet.names->term(t).sense);
    }
    return by_word;
  };
  EXPECT_EQ(senses("00002084-n"),
            (std::map<std::string, int>{
                {"00002084-n", 0}, {"dog", 2}, {"domestic dog", 1}, {"Canis familiaris", 1}}));
  EXPECT_EQ(senses("00002999-n"),
            (std::map<std::string, int>{{"00002999-n", 0}, {"frank", 1}, {"dog", 1}}));
}

TEST(WordNetLoader, CapitalsBeyondAsciiAreFoundInTheIndex) {
  const auto draft =
      parse("00001740 15 n 01 Århus 0 000 | a port\n", "århus n 1 0 1 0 00001740  \n");
  EXPECT_TRUE(draft) << draft.error().message;
}

TEST(WordNetLoader, TheGlossIsTheDefinition) {
  const test::Loaded wordnet = test::finished(parse(kData));
  EXPECT_EQ(wordnet.names->definition(wordnet.find("00002084-n")),
            "a member of the genus Canis; \"the dog barked\"");
  EXPECT_EQ(wordnet.names->definition(wordnet.find("00002999-n")), "a | b");
  EXPECT_EQ(wordnet.names->definition(wordnet.find("00003500-n")), "the dog Rex");
}

TEST(WordNetLoader, TheLicenceNamesTheVersion) {
  const auto draft = parse(kData);
  ASSERT_TRUE(draft);
  EXPECT_EQ(draft->info.format, "wordnet");
  EXPECT_EQ(draft->info.version, "3.0");
  EXPECT_TRUE(draft->info.names_are_equal);
  EXPECT_THAT(draft->info.left_out,
              ::testing::ElementsAre(Counted{"relations other than is-a and part-of", 3}));
}

TEST(WordNetLoader, HypernymsOfOtherPartsOfSpeechAreCounted) {
  const auto draft =
      parse("00001740 03 n 01 entity 0 001 @ 00000001 v 0000 | x\n", "entity n 1 0 1 0 00001740\n");
  ASSERT_TRUE(draft);
  EXPECT_THAT(draft->info.left_out, ElementsAre(Counted{"hypernyms that are no nouns", 1}));
}

TEST(WordNetLoader, ExceptionsLeadToEachBase) {
  const test::Loaded wordnet = test::finished(
      parse(kData, kIndex, "ancones ancon ancone\nbains_marie bain_marie \r\n\nmice mouse"));
  EXPECT_THAT(wordnet.names->exceptions("mice"), ElementsAre("mouse"));
  EXPECT_THAT(wordnet.names->exceptions("ancones"), ElementsAre("ancon", "ancone"));
  EXPECT_THAT(wordnet.names->exceptions("bains marie"), ElementsAre("bain marie"));
}

TEST(WordNetLoader, OffsetsNeedNotAscend) {
  const test::Loaded wordnet = test::finished(
      parse("00009000 03 n 01 b 0 001 @ 00001000 n 0000 | x\n00001000 03 n 01 a 0 000 | y\n",
            "a n 1 0 1 0 00001000\nb n 1 0 1 0 00009000\n"));
  EXPECT_EQ(wordnet.names->label(0), "a");
  EXPECT_THAT(wordnet.parents("00009000-n"), ElementsAre("00001000-n"));
}

struct Malformed {
  const char* data;
  const char* index;
  const char* exceptions;
  const char* place;  // as the error is described
  const char* message;
};
class WordNetMalformed : public ::testing::TestWithParam<Malformed> {};
TEST_P(WordNetMalformed, IsAnErrorWithFileAndLine) {
  const Malformed& m = GetParam();
  const auto draft = parse(m.data, m.index, m.exceptions);
  ASSERT_FALSE(draft);
  EXPECT_EQ(draft.error().code, ErrorCode::kData);
  const std::string text = describe(draft.error(), Quote::kShow);
  EXPECT_THAT(text, ::testing::StartsWith(m.place));
  EXPECT_THAT(text, HasSubstr(m.message));
}

constexpr const char* kEntity = "00001740 03 n 01 entity 0 000 | x\n";
constexpr const char* kEntityIndex = "entity n 1 0 1 0 00001740\n";
INSTANTIATE_TEST_SUITE_P(
    , WordNetMalformed,
    ::testing::Values(
        Malformed{"", kEntityIndex, "", "dict/data.noun: ", "no synset"},
        Malformed{"  1 licence\n1740 03 n 01 entity 0 000 | x\n", kEntityIndex, "",
                  "dict/data.noun:2: ", "eight digits"},
        Malformed{"0000174a 03 n 01 entity 0 000 | x\n", kEntityIndex, "",
                  "dict/data.noun:1: ", "eight digits"},
        Malformed{"000017400 03 n 01 entity 0 000 | x\n", kEntityIndex, "",
                  "dict/data.noun:1: ", "eight digits"},
        Malformed{"\n", kEntityIndex, "", "dict/data.noun:1: ", "eight digits"},
        Malformed{"00001740 03 v 01 be 0 000 | x\n", kEntityIndex, "",
                  "dict/data.noun:1: ", "the type n"},
        Malformed{"00001740 03 n 00 000 | x\n", kEntityIndex, "",
                  "dict/data.noun:1: ", "number of words"},
        Malformed{"00001740 03 n zz entity 0 000 | x\n", kEntityIndex, "",
                  "dict/data.noun:1: ", "number of words"},
        Malformed{"00001740 03 n ff entity 0\n", kEntityIndex, "",
                  "dict/data.noun:1: ", "as many words"},
        Malformed{"00001740 03 n 01 entity 0 x\n", kEntityIndex, "",
                  "dict/data.noun:1: ", "number of pointers"},
        Malformed{"00001740 03 n 01 entity 0 999 @ 00001740 n 0000 | x\n", kEntityIndex, "",
                  "dict/data.noun:1: ", "as many pointers"},
        Malformed{"00001740 03 n 01 entity 0 001 @ 000x1740 n 0000 | x\n", kEntityIndex, "",
                  "dict/data.noun:1: ", "as many pointers"},
        Malformed{"00001740 03 n 01 entity 0 001 @ 00001740 n 00001 | x\n", kEntityIndex, "",
                  "dict/data.noun:1: ", "as many pointers"},
        Malformed{"00001740 03 n 01 entity 0 000 x\n", kEntityIndex, "",
                  "dict/data.noun:1: ", "a gloss"},
        Malformed{"00001740 03 n 01 entity 0 000 | x\n00001740 03 n 01 thing 0 000 | x\n",
                  kEntityIndex, "", "dict/data.noun:2: \"00001740-n\"", "on line 1"},
        Malformed{"  1 licence\n00001740 03 n 01 entity 0 001 @ 00009999 n 0000 | x\n",
                  kEntityIndex, "", "dict/data.noun:2: \"00009999\"", "no synset of this file"},
        Malformed{"00001740 03 n 01 \xFF 0 000 | x\n", kEntityIndex, "",
                  "dict/data.noun:1: ", "UTF-8"},
        Malformed{kEntity, "", "", "dict/index.noun: ", "no word"},
        Malformed{kEntity, "  1 licence\n\n", "", "dict/index.noun:2: ", "a word and the type n"},
        Malformed{kEntity, "entity v 1 0 1 0 00001740\n", "", "dict/index.noun:1: ", "the type n"},
        Malformed{kEntity, "entity n x 0 1 0 00001740\n", "", "dict/index.noun:1: ", "numbers"},
        Malformed{kEntity, "entity n 1 99 @ 1 0 00001740\n", "", "dict/index.noun:1: ", "symbols"},
        Malformed{kEntity, "entity n 1 0 1 x 00001740\n", "", "dict/index.noun:1: ", "senses"},
        Malformed{kEntity, "entity n 2 0 2 0 00001740\n", "", "dict/index.noun:1: ", "offsets"},
        Malformed{kEntity, "entity n 1 0 1 0 00001741\n", "", "dict/index.noun:1: \"entity\"",
                  "no synset 00001741"},
        Malformed{kEntity, "entity n 1 0 1 0 00001740\nthing n 1 0 1 0 00001740\n", "",
                  "dict/index.noun:2: \"thing\"", "no synset 00001740 with this word"},
        Malformed{kEntity, kEntityIndex, "mice mouse\nalone\n", "dict/noun.exc:2: ", "base forms"},
        Malformed{kEntity, kEntityIndex, " mouse\n", "dict/noun.exc:1: ", "base forms"}));

TEST(WordNetLoader, ANulByteIsAnError) {
  const auto draft = parse(std::string_view("00001740 03 n 01 a\0b 0 000 | x\n", 31));
  ASSERT_FALSE(draft);
  EXPECT_THAT(draft.error().message, HasSubstr("NUL"));
}

TEST(WordNetLoader, FoldersAreReadWithOrWithoutExceptions) {
  namespace fs = std::filesystem;
  const test::TemporaryFolder temporary;
  const fs::path folder = temporary.path();
  EXPECT_THAT(load_wordnet(folder.string()).error().message, HasSubstr("no data.noun here"));
  std::ofstream(folder / "data.noun") << kData;
  EXPECT_THAT(load_wordnet(folder.string()).error().place.file, HasSubstr("index.noun"));
  std::ofstream(folder / "index.noun") << kIndex;
  EXPECT_EQ(load_wordnet(folder.string())->concepts(), 4U);
  std::ofstream(folder / "noun.exc") << "alone\n";
  EXPECT_EQ(load_wordnet(folder.string()).error().place.file, (folder / "noun.exc").string());

  ASSERT_EQ(::setenv("WNSEARCHDIR", folder.c_str(), 1), 0);
  EXPECT_EQ(find_wordnet().value(), (folder / "").string());
  ASSERT_EQ(::setenv("WNSEARCHDIR", (folder / "absent").c_str(), 1), 0);
  EXPECT_THAT(find_wordnet().error().message, HasSubstr("$WNSEARCHDIR"));
  ASSERT_EQ(::unsetenv("WNSEARCHDIR"), 0);

  // What semveil brings along is for those who have no other.
  const fs::path own = folder / "semveil" / "bin", snapshot = "share/semveil/wordnet.svo.zst";
  fs::create_directories((own.parent_path() / snapshot).parent_path());
  const std::string absent = (folder / "absent").string(), present = folder.string();
  const std::array<const char*, 2> both{absent.c_str(), present.c_str()};
  const std::span<const char* const> one(both.data(), 1);
  EXPECT_THAT(find_wordnet(one, own).error().message, HasSubstr("wordnet-base"));
  EXPECT_FALSE(find_wordnet(one, {}));
  std::ofstream(own.parent_path() / snapshot) << "a snapshot";
  EXPECT_EQ(find_wordnet(one, own).value(), (own.parent_path() / snapshot).string());
  EXPECT_EQ(find_wordnet(both, own).value(), present);
}

// Counts of a script over the files; 35 words stand twice in a synset but for capitals, which the
// man page wnstats(7) counts once: 146,312.
TEST(WordNetLoader, ReadsAllOfWordNet3) {
  const auto folder = find_wordnet();
  if (!folder) SEMVEIL_SKIP_WITHOUT("an installed WordNet (/usr/share/wordnet)");
  auto draft = load_wordnet(*folder);
  ASSERT_TRUE(draft) << describe(draft.error(), Quote::kShow);
  if (draft->info.version != "3.0") SEMVEIL_SKIP_WITHOUT("WordNet 3.0");
  EXPECT_EQ(draft->concepts(), 82'115U);
  EXPECT_EQ(draft->terms(), 82'115U + 146'312U + 35U);
  const test::Loaded wordnet = test::finished(std::move(draft));
  EXPECT_EQ(wordnet.taxonomy->size(), 82'115U);
  EXPECT_EQ(wordnet.taxonomy->arrays().parents.size(), 84'427U);
  EXPECT_FALSE(wordnet.taxonomy->has_virtual_root());
  EXPECT_EQ(wordnet.taxonomy->max_depth(), 20U);
  EXPECT_EQ(wordnet.names->label(0), "entity");

  const ConceptId dog = wordnet.find("02084071-n");
  EXPECT_EQ(wordnet.names->label(dog), "dog");
  EXPECT_THAT(wordnet.names->definition(dog), ::testing::StartsWith("a member of the genus Canis"));
  EXPECT_EQ(wordnet.taxonomy->parents(dog).size(), 2U);
  EXPECT_THAT(wordnet.names->exceptions("mice"), ElementsAre("mouse"));
  for (TermId t = 0; t < wordnet.names->terms(); ++t) {
    const Term term = wordnet.names->term(t);
    const bool is_common_id =
        term.kind == TermKind::kId && !is_instance(*wordnet.names, term.concept_id);
    ASSERT_EQ(term.sense == 0, is_common_id) << term.text;
  }
  EXPECT_FALSE(is_instance(*wordnet.names, dog));
  EXPECT_FALSE(is_instance(*wordnet.names, wordnet.find("10078806-n")));  // a farmer
  EXPECT_TRUE(is_instance(*wordnet.names, wordnet.find("10966496-n")));   // Fannie Farmer
}

}  // namespace
}  // namespace semveil
