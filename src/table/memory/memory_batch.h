// Batches of a table in memory: slices of the arrays that it is made of.
#pragma once

#include <deque>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "semveil/table.h"
#include "table/memory/field_type.h"
#include "table/memory/held.h"

namespace semveil {

// Cells of a column: `array` from `first` on.
struct SharedCells {
  SharedArray array;
  std::int64_t first = 0;
};

class MemoryBatch final : public TableBatch {
 public:
  // `type`: of the records, a struct; it outlives the batch, which begins at row `first` of them.
  MemoryBatch(const FieldType& type, SharedArray records, std::int64_t first)
      : type_(type), records_(std::move(records)), first_(first) {}

  std::vector<std::optional<std::string_view>> texts(std::size_t column) const override;

  SharedCells column(std::size_t column) const {
    return {child_of(records_, column), records_->offset + first_};
  }

 private:
  const FieldType& type_;
  SharedArray records_;
  std::int64_t first_;
  mutable std::mutex mutex_;
  mutable std::deque<std::string> made_;  // texts that lie in no array
};

// Numbers the texts of one column, batch after batch, in the order of their first rows.
class MemoryCoder {
 public:
  // Both outlive it.
  MemoryCoder(const FieldType& type, std::span<const std::string> missing_values)
      : type_(type), missing_values_(missing_values) {}

  Result<std::vector<Code>> codes(const SharedCells& cells, std::size_t rows,
                                  Dictionary& dictionary);

 private:
  Status code_indices(const SharedCells& cells, Dictionary& dictionary, std::span<Code> codes);
  Result<Code> code_of(std::string_view text, Dictionary& dictionary) const;

  const FieldType& type_;
  std::span<const std::string> missing_values_;
  // Of the last dictionary: a batch that was cut has the same one in each piece.
  SharedArray coded_;
  std::vector<Code> code_by_index_;
  std::string room_;
};

}  // namespace semveil
