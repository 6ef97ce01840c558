// A fitted model: everything that masking needs, without the ontology's source or the plan.
#pragma once

#include <map>
#include <mutex>

#include "mapping/name_texts.h"
#include "release/mapped_column.h"
#include "release/spelling.h"
#include "semveil/release.h"

namespace semveil {

struct ModelColumn {
  AttributeRecipe plan;
  std::shared_ptr<const Attribute> attribute;
  TextMapping mapping;               // nominal
  std::optional<Ontology> ontology;  // nominal, its values concepts
  struct Known {
    ConceptId concept_id = kMissing;  // of the domain; kMissing: not mapped
    std::uint64_t count = 0;
    bool is_mapped = true;  // else the concept is what stands for texts that mean nothing
  };
  std::map<std::string, Known, std::less<>> texts;  // that the fit saw
  WriteAs write = WriteAs::kLabel;
  bool trims = false;  // texts without the blanks around them: those of sets
  std::optional<Spelling> spelling;

  // How most of the fitted cells write ids; nothing where they are no ids.
  std::optional<IdForm> id_form(const OntologyInfo& info) const;
  // A text the fit did not see: what it would have meant had it been there, with nothing else
  // changed by it. kMissing where that lies outside the domain, or is no unit of a column by value.
  ConceptId map(std::string_view text) const;

 private:
  std::shared_ptr<Lazy<std::optional<SenseChoice>>> choice_ =
      std::make_shared<Lazy<std::optional<SenseChoice>>>();
};

class Model::Impl {
 public:
  std::string method, mechanism;
  std::string read_saved;  // the saved plan of a model that was read
  std::map<std::string, std::string> parameters;
  bool by_person = false;
  bool deals = false;           // values are dealt out to the fitted table's records, no others
  bool looks_up = false;        // the plan knows the fitted table's tuples, no others
  std::optional<SetForm> sets;  // how sets are written, but for their width; nothing: no sets
  std::map<std::string, Demand> demands;  // by name of a column in `demanded`
  std::string draw_by, release;
  bool allow_linked_rows = false;
  std::string person;  // the column that tells persons apart; empty: every record is somebody's
  std::string digest, frequencies;  // of the fitted table: all of it, and its counts alone
  std::vector<std::string> orders;  // of its masked columns: which text stands in which row
  std::string categories;           // digest of those that sets are made of; empty: no sets
  std::optional<Key> key;
  MissingRule missing = MissingRule::kKeep;
  UndeclaredRule undeclared = UndeclaredRule::kKeep;
  bool shuffle = false;
  TableOptions table;
  std::vector<std::string> declared, identifiers;
  bool masks_every_quasi_identifier = false;  // else a result alone does not tell its classes
  std::vector<std::string> drop_if_missing;   // missing = "drop-record"
  std::map<std::string, Ontology> ontologies;
  std::vector<ModelColumn> columns;
  std::vector<ModelColumn> demanded;  // sensitive columns of which something is demanded
  std::vector<std::string> quasi_identifiers, sensitive;  // all of them
  std::shared_ptr<const FittedMethod> plan;  // with the stream key of `release`; null: no key yet

  std::vector<std::string> masked_names() const;
  // Of what it was fitted on and how it masks; tells models apart, and nothing else.
  std::string fingerprint() const;
  std::string saved() const { return read_saved.empty() ? plan->save() : read_saved; }
  // How a cell without a value is written.
  std::string missing_text() const {
    return table.missing_values.empty() ? "" : table.missing_values.front();
  }
  // The plan whose draws belong to a release.
  Result<std::shared_ptr<const FittedMethod>> fitted_for(const std::string& wanted_release) const;
  // The same, kept for the next batch of that release. Thread-safe.
  Result<std::shared_ptr<const FittedMethod>> kept_fitted_for(
      const std::string& wanted_release) const;
  Key stream(const Key& secret, const std::string& wanted_release) const;
  void finish_columns();  // spellings

 private:
  struct KeptPlans {
    std::mutex mutex;
    std::map<std::string, std::shared_ptr<const FittedMethod>> plans;  // by release
  };
  std::shared_ptr<KeptPlans> kept_plans_ = std::make_shared<KeptPlans>();
};

// Whether a fitted plan has what its method's description says: what is verified of a release
// depends on it, and a method may be anybody's.
Status check_shape(const FittedMethod& plan, const MethodDescription& about);

}  // namespace semveil
