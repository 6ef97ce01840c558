// The public data sets that stand in for the papers': their files, their rows, and how their texts
// become concepts.
#pragma once

#include <map>

#include "reproduce/trial.h"
#include "semveil/mapping.h"

namespace semveil::reproduction {

// A file below the folder of public data.
struct DataFile {
  std::string_view path;
  const char* from;  // where to get it
};
inline constexpr const char* kArx = "data/ of github.com/arx-deidentifier/arx";
inline constexpr DataFile kAdult{
    "adult/adult.data.gz",
    "adult.data of archive.ics.uci.edu, data set 2 (Adult), packed with gzip"};
inline constexpr DataFile kArxEducation{"arx-hierarchies/adult_hierarchy_education.csv", kArx};
inline constexpr DataFile kArxOccupation{"arx-hierarchies/adult_hierarchy_occupation.csv", kArx};
inline constexpr DataFile kArxMarital{"arx-hierarchies/adult_hierarchy_marital-status.csv", kArx};
inline constexpr DataFile kArxAge{"arx-hierarchies/adult_hierarchy_age.csv", kArx};
inline constexpr DataFile kArxSex{"arx-hierarchies/adult_hierarchy_sex.csv", kArx};
inline constexpr DataFile kArxRace{"arx-hierarchies/adult_hierarchy_race.csv", kArx};
inline constexpr DataFile kArxCountry{"arx-hierarchies/adult_hierarchy_native-country.csv", kArx};
inline constexpr DataFile kArxWorkclass{"arx-hierarchies/adult_hierarchy_workclass.csv", kArx};
inline constexpr DataFile kDiseases{"doid/doid-2024-01-31.obo.gz",
                                    "doid.obo, release 2024-01-31, of github.com/DiseaseOntology/"
                                    "HumanDiseaseOntology, packed with gzip"};
inline constexpr DataFile kConditions{
    "synthea/california-2202/conditions.csv.gz",
    "conditions.csv of github.com/IBM/cpd-workshop-health-care (made with "
    "Synthea), packed with gzip"};
inline constexpr DataFile kAnimals{
    "animal-naming/animal_naming_long.csv.gz",
    "open.animals of the R package SemNetCleaner, one answer a line (participant, group, "
    "openness, position, answer), packed with gzip"};

inline std::string path_of(const ReproduceOptions& options, const DataFile& file) {
  return options.data + "/" + std::string(file.path);
}
// The error names the first file that is missing and where to get it. `needs` says who needs it,
// `otherwise` what can be done without.
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
