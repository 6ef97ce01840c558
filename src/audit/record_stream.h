// A table record by record: codes of some columns, texts of others.
#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "semveil/release.h"
#include "semveil/table.h"

namespace semveil {

class RecordStream {
 public:
  // `coded` and `shown`: columns of the table. `what` is being done, for progress, which outlives
  // the stream, as the table does.
  static Result<RecordStream> open(const Table& table, std::vector<std::size_t> coded,
                                   std::vector<std::size_t> shown, std::string_view what,
                                   const WorkProgress& progress);

  // The next record; false at the end.
  Result<bool> next();

  Code code(std::size_t j) const { return batch_->codes[j][at_]; }
  // Byte by byte; a null as an empty text.
  std::string_view cell(std::size_t k) const { return texts_[k][at_].value_or(""); }
  // Of the coded columns; they grow.
  std::vector<Dictionary>& dictionaries() { return dictionaries_; }
  const std::vector<Dictionary>& dictionaries() const { return dictionaries_; }

 private:
  RecordStream(const Table& table, std::unique_ptr<TableSource> source, std::size_t coded,
               std::vector<std::size_t> shown, std::string_view what, const WorkProgress& progress);

  const Table* table_;
  std::unique_ptr<TableSource> source_;
  std::vector<Dictionary> dictionaries_;
  std::vector<std::size_t> shown_;
  std::unique_ptr<TableBatch> batch_;
  std::vector<std::vector<std::optional<std::string_view>>> texts_;  // by shown column, then row
  std::size_t at_ = 0;                                               // of the batch
  std::uint64_t bytes_ = 0;
  std::string_view what_;
  const WorkProgress* progress_;
};

}  // namespace semveil
