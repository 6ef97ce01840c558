// The rank swapping paper's patients (1,172 and 1,012, with a principal diagnosis, a procedure and
// a secondary diagnosis) are not public. In their place:
//
//   animals  three answers in a row of people who typed all animals they could think of: who
//            thinks of a lion thinks of a tiger next. WordNet, below animal. Twice changed, to
//            see what decides: without frequent categories, and with columns that go together
//            value by value
//   Synthea  three diseases found in a patient one after another, each counted when it is first
//            found. Disease Ontology
//   Adult    relationship, marital status and occupation, as persons of WordNet
//
// A row of more than three gives every three neighbours; of all these triples every so-manieth is a
// record, so that samples have the paper's size.
#include "reproduce/swap_data.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <map>
#include <random>

#include "reproduce/noise_adult.h"

namespace semveil::reproduction {
namespace {

constexpr std::string_view kAnimal = "00015388-n";
constexpr std::size_t kAnimalStep = 6;
constexpr std::size_t kDiseaseStep = 4;
constexpr unsigned kRare = 3;  // records of a category
constexpr std::size_t kWidth = 3;

using Row = std::vector<ConceptId>;

std::vector<std::array<ConceptId, kWidth>> triples_of(std::span<const Row> rows) {
  std::vector<std::array<ConceptId, kWidth>> out;
  for (const Row& row : rows) {
    for (std::size_t i = 0; i + kWidth <= row.size(); ++i) {
      out.push_back({row[i], row[i + 1], row[i + 2]});
    }
  }
  return out;
}

void add(std::span<const ConceptId> triple, Records& records) {
  records.columns.resize(kWidth);
  for (std::size_t j = 0; j < kWidth; ++j) records.columns[j].push_back(triple[j]);
}

void add_every(std::size_t step, std::span<const Row> rows, Records& records) {
  const auto triples = triples_of(rows);
  for (std::size_t i = 0; i < triples.size(); i += step) add(triples[i], records);
}

// Those that make no value of a column more frequent than that, in their order.
void add_rare(unsigned most, std::span<const Row> rows, Records& records) {
  std::array<std::map<ConceptId, unsigned>, kWidth> counts;
  for (const auto& triple : triples_of(rows)) {
    bool rare = true;
    for (std::size_t j = 0; j < kWidth; ++j) rare = rare && counts[j][triple[j]] < most;
    if (!rare) continue;
    for (std::size_t j = 0; j < kWidth; ++j) ++counts[j][triple[j]];
    add(triple, records);
  }
}

// Each value with one that belongs to it alone: the same values in another order. The generator is
// the standard's own, whose numbers are fixed; its distributions are not.
std::vector<ConceptId> paired(const std::vector<ConceptId>& column, std::mt19937& random) {
  std::vector<ConceptId> values = column;
  std::ranges::sort(values);
  values.erase(std::unique(values.begin(), values.end()), values.end());
  std::vector<ConceptId> others = values;
  for (std::size_t i = others.size(); i > 1; --i) std::swap(others[i - 1], others[random() % i]);
  std::vector<ConceptId> out;
  out.reserve(column.size());
  for (const ConceptId value : column) {
    out.push_back(
        others[static_cast<std::size_t>(std::ranges::lower_bound(values, value) - values.begin())]);
  }
  return out;
}

std::string share(std::size_t part, std::size_t whole, std::string_view of) {
  return fmt::format("{} of {} {} ({:.0f} %)", part, whole, of,
                     100.0 * static_cast<double>(part) / static_cast<double>(whole));
}

struct People {
  std::vector<Row> rows;  // what each named
  SwapSample sample;      // with attributes, without records
};
Result<People> animals_of_people(const ReproduceOptions& options) {
  constexpr std::array<std::string_view, 2> kWanted{"participant", "answer"};
  const auto rows = read_rows(options, kAnimals, kWanted);
  if (!rows) return fail(rows.error());
  auto coder = Coder::open("animal", "wordnet", "", kAnimal, options);
  if (!coder) return fail(coder.error());
  People out;
  out.sample.records.attributes = {coder->attribute(), coder->attribute("next animal"),
                                   coder->attribute("animal after that")};
  std::map<std::string, std::size_t> place;  // of a person
  std::size_t mapped = 0;
  for (const auto& row : *rows) {
    const auto [at, first] = place.try_emplace(row[0], out.rows.size());
    if (first) out.rows.emplace_back();
    const auto animal = coder->code(row[1]);
    if (!animal) continue;
    ++mapped;
    out.rows[at->second].push_back(*animal);
  }
  out.sample.notes.push_back(share(mapped, rows->size(), "answers") + " are animals of WordNet");
  return out;
}

}  // namespace

std::span<const DataFile> swap_files() {
  static constexpr std::array kFiles{kAnimals, kDiseases, kConditions, kAdult};
  return kFiles;
}

Result<SwapSample> named_animals(const ReproduceOptions& options) {
  auto people = animals_of_people(options);
  if (!people) return fail(people.error());
  SwapSample out = std::move(people->sample);
  out.title = "Animals named one after another, in WordNet";
  add_every(kAnimalStep, people->rows, out.records);
  out.notes.back() += fmt::format("; every {}th three in a row.", kAnimalStep);
  return out;
}

Result<SwapSample> rare_animals(const ReproduceOptions& options) {
  auto people = animals_of_people(options);
  if (!people) return fail(people.error());
  SwapSample out = std::move(people->sample);
  out.title = fmt::format("Animals, each at most {} times in a column", kRare);
  add_rare(kRare, people->rows, out.records);
  out.notes.back() +=
      "; all three in a row, without those that would make a category more frequent. A smaller "
      "sample, to see what frequent categories do.";
  return out;
}

Result<SwapSample> paired_animals(const ReproduceOptions& options) {
  auto out = named_animals(options);
  if (!out) return fail(out.error());
  out->title = "Animals, each with two that belong to it alone";
  out->notes = {
      "The first column of the animals above; the others have its values in another order, so that "
      "what goes together are single values and not broad classes."};
  std::mt19937 random(1);
  for (std::size_t j = 1; j < kWidth; ++j) {
    out->records.columns[j] = paired(out->records.columns[0], random);
    Attribute attribute = *out->records.attributes[j];
    attribute.name = j == 1 ? "its second" : "its third";
    out->records.attributes[j] = std::make_shared<const Attribute>(std::move(attribute));
  }
  return out;
}

Result<SwapSample> found_diseases(const ReproduceOptions& options) {
  constexpr std::array<std::string_view, 3> kWanted{"PATIENT", "START", "DESCRIPTION"};
  auto rows = read_rows(options, kConditions, kWanted);
  if (!rows) return fail(rows.error());
  auto coder = Coder::open("disease", path_of(options, kDiseases), kDiseaseDecisions, "", options);
  if (!coder) return fail(coder.error());
  SwapSample out;
  out.title = "Synthea: diseases as they were found in patients, in the Disease Ontology";
  out.records.attributes = {coder->attribute(), coder->attribute("next disease"),
                            coder->attribute("disease after that")};
  std::ranges::stable_sort(*rows, {}, [](const auto& row) { return row[1]; });
  std::map<std::string, Row> patients;
  std::size_t mapped = 0;
  for (const auto& row : *rows) {
    const auto disease = coder->code(without_kind(row[2]));
    if (!disease) continue;
    ++mapped;
    Row& found = patients[row[0]];
    if (std::ranges::find(found, *disease) == found.end()) found.push_back(*disease);
  }
  std::vector<Row> in_order;
  in_order.reserve(patients.size());
  for (auto& [patient, found] : patients) in_order.push_back(std::move(found));
  add_every(kDiseaseStep, in_order, out.records);
  out.notes.push_back(fmt::format(
      "{} are diseases of the ontology; every {}th three in a row, a disease counted once for a "
      "patient.",
      share(mapped, rows->size(), "conditions"), kDiseaseStep));
  return out;
}

Result<SwapSample> adult_families(const ReproduceOptions& options) {
  const auto rows = read_adult(options, {kRelationshipColumn, kMaritalColumn, kOccupationColumn});
  if (!rows) return fail(rows.error());
  auto family = Coder::open("relationship", "wordnet", kFamilyDecisions, kPerson, options);
  if (!family) return fail(family.error());
  auto work = Coder::open("occupation", "wordnet", occupation_decisions(), kPerson, options);
  if (!work) return fail(work.error());
  SwapSample out;
  out.title = "Adult: household and work, as persons of WordNet";
  out.records.attributes = {family->attribute(), family->attribute("marital-status"),
                            work->attribute()};
  for (const auto& row : *rows) {
    const auto relationship = family->code(row[0]);
    const auto marital = family->code(row[1]);
    const auto occupation = work->code(row[2]);
    if (relationship && marital && occupation) {
      add(std::array{*relationship, *marital, *occupation}, out.records);
    }
  }
  out.notes.push_back(fmt::format("Every {}th record of Adult; {} of {} complete ones mapped.",
                                  kAdultStep, out.records.size(), rows->size()));
  return out;
}

}  // namespace semveil::reproduction
