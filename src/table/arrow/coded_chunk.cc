#include "table/arrow/coded_chunk.h"

#include <parquet/column_reader.h>

#include <algorithm>
#include <cstring>
#include <span>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "table/arrow/types.h"

namespace semveil {
namespace {

template <class Type>
class Chunk final : public CodedChunk {
 public:
  using Value = typename Type::c_type;

  Chunk(std::shared_ptr<parquet::ColumnReader> reader, std::shared_ptr<arrow::DataType> type)
      : reader_(std::static_pointer_cast<parquet::TypedColumnReader<Type>>(std::move(reader))),
        type_(std::move(type)) {}

  arrow::Result<std::shared_ptr<arrow::Array>> read(std::int64_t rows) override {
    const bool optional = reader_->descr()->max_definition_level() > 0;
    ARROW_ASSIGN_OR_RAISE(std::shared_ptr<arrow::Buffer> bytes,
                          arrow::AllocateBuffer(rows * std::int64_t{sizeof(std::int32_t)}));
    auto* const indices = bytes->mutable_data_as<std::int32_t>();
    levels_.resize(optional ? static_cast<std::size_t>(rows) : 0);
    std::int64_t done = 0, there = 0;
    while (done < rows) {
      const Value* values = nullptr;
      std::int32_t size = 0;
      std::int64_t got = 0;
      const std::int64_t read =
          reader_->ReadBatchWithDictionary(rows - done, optional ? levels_.data() + done : nullptr,
                                           nullptr, indices + there, &got, &values, &size);
      const std::int64_t expected =
          optional ? std::count(levels_.begin() + done, levels_.begin() + done + read, 1) : read;
      if (read == 0 || got != expected) {
        return arrow::Status::Invalid("a column lacks cells");
      }
      if (dictionary_ == nullptr) ARROW_RETURN_NOT_OK(set_dictionary(values, size));
      done += read;
      there += got;
    }
    if (dictionary_ == nullptr) ARROW_RETURN_NOT_OK(set_dictionary(nullptr, 0));
    const auto known = static_cast<std::uint32_t>(dictionary_->length());
    bool inside = true;
    for (std::int64_t i = 0; i < there; ++i) {
      inside &= static_cast<std::uint32_t>(indices[i]) < known;
    }
    if (!inside) return arrow::Status::Invalid("a cell has no value");
    std::shared_ptr<arrow::Buffer> valid;
    if (there < rows) {
      ARROW_ASSIGN_OR_RAISE(valid, spread(indices, there));
    }
    return std::make_shared<arrow::DictionaryArray>(arrow::ArrayData::Make(
        arrow::dictionary(arrow::int32(), type_), rows, {std::move(valid), std::move(bytes)}, {},
        dictionary_->data(), rows - there));
  }

 private:
  // Moves the indices, which lie one after the other, to the rows that are there.
  arrow::Result<std::shared_ptr<arrow::Buffer>> spread(std::int32_t* indices,
                                                       std::int64_t there) const {
    ARROW_ASSIGN_OR_RAISE(auto valid, arrow::AllocateEmptyBitmap(std::ssize(levels_)));
    for (std::int64_t row = std::ssize(levels_); row-- > 0;) {
      if (levels_[static_cast<std::size_t>(row)] == 1) {
        indices[row] = indices[--there];
        arrow::bit_util::SetBit(valid->mutable_data(), row);
      } else {
        indices[row] = 0;
      }
    }
    return valid;
  }

