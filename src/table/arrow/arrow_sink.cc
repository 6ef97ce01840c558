// Sinks for Parquet and Arrow files.
//
// Of an Arrow table every column that is neither replaced nor dropped comes out in its own type;
// of another table every column is one of texts. Nothing else of the input goes into the output:
// the schema is made anew, dictionaries and statistics are made by the writer from what it gets.
// To Parquet's writer, columns of texts that were replaced or read as dictionaries go as such: it
// takes from a dictionary what the rows name.
#include "table/arrow/arrow_sink.h"

#include <arrow/compute/api_vector.h>

#include <algorithm>
#include <cstring>
#include <limits>
#include <numeric>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "table/arrow/coded_column.h"
#include "table/arrow/output.h"
#include "table/arrow/shuffler.h"
#include "table/arrow/status.h"
#include "table/arrow/stream.h"
#include "table/arrow/types.h"

namespace semveil {
namespace {

using Texts = std::vector<std::optional<std::string_view>>;

// Texts one after the other in one buffer, as Arrow has them.
class TextColumn {
 public:
  // `text_at` gives a row's text or nothing. Called twice: for the sizes, and for the bytes.
  template <class TextAt>
  static arrow::Result<std::shared_ptr<arrow::Array>> of(std::size_t rows, const TextAt& text_at) {
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
      if (size > std::numeric_limits<std::int32_t>::max()) {
        return to_arrow(
            usage_error("the texts of a batch are longer than 2 GiB together: choose "
                        "fewer rows for a batch"));
      }
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
};

class RenderedRecords final : public RenderedBatch {
 public:
  explicit RenderedRecords(std::shared_ptr<arrow::RecordBatch> batch) : records(std::move(batch)) {}
  std::shared_ptr<arrow::RecordBatch> records;
};

class ArrowSink final : public TableSink {
 public:
  arrow::Status open(const std::string& path, const OutputForm& form,
                     const std::vector<std::string>& columns, const arrow::Schema* same_kind,
                     Edits edits, const TableOptions& options) {
    path_ = path;
    format_ = form.format;
    edits_ = std::move(edits);
    names_ = columns;
    typed_ = same_kind != nullptr;
    arrow::FieldVector fields;
    for (std::size_t c = 0; c < columns.size(); ++c) {
      if (std::binary_search(edits_.drop.begin(), edits_.drop.end(), c)) continue;
      const auto replaced = std::find_if(edits_.replace.begin(), edits_.replace.end(),
                                         [&](const auto& edit) { return edit.column == c; });
      Column column{.of_table = c, .edit = {}, .emptied = false};
      if (replaced != edits_.replace.end()) {
        column.edit = static_cast<std::size_t>(replaced - edits_.replace.begin());
        column.emptied = typed_ && replaced->texts.empty();
      }
      columns_.push_back(column);
      auto field = typed_ && (!column.edit || column.emptied)
                       ? released_field(*same_kind->field(static_cast<int>(c)))
                       : arrow::field(columns[c], arrow::utf8());
      fields.push_back(column.emptied ? field->WithNullable(true) : field);
    }
    schema_ = arrow::schema(std::move(fields));
    // Rows that are put in another order first go through files without dictionaries.
    coded_ = format_ == ArrowFormat::kParquet && !edits_.shuffle;
    for (const Edits::Replace& edit : edits_.replace) {
      if (!coded_) break;
      ARROW_ASSIGN_OR_RAISE(auto texts, TextColumn::of(edit.texts.size(), [&](std::size_t i) {
                              return std::optional(edit.texts[i]);
                            }));
      new_texts_.push_back(std::move(texts));
    }
    if (columns_.empty()) {
      return to_arrow(usage_error("every column is dropped: keep at least one"));
    }
    ARROW_ASSIGN_OR_RAISE(stream_, to_arrow(PendingStream::create(path)));
    ARROW_ASSIGN_OR_RAISE(output_, Output::open(form, schema_, stream_));
    if (edits_.shuffle) {
      ARROW_ASSIGN_OR_RAISE(shuffler_,
                            Shuffler::open(*edits_.shuffle, schema_, options.temp_folder));
    }
    return arrow::Status::OK();
  }

