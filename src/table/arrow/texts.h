// The cells of a column as texts, and as codes of their texts.
#pragma once

#include <arrow/api.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "semveil/table.h"

namespace semveil {

// One view per row; they live as long as `holder`, which is set to what they point into. Numbers,
// dates and the like are cast, bytes are taken as they are, lists of texts are JSON.
arrow::Result<std::vector<std::optional<std::string_view>>> texts_of(
    const std::shared_ptr<arrow::Array>& column, std::shared_ptr<arrow::Array>& holder);

// Numbers the texts of one column, batch after batch. A text of a batch's dictionary is looked up
// when its first row comes, so that the numbers do not depend on how the table is cut.
class Coder {
 public:
  // The missing values are the options' and outlive the coder.
  explicit Coder(std::span<const std::string> missing_values) : missing_values_(missing_values) {}

  // The column must have been validated in full. One coder, one dictionary.
  arrow::Result<std::vector<Code>> codes(const std::shared_ptr<arrow::Array>& column,
                                         Dictionary& dictionary);

 private:
  arrow::Status code_dictionary(const arrow::DictionaryArray& column, Dictionary& dictionary,
                                std::vector<Code>& codes);
  Code code_of(std::string_view text, Dictionary& dictionary) const;

  std::span<const std::string> missing_values_;
  // Of the last dictionary: a batch that was cut in pieces has the same one in each.
  std::shared_ptr<arrow::ArrayData> values_;
  std::shared_ptr<arrow::Array> texts_;
  std::vector<Code> code_by_index_;
};

}  // namespace semveil
