// A column of a plan with its meaning: an opened ontology, a domain, a measure, and what each text
// of the column stands for.
#pragma once

#include <functional>
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
struct MappingSources {
  std::string decisions;       // the mapping file as it was read; empty: none
  std::string decisions_name;  // its name, whose ending says how to read it; empty: none
  std::string via;             // as ColumnPlan::via
  std::string references;      // the file that `via` names, as it was read
};
struct TextMapping {
  std::shared_ptr<const Mapper> mapper;
  std::shared_ptr<const MappingFile> file;  // the user's decisions; null: none
  MappingSources sources;                   // what both were made from
};
Result<TextMapping> make_text_mapping(const Ontology& ontology, MappingSources sources);

// The attribute over a domain with a given root: what a model file is read back into.
struct AttributePlan {
  std::string name;
  std::vector<ConceptId> members;  // for DomainKind::kBranches: the values
  ConceptId root = 0;              // of the ontology
  ColumnPlan column;
  bool missing_is_value = false;
  // Of the domain, where the plan's `ic` names a file or counts: found once, then kept with the
  // model.
  std::shared_ptr<const InformationContent> ic;
  // Of a column with several ontologies: between its units (several_ontologies.h).
  std::shared_ptr<const DistanceMatrix> distances;
  bool symmetrised = false;  // their measure is the mean of two directions
  // What `ic` counts, by concept of the ontology: terms of a text, or the column's records. Empty:
  // nothing is to be counted.
  std::vector<double> counts = {};
};

struct MappedColumn {
  std::shared_ptr<const Attribute> attribute;
  AttributePlan plan;  // what it was made from
  TextMapping mapping;
  std::vector<MappedValue> values;  // every distinct text, most frequent first
  bool came_as_ids = false;         // most records were mapped by an id or code
  // Of a column with several ontologies: the units as an ontology, and the unit that a text means
  // which was not among the values; kMissing: none.
  std::optional<Ontology> joined;
  std::function<ConceptId(std::string_view)> unit_of;
};

// What `values` mean to the column's ontologies, which are open.
Result<MappedColumn> map_column(const ColumnPlan& plan, const Ontologies& ontologies,
                                std::vector<std::pair<std::string, std::uint64_t>> values,
                                bool missing_is_value, unsigned threads);

// The place of a number among a numeric attribute's, of a text among those of a text attribute.
std::optional<ConceptId> place_of_number(const Attribute& attribute, double number);
std::optional<ConceptId> place_of_text(const Attribute& attribute, std::string_view text);

Result<std::shared_ptr<const Attribute>> make_attribute(AttributePlan& plan,
                                                        const Ontology& ontology,
                                                        const Mapper& mapper);

}  // namespace semveil
