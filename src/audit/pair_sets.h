// Sets of a released table, taken apart into the values they were made of.
#pragma once

#include <span>
#include <string_view>
#include <vector>

#include "release/table_rows.h"
#include "semveil/ean.h"

namespace semveil {

struct SetsToRead {
  std::string table, column;  // for messages
  SetForm form;
  const SetColumn& fitted;
  std::span<const std::string_view> spelling;  // by value
  const TableRows& rows;
  std::size_t first = 0, columns = 1;  // of the columns apart: where the sets stand
};
// By record, then l values; all kMissing for a cell without a set.
Result<std::vector<ConceptId>> released_sets(const SetsToRead& sets);

}  // namespace semveil
