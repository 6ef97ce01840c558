// The survey's look-alike has the repetitions that the thesis prints.
#include "reproduce/survey.h"

#include <gtest/gtest.h>

#include <map>
#include <set>

#include "reproduce/forerunners.h"
#include "reproduce/fuse_trial.h"

namespace semveil::test {
namespace {

using reproduction::draw_survey;
using reproduction::kRepetitions;
using reproduction::Survey;
using reproduction::SurveySpace;

// Thesis, Table 5, its last line and its first.
TEST(Survey, HasTheRepetitionsOfTheThesis) {
  for (unsigned seed = 1; seed <= reproduction::kSurveys; ++seed) {
    const Survey survey = draw_survey(seed);
    ASSERT_EQ(survey.answers.size(), 211U);
    EXPECT_EQ(std::set(survey.answers.begin(), survey.answers.end()).size(), 211U);
    std::map<std::uint64_t, std::size_t> answers;
    std::uint64_t records = 0;
    for (const std::uint64_t count : survey.counts) {
      ++answers[count];
      records += count;
    }
    EXPECT_EQ(records, 975U);
    EXPECT_EQ(answers[1], 118U);
    EXPECT_EQ(answers.size(), 23U);
    for (const auto& [count, n] : kRepetitions) EXPECT_EQ(answers[count], n) << count;
    for (const auto& [first, second] : survey.answers) EXPECT_NE(first, second);
  }
  EXPECT_NE(draw_survey(1).answers, draw_survey(2).answers);
}

// The generator is fixed: nothing but a change of it or of the list of reasons moves these.
TEST(Survey, IsTheSameEverywhere) {
  const Survey survey = draw_survey(1);
  const auto answer = [&](std::size_t i) {
    const auto& [first, second] = survey.answers[i];
    return std::pair(reproduction::reasons()[first].name, reproduction::reasons()[second].name);
  };
  using Answer = std::pair<std::string_view, std::string_view>;
  EXPECT_EQ(answer(0), Answer("nature", "beach"));
  EXPECT_EQ(survey.counts[0], 115U);
  EXPECT_EQ(answer(1), Answer("beach", "nature"));
  EXPECT_EQ(answer(60), Answer("park", "landscape"));
  EXPECT_EQ(answer(120), Answer("family", "fauna"));
  EXPECT_EQ(answer(210), Answer("study", "childhood"));
}

// IPMU 2010, Table 1: 221 answers, 84 unique, 975 records.
TEST(Survey, OfTheForerunnersHasTheirRepetitions) {
  const auto space = SurveySpace::wordnet({});
  if (!space) GTEST_SKIP() << "WordNet is not installed: nothing drawn";
  for (unsigned seed = 1; seed <= reproduction::kSurveys; ++seed) {
    const reproduction::Answers answers = reproduction::draw_answers(*space, seed);
    ASSERT_EQ(answers.values.size(), 221U);
    ASSERT_EQ(answers.counts.size(), 221U);
    EXPECT_EQ(std::set(answers.values.begin(), answers.values.end()).size(), 221U);
    std::map<std::uint64_t, std::size_t> by_count;
    std::uint64_t records = 0;
    for (const std::uint64_t count : answers.counts) {
      ++by_count[count];
      records += count;
    }
    EXPECT_EQ(records, 975U);
    EXPECT_EQ(by_count[1], 84U);
    for (const auto& [count, n] : reproduction::kForerunnerRepetitions) {
      EXPECT_EQ(by_count[count], n) << count;
    }
    EXPECT_EQ(answers.values, reproduction::draw_answers(*space, seed).values);
  }
  EXPECT_NE(reproduction::draw_answers(*space, 1).values,
            reproduction::draw_answers(*space, 2).values);
}

TEST(Survey, ReasonsAreConceptsOfTheHierarchy) {
  const auto space = SurveySpace::vgh();
  ASSERT_TRUE(space);
  std::set<ConceptId> concepts;
  for (std::size_t r = 0; r < reproduction::reasons().size(); ++r) {
    concepts.insert(space->concept_of(r));
    EXPECT_EQ(space->attribute().id(space->concept_of(r)), reproduction::reasons()[r].name);
    EXPECT_TRUE(space->attribute().taxonomy().is_leaf(space->concept_of(r)));
    EXPECT_EQ(space->attribute().taxonomy().depth(space->concept_of(r)), 4U);
  }
  EXPECT_EQ(concepts.size(), reproduction::reasons().size());
  const FrequencyTable table = space->table(draw_survey(1));
  EXPECT_EQ(table.records, 975U);
  EXPECT_EQ(table.tuple_counts.size(), 211U);
}

}  // namespace
}  // namespace semveil::test
