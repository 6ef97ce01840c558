#include "table/arrow/texts.h"

#include <arrow/compute/api_vector.h>
#include <arrow/compute/cast.h>

#include <algorithm>
#include <string>
#include <utility>

#include "table/arrow/types.h"
#include "table/set_texts.h"

namespace semveil {
namespace {

constexpr Code kUnknown = kAsItWas;  // no text has this code

using Texts = std::vector<std::optional<std::string_view>>;

// ["a","b"], a null among them as null. `extent` gives the place of a row's first element and of
// that behind its last.
template <class Extent>
arrow::Result<std::shared_ptr<arrow::Array>> lists_as_texts(
    const arrow::Array& lists, const std::shared_ptr<arrow::Array>& elements,
    const Extent& extent) {
  arrow::LargeStringBuilder out;
  ARROW_RETURN_NOT_OK(out.Reserve(lists.length()));
  // A piece of a batch has the elements of the whole.
  const std::int64_t first = lists.length() == 0 ? 0 : extent(0).first;
  const std::int64_t last = lists.length() == 0 ? 0 : extent(lists.length() - 1).second;
  std::shared_ptr<arrow::Array> holder;
  ARROW_ASSIGN_OR_RAISE(const Texts texts, texts_of(elements->Slice(first, last - first), holder));
  std::string json;
  for (std::int64_t row = 0; row < lists.length(); ++row) {
    if (lists.IsNull(row)) {
      out.UnsafeAppendNull();
      continue;
    }
    const auto [begin, end] = extent(row);
    json = '[';
    for (std::int64_t i = begin; i < end; ++i) {
      if (i > begin) json += ',';
      if (const auto& text = texts[static_cast<std::size_t>(i - first)]) {
        append_json(*text, json);
      } else {
        json += "null";
      }
    }
    json += ']';
    ARROW_RETURN_NOT_OK(out.Append(json));
  }
  return out.Finish();
}

arrow::Result<std::shared_ptr<arrow::Array>> lists_as_texts(const arrow::Array& lists) {
  const auto in_parts = [](const auto& array) {
    return lists_as_texts(array, array.values(), [&](std::int64_t row) {
      return std::pair<std::int64_t, std::int64_t>(array.value_offset(row),
                                                   array.value_offset(row + 1));
    });
  };
  switch (lists.type_id()) {
    case arrow::Type::LIST:
      return in_parts(static_cast<const arrow::ListArray&>(lists));
    case arrow::Type::LARGE_LIST:
      return in_parts(static_cast<const arrow::LargeListArray&>(lists));
    default:
      return in_parts(static_cast<const arrow::FixedSizeListArray&>(lists));
  }
}

// The values as an array of texts, cast where they are none. Large offsets: a batch of long binary
// cells may pass 2 GiB.
arrow::Result<std::shared_ptr<arrow::Array>> as_texts(const std::shared_ptr<arrow::Array>& values) {
  if (is_text(values->type_id())) return values;
  if (is_list_of_texts(*values->type())) return lists_as_texts(*values);
  return arrow::compute::Cast(*values, arrow::large_utf8());
}

// Calls use() with the array in its own type.
template <class Use>
auto with_texts(const arrow::Array& texts, const Use& use) {
  if (texts.type_id() == arrow::Type::STRING) {
    return use(static_cast<const arrow::StringArray&>(texts));
  }
  return use(static_cast<const arrow::LargeStringArray&>(texts));
}

template <class Index>
std::span<const Index> indices_of(const arrow::Array& indices) {
  return {indices.data()->GetValues<Index>(1), static_cast<std::size_t>(indices.length())};
}

// Calls use() with the indices of a dictionary array in their own type.
template <class Use>
void with_indices(const arrow::Array& indices, const Use& use) {
  switch (indices.type_id()) {
    case arrow::Type::INT8:
      return use(indices_of<std::int8_t>(indices));
    case arrow::Type::UINT8:
      return use(indices_of<std::uint8_t>(indices));
    case arrow::Type::INT16:
      return use(indices_of<std::int16_t>(indices));
    case arrow::Type::UINT16:
      return use(indices_of<std::uint16_t>(indices));
    case arrow::Type::INT32:
      return use(indices_of<std::int32_t>(indices));
    case arrow::Type::UINT32:
      return use(indices_of<std::uint32_t>(indices));
    case arrow::Type::INT64:
      return use(indices_of<std::int64_t>(indices));
    default:
      return use(indices_of<std::uint64_t>(indices));
  }
}

template <class Array>
Texts views_of(const Array& array) {
  Texts texts(static_cast<std::size_t>(array.length()));
  for (std::int64_t i = 0; i < array.length(); ++i) {
    if (array.IsValid(i)) texts[static_cast<std::size_t>(i)] = array.GetView(i);
  }
  return texts;
}

}  // namespace

arrow::Result<Texts> texts_of(const std::shared_ptr<arrow::Array>& column,
                              std::shared_ptr<arrow::Array>& holder) {
  holder = column;
  switch (column->type_id()) {
    case arrow::Type::NA:
      return Texts(static_cast<std::size_t>(column->length()));
    case arrow::Type::DICTIONARY: {
      const auto& coded = static_cast<const arrow::DictionaryArray&>(*column);
      if (coded.dictionary()->length() > coded.length()) {  // most of it is not asked for
        ARROW_ASSIGN_OR_RAISE(const auto cells,
                              arrow::compute::Take(*coded.dictionary(), *coded.indices(),
                                                   arrow::compute::TakeOptions::NoBoundsCheck()));
        return texts_of(cells, holder);
      }
      ARROW_ASSIGN_OR_RAISE(const Texts values, texts_of(coded.dictionary(), holder));
      Texts texts(static_cast<std::size_t>(coded.length()));
      for (std::int64_t i = 0; i < coded.length(); ++i) {
        if (coded.IsNull(i)) continue;
        texts[static_cast<std::size_t>(i)] =
            values[static_cast<std::size_t>(coded.GetValueIndex(i))];
      }
      return texts;
    }
    case arrow::Type::BINARY:
      return views_of(static_cast<const arrow::BinaryArray&>(*column));
    case arrow::Type::LARGE_BINARY:
      return views_of(static_cast<const arrow::LargeBinaryArray&>(*column));
    case arrow::Type::STRING_VIEW:
    case arrow::Type::BINARY_VIEW:
      return views_of(static_cast<const arrow::BinaryViewArray&>(*column));
    default:
      break;
  }
  ARROW_ASSIGN_OR_RAISE(holder, as_texts(column));
  return with_texts(*holder, [](const auto& array) { return views_of(array); });
}

arrow::Result<std::vector<Code>> Coder::codes(const std::shared_ptr<arrow::Array>& column,
                                              Dictionary& dictionary) {
  std::vector<Code> codes(static_cast<std::size_t>(column->length()), kMissing);
  if (column->type_id() == arrow::Type::NA) return codes;
  if (column->type_id() == arrow::Type::DICTIONARY) {
    ARROW_RETURN_NOT_OK(
        code_dictionary(static_cast<const arrow::DictionaryArray&>(*column), dictionary, codes));
    return codes;
  }
  ARROW_ASSIGN_OR_RAISE(const auto texts, as_texts(column));
  with_texts(*texts, [&](const auto& array) {
    for (std::int64_t i = 0; i < array.length(); ++i) {
      if (array.IsNull(i)) continue;
      codes[static_cast<std::size_t>(i)] = code_of(array.GetView(i), dictionary);
    }
  });
  return codes;
}

arrow::Status Coder::code_dictionary(const arrow::DictionaryArray& column, Dictionary& dictionary,
                                     std::vector<Code>& codes) {
  if (column.data()->dictionary != values_) {
    values_ = column.data()->dictionary;
    const std::shared_ptr<arrow::Array>& values = column.dictionary();
    if (values->type_id() == arrow::Type::NA) {
      code_by_index_.assign(static_cast<std::size_t>(values->length()), kMissing);
    } else {
      ARROW_ASSIGN_OR_RAISE(texts_, as_texts(values));
      code_by_index_.assign(static_cast<std::size_t>(values->length()), kUnknown);
    }
  }
  const auto code_at = [&](std::size_t index) {
    Code& code = code_by_index_[index];
    if (code == kUnknown) {
      const auto place = static_cast<std::int64_t>(index);
      code = texts_->IsNull(place) ? kMissing : with_texts(*texts_, [&](const auto& array) {
        return code_of(array.GetView(place), dictionary);
      });
    }
    return code;
  };
  const bool no_nulls = column.null_count() == 0;
  with_indices(*column.indices(), [&](const auto indices) {
    for (std::size_t i = 0; i < indices.size(); ++i) {
      if (no_nulls || column.IsValid(static_cast<std::int64_t>(i))) {
        codes[i] = code_at(static_cast<std::size_t>(indices[i]));
      }
    }
  });
  return arrow::Status::OK();
}

Code Coder::code_of(std::string_view text, Dictionary& dictionary) const {
  if (std::find(missing_values_.begin(), missing_values_.end(), text) != missing_values_.end()) {
    return kMissing;
  }
  return dictionary.add(text, 0);
}

}  // namespace semveil
