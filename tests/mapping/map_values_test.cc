#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <limits>

#include "mapping/small_ontology.h"
#include "support/data.h"
#include "support/generate.h"

namespace semveil {
namespace {

using test::mapper_of;
using test::Random;
using test::SmallOntology;
using testing::ElementsAre;

using CountedTexts = std::vector<std::pair<std::string, std::uint64_t>>;

std::string shown(const MappedValue& value, const Names& names) {
  std::string text = value.value + " " + std::to_string(value.count) + " " +
                     std::string(to_string(value.how)) + " " +
                     (value.concept_id ? std::string(names.id(*value.concept_id)) : "-") + " [";
  for (const ConceptId c : value.senses) text += std::string(names.id(c)) + " ";
  text += "]";
  for (const Suggestion& s : value.suggestions) {
    text += " " + s.text + "/" + std::string(names.id(s.concept_id));
  }
  return text;
}

std::vector<std::string> shown(const Result<ColumnMapping>& mapping, const Names& names) {
  std::vector<std::string> lines;
  if (!mapping) return {mapping.error().message};
  for (const MappedValue& value : mapping->values) lines.push_back(shown(value, names));
  return lines;
}

// "bat" is an animal or a club, "crane" a bird or a machine; sense order prefers the tools.
class MapValues : public testing::Test {
 protected:
  std::vector<std::string> mapped(CountedTexts counts, const MappingOptions& options = {}) const {
    return shown(map_values(std::move(counts), mapper_, ontology_, options), mapper_.names());
  }
  MappingOptions below(std::string_view id) const {
    MappingOptions options;
    options.root = test::concept_of(mapper_, id);
    return options;
  }

