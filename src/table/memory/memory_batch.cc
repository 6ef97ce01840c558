#include "table/memory/memory_batch.h"

#include <algorithm>
#include <utility>

#include "base/text.h"
#include "table/memory/array_cells.h"
#include "table/memory/cell_texts.h"

namespace semveil {
namespace {

constexpr Code kNotCoded = kAsItWas;  // no text has this code

}  // namespace

std::vector<std::optional<std::string_view>> MemoryBatch::texts(std::size_t column) const {
  std::vector<std::optional<std::string_view>> texts(rows);
  const FieldType& type = type_.children[column];
  const SharedCells cells = this->column(column);
  const ArrowArray& array = *cells.array;
  if (!type.has_text()) return texts;
  if (!check_cells(type, array, cells.first, static_cast<std::int64_t>(rows))) return texts;
  const FieldType& values = type.values();
  const ArrowArray& from = type.is_dictionary() ? *array.dictionary : array;
  std::string room;
  for (std::size_t i = 0; i < rows; ++i) {
    std::int64_t row = cells.first + static_cast<std::int64_t>(i);
    if (!is_valid(type, array, row)) continue;
    if (type.is_dictionary()) {
      row = number_at(type, array, row);
      if (!is_valid(values, from, row) || !check_cells(values, from, row, 1)) continue;
    }
    const std::string_view text = text_at(values, from, row, room);
    if (text.data() != room.data()) {
      texts[i] = text;
      continue;
    }
    const std::scoped_lock lock(mutex_);
    texts[i] = made_.emplace_back(text);
  }
  return texts;
}

Result<std::vector<Code>> MemoryCoder::codes(const SharedCells& cells, std::size_t rows,
                                             Dictionary& dictionary) {
  std::vector<Code> codes(rows, kMissing);
  if (type_.layout == ArrayLayout::kNull) return codes;
  const ArrowArray& array = *cells.array;
  const Status sound = check_cells(type_, array, cells.first, static_cast<std::int64_t>(rows));
  if (!sound) return fail(sound.error());
  if (type_.is_dictionary()) {
    if (const Status status = code_indices(cells, dictionary, codes); !status) {
      return fail(status.error());
    }
    return codes;
  }
  for (std::size_t i = 0; i < rows; ++i) {
    const std::int64_t row = cells.first + static_cast<std::int64_t>(i);
    if (!is_valid(type_, array, row)) continue;
    const Result<Code> code = code_of(text_at(type_, array, row, room_), dictionary);
    if (!code) return fail(code.error());
    codes[i] = *code;
  }
  return codes;
}

Status MemoryCoder::code_indices(const SharedCells& cells, Dictionary& dictionary,
                                 std::span<Code> codes) {
  const ArrowArray& array = *cells.array;
  const ArrowArray& values = *array.dictionary;
  const FieldType& type = type_.dictionary.front();
  if (coded_ != cells.array) {
    coded_ = cells.array;
    code_by_index_.assign(static_cast<std::size_t>(values.length), kNotCoded);
  }
  for (std::size_t i = 0; i < codes.size(); ++i) {
    const std::int64_t row = cells.first + static_cast<std::int64_t>(i);
    if (!is_valid(type_, array, row)) continue;
    const std::int64_t index = number_at(type_, array, row);
    Code& known = code_by_index_[static_cast<std::size_t>(index)];
    if (known == kNotCoded) {
      known = kMissing;
      if (is_valid(type, values, index)) {
        if (const Status sound = check_cells(type, values, index, 1); !sound) return sound;
        const Result<Code> code = code_of(text_at(type, values, index, room_), dictionary);
        if (!code) return fail(code.error());
        known = *code;
      }
    }
    codes[i] = known;
  }
  return {};
}

Result<Code> MemoryCoder::code_of(std::string_view text, Dictionary& dictionary) const {
  if (std::find(missing_values_.begin(), missing_values_.end(), text) != missing_values_.end()) {
    return kMissing;
  }
  const std::size_t known = dictionary.size();
  const Code code = dictionary.add(text, 0);
  if (dictionary.size() > known && find_invalid_utf8(text) != std::string_view::npos) {
    return fail(data_error("a text is not UTF-8, which Arrow demands: convert the column first"));
  }
  return code;
}

}  // namespace semveil
