#include "table/arrow/parquet_output.h"

#include <arrow/array/concatenate.h>
#include <arrow/util/compression.h>
#include <parquet/properties.h>

#include <algorithm>
#include <utility>

#include "table/arrow/coded_pages.h"
#include "table/arrow/parquet_file.h"
#include "table/arrow/status.h"
#include "table/arrow/types.h"

namespace semveil {
namespace {

using arrow::Compression;

// Parquet's own limit, below which it does not ask whether a dictionary pays.
constexpr std::int64_t kSmallDictionary = std::int64_t{1} << 20;
constexpr std::int64_t kMaxDictionary = std::int64_t{1} << 30;

// The bytes of the values; the same for the same rows, however their arrays lie in memory: of a
// piece of nested values, those of the piece.
std::int64_t value_bytes(const arrow::ArrayData& data) {
  const auto text_bytes = [&](auto offset_of_type) {
    const auto* offsets = data.GetValues<decltype(offset_of_type)>(1);
    return data.length == 0 ? 0 : static_cast<std::int64_t>(offsets[data.length] - offsets[0]);
  };
  const arrow::DataType& type = *data.type;
  if (arrow::is_binary_like(type.id())) return text_bytes(std::int32_t{});
  if (arrow::is_large_binary_like(type.id())) return text_bytes(std::int64_t{});
  if (type.bit_width() > 0) return type.bit_width() * data.length / 8;
  std::int64_t sum = data.length;
  const auto add_elements = [&](std::int64_t first, std::int64_t last) {
    sum += value_bytes(*data.child_data[0]->Slice(first, last - first));
  };
  const auto add_list = [&](auto offset_of_type) {
    const auto* offsets = data.GetValues<decltype(offset_of_type)>(1);
    if (data.length > 0) add_elements(offsets[0], offsets[data.length]);
  };
  switch (type.id()) {
    case arrow::Type::LIST:
    case arrow::Type::MAP:
      add_list(std::int32_t{});
      break;
    case arrow::Type::LARGE_LIST:
      add_list(std::int64_t{});
      break;
    case arrow::Type::FIXED_SIZE_LIST: {
      const auto size = static_cast<const arrow::FixedSizeListType&>(type).list_size();
      add_elements(data.offset * size, (data.offset + data.length) * size);
      break;
    }
    case arrow::Type::STRUCT:
      for (const auto& child : data.child_data) {
        sum += value_bytes(*child->Slice(data.offset, data.length));
      }
      break;
    default:
      for (const auto& child : data.child_data) sum += value_bytes(*child);
  }
  return sum;
}

// Old files name a form of LZ4 that nobody should write any more.
Compression::type parquet_codec(Compression::type codec) {
  if (codec == Compression::LZ4_HADOOP || codec == Compression::LZ4_FRAME) return Compression::LZ4;
  return arrow::util::Codec::IsAvailable(codec) ? codec : Compression::ZSTD;
}

// One column of the row group, coded or as it came.
class Column {
 public:
  // Of one batch; the bytes of its values.
  arrow::Result<std::int64_t> add(const arrow::ArrayVector& pieces) {
    if (CodedColumn::takes(*pieces[0]->type())) return add_coded(pieces);
    if (pieces.size() == 1) return add_dense(pieces[0]);
    const auto whole = arrow::Concatenate(pieces);
    if (whole.ok()) return add_dense(*whole);
    // The texts of one batch may be too long for one array; its pieces are not.
    std::int64_t bytes = 0;
    for (const auto& piece : pieces) bytes += add_dense(piece);
    return bytes;
  }

  arrow::Status write(ParquetFile& file) {
    if (!is_coded_) {
      return file.write(std::make_shared<arrow::ChunkedArray>(std::exchange(chunks_, {})));
    }
    if (!dictionary_pays()) {
      ARROW_ASSIGN_OR_RAISE(auto dense, coded_.dense());
      coded_.clear();
      return file.write(std::make_shared<arrow::ChunkedArray>(std::move(dense)));
    }
    ARROW_RETURN_NOT_OK(file.write(coded_));
    coded_.clear();
    return arrow::Status::OK();
  }

 private:
  std::int64_t add_dense(const std::shared_ptr<arrow::Array>& array) {
    chunks_.push_back(array);
    return value_bytes(*array->data());
  }

