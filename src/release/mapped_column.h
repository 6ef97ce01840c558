// A column of a plan with its meaning: an opened ontology, a domain, a measure, and what each text
// of the column stands for.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "mapping/sense_choice.h"
#include "semveil/frequency_table.h"
#include "semveil/mapping.h"
#include "semveil/plan_file.h"

namespace semveil {

// The plan's ontologies, each opened once.
class Ontologies {
 public:
  Result<const Ontology*> open(const std::string& name, const std::string& source, bool use_cache);
  // That of a column; what cannot be understood is the plan's fault.
  Status open_for(const PlanFile& plan, const ColumnSettings& column, bool use_cache);
  void add(const std::string& name, Ontology ontology);
  const Ontology& at(const std::string& name) const { return ontologies_.at(name); }

 private:
  std::map<std::string, Ontology> ontologies_;
};

// How texts are mapped: the ontology's names and the user's own decisions.
struct MappingSources {
  std::string decisions;       // the mapping file as it was read; empty: none
  std::string decisions_name;  // its name, whose ending says how to read it; empty: none
  std::string via;             // as ColumnSettings::via
  std::string references;      // the file that `via` names, as it was read
};
struct TextMapping {
  std::shared_ptr<const Mapper> mapper;
  std::shared_ptr<const MappingFile> file;  // the user's decisions; null: none
  MappingSources sources;                   // what both were made from
};
Result<TextMapping> make_text_mapping(const Ontology& ontology, MappingSources sources);

struct ValueUnits;
class HierarchyRule;

// The attribute over a domain with a given root: what a model file is read back into.
struct AttributeRecipe {
  std::string name;
  std::vector<ConceptId> members;  // for DomainKind::kBranches: the values
  ConceptId root = 0;              // of the ontology
  ColumnSettings column;
  bool missing_is_value = false;
  // Of the domain, where the plan's `ic` names a file or counts: found once, then kept with the
  // model.
  std::shared_ptr<const InformationContent> ic;
  // The same for the domain that senses are chosen in, which may be another.
  std::shared_ptr<const InformationContent> sense_ic = nullptr;
  // Of a column whose unit is the value (value_column.h); null: a value is one concept.
  std::shared_ptr<const ValueUnits> values = nullptr;
  // Of a column whose ontology is made of its texts (made_column.h): how texts are placed. Null: it
  // was given.
  std::shared_ptr<const HierarchyRule> rule = nullptr;
  // What `ic` counts, by concept of the ontology: terms of a text, or the column's records. Empty:
  // nothing is to be counted.
  std::vector<double> counts = {};
};

struct MappedColumn {
  std::shared_ptr<const Attribute> attribute;
  AttributeRecipe plan;  // what it was made from
  TextMapping mapping;
  std::vector<MappedValue> values;  // every distinct text, most frequent first
  bool came_as_ids = false;         // most records were mapped by an id or code
  // Made for the column: of one whose unit is the value the units, else its hierarchy.
  std::optional<Ontology> joined;
};

// What a cell of a column is to those who compare it: one concept or, where its values have several
// senses, the value with all of them.
enum class Unit : std::uint8_t { kConcept, kValue };

struct ColumnTexts {
  std::vector<std::pair<std::string, std::uint64_t>> counted;
  // Beside them, without a say in the domain or in what is meant; for columns by value, others map
  // them one by one.
  std::vector<std::string> further = {};
};

// What the texts mean to the column's ontologies, which are open. The unit is the concept all the
// same where each value has one sense.
Result<MappedColumn> map_column(const ColumnSettings& plan, const Ontologies& ontologies,
                                ColumnTexts texts, bool missing_is_value, Unit unit,
                                unsigned threads);

// By the rule that map_column() settles values by, those it was given being the rest of the column:
// what a text means that was not among them.
Result<SenseChoice> sense_choice(const AttributeRecipe& plan, const Ontology& ontology,
                                 const Mapper& mapper,
                                 std::vector<std::pair<std::string, std::uint64_t>> counted);

// The place of a number among a numeric attribute's, of a text among those of a text attribute.
std::optional<ConceptId> place_of_number(const Attribute& attribute, double number);
ConceptId nearest_number(const Attribute& attribute, double number);  // of two the even place
std::optional<ConceptId> place_of_text(const Attribute& attribute, std::string_view text);

// The part of an ontology that a column's values come from, and how far apart its concepts are.
struct ConceptSpace {
  std::shared_ptr<const Domain> domain;
  std::shared_ptr<const Measure> measure;
};
enum class Features : std::uint8_t { kNeeded, kAsTheyAre };  // of measures that compare them
Result<ConceptSpace> make_space(AttributeRecipe& plan, const Ontology& ontology, Features features);

Result<std::shared_ptr<const Attribute>> make_attribute(AttributeRecipe& plan,
                                                        const Ontology& ontology,
                                                        const Mapper& mapper);

}  // namespace semveil