  Result<std::unique_ptr<RenderedBatch>> render(
      const TableBatch& batch, std::span<const std::span<const Code>> cells) const override {
    return guarded(place(), [&]() -> arrow::Result<std::unique_ptr<RenderedBatch>> {
      arrow::ArrayVector arrays;
      arrays.reserve(columns_.size());
      for (const Column& column : columns_) {
        auto array = column.emptied ? kept(batch, column.of_table, cells[*column.edit])
                     : column.edit  ? replaced(batch, *column.edit, cells[*column.edit])
                     : typed_       ? kept(batch, column.of_table, {})
                                    : as_texts(batch, column.of_table);
        if (!array.ok()) {
          Error error = to_error(array.status());
          if (error.place.file.empty()) {
            error.place = {.file = path_, .line = 0, .column = names_[column.of_table]};
          }
          return to_arrow(std::move(error));
        }
        arrays.push_back(*std::move(array));
      }
      ARROW_ASSIGN_OR_RAISE(auto schema, schema_of(arrays));
      const auto records = arrow::RecordBatch::Make(
          std::move(schema), static_cast<std::int64_t>(batch.rows), std::move(arrays));
      if (batch.dropped.empty()) return std::make_unique<RenderedRecords>(records);
      std::vector<std::uint32_t> left;
      for (std::uint32_t row = 0; row < batch.rows; ++row) {
        if (!batch.dropped[row]) left.push_back(row);
      }
      ARROW_ASSIGN_OR_RAISE(auto taken, take_rows(*records, left));
      return std::make_unique<RenderedRecords>(std::move(taken));
    });
  }

  Status write(std::unique_ptr<RenderedBatch> rendered) override {
    return guarded(place(), [&]() -> arrow::Status {
      auto& records = static_cast<RenderedRecords&>(*rendered).records;
      if (shuffler_ != nullptr) return shuffler_->add(std::move(records));
      return output_->write(std::move(records));
    });
  }

  Status flush() override {
    return guarded(place(), [&]() -> arrow::Status {
      return shuffler_ != nullptr ? arrow::Status::OK() : output_->flush();
    });
  }

  Status finish() override {
    return guarded(place(), [&]() -> arrow::Status {
      if (shuffler_ != nullptr) {
        ARROW_RETURN_NOT_OK(shuffler_->finish([&](std::shared_ptr<arrow::RecordBatch> records) {
          return output_->write(std::move(records));
        }));
        shuffler_.reset();
      }
      ARROW_RETURN_NOT_OK(output_->close());
      return stream_->Flush();
    });
  }

  Status commit() override { return stream_->commit(); }

 private:
  struct Column {
    std::size_t of_table;
    std::optional<std::size_t> edit;  // of edits_.replace
    bool emptied;                     // has no new texts: it keeps its type, some cells are nulls
  };

  Place place() const { return {.file = path_, .line = 0, .column = {}}; }

  // As it was opened with, but for the columns that are coded.
  arrow::Result<std::shared_ptr<arrow::Schema>> schema_of(const arrow::ArrayVector& arrays) const {
    std::shared_ptr<arrow::Schema> schema = schema_;
    for (int i = 0; i < schema_->num_fields() && coded_; ++i) {
      const auto& type = arrays[static_cast<std::size_t>(i)]->type();
      if (type->id() != arrow::Type::DICTIONARY) continue;
      ARROW_ASSIGN_OR_RAISE(schema, schema->SetField(i, schema->field(i)->WithType(type)));
    }
    return schema;
  }

  // `codes`: kMissing where a cell becomes a null; empty: none does.
  arrow::Result<std::shared_ptr<arrow::Array>> kept(const TableBatch& batch, std::size_t column,
                                                    std::span<const Code> codes) const {
    const auto* const records = dynamic_cast<const ArrowBatch*>(&batch);
    if (records == nullptr || records->column(column) == nullptr) {
      return arrow::Status::Invalid("the column was not read from its table");
    }
    std::shared_ptr<arrow::Array> cells = records->column(column);
    if (std::find(codes.begin(), codes.end(), kMissing) != codes.end()) {
      ARROW_ASSIGN_OR_RAISE(cells, without(*cells, codes));
    }
    if (coded_ && CodedColumn::takes(*cells->type())) return cells;
    ARROW_ASSIGN_OR_RAISE(auto array, released_array(cells));
    return format_ == ArrowFormat::kParquet ? array : cells_alone(array);
  }

  static arrow::Result<std::shared_ptr<arrow::Array>> without(const arrow::Array& cells,
                                                              std::span<const Code> codes) {
    arrow::Int64Builder rows;
    ARROW_RETURN_NOT_OK(rows.Reserve(std::ssize(codes)));
    for (std::size_t row = 0; row < codes.size(); ++row) {
      if (codes[row] == kMissing) {
        rows.UnsafeAppendNull();
      } else {
        rows.UnsafeAppend(static_cast<std::int64_t>(row));
      }
    }
    ARROW_ASSIGN_OR_RAISE(const auto indices, rows.Finish());
    return arrow::compute::Take(cells, *indices, arrow::compute::TakeOptions::NoBoundsCheck());
  }

