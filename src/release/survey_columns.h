// Which columns of a table a survey counts, and how: by the plan, and by what is wanted of it.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "semveil/plan_file.h"
#include "semveil/release.h"

namespace semveil {

struct SurveyColumns {
  struct Counted {
    std::size_t column = 0;                // of the table
    const ColumnSettings* plan = nullptr;  // of the plan that was asked
    bool ordered = false;                  // which text stands in which row is hashed
  };
  std::vector<Counted> counted;  // in the table's order
  // Places in `counted` of those that are looked at together: nominal and numeric ones,
  // quasi-identifiers, sensitive ones.
  std::vector<std::size_t> joined;
  std::optional<std::size_t> person;  // place in `counted` of the column that tells persons apart
  std::vector<std::size_t> others;    // columns of the table that are not counted, and come out
  std::vector<std::string> dropped;   // columns that will not come out
  // The first records are looked at in these columns of the table: those that come out as they went
  // in, ascending, and those that are masked.
  std::vector<std::size_t> passing, masked;
  // Where the plan names no person, columns that may tell persons apart: identifiers, and what has
  // no ontology and is no number.
  std::vector<std::size_t> identifiers, person_like;

  static Result<SurveyColumns> find(const Table& table, const PlanFile& plan,
                                    const WorkOptions& options);
  // Of a table that is known by its name and those of its columns.
  static Result<SurveyColumns> find(const std::string& table, const std::vector<std::string>& names,
                                    const PlanFile& plan, const WorkOptions& options);
};

Error undeclared_error(const std::string& table, const std::string& column);

// Whether a step needs the column: to mask it, or for what is demanded of it.
bool is_asked_for(const ColumnSettings& column, const PlanFile& plan);

}  // namespace semveil
