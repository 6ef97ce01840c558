// A fitted model: everything that masking needs, without the ontology's source or the plan.
#pragma once

#include <map>
#include <mutex>

#include "release/column_recoding.h"
#include "release/fitted_steps.h"
#include "release/model_column.h"
#include "semveil/release.h"

namespace semveil {

// A column whose cells are recoded before anything else; a step may mask it, too.
struct RecodedModelColumn {
  std::string name;
  bool numbers = false;  // its texts say numbers, afterwards, too
  std::vector<ColumnRecoding> recodings;
};

class Model::Impl {
 public:
  std::vector<RecodedModelColumn> recoded;  // in the table's order
  std::vector<ModelStep> steps;             // in the plan's order
  std::map<std::string, Demand> demands;    // by name of a column in `demanded`
  std::string release;
  std::string person;  // the column that tells persons apart; empty: every record is somebody's
  bool allow_linked_rows = false;
  std::string digest, frequencies;  // of the fitted table: all of it, and its counts alone
  std::vector<std::string> orders;  // of its masked columns: which text stands in which row
  std::optional<Key> key;
  std::string key_fingerprint;  // of the key that it was fitted with; of a saved model
  MissingRule missing = MissingRule::kKeep;
  UndeclaredRule undeclared = UndeclaredRule::kKeep;
  bool shuffle = false;
  TableOptions table;
  std::vector<std::string> declared, identifiers;
  bool masks_every_quasi_identifier = false;  // else a result alone does not tell its classes
  std::vector<std::string> drop_if_missing;   // missing = "drop-record"
  std::map<std::string, Ontology> ontologies;
  std::vector<ModelColumn> columns;   // that steps mask, in the table's order
  std::vector<ModelColumn> demanded;  // sensitive columns of which something is demanded
  std::vector<std::string> quasi_identifiers, sensitive;  // all of them

  // All steps together: names joined as PlanFile::method() does, and of one step its parameters.
  std::string method() const;
  std::map<std::string, std::string> parameters() const;
  const MethodDescription& about() const;
  bool deals() const;     // values are dealt out to the fitted table's records, no others
  bool looks_up() const;  // some plan knows the fitted table's tuples, no others
  bool draws_by_row() const;
  bool needs_release() const;   // what is drawn is of a release, which needs a name
  bool by_person() const;       // all that is drawn is drawn by person
  std::string draw_by() const;  // empty: no step draws by person
  const ModelStep& step_of(std::size_t column) const;
  std::vector<std::string> names_of(const ModelStep& step) const;

  std::vector<std::string> masked_names() const;
  const ModelColumn* find(const std::string& masked) const;  // null: no step masks it
  const RecodedModelColumn* find_recoded(const std::string& column) const;
  // Of what it was fitted on and how it masks; tells models apart, and nothing else.
  std::string fingerprint() const;
  // How a cell without a value is written.
  std::string missing_text() const {
    return table.missing_values.empty() ? "" : table.missing_values.front();
  }
  // Whether all that this release draws can be drawn. `file`: the model's; empty: in memory.
  Status check_key(const std::string& wanted_release, const std::string& file = "") const;
  // The plans whose draws belong to a release.
  Result<FittedSteps> fitted_for(const std::string& wanted_release) const;
  // The same, kept for the next batch of that release. Thread-safe.
  Result<FittedSteps> kept_fitted_for(const std::string& wanted_release) const;
  // Spellings. `known`: by step a plan that tells what comes out, where its own is not there yet.
  void finish_columns(const std::vector<std::shared_ptr<const FittedMethod>>& known = {});
  // The digest of the whole from those of its steps: of one step its own.
  static std::string joined_digest(const std::vector<std::string>& of_steps);

 private:
  struct KeptPlans {
    std::mutex mutex;
    std::map<std::string, FittedSteps> plans;  // by release
  };
  std::shared_ptr<KeptPlans> kept_plans_ = std::make_shared<KeptPlans>();
};

// Whether a fitted plan has what its method's description says: what is verified of a release
// depends on it, and a method may be anybody's.
Status check_shape(const FittedMethod& plan, const MethodDescription& about);

}  // namespace semveil
