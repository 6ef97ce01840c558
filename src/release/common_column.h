// A column of several tables as one attribute: what each text of each table means.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <vector>

#include "release/mapped_column.h"
#include "semveil/plan_file.h"
#include "semveil/table.h"

namespace semveil {

// A column as one table has it.
struct TextCounts {
  const Dictionary* texts = nullptr;
  std::span<const std::uint64_t> counts;  // by code
};

struct CommonColumn {
  std::shared_ptr<const Attribute> attribute;
  // By table, then code: a value of the attribute or, beyond missing_value(), a text that means
  // nothing to it.
  std::vector<std::vector<ConceptId>> values;
  std::vector<std::string> unmapped;  // those texts; the first is missing_value() + 1
};

// Of the tables the first is the original: its records alone say which sense of a word is meant,
// and what a distance of 1 is between numbers. The second is the masked one; a third, records that
// were never masked, has no say in what the domain is: what lies outside means nothing. The
// column's ontologies are open.
Result<CommonColumn> common_column(const PlanFile& plan, const ColumnSettings& column,
                                   const Ontologies& ontologies, std::span<const TextCounts> tables,
                                   unsigned threads);

}  // namespace semveil
