// Columns of texts made from texts of our own.
#pragma once

#include <arrow/api.h>

#include <cstdint>
#include <cstring>
#include <limits>
#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "table/arrow/status.h"

namespace semveil {

// Arrow counts the bytes of a column's texts in 32 bits.
inline arrow::Status check_text_size(std::int64_t size) {
  if (size <= std::numeric_limits<std::int32_t>::max()) return arrow::Status::OK();
  return to_arrow(
      usage_error("the texts of a batch are longer than 2 GiB together: choose fewer rows for a "
                  "batch"));
}

// Texts one after the other in one buffer, as Arrow has them. `text_at` gives a row's text or
// nothing. Called twice: for the sizes, and for the bytes.
template <class TextAt>
arrow::Result<std::shared_ptr<arrow::Array>> text_column(std::size_t rows, const TextAt& text_at) {
  const auto length = static_cast<std::int64_t>(rows);
  ARROW_ASSIGN_OR_RAISE(std::shared_ptr<arrow::Buffer> offset_bytes,
                        arrow::AllocateBuffer((length + 1) * std::int64_t{sizeof(std::int32_t)}));
  auto* const offsets = offset_bytes->mutable_data_as<std::int32_t>();
  std::int64_t size = 0, nulls = 0;
  for (std::size_t i = 0; i < rows; ++i) {
    offsets[i] = static_cast<std::int32_t>(size);
    const std::optional<std::string_view> text = text_at(i);
    if (!text) {
      ++nulls;
      continue;
    }
    size += static_cast<std::int64_t>(text->size());
    ARROW_RETURN_NOT_OK(check_text_size(size));
  }
  offsets[rows] = static_cast<std::int32_t>(size);

  ARROW_ASSIGN_OR_RAISE(std::shared_ptr<arrow::Buffer> bytes, arrow::AllocateBuffer(size));
  std::shared_ptr<arrow::Buffer> valid;
  if (nulls > 0) {
    ARROW_ASSIGN_OR_RAISE(valid, arrow::AllocateBitmap(length));
    std::memset(valid->mutable_data(), 0, static_cast<std::size_t>(valid->size()));
  }
  char* out = bytes->mutable_data_as<char>();
  for (std::size_t i = 0; i < rows; ++i) {
    const std::optional<std::string_view> text = text_at(i);
    if (!text) continue;
    if (nulls > 0) arrow::bit_util::SetBit(valid->mutable_data(), static_cast<std::int64_t>(i));
    if (!text->empty()) std::memcpy(out, text->data(), text->size());
    out += text->size();
  }
  return std::make_shared<arrow::StringArray>(length, std::move(offset_bytes), std::move(bytes),
                                              std::move(valid), nulls);
}

}  // namespace semveil