  static arrow::Result<std::shared_ptr<arrow::Array>> as_texts(const TableBatch& batch,
                                                               std::size_t column) {
    const Texts texts = batch.texts(column);
    ARROW_ASSIGN_OR_RAISE(auto array,
                          TextColumn::of(batch.rows, [&](std::size_t i) { return texts[i]; }));
    if (!static_cast<const arrow::StringArray&>(*array).ValidateUTF8().ok()) {
      return arrow::Status::Invalid(
          "a text is not UTF-8, which Parquet and Arrow demand: convert the table first");
    }
    return array;
  }

  arrow::Result<std::shared_ptr<arrow::Array>> replaced(const TableBatch& batch, std::size_t place,
                                                        std::span<const Code> codes) const {
    const Edits::Replace& edit = edits_.replace[place];
    Texts own;
    bool all_new = true;  // no cell keeps a text of its own
    for (std::size_t i = 0; i < codes.size(); ++i) {
      const Code code = codes[i];
      if (code < edit.texts.size() || code == kMissing) continue;
      if (code != kAsItWas) return arrow::Status::Invalid("a cell has a text that is not there");
      if (own.empty()) own = batch.texts(edit.column);
      all_new = all_new && !own[i];
    }
    if (coded_ && all_new) return coded(codes, new_texts_[place]);
    ARROW_ASSIGN_OR_RAISE(
        auto array,
        TextColumn::of(codes.size(), [&](std::size_t i) -> std::optional<std::string_view> {
          const Code code = codes[i];
          if (code < edit.texts.size()) return edit.texts[code];
          return code == kMissing ? std::nullopt : own[i];
        }));
    if (!coded_) return array;
    std::vector<Code> rows(codes.size());
    std::iota(rows.begin(), rows.end(), Code{0});
    return coded(rows, array);
  }

  // Codes that are none of the texts are nulls.
  static arrow::Result<std::shared_ptr<arrow::Array>> coded(
      std::span<const Code> codes, const std::shared_ptr<arrow::Array>& texts) {
    const auto known = static_cast<Code>(texts->length());
    arrow::Int32Builder indices;
    ARROW_RETURN_NOT_OK(indices.Reserve(std::ssize(codes)));
    for (const Code code : codes) {
      if (code < known) {
        indices.UnsafeAppend(static_cast<std::int32_t>(code));
      } else {
        indices.UnsafeAppendNull();
      }
    }
    ARROW_ASSIGN_OR_RAISE(const auto array, indices.Finish());
    return std::make_shared<arrow::DictionaryArray>(
        arrow::dictionary(arrow::int32(), texts->type()), array, texts);
  }

  std::string path_;
  Edits edits_;
  std::vector<std::string> names_;
  ArrowFormat format_ = ArrowFormat::kParquet;
  bool typed_ = false;
  bool coded_ = false;            // the output takes dictionaries
  arrow::ArrayVector new_texts_;  // by edit, where it does
  std::vector<Column> columns_;
  std::shared_ptr<arrow::Schema> schema_;
  std::shared_ptr<PendingStream> stream_;
  std::unique_ptr<Output> output_;
  std::unique_ptr<Shuffler> shuffler_;
};

}  // namespace

Result<std::unique_ptr<TableSink>> make_arrow_sink(const std::string& path, ArrowFormat format,
                                                   const std::vector<std::string>& columns,
                                                   const ArrowFileTable* same_kind, Edits edits,
                                                   const TableOptions& options) {
  OutputForm form;
  form.format = format;
  const arrow::Schema* schema = nullptr;
  if (same_kind != nullptr) {
    const Input& input = same_kind->input();
    form.compression = input.compression;
    if (input.row_group_rows > 0) form.row_group_rows = input.row_group_rows;
    form.arrow_types = input.has_arrow_types;
    schema = input.schema.get();
  }
  return guarded(
      Place{.file = path, .line = 0, .column = {}},
      [&]() -> arrow::Result<std::unique_ptr<TableSink>> {
        auto sink = std::make_unique<ArrowSink>();
        ARROW_RETURN_NOT_OK(sink->open(path, form, columns, schema, std::move(edits), options));
        return sink;
      });
}

}  // namespace semveil