  arrow::Result<std::int64_t> add_coded(const arrow::ArrayVector& pieces) {
    is_coded_ = true;
    const auto& type = static_cast<const arrow::DictionaryType&>(*pieces[0]->type());
    width_ = is_text(type.value_type()->id()) ? 0 : type.value_type()->byte_width();
    const std::int64_t texts = coded_.text_bytes();
    std::int64_t rows = 0;
    for (const auto& piece : pieces) {
      ARROW_RETURN_NOT_OK(coded_.add(*piece));
      rows += piece->length();
    }
    return coded_.text_bytes() - texts + rows * width_;
  }

  // Whether the file gets smaller by it.
  bool dictionary_pays() const {
    constexpr std::int64_t kLength = 4;  // bytes before each text
    const std::int64_t cells = std::ssize(coded_.codes()) - coded_.nulls();
    const std::int64_t lengths = width_ == 0 ? kLength : 0;
    const std::int64_t dictionary =
        coded_.value_bytes() + lengths * static_cast<std::int64_t>(coded_.values());
    if (dictionary <= kSmallDictionary) return true;
    const std::int64_t plain = coded_.text_bytes() + cells * (lengths + width_);
    return dictionary <= kMaxDictionary &&
           dictionary + cells * code_width(coded_.values()) / 8 < plain;
  }

  bool is_coded_ = false;
  CodedColumn coded_;
  int width_ = 0;  // of numbers in bytes; texts: 0
  arrow::ArrayVector chunks_;
};

class ParquetWriter final : public FormatWriter {
 public:
  ParquetWriter(std::unique_ptr<ParquetFile> file, int columns, std::int64_t row_group_rows)
      : file_(std::move(file)),
        columns_(static_cast<std::size_t>(columns)),
        row_group_rows_(row_group_rows) {}

  std::int64_t room() const override { return std::min(kUsualBatchRows, row_group_rows_ - rows_); }

  arrow::Status write(const arrow::RecordBatchVector& pieces) override {
    for (std::size_t c = 0; c < columns_.size(); ++c) {
      arrow::ArrayVector arrays;
      for (const auto& piece : pieces) arrays.push_back(piece->column(static_cast<int>(c)));
      ARROW_ASSIGN_OR_RAISE(const std::int64_t bytes, columns_[c].add(arrays));
      bytes_ += bytes;
    }
    for (const auto& piece : pieces) rows_ += piece->num_rows();
    return rows_ >= row_group_rows_ || bytes_ >= kMaxRowGroupBytes ? write_row_group()
                                                                   : arrow::Status::OK();
  }

  arrow::Status close() override {
    if (rows_ > 0) ARROW_RETURN_NOT_OK(write_row_group());
    return file_->close();
  }

 private:
  arrow::Status write_row_group() {
    ARROW_RETURN_NOT_OK(file_->start_row_group());
    for (Column& column : columns_) ARROW_RETURN_NOT_OK(column.write(*file_));
    rows_ = bytes_ = 0;
    return arrow::Status::OK();
  }

  std::unique_ptr<ParquetFile> file_;
  std::vector<Column> columns_;
  std::int64_t row_group_rows_;
  std::int64_t rows_ = 0, bytes_ = 0;  // of the row group
};

}  // namespace

arrow::Result<std::unique_ptr<FormatWriter>> open_parquet_writer(
    const OutputForm& form, const std::shared_ptr<arrow::Schema>& schema,
    const std::shared_ptr<arrow::io::OutputStream>& stream) {
  parquet::WriterProperties::Builder options;
  options.compression(parquet_codec(form.compression));
  options.max_row_group_length(form.row_group_rows);
  parquet::ArrowWriterProperties::Builder arrow_options;
  if (form.arrow_types) arrow_options.store_schema();
  auto file = ParquetFile::open(schema, stream, options.build(), arrow_options.build());
  if (file.status().IsNotImplemented()) {
    return to_arrow(usage_error("Parquet has no type for one of the columns (" +
                                file.status().message() +
                                "): write an .arrow file, or drop the column"));
  }
  ARROW_RETURN_NOT_OK(file.status());
  return std::make_unique<ParquetWriter>(*std::move(file), schema->num_fields(),
                                         form.row_group_rows);
}

}  // namespace semveil
