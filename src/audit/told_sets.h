// Columns of the release that tell of which category the true value of a set is
// (release/told_categories.h), seen in the two tables.
//
// Where records are paired, a released cell is held against the true value of its record. Where
// they are not, the original alone is asked, of the columns that both tables have: those that come
// through tell there what they tell in the release.
#pragma once

#include <functional>

#include "audit/pair_columns.h"

namespace semveil {

struct ToldSets {
  const Table& table;                // the release, or the original
  std::vector<std::size_t> columns;  // of this table, released and no sets
  // The true value that a row of the table has in a set, kMissing for none.
  std::function<ConceptId(const SetPair& set, std::uint64_t row)> truth;
};

std::vector<Finding> find_told_categories(const ToldSets& told, const TablePair::Impl& pair);

}  // namespace semveil
