// The public data sets that stand in for the papers': their files, their rows, and how their texts
// become concepts.
#pragma once

#include <map>

#include "reproduce/trial.h"
#include "semveil/mapping.h"
#include "semveil/reproduce.h"

namespace semveil::reproduction {

// A file below the folder of public data. Every one stands in public_data() (public_data.cc), too.
using DataFile = PublicDataFile;
inline constexpr const char* kArx =
    "data/ of github.com/arx-deidentifier/arx, as it stands there (Apache-2.0)";
inline constexpr DataFile kAdult{
    "adult/adult.data.gz",
    "adult.data of data set 2 (Adult, Becker and Kohavi 1996), "
    "archive.ics.uci.edu/dataset/2/adult, "
    "packed with gzip",
    "5b00264637dbfec36bdeaab5676b0b309ff9eb788d63554ca0a249491c86603d"};
inline constexpr DataFile kArxEducation{
    "arx-hierarchies/adult_hierarchy_education.csv", kArx,
    "f22e5ee519c28b05538d4e5ddea0fbee5f0017fefb3abab3fa02272325bf9ce5"};
inline constexpr DataFile kArxOccupation{
    "arx-hierarchies/adult_hierarchy_occupation.csv", kArx,
    "16dc420d5d7f8ab4d1e6144eb1d19ab8314ef42523fe8c4ee202372db1c98126"};
inline constexpr DataFile kArxMarital{
    "arx-hierarchies/adult_hierarchy_marital-status.csv", kArx,
    "3e7ba2c4a5cd4fec059b4e3a2c57fce6e7c34a20daee1e624990ddd7beba85e5"};
inline constexpr DataFile kArxAge{
    "arx-hierarchies/adult_hierarchy_age.csv", kArx,
    "463f35372e8b1ad31fc624eb73c5da9297878a044ae5d61038eaf7b431ac55ca"};
inline constexpr DataFile kArxSex{
    "arx-hierarchies/adult_hierarchy_sex.csv", kArx,
    "537d23f7b6969b916b5a5490eb1b32c273fefdc62ca050a7a813e23bbf3b78b2"};
inline constexpr DataFile kArxRace{
    "arx-hierarchies/adult_hierarchy_race.csv", kArx,
    "df11abf41fa0669455adc9c9f9fa88663afa0cee8327684ecca861cd32dc4209"};
inline constexpr DataFile kArxCountry{
    "arx-hierarchies/adult_hierarchy_native-country.csv", kArx,
    "696d3b53973311c096b33f98bb56e526016910b1a1cd5a1e904cb799d1077023"};
inline constexpr DataFile kArxWorkclass{
    "arx-hierarchies/adult_hierarchy_workclass.csv", kArx,
    "106f420349bf0071dbb25371795a78799edf24a64c3424619d563c3990ee8d02"};
inline constexpr DataFile kDiseases{
    "doid/doid-2024-01-31.obo.gz",
    "doid.obo of the Human Disease Ontology, release 2024-01-31 (CC0), "
    "github.com/DiseaseOntology/HumanDiseaseOntology, packed with gzip",
    "a24b1dd5a5ee8546f8ae81dc924c34d054a9f2fa86a9f7451940810328289920"};
inline constexpr DataFile kConditions{
    "synthea/california-2202/conditions.csv.gz",
    "conditions.csv of github.com/IBM/cpd-workshop-health-care, commit 5c84be0a (made with "
    "Synthea, Apache-2.0), packed with gzip",
    "4d4ffa90b0aab83de3b2161a0d85025bbdf40723147e7a59d8e493606423f80a"};
inline constexpr DataFile kAnimals{
    "animal-naming/animal_naming_long.csv.gz",
    "open.animals of the R package SemNetCleaner 1.3.4, github.com/cran/SemNetCleaner, commit "
    "c9c86716 (GPL-3), one answer a line: participant (ID), group (Group), openness (latent), "
    "position (1 to 35, from vf_an_01 on), answer without blanks around; blank and 99 are no "
    "answers; packed with gzip",
    "59b3b917163a17b78e3e7d8715626d7d6f92d2c5783f688f2b1db15d15cd218f"};

inline std::string path_of(const ReproduceOptions& options, const DataFile& file) {
  return options.data + "/" + std::string(file.path);
}
// The error lists every file that is missing: where to put it, where it is published, its checksum.
// `needs` says who needs them, `otherwise` what can be done without.
Status data_is_there(const std::string& folder, std::span<const DataFile> files,
                     std::string_view needs, std::string_view otherwise);

// Decisions for values whose names do not say what they are, as mapping files.
extern const std::string_view kDiseaseDecisions;  // Synthea's conditions in the Disease Ontology
extern const std::string_view kFamilyDecisions;  // Adult's relationship and marital status: WordNet
std::string occupation_decisions();              // Adult's occupation: WordNet

// Places in adult.data, which has no header.
enum AdultColumn : std::size_t {
  kAgeColumn = 0,
  kWorkclassColumn = 1,
  kEducationColumn = 3,
  kMaritalColumn = 5,
  kOccupationColumn = 6,
  kRelationshipColumn = 7,
  kRaceColumn = 8,
  kSexColumn = 9,
  kCountryColumn = 13
};
// As many of Adult's records as the papers' data sets have: every so-manieth.
inline constexpr std::size_t kAdultStep = 24;

using Rows = std::vector<std::vector<std::string>>;
// All rows of a file, blanks around a cell left out; a missing cell is empty.
Result<Rows> read_rows(const ReproduceOptions& options, const DataFile& file,
                       std::span<const std::string_view> columns);
// Every so-manieth record, without those that miss a value.
Result<Rows> read_adult(const ReproduceOptions& options, const std::vector<std::size_t>& wanted,
                        std::size_t step = kAdultStep);
// Without SNOMED's "(disorder)" at the end.
std::string without_kind(std::string text);

// A column's domain and how its texts find into it.
class Coder {
 public:
  static Result<Coder> open(const std::string& name, const std::string& source,
                            std::string_view decisions, std::string_view root,
                            const ReproduceOptions& options);

  // The first sense inside the domain; nothing where there is none.
  std::optional<ConceptId> code(const std::string& text);
  const std::shared_ptr<const Attribute>& attribute() const { return attribute_; }
  // The same domain for another column.
  std::shared_ptr<const Attribute> attribute(const std::string& name) const;

 private:
  Coder(std::shared_ptr<const Attribute> attribute, Mapper mapper)
      : attribute_(std::move(attribute)), mapper_(std::move(mapper)) {}

  std::shared_ptr<const Attribute> attribute_;
  Mapper mapper_;
  std::map<std::string, std::optional<ConceptId>> known_;
};

}  // namespace semveil::reproduction