  arrow::Status set_dictionary(const Value* values, std::int32_t size) {
    ARROW_ASSIGN_OR_RAISE(const auto builder, arrow::MakeBuilder(type_));
    if constexpr (std::is_same_v<Type, parquet::ByteArrayType>) {
      for (const parquet::ByteArray& value : std::span(values, static_cast<std::size_t>(size))) {
        const std::string_view text(value);
        ARROW_RETURN_NOT_OK(type_->id() == arrow::Type::STRING
                                ? static_cast<arrow::StringBuilder&>(*builder).Append(text)
                                : static_cast<arrow::LargeStringBuilder&>(*builder).Append(text));
      }
      ARROW_ASSIGN_OR_RAISE(dictionary_, builder->Finish());
    } else {
      const auto bytes = std::int64_t{size} * std::int64_t{sizeof(Value)};
      ARROW_ASSIGN_OR_RAISE(std::shared_ptr<arrow::Buffer> copy, arrow::AllocateBuffer(bytes));
      if (size > 0) std::memcpy(copy->mutable_data(), values, static_cast<std::size_t>(bytes));
      dictionary_ =
          arrow::MakeArray(arrow::ArrayData::Make(type_, size, {nullptr, std::move(copy)}, 0));
    }
    return dictionary_->ValidateFull();
  }

  std::shared_ptr<parquet::TypedColumnReader<Type>> reader_;
  std::shared_ptr<arrow::DataType> type_;  // of the values
  std::shared_ptr<arrow::Array> dictionary_;
  std::vector<std::int16_t> levels_;
};

bool is_coded(parquet::Encoding::type encoding) {
  return encoding == parquet::Encoding::RLE_DICTIONARY ||
         encoding == parquet::Encoding::PLAIN_DICTIONARY;
}

}  // namespace

bool CodedChunk::can_read(const parquet::ColumnChunkMetaData& chunk) {
  // What Parquet asks before it gives codes: first the dictionary, then nothing but codes.
  const auto& pages = chunk.encoding_stats();
  if (pages.empty() || pages[0].page_type != parquet::PageType::DICTIONARY_PAGE) return false;
  return std::all_of(pages.begin() + 1, pages.end(), [](const parquet::PageEncodingStats& page) {
    return is_coded(page.encoding) && (page.page_type == parquet::PageType::DATA_PAGE ||
                                       page.page_type == parquet::PageType::DATA_PAGE_V2);
  });
}

bool CodedChunk::can_read(const parquet::ColumnDescriptor& column, const arrow::DataType& type) {
  if (column.max_repetition_level() > 0 || column.max_definition_level() > 1) return false;
  if (column.path()->ToDotVector().size() != 1) return false;
  switch (column.physical_type()) {
    case parquet::Type::INT32:
      return type.id() == arrow::Type::INT32 || type.id() == arrow::Type::DATE32;
    case parquet::Type::INT64:
      return type.id() == arrow::Type::INT64;
    case parquet::Type::FLOAT:
      return type.id() == arrow::Type::FLOAT;
    case parquet::Type::DOUBLE:
      return type.id() == arrow::Type::DOUBLE;
    case parquet::Type::BYTE_ARRAY:
      return is_text(type.id());
    default:
      return false;
  }
}

arrow::Result<std::unique_ptr<CodedChunk>> CodedChunk::open(
    parquet::RowGroupReader& row_group, int leaf, const std::shared_ptr<arrow::DataType>& type) {
  auto reader = row_group.ColumnWithExposeEncoding(leaf, parquet::ExposedEncoding::DICTIONARY);
  if (reader->GetExposedEncoding() != parquet::ExposedEncoding::DICTIONARY) {
    return arrow::Status::Invalid("a column is not encoded as it says");
  }
  switch (reader->type()) {
    case parquet::Type::INT32:
      return std::make_unique<Chunk<parquet::Int32Type>>(std::move(reader), type);
    case parquet::Type::INT64:
      return std::make_unique<Chunk<parquet::Int64Type>>(std::move(reader), type);
    case parquet::Type::FLOAT:
      return std::make_unique<Chunk<parquet::FloatType>>(std::move(reader), type);
    case parquet::Type::DOUBLE:
      return std::make_unique<Chunk<parquet::DoubleType>>(std::move(reader), type);
    case parquet::Type::BYTE_ARRAY:
      return std::make_unique<Chunk<parquet::ByteArrayType>>(std::move(reader), type);
    default:
      return arrow::Status::Invalid("a coded column has a type that it cannot have");
  }
}

}  // namespace semveil
