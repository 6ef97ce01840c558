// A column of a plan with its meaning: an opened ontology, a domain, a measure, and what each text
// of the column stands for.
#pragma once

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "semveil/frequency_table.h"
#include "semveil/mapping.h"
#include "semveil/plan_file.h"

namespace semveil {

// The plan's ontologies, each opened once.
class Ontologies {
 public:
  Result<const Ontology*> open(const std::string& name, const std::string& source, bool use_cache);
  // That of a column; what cannot be understood is the plan's fault.
  Status open_for(const PlanFile& plan, const ColumnPlan& column, bool use_cache);
  void add(const std::string& name, Ontology ontology);
  const Ontology& at(const std::string& name) const { return ontologies_.at(name); }

 private:
  std::map<std::string, Ontology> ontologies_;
};

// How texts are mapped: the ontology's names and the user's own decisions.
struct TextMapping {
  std::shared_ptr<const Mapper> mapper;
  std::shared_ptr<const MappingFile> file;  // the user's decisions; null: none
  std::string decisions;                    // the mapping file as it was read; empty: none
  std::string decisions_name;               // its name, whose ending says how to read it
};
Result<TextMapping> make_text_mapping(const Ontology& ontology, std::string decisions,
                                      std::string name);

// The attribute over a domain with a given root: what a model file is read back into.
struct AttributePlan {
  std::string name;
  std::vector<ConceptId> members;  // for DomainKind::kBranches: the values
  ConceptId root = 0;              // of the ontology
  ColumnPlan column;
  bool missing_is_value = false;
  // Of the domain, where the plan's `ic` names a file: read once, then kept with the model.
  std::shared_ptr<const InformationContent> ic;
};

struct MappedColumn {
  std::shared_ptr<const Attribute> attribute;
  AttributePlan plan;  // what it was made from
  TextMapping mapping;
  std::vector<MappedValue> values;  // every distinct text, most frequent first
  bool came_as_ids = false;         // most records were mapped by an id or code
};

// What `values` mean. `place` stands in errors; the first line of a text is not known here.
Result<MappedColumn> map_column(const ColumnPlan& plan, const Ontology& ontology,
                                std::vector<std::pair<std::string, std::uint64_t>> values,
                                bool missing_is_value, unsigned threads);

// The place of a number among a numeric attribute's, of a text among those of a text attribute.
std::optional<ConceptId> place_of_number(const Attribute& attribute, double number);
std::optional<ConceptId> place_of_text(const Attribute& attribute, std::string_view text);

Result<std::shared_ptr<const Attribute>> make_attribute(AttributePlan& plan,
                                                        const Ontology& ontology,
                                                        const Mapper& mapper);

}  // namespace semveil
