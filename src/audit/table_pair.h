// Two tables under one plan, reduced to what figures need: common attributes, distinct tuples of
// each, and which became which.
//
// A cell is a value of its column's attribute, missing_value(), or beyond: a text that means
// nothing to the attribute, each its own number. Such texts are equal to themselves alone, and at
// distance 1 from everything else.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "audit/compared_cells.h"
#include "audit/secret_groups.h"
#include "figures/paired.h"
#include "figures/person_rows.h"
#include "release/person_links.h"
#include "semveil/audit.h"
#include "semveil/ean.h"

namespace semveil {

// A column that comes out as sets: the true values and the sets of the paired records.
struct SetPair {
  std::size_t column = 0;  // place in TablePair::Impl::columns
  unsigned l = 0;
  SetColumn fitted;                 // categories and weights, from the plan
  std::vector<ConceptId> truth;     // by record
  std::vector<ConceptId> released;  // by record, then l values
  std::uint64_t emptied = 0;        // paired records with a cell before, and no set after
};

class TablePair::Impl {
 public:
  struct Column {
    std::string name;
    Role role = Role::kOther;
    ColumnSettings plan;                         // what the plan says of it, after recodings
    std::shared_ptr<const Attribute> attribute;  // of both tables
    bool is_masked = false;                      // by a step of the plan
    bool is_recoded = false;                     // before that
    bool is_redrawn = false;                     // by a recoding that draws
    std::optional<Demand> demand;                // the plan's, of a sensitive column
    bool is_set = false;                         // then every masked cell is kMissing's value here
    std::uint64_t original_unmapped = 0, masked_unmapped = 0, left_unmapped = 0;
    std::vector<std::string> unmapped;  // texts beyond missing_value(); confidential
    SecretGroups groups;                // of a sensitive column
  };
  std::vector<Column> columns;                            // in the original's order
  std::vector<std::size_t> quasi_identifiers, sensitive;  // places in `columns`
  MissingRule missing = MissingRule::kKeep;
  // What the plan does: its steps, settled for the original; recodings have no say in figures.
  bool masks = false;
  std::string method;  // as PlanFile::method()
  std::vector<MaskStep> steps;
  std::string draw_by;
  void take_plan(const PlanFile& plan);
  // Says so of what masking tells of whole persons, where nobody looks at it.
  void leave_persons_untold(const PlanFile& plan);
  const MethodDescription& about() const;                    // of all steps together
  const MaskStep* step_of(const std::string& column) const;  // null: none masks it
  std::uint64_t k() const;  // the greatest that steps with classes promise; else of the first step
  std::uint64_t original_records = 0, masked_records = 0;
  std::string pairing = "none", unpaired_why;
  Paired pairs;              // over all columns; empty where nobody knows what became of whom
  Classes original, masked;  // over all columns, paired or not
  // Where the plan names a person: whose records the originals are, by class of `original`, and
  // those of each pair. Nobody knows of released records that are not paired.
  bool asks_persons = false;
  PersonRows original_persons, pair_persons;
  std::optional<Classes> control;
  PersonRows control_persons;  // by class of `control`; somebody in both tables has one number
  std::vector<SetPair> sets;
  std::vector<std::string> notes;
  std::vector<std::string> identifiers;  // columns of the release that identify
  // What is in both tables, byte by byte, in the release's order; compared only where records are
  // paired and it was asked for.
  std::vector<ComparedColumn> compared;
  bool cells_are_compared = false;
  std::vector<Finding> findings;            // of the pairing itself
  std::optional<PersonLinks> person_links;  // where the plan draws by person
  // Of steps that draw per cell: the plan fitted on the original, and what it was fitted on.
  struct Drawn {
    std::shared_ptr<const FittedMethod> plan;
    std::shared_ptr<const FrequencyTable> fitted;
    bool of_sets = false;
  };
  std::vector<Drawn> drawn;
  // Whether columns are judged by the measures that the method drew with. A comparison judges all
  // by one; what noise aims at is then not in its distances.
  bool judged_as_drawn = true;
  // By column: what a text of it is called in figures; labels of concepts, digits, texts.
  std::string label(std::size_t column, ConceptId value) const;
};

}  // namespace semveil
