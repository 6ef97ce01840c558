// Sets of texts in the place of a column's cells, as Arrow has them: joined texts, lists of texts,
// or a column for each place in the set. Missing ones are nulls.
#pragma once

#include <arrow/api.h>

#include <memory>
#include <span>
#include <vector>

#include "semveil/table.h"
#include "table/set_texts.h"

namespace semveil {

// Of each column that they are written to.
std::shared_ptr<arrow::DataType> type_of_sets(const SetForm& form);

class ArrowSets {  // immutable, thread-safe
 public:
  // Of a replacement with a set, which it does not outlive.
  explicit ArrowSets(const Edits::Replace& edit);

  const SetForm& form() const { return *edit_.set; }
  // Whether the codes are sets for so many rows; the others ask for such.
  bool takes(std::span<const Code> codes, std::size_t rows) const;

  arrow::Result<std::shared_ptr<arrow::Array>> joined(std::span<const Code> codes) const;
  arrow::Result<std::shared_ptr<arrow::Array>> lists(std::span<const Code> codes) const;
  // The codes at one place of each set, and texts of such codes.
  std::vector<Code> members(std::span<const Code> codes, std::size_t place) const;
  arrow::Result<std::shared_ptr<arrow::Array>> texts(std::span<const Code> codes) const;

 private:
  const Edits::Replace& edit_;
  std::unique_ptr<const SetTexts> joined_;  // null: they are not joined
};

}  // namespace semveil
