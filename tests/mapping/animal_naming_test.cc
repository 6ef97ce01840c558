// 9,102 animals as 516 people typed them, mapped to WordNet: what the ladder is for.
//
// The answers hold plurals, capitals, joined and parted words, misspellings, and a few whole lists
// in one field. Misspellings must stay unmapped, with the right word suggested.
#include <fmt/format.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <array>
#include <map>

#include "base/csv.h"
#include "mapping/small_ontology.h"
#include "support/data.h"

namespace semveil {
namespace {

using AnswerCounts = std::map<std::string, std::uint64_t>;

AnswerCounts answers_in(const std::string& path) {
  AnswerCounts counts;
  auto reader = CsvReader::open(path);
  if (!reader) throw std::runtime_error(reader.error().message);
  constexpr std::size_t kAnswer = 4;
  bool header = true;
  for (;;) {
    const auto record = reader->next();
    if (!record) throw std::runtime_error(record.error().message);
    if (!*record) return counts;
    if (!header) ++counts[std::string((**record)[kAnswer])];
    header = false;
  }
}

TEST(AnimalNaming, MapsNineteenOfTwentyAnswers) {
  const auto path = test::data_file("animal-naming/animal_naming_long.csv.gz");
  if (!path) SEMVEIL_SKIP_WITHOUT("animal-naming/animal_naming_long.csv.gz");
  const auto wordnet = test::installed_wordnet();
  if (!wordnet) SEMVEIL_SKIP_WITHOUT("an installed WordNet");
  const Mapper mapper = test::mapper_of(*wordnet);
  const AnswerCounts answers = answers_in(*path);

  MappingOptions options;
  options.suggestions = 5;
  const auto mapping = map_values({answers.begin(), answers.end()}, mapper, *wordnet, options);
  ASSERT_TRUE(mapping) << mapping.error().message;
  ASSERT_EQ(mapping->records, 9102U);

  std::map<How, std::uint64_t> by_how;
  std::map<std::string, const MappedValue*> values;
  std::string unmapped;
  int shown = 0;
  for (const MappedValue& value : mapping->values) {
    by_how[value.how] += value.count;
    values[value.value] = &value;
    if (value.how != How::kUnmapped || ++shown > 20) continue;
    unmapped += fmt::format("  {:3} {}:", value.count, value.value);
    for (const Suggestion& s : value.suggestions) unmapped += " " + s.text + ",";
    unmapped += '\n';
  }
  for (const auto& [how, count] : by_how) {
    fmt::print("{:>10} {:5} {:6.2f} %\n", to_string(how), count,
               100.0 * static_cast<double>(count) / 9102);
  }
  fmt::print("most frequent unmapped:\n{}", unmapped);
  EXPECT_GE(static_cast<double>(mapping->records - by_how[How::kUnmapped]), 0.93 * 9102);

  struct Misspelling {
    const char* typed;
    const char* meant;
  };
  constexpr std::array<Misspelling, 12> kMisspellings{{
      {"aligator", "alligator"},
      {"hampster", "hamster"},
      {"girrafe", "giraffe"},
      {"gorrilla", "gorilla"},
      {"lizzard", "lizard"},
      {"turlte", "turtle"},
      {"ardvark", "aardvark"},
      {"dophin", "dolphin"},
      {"platapus", "platypus"},
      {"rhinocerous", "rhinoceros"},
      {"kangroo", "kangaroo"},
      {"penquin", "penguin"},
  }};
  for (const auto& [typed, meant] : kMisspellings) {
    ASSERT_TRUE(values.contains(typed)) << typed;
    const MappedValue& value = *values[typed];
    EXPECT_EQ(value.how, How::kUnmapped) << typed;
    EXPECT_THAT(value.suggestions, testing::Contains(testing::Field(&Suggestion::text, meant)))
        << typed;
  }
}

}  // namespace
}  // namespace semveil
