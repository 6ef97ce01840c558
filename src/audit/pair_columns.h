// Which columns of two tables an audit looks at, and where they stand in each.
#pragma once

#include <optional>
#include <vector>

#include "audit/table_pair.h"

namespace semveil {

struct PairColumns {  // by column of TablePair::Impl::columns
  std::vector<const ColumnSettings*> plans;
  std::vector<std::size_t> in_original;
  std::vector<std::optional<std::size_t>> in_masked, in_control;  // nothing: it has no such column
  std::vector<std::vector<std::size_t>> set_places;  // by set: columns of the masked table
  std::optional<std::size_t> control_person;         // where the control tells whose its rows are
};

// Whether columns that come out as sets are looked at, or left out with a finding.
enum class SetColumns : bool { kKept, kLeftOut };

// Fills the columns, sets, identifiers, compared columns and notes of `out`. `plan` outlives what
// is found.
Result<PairColumns> find_pair_columns(const Table& original, const Table& masked,
                                      const PlanFile& plan, const PairOptions& options,
                                      TablePair::Impl& out, SetColumns sets = SetColumns::kKept);

// Where the original has the column that the plan draws by; nothing: it has none, or none is named.
std::optional<std::size_t> person_column(const Table& original, const PlanFile& plan);

}  // namespace semveil
