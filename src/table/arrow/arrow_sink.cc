// Sinks for Parquet and Arrow files.
//
// Of an Arrow table every column that is neither replaced nor dropped comes out in its own type;
// of another table every column is one of texts. Nothing else of the input goes into the output:
// the schema is made anew, dictionaries and statistics are made by the writer from what it gets.
// To Parquet's writer, columns of texts that were replaced or read as dictionaries go as such: it
// takes from a dictionary what the rows name. Dates that were replaced keep their column's type, if
// each of them is one of it. Sets are texts, lists of texts, or columns of texts
// (arrow_sets.h).
#include "table/arrow/arrow_sink.h"

#include <arrow/compute/api_vector.h>
#include <arrow/compute/cast.h>

#include <algorithm>
#include <map>
#include <numeric>
#include <optional>
#include <span>
#include <string_view>
#include <utility>

#include "table/arrow/arrow_sets.h"
#include "table/arrow/coded_column.h"
#include "table/arrow/output.h"
#include "table/arrow/shuffler.h"
#include "table/arrow/status.h"
#include "table/arrow/stream.h"
#include "table/arrow/text_column.h"
#include "table/arrow/types.h"

namespace semveil {
namespace {

using Texts = std::vector<std::optional<std::string_view>>;

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
      Column column{.of_table = c, .edit = {}, .emptied = false, .place_in_set = 0};
      if (replaced != edits_.replace.end()) {
        column.edit = static_cast<std::size_t>(replaced - edits_.replace.begin());
        column.emptied = typed_ && replaced->texts.empty() && !replaced->set;
      }
      if (column.edit && replaced->set) {
        for (const std::string& name : released_names(columns[c], *replaced)) {
          columns_.push_back(column);
          fields.push_back(arrow::field(name, type_of_sets(*replaced->set)));
          ++column.place_in_set;
        }
        continue;
      }
      columns_.push_back(column);
      auto field = typed_ && (!column.edit || column.emptied)
                       ? released_field(*same_kind->field(static_cast<int>(c)))
                       : arrow::field(columns[c], arrow::utf8());
      if (typed_ && column.edit && replaced->dates) {
        ARROW_ASSIGN_OR_RAISE(const auto dates,
                              dates_of(*replaced, *same_kind->field(static_cast<int>(c))));
        if (dates != nullptr) field = arrow::field(columns[c], dates->type());
        dates_.emplace(*column.edit, dates);
      }
      fields.push_back(column.emptied ? field->WithNullable(true) : field);
    }
    schema_ = arrow::schema(std::move(fields));
    // Rows that are put in another order first go through files without dictionaries.
    coded_ = format_ == ArrowFormat::kParquet && !edits_.shuffle;
    for (const Edits::Replace& edit : edits_.replace) {
      sets_.push_back(edit.set ? std::make_unique<ArrowSets>(edit) : nullptr);
      if (!coded_) continue;
      ARROW_ASSIGN_OR_RAISE(auto texts, text_column(edit.texts.size(), [&](std::size_t i) {
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
      for (std::size_t i = 0; i < sets_.size(); ++i) {
        if (sets_[i] == nullptr || sets_[i]->takes(cells[i], batch.rows)) continue;
        return to_arrow(
            system_error("a cell was given a code that has no text; this is a fault of semveil: "
                         "please report it"));
      }
      for (const Column& column : columns_) {
        auto array = column.emptied    ? kept(batch, column.of_table, cells[*column.edit])
                     : is_set(column)  ? set_cells(column, cells[*column.edit])
                     : is_date(column) ? dates(*column.edit, cells[*column.edit])
                     : column.edit     ? replaced(batch, *column.edit, cells[*column.edit])
                     : typed_          ? kept(batch, column.of_table, {})
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

  std::optional<Written> written() const override {
    std::optional<std::string> path = stream_->readable_path();
    if (!path) return std::nullopt;
    return Written{std::move(*path), std::nullopt, std::nullopt};
  }

  bool in_place() const override { return stream_->in_place(); }

  Status commit(std::vector<PendingFile> others, Sync sync) override {
    others.push_back(stream_->take());
    return commit_together(std::move(others), sync);
  }

 private:
  struct Column {
    std::size_t of_table;
    std::optional<std::size_t> edit;  // of edits_.replace
    bool emptied;                     // has no new texts: it keeps its type, some cells are nulls
    std::size_t place_in_set;         // of sets that are written as columns
  };

  bool is_set(const Column& column) const { return column.edit && sets_[*column.edit] != nullptr; }

  bool is_date(const Column& column) const {
    const auto known = column.edit ? dates_.find(*column.edit) : dates_.end();
    return known != dates_.end() && known->second != nullptr;
  }

  // The new texts in the type of the column; null where that holds no dates, or not these.
  static arrow::Result<std::shared_ptr<arrow::Array>> dates_of(const Edits::Replace& edit,
                                                               const arrow::Field& own) {
    const auto type = released_type(own.type());
    const bool holds_dates = arrow::is_date(type->id()) || type->id() == arrow::Type::TIMESTAMP;
    if (!holds_dates) return nullptr;
    ARROW_ASSIGN_OR_RAISE(const auto texts, text_column(edit.texts.size(), [&](std::size_t i) {
                            return std::optional(edit.texts[i]);
                          }));
    auto cast = arrow::compute::Cast(*texts, type);
    return cast.ok() ? *std::move(cast) : nullptr;
  }

  // Cells that stay as they were are those that are missing.
  arrow::Result<std::shared_ptr<arrow::Array>> dates(std::size_t place,
                                                     std::span<const Code> codes) const {
    const std::shared_ptr<arrow::Array>& all = dates_.at(place);
    arrow::Int64Builder rows;
    ARROW_RETURN_NOT_OK(rows.Reserve(std::ssize(codes)));
    for (const Code code : codes) {
      if (code < static_cast<Code>(all->length())) {
        rows.UnsafeAppend(static_cast<std::int64_t>(code));
      } else {
        rows.UnsafeAppendNull();
      }
    }
    ARROW_ASSIGN_OR_RAISE(const auto indices, rows.Finish());
    return arrow::compute::Take(*all, *indices, arrow::compute::TakeOptions::NoBoundsCheck());
  }

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
                          text_column(batch.rows, [&](std::size_t i) { return texts[i]; }));
    if (!static_cast<const arrow::StringArray&>(*array).ValidateUTF8().ok()) {
      return to_arrow(data_error(
          "a text is not UTF-8, which Parquet and Arrow demand: convert the table first"));
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
        text_column(codes.size(), [&](std::size_t i) -> std::optional<std::string_view> {
          const Code code = codes[i];
          if (code < edit.texts.size()) return edit.texts[code];
          return code == kMissing ? std::nullopt : own[i];
        }));
    if (!coded_) return array;
    std::vector<Code> rows(codes.size());
    std::iota(rows.begin(), rows.end(), Code{0});
    return coded(rows, array);
  }

  arrow::Result<std::shared_ptr<arrow::Array>> set_cells(const Column& column,
                                                         std::span<const Code> codes) const {
    const ArrowSets& sets = *sets_[*column.edit];
    switch (sets.form().kind) {
      case SetForm::Kind::kJoined:
        return sets.joined(codes);
      case SetForm::Kind::kList:
        return sets.lists(codes);
      case SetForm::Kind::kColumns:
        break;
    }
    const std::vector<Code> members = sets.members(codes, column.place_in_set);
    if (coded_) return coded(members, new_texts_[*column.edit]);
    return sets.texts(members);
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
  bool coded_ = false;                                          // the output takes dictionaries
  arrow::ArrayVector new_texts_;                                // by edit, where it does
  std::vector<std::unique_ptr<ArrowSets>> sets_;                // by edit; null where it is none
  std::map<std::size_t, std::shared_ptr<arrow::Array>> dates_;  // by edit of dates; may be null
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
