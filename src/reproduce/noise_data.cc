// The framework paper's patients (1,350 with two diagnoses, 1,316 with a diagnosis and a procedure)
// are not public. In their place:
//
//   Synthea  two diseases found at the same visit, both in the Disease Ontology
//   animals  an animal that somebody named and the next one, both in WordNet: many categories
//   Adult    how somebody belongs to a household, and marital status: both as persons of WordNet,
//            or the second in ARX's hierarchy; occupation and education
//
// Values are mapped by name, and by the decisions below where names differ.
#include "reproduce/noise_data.h"

#include <fmt/format.h>

#include <array>
#include <map>

#include "reproduce/noise_adult.h"
#include "reproduce/public_data.h"
#include "reproduce/swap_data.h"

namespace semveil::reproduction {
namespace {

// Two different diseases of one visit, in the order of the file; of more than two, each with the
// next.
Result<Pairs> visits(const ReproduceOptions& options) {
  constexpr std::array<std::string_view, 2> kWanted{"ENCOUNTER", "DESCRIPTION"};
  const auto rows = read_rows(options, kConditions, kWanted);
  if (!rows) return fail(rows.error());
  auto coder =
      Coder::open("first disease", path_of(options, kDiseases), kDiseaseDecisions, "", options);
  if (!coder) return fail(coder.error());

  Pairs out;
  out.title = "Synthea: two diseases found at one visit, both in the Disease Ontology";
  out.records.attributes = {coder->attribute(), coder->attribute("second disease")};
  out.records.columns.resize(2);
  std::map<std::string, ConceptId> last;  // by visit
  std::size_t mapped = 0;
  for (const auto& row : *rows) {
    const auto disease = coder->code(without_kind(row[1]));
    if (!disease) continue;
    ++mapped;
    const auto [before, first] = last.try_emplace(row[0], *disease);
    if (first || before->second == *disease) continue;
    out.records.columns[0].push_back(before->second);
    out.records.columns[1].push_back(*disease);
    before->second = *disease;
  }
  out.notes.push_back(fmt::format(
      "{} of {} conditions ({:.0f} %) are diseases of the ontology.", mapped, rows->size(),
      100.0 * static_cast<double>(mapped) / static_cast<double>(rows->size())));
  return out;
}

Result<Pairs> named_in_a_row(const ReproduceOptions& options) {
  auto sample = named_animals(options);
  if (!sample) return fail(sample.error());
  Pairs out;
  out.title = std::move(sample->title);
  out.notes = std::move(sample->notes);
  out.records = first_columns(std::move(sample->records), 2);
  out.fine_grained = true;
  return out;
}

Result<Pairs> adult_pairs(const std::string& title, const std::vector<std::size_t>& wanted,
                          Coder& a, Coder& b, const ReproduceOptions& options) {
  const auto rows = read_adult(options, wanted);
  if (!rows) return fail(rows.error());
  Pairs out;
  out.title = title;
  out.records.attributes = {a.attribute(),
                            &a == &b ? a.attribute("marital-status") : b.attribute()};
  out.records.columns.resize(2);
  for (const auto& row : *rows) {
    const auto first = a.code(row[0]);
    const auto second = b.code(row[1]);
    if (!first || !second) continue;
    out.records.columns[0].push_back(*first);
    out.records.columns[1].push_back(*second);
  }
  out.notes.push_back(fmt::format("Every {}th record of Adult; {} of {} complete ones mapped.",
                                  kAdultStep, out.records.size(), rows->size()));
  return out;
}

Result<Coder> family(const ReproduceOptions& options) {
  return Coder::open("relationship", "wordnet", kFamilyDecisions, kPerson, options);
}

Result<Coder> hierarchy(const std::string& name, const DataFile& file,
                        const ReproduceOptions& options) {
  return Coder::open(name, "vgh:" + path_of(options, file), "", "", options);
}

}  // namespace

std::span<const DataFile> pairs_files() {
  static constexpr std::array kFiles{kAdult,    kArxEducation, kArxOccupation, kArxMarital,
                                     kDiseases, kConditions,   kAnimals};
  return kFiles;
}

Result<std::vector<Pairs>> pairs_of_one_domain(const ReproduceOptions& options) {
  auto diseases = visits(options);
  if (!diseases) return fail(diseases.error());
  auto persons = family(options);
  if (!persons) return fail(persons.error());
  auto adult = adult_pairs("Adult: relationship and marital status, both as persons of WordNet",
                           {kRelationshipColumn, kMaritalColumn}, *persons, *persons, options);
  if (!adult) return fail(adult.error());
  auto animals = named_in_a_row(options);
  if (!animals) return fail(animals.error());
  return std::vector{*std::move(diseases), *std::move(adult), *std::move(animals)};
}

Result<std::vector<Pairs>> pairs_of_two_domains(const ReproduceOptions& options) {
  auto persons = family(options);
  if (!persons) return fail(persons.error());
  auto marital = hierarchy("marital-status", kArxMarital, options);
  if (!marital) return fail(marital.error());
  auto belonging = adult_pairs("Adult: relationship (WordNet) and marital status (ARX)",
                               {kRelationshipColumn, kMaritalColumn}, *persons, *marital, options);
  if (!belonging) return fail(belonging.error());

  auto words = Coder::open("occupation", "wordnet", occupation_decisions(), kPerson, options);
  if (!words) return fail(words.error());
  auto education = hierarchy("education", kArxEducation, options);
  if (!education) return fail(education.error());
  auto work = adult_pairs("Adult: occupation (WordNet) and education (ARX)",
                          {kOccupationColumn, kEducationColumn}, *words, *education, options);
  if (!work) return fail(work.error());

  auto occupation = hierarchy("occupation", kArxOccupation, options);
  if (!occupation) return fail(occupation.error());
  auto flat = adult_pairs("Adult: occupation and education (both ARX)",
                          {kOccupationColumn, kEducationColumn}, *occupation, *education, options);
  if (!flat) return fail(flat.error());
  return std::vector{*std::move(belonging), *std::move(work), *std::move(flat)};
}

}  // namespace semveil::reproduction
