#include "table/arrow/coded_column.h"

#include <algorithm>
#include <cstring>

#include "table/arrow/types.h"

namespace semveil {
namespace {

int width_of(const arrow::DataType& type) { return is_text(type.id()) ? 0 : type.byte_width(); }

// A value of an array of texts or numbers, as bytes.
std::string_view bytes_at(const arrow::Array& array, std::int64_t place) {
  switch (array.type_id()) {
    case arrow::Type::STRING:
      return static_cast<const arrow::StringArray&>(array).GetView(place);
    case arrow::Type::LARGE_STRING:
      return static_cast<const arrow::LargeStringArray&>(array).GetView(place);
    default: {
      const std::int64_t width = array.type()->byte_width();
      const auto* const bytes = reinterpret_cast<const char*>(array.data()->buffers[1]->data());
      return {bytes + (array.offset() + place) * width, static_cast<std::size_t>(width)};
    }
  }
}

}  // namespace

bool CodedColumn::takes_values(const arrow::DataType& type) {
  switch (type.id()) {
    case arrow::Type::INT32:
    case arrow::Type::INT64:
    case arrow::Type::FLOAT:
    case arrow::Type::DOUBLE:
    case arrow::Type::DATE32:
      return true;
    default:
      return is_text(type.id());
  }
}

bool CodedColumn::takes(const arrow::DataType& type) {
  if (type.id() != arrow::Type::DICTIONARY) return false;
  const auto& coded = static_cast<const arrow::DictionaryType&>(type);
  return coded.index_type()->id() == arrow::Type::INT32 && takes_values(*coded.value_type());
}

arrow::Status CodedColumn::add(const arrow::Array& piece) {
  const auto& coded = static_cast<const arrow::DictionaryArray&>(piece);
  if (source_ == nullptr || coded.data()->dictionary != source_->data()) {
    ARROW_RETURN_NOT_OK(set_source(coded.dictionary()));
  }
  const auto rows = static_cast<std::size_t>(coded.length());
  const auto* const indices = coded.data()->GetValues<std::int32_t>(1);
  const std::size_t first = codes_.size();
  codes_.resize(first + rows);
  std::int32_t* const codes = codes_.data() + first;
  const bool texts = is_text(type_->id());
  const auto put = [&](std::size_t i) {
    std::int32_t code = code_by_index_[static_cast<std::size_t>(indices[i])];
    if (code == kUnknown) [[unlikely]]
      code = code_of(indices[i]);
    codes[i] = code;
    if (code == kNull) {
      ++nulls_;
    } else if (texts) {
      text_bytes_ += size_by_code_[static_cast<std::size_t>(code)];
    }
  };
  if (coded.null_count() == 0) {
    for (std::size_t i = 0; i < rows; ++i) put(i);
    return arrow::Status::OK();
  }
  for (std::size_t i = 0; i < rows; ++i) {
    if (coded.IsValid(static_cast<std::int64_t>(i))) {
      put(i);
    } else {
      codes[i] = kNull;
      ++nulls_;
    }
  }
  return arrow::Status::OK();
}

void CodedColumn::clear() {
  values_ = Dictionary();
  size_by_code_.clear();
  codes_.clear();
  nulls_ = text_bytes_ = value_bytes_ = 0;
  std::fill(code_by_index_.begin(), code_by_index_.end(), kUnknown);
}

arrow::Status CodedColumn::set_source(const std::shared_ptr<arrow::Array>& dictionary) {
  if (type_ == nullptr) type_ = dictionary->type();
  if (!type_->Equals(*dictionary->type())) {
    return arrow::Status::Invalid("a column changes its type");
  }
  source_ = dictionary;
  code_by_index_.assign(static_cast<std::size_t>(dictionary->length()), kUnknown);
  return arrow::Status::OK();
}

std::int32_t CodedColumn::code_of(std::int32_t index) {
  std::int32_t& code = code_by_index_[static_cast<std::size_t>(index)];
  if (source_->IsNull(index)) return code = kNull;
  const std::string_view bytes = bytes_at(*source_, index);
  code = static_cast<std::int32_t>(values_.add(bytes, 0));
  if (static_cast<std::size_t>(code) == size_by_code_.size()) {
    size_by_code_.push_back(std::ssize(bytes));
    value_bytes_ += std::ssize(bytes);
  }
  return code;
}

arrow::Result<std::shared_ptr<arrow::Array>> CodedColumn::dense() const {
  const bool texts = is_text(type_->id());
  ARROW_ASSIGN_OR_RAISE(const auto builder,
                        arrow::MakeBuilder(texts ? arrow::large_utf8() : type_));
  if (texts) {
    auto& out = static_cast<arrow::LargeStringBuilder&>(*builder);
    ARROW_RETURN_NOT_OK(out.Reserve(std::ssize(codes_)));
    ARROW_RETURN_NOT_OK(out.ReserveData(text_bytes_));
    for (const std::int32_t code : codes_) {
      if (code == kNull) {
        out.UnsafeAppendNull();
      } else {
        out.UnsafeAppend(value(static_cast<std::size_t>(code)));
      }
    }
    return builder->Finish();
  }
  const auto width = static_cast<std::size_t>(width_of(*type_));
  const auto length = std::ssize(codes_);
  ARROW_ASSIGN_OR_RAISE(std::shared_ptr<arrow::Buffer> bytes,
                        arrow::AllocateBuffer(length * width_of(*type_)));
  std::shared_ptr<arrow::Buffer> valid;
  if (nulls_ > 0) {
    ARROW_ASSIGN_OR_RAISE(valid, arrow::AllocateEmptyBitmap(length));
  }
  auto* const out = bytes->mutable_data_as<char>();
  for (std::size_t i = 0; i < codes_.size(); ++i) {
    if (codes_[i] == kNull) {
      std::memset(out + i * width, 0, width);
      continue;
    }
    if (valid) arrow::bit_util::SetBit(valid->mutable_data(), static_cast<std::int64_t>(i));
    std::memcpy(out + i * width, value(static_cast<std::size_t>(codes_[i])).data(), width);
  }
  return arrow::MakeArray(
      arrow::ArrayData::Make(type_, length, {std::move(valid), std::move(bytes)}, nulls_));
}

}  // namespace semveil