  Ontology ontology_ = SmallOntology("edges")
                           .label("0", {}, "thing")
                           .label("1", {"0"}, "tool")
                           .label("2", {"0"}, "animal")
                           .label("11", {"1"}, "bat")
                           .label("12", {"1"}, "crane")
                           .label("13", {"1"}, "hammer")
                           .label("21", {"2"}, "bat")
                           .label("22", {"2"}, "crane")
                           .label("23", {"2"}, "lion")
                           .finish();
  Mapper mapper_ = mapper_of(ontology_);
};

TEST_F(MapValues, ChoosesTheSenseNearestToTheColumn) {
  EXPECT_THAT(
      mapped({{"bat", 1}, {"lion", 2}, {"crane", 1}}),
      ElementsAre("lion 2 label 23 [23 ]", "bat 1 label 21 [11 21 ]", "crane 1 label 22 [12 22 ]"));
  EXPECT_THAT(
      mapped({{"bat", 1}, {"hammer", 2}, {"lion", 1}}),
      ElementsAre("hammer 2 label 13 [13 ]", "bat 1 label 11 [11 21 ]", "lion 1 label 23 [23 ]"));
}

TEST_F(MapValues, TakesTheEarlierSenseOfATie) {
  EXPECT_THAT(mapped({{"bat", 7}}), ElementsAre("bat 7 label 11 [11 21 ]"));
  EXPECT_THAT(mapped({{"bat", 7}, {"lion", 3}, {"hammer", 3}})[0], "bat 7 label 11 [11 21 ]");
}

TEST_F(MapValues, TakesTheFirstSenseWhenTold) {
  MappingOptions options;
  options.senses = Senses::kFirst;
  EXPECT_THAT(mapped({{"bat", 1}, {"lion", 9}}, options)[1], "bat 1 label 11 [11 21 ]");
}

TEST_F(MapValues, KeepsToTheDomain) {
  EXPECT_THAT(mapped({{"bat", 3}, {"hammer", 2}, {"lino", 1}, {"hamer", 1}}, below("2")),
              ElementsAre("bat 3 label 21 [21 ]", "hammer 2 outside - [13 ]",
                          "hamer 1 unmapped - []", "lino 1 unmapped - [] lion/23"));
  EXPECT_THAT(mapped({{"hamer", 1}}), ElementsAre("hamer 1 unmapped - [] hammer/13"));
}

TEST_F(MapValues, CountsEachValueOnceAndOrdersByCountThenBytes) {
  const Result<ColumnMapping> mapping =
      map_values({{"lion", 1}, {"Lion", 2}, {"bat", 0}, {"lion", 1}}, mapper_, ontology_, {});
  ASSERT_TRUE(mapping);
  EXPECT_EQ(mapping->records, 4U);
  EXPECT_THAT(shown(mapping, mapper_.names()),
              ElementsAre("Lion 2 normalised 23 [23 ]", "lion 2 label 23 [23 ]",
                          "bat 0 label 21 [11 21 ]"));
  EXPECT_TRUE(mapped({}).empty());
}

TEST_F(MapValues, TakesTheFilesWord) {
  auto file = MappingFile::parse("value,concept\nbat,11\nlion,\nhammer,22\n", "m.csv", ontology_);
  ASSERT_TRUE(file);
  const Mapper mapper = mapper_of(ontology_, std::make_shared<const MappingFile>(*std::move(file)));
  const CountedTexts counts{{"bat", 4}, {"hammer", 3}, {"lion", 2}, {"crane", 1}};
  EXPECT_THAT(shown(map_values(counts, mapper, ontology_, below("2")), mapper.names()),
              ElementsAre("bat 4 outside - [11 ]", "hammer 3 file 22 [22 ]",
                          "lion 2 unmapped - [] lion/23", "crane 1 label 22 [22 ]"));
}

TEST_F(MapValues, RefusesARootThatIsNotThere) {
  MappingOptions options;
  options.root = 999;
  EXPECT_FALSE(map_values({{"bat", 1}}, mapper_, ontology_, options));
}

// The sum as the header writes it, over pairs, without lists or rows.
ConceptId slow_choice(const MappedValue& asked, const std::vector<MappedValue>& values,
                      const Domain& domain, const Measure& measure) {
  const auto sd = [&](ConceptId a, ConceptId b) {
    return measure.distance(*domain.in_domain(a), *domain.in_domain(b));
  };
  std::vector<double> cost;
  for (const ConceptId s : asked.senses) {
    double sum = 0, total = 0;
    for (const MappedValue& w : values) {
      if (!w.concept_id) continue;
      double nearest = std::numeric_limits<double>::infinity();
      for (const ConceptId other : w.senses) nearest = std::min(nearest, sd(s, other));
      sum += static_cast<double>(w.count) * nearest;
      total += static_cast<double>(w.count);
    }
    cost.push_back(sum / total);
  }
  const double least = *std::min_element(cost.begin(), cost.end());
  std::size_t first = 0;
  while (cost[first] > least + 1e-9) ++first;
  return asked.senses[first];
}

TEST(MapValuesOnGenerated, ChoosesLikeItsTwinForAnyNumberOfThreads) {
  std::size_t ambiguous = 0;
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    Random random(seed);
    SmallOntology small;
    const std::size_t size = 20 + random.below(60);
    for (std::size_t i = 0; i < size; ++i) {
      const std::string id = "C" + std::to_string(i);
      const std::string word = "word" + std::to_string(random.below(size / 3));
      const auto parent = [&] { return "C" + std::to_string(random.below(i)); };
      if (i == 0 || (seed % 4 == 0 && random.one_in(10))) {
        small.label(id, {}, word);  // several roots now and then
      } else if (random.one_in(3)) {
        small.label(id, {parent(), parent()}, word);
      } else {
        small.label(id, {parent()}, word);
      }
    }
    const Ontology ontology = small.finish();
    const Mapper mapper = mapper_of(ontology);
    CountedTexts counts;
    for (std::size_t w = 0; w < size / 3; ++w) {
      counts.emplace_back("word" + std::to_string(w), 1 + random.below(50));
      if (random.one_in(3)) counts.emplace_back("wrod" + std::to_string(w), 1 + random.below(9));
    }
    MappingOptions options;
    if (seed % 2 == 0)
      options.root = test::concept_of(mapper, "C" + std::to_string(random.below(3)));
    options.measure.name = seed % 3 == 0 ? "lin" : "wu-palmer";
    const Result<ColumnMapping> mapping = map_values(counts, mapper, ontology, options);
    ASSERT_TRUE(mapping) << mapping.error().message;
    const auto taxonomy = *ontology.taxonomy();
    const Domain domain =
        options.root ? Domain::subtree(taxonomy, *options.root) : Domain::whole(taxonomy);
    const auto measure = *make_measure(domain.taxonomy(), options.measure);
    for (const MappedValue& value : mapping->values) {
      if (!value.concept_id) continue;
      ambiguous += value.senses.size() > 1 ? 1 : 0;
      EXPECT_EQ(*value.concept_id, slow_choice(value, mapping->values, domain, *measure))
          << seed << " " << value.value;
    }
    const std::vector<std::string> expected = shown(mapping, mapper.names());
    for (const unsigned threads : {0U, 2U, 7U, 500U}) {
      options.threads = threads;
      EXPECT_EQ(shown(map_values(counts, mapper, ontology, options), mapper.names()), expected);
    }
  }
  EXPECT_GT(ambiguous, 200U);
}

TEST(MapValuesOnWordNet, FindsTheAnimalsInTheDomainOfAnimals) {
  const auto wordnet = test::installed_wordnet();
  if (!wordnet) SEMVEIL_SKIP_WITHOUT("an installed WordNet");
  const Mapper mapper = mapper_of(*wordnet);
  MappingOptions options;
  options.root = test::concept_of(mapper, "animal.n.01");
  const auto mapping = map_values({{"dog", 9}, {"wolf", 5}, {"seal", 4}, {"crane", 2}, {"desk", 1}},
                                  mapper, *wordnet, options);
  ASSERT_TRUE(mapping);
  EXPECT_THAT(
      shown(mapping, mapper.names()),
      ElementsAre("dog 9 label 02084071-n [02084071-n ]", "wolf 5 label 02114100-n [02114100-n ]",
                  "seal 4 label 02076196-n [02076196-n ]", "crane 2 label 02012849-n [02012849-n ]",
                  "desk 1 outside - [03179701-n ]"));
  // Without a root the company decides: an actor called Fox is no neighbour of wolves.
  const auto whole = map_values({{"wolf", 5}, {"fox", 3}, {"dog", 9}}, mapper, *wordnet, {});
  ASSERT_TRUE(whole);
  EXPECT_EQ(whole->values[2].concept_id, test::concept_of(mapper, "fox.n.01"));
}

}  // namespace
}  // namespace semveil
