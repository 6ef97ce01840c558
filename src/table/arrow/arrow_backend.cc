// The table backend on Apache Arrow; see table/backend.h.
//
// A column is read batch by batch on one thread. Where the file or Parquet's encoding gives a
// dictionary, the indices are counted and each text is looked up once a batch instead of once a
// record. Files are not trusted: every batch is validated in full before its buffers are used.
#include <arrow/api.h>
#include <arrow/compute/cast.h>
#include <arrow/io/file.h>
#include <arrow/ipc/reader.h>
#include <arrow/util/io_util.h>
#include <parquet/arrow/reader.h>
#include <parquet/arrow/schema.h>
#include <parquet/file_reader.h>
#include <parquet/properties.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <memory>
#include <new>
#include <numeric>
#include <string>
#include <string_view>
#include <system_error>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/text_hash.h"
#include "table/backend.h"

namespace semveil {
namespace {

constexpr std::int64_t kBatchRows = 65536;
constexpr std::size_t kNamesInMessage = 20;

// Inside, an arrow::Status carries the errors: ours are Invalid.
Error to_error(const arrow::Status& status) {
  switch (const int number = arrow::internal::ErrnoFromStatus(status)) {
    case 0:
      return data_error(status.message());
    case ENOENT:
    case ENOTDIR:
      return data_error("no such file: check the path");
    default:
      return system_error("the file cannot be read: " + std::generic_category().message(number));
  }
}

// ---- Counting -----------------------------------------------------------------------------------

bool is_text(arrow::Type::type id) {
  return id == arrow::Type::STRING || id == arrow::Type::LARGE_STRING;
}

bool can_be_text(const arrow::DataType& type) {
  switch (type.id()) {
    case arrow::Type::NA:
    case arrow::Type::STRING_VIEW:
    case arrow::Type::BINARY:
    case arrow::Type::LARGE_BINARY:
    case arrow::Type::BINARY_VIEW:
      return true;
    case arrow::Type::DICTIONARY: {
      const arrow::DataType& values = *static_cast<const arrow::DictionaryType&>(type).value_type();
      return values.id() != arrow::Type::DICTIONARY && can_be_text(values);
    }
    default:
      return is_text(type.id()) || arrow::is_primitive(type.id()) || arrow::is_decimal(type.id());
  }
}

class Counter {
 public:
  arrow::Status add(const std::shared_ptr<arrow::Array>& batch) {
    ARROW_RETURN_NOT_OK(batch->ValidateFull());
    records_ += static_cast<std::uint64_t>(batch->length());
    if (batch->type_id() == arrow::Type::NA) {
      missing_ += static_cast<std::uint64_t>(batch->length());
      return arrow::Status::OK();
    }
    if (batch->type_id() == arrow::Type::DICTIONARY) {
      return add_dictionary(static_cast<const arrow::DictionaryArray&>(*batch));
    }
    return with_texts(batch, [this](const auto& texts) {
      for (std::int64_t i = 0; i < texts.length(); ++i) add_cell(texts, i, 1);
    });
  }

  ColumnCounts finish() && {
    ColumnCounts counts{.values = {}, .records = records_, .missing = missing_};
    counts.values.reserve(counts_.size());
    while (!counts_.empty()) {
      auto node = counts_.extract(counts_.begin());
      counts.values.emplace_back(std::move(node.key()), node.mapped());
    }
    std::sort(counts.values.begin(), counts.values.end());
    return counts;
  }

 private:
  arrow::Status add_dictionary(const arrow::DictionaryArray& batch) {
    std::vector<std::uint64_t> uses(static_cast<std::size_t>(batch.dictionary()->length()), 0);
    for (std::int64_t i = 0; i < batch.length(); ++i) {
      if (batch.IsNull(i)) {
        ++missing_;
      } else {
        ++uses[static_cast<std::size_t>(batch.GetValueIndex(i))];
      }
    }
    return with_texts(batch.dictionary(), [&](const auto& texts) {
      for (std::int64_t i = 0; i < texts.length(); ++i) {
        if (const std::uint64_t n = uses[static_cast<std::size_t>(i)]; n > 0) add_cell(texts, i, n);
      }
    });
  }

  // Calls use() with the values as texts, cast where they are none.
  template <class Use>
  static arrow::Status with_texts(const std::shared_ptr<arrow::Array>& values, const Use& use) {
    std::shared_ptr<arrow::Array> texts = values;
    if (!is_text(values->type_id())) {
      // Large offsets: a batch of long binary cells may pass 2 GiB.
      ARROW_ASSIGN_OR_RAISE(texts, arrow::compute::Cast(*values, arrow::large_utf8()));
    }
    if (texts->type_id() == arrow::Type::STRING) {
      use(static_cast<const arrow::StringArray&>(*texts));
    } else {
      use(static_cast<const arrow::LargeStringArray&>(*texts));
    }
    return arrow::Status::OK();
  }

  template <class Texts>
  void add_cell(const Texts& texts, std::int64_t i, std::uint64_t n) {
    const std::string_view text = texts.IsNull(i) ? std::string_view{} : texts.GetView(i);
    if (text.empty()) {
      missing_ += n;
      return;
    }
    if (const auto found = counts_.find(text); found != counts_.end()) {
      found->second += n;
    } else {
      counts_.emplace(text, n);
    }
  }

  std::unordered_map<std::string, std::uint64_t, TextHash, std::equal_to<>> counts_;
  std::uint64_t records_ = 0;
  std::uint64_t missing_ = 0;
};

// ---- Columns ------------------------------------------------------------------------------------

arrow::Result<int> find_column(const arrow::Schema& schema, std::string_view column) {
  const std::vector<int> found = schema.GetAllFieldIndices(std::string(column));
  if (found.size() > 1) {
    return arrow::Status::Invalid("the table has " + std::to_string(found.size()) +
                                  " columns of this name; rename all but one");
  }
  if (found.empty()) {
    std::string names;
    const std::vector<std::string> all = schema.field_names();
    for (std::size_t i = 0; i < std::min(all.size(), kNamesInMessage); ++i) {
      names += (i == 0 ? "" : ", ") + all[i];
    }
    if (all.size() > kNamesInMessage) {
      names += " and " + std::to_string(all.size() - kNamesInMessage) + " more";
    }
    return arrow::Status::Invalid("the table has no such column; it has " +
                                  (all.empty() ? "no columns at all" : names));
  }
  const arrow::DataType& type = *schema.field(found[0])->type();
  if (!can_be_text(type)) {
    return arrow::Status::Invalid("the column has the type " + type.ToString() +
                                  ", which has no text; use a column of texts, numbers or dates");
  }
  return found[0];
}

arrow::Result<ColumnCounts> count_batches(arrow::RecordBatchReader& reader) {
  Counter counter;
  while (true) {
    std::shared_ptr<arrow::RecordBatch> batch;
    ARROW_RETURN_NOT_OK(reader.ReadNext(&batch));
    if (batch == nullptr) return std::move(counter).finish();
    ARROW_RETURN_NOT_OK(counter.add(batch->column(0)));
  }
}

// ---- Formats ------------------------------------------------------------------------------------

using File = std::shared_ptr<arrow::io::ReadableFile>;

arrow::Result<ColumnCounts> count_parquet(const File& file, std::string_view column) {
  parquet::ReaderProperties file_options = parquet::default_reader_properties();
  file_options.enable_buffered_stream();  // pages as they are needed, not whole column chunks
  parquet::arrow::FileReaderBuilder builder;
  ARROW_RETURN_NOT_OK(builder.Open(file, file_options));
  const std::shared_ptr<parquet::FileMetaData> metadata = builder.raw_reader()->metadata();

  std::shared_ptr<arrow::Schema> schema;
  parquet::ArrowReaderProperties options(/*use_threads=*/false);
  ARROW_RETURN_NOT_OK(parquet::arrow::FromParquetSchema(metadata->schema(), options,
                                                        metadata->key_value_metadata(), &schema));
  ARROW_ASSIGN_OR_RAISE(const int field, find_column(*schema, column));

  // A field that is not nested is one leaf; the leaves before it may be parts of nested fields.
  const auto is_wanted = [&](int leaf) {
    return metadata->schema()->GetColumnRoot(leaf) ==
           metadata->schema()->group_node()->field(field).get();
  };
  int leaf = 0;
  while (leaf < metadata->schema()->num_columns() && !is_wanted(leaf)) ++leaf;
  if (leaf == metadata->schema()->num_columns()) {
    return arrow::Status::Invalid("the file is damaged: its schema lists a column without data");
  }

  options.set_batch_size(kBatchRows);
  options.set_pre_buffer(false);
  const arrow::Type::type type = schema->field(field)->type()->id();
  if (is_text(type)) options.set_read_dictionary(leaf, true);
  builder.properties(options);
  ARROW_ASSIGN_OR_RAISE(const std::unique_ptr<parquet::arrow::FileReader> reader, builder.Build());
  std::vector<int> row_groups(static_cast<std::size_t>(reader->num_row_groups()));
  std::iota(row_groups.begin(), row_groups.end(), 0);
  ARROW_ASSIGN_OR_RAISE(const std::unique_ptr<arrow::RecordBatchReader> batches,
                        reader->GetRecordBatchReader(row_groups, {leaf}));
  return count_batches(*batches);
}

// Presents the batches of an IPC file, which are addressed by number, as a sequence.
class FileBatches final : public arrow::RecordBatchReader {
 public:
  explicit FileBatches(std::shared_ptr<arrow::ipc::RecordBatchFileReader> file)
      : file_(std::move(file)) {}

  std::shared_ptr<arrow::Schema> schema() const override { return file_->schema(); }

  arrow::Status ReadNext(std::shared_ptr<arrow::RecordBatch>* batch) override {
    if (next_ == file_->num_record_batches()) {
      batch->reset();
      return arrow::Status::OK();
    }
    return file_->ReadRecordBatch(next_++).Value(batch);
  }

 private:
  std::shared_ptr<arrow::ipc::RecordBatchFileReader> file_;
  int next_ = 0;
};

enum class IpcForm : bool { kFile, kStream };

arrow::Result<std::shared_ptr<arrow::RecordBatchReader>> open_ipc(
    const File& file, IpcForm form, const arrow::ipc::IpcReadOptions& options) {
  if (form == IpcForm::kStream) {
    ARROW_RETURN_NOT_OK(file->Seek(0));
    return arrow::ipc::RecordBatchStreamReader::Open(file.get(), options);
  }
  ARROW_ASSIGN_OR_RAISE(auto reader, arrow::ipc::RecordBatchFileReader::Open(file, options));
  return std::make_shared<FileBatches>(std::move(reader));
}

arrow::Result<ColumnCounts> count_ipc(const File& file, IpcForm form, std::string_view column) {
  arrow::ipc::IpcReadOptions options;
  options.use_threads = false;
  std::shared_ptr<arrow::RecordBatchReader> reader;
  ARROW_ASSIGN_OR_RAISE(reader, open_ipc(file, form, options));
  ARROW_ASSIGN_OR_RAISE(const int field, find_column(*reader->schema(), column));

  options.included_fields = {field};  // the other columns are not even decompressed
  ARROW_ASSIGN_OR_RAISE(reader, open_ipc(file, form, options));
  return count_batches(*reader);
}

arrow::Result<ColumnCounts> count(const std::string& path, std::string_view column) {
  ARROW_ASSIGN_OR_RAISE(const File file, arrow::io::ReadableFile::Open(path));
  std::array<char, 6> start{};
  ARROW_ASSIGN_OR_RAISE(const std::int64_t size, file->ReadAt(0, std::ssize(start), start.data()));
  const std::string_view magic(start.data(), static_cast<std::size_t>(size));
  if (magic.starts_with("PAR1")) return count_parquet(file, column);
  if (magic.starts_with("ARROW1")) return count_ipc(file, IpcForm::kFile, column);
  if (magic.starts_with("\xFF\xFF\xFF\xFF")) return count_ipc(file, IpcForm::kStream, column);
  if (magic.starts_with("FEA1")) {
    return arrow::Status::Invalid(
        "this is a Feather file of version 1; write it again as version 2");
  }
  if (magic.starts_with("PARE")) {
    return arrow::Status::Invalid("the Parquet file is encrypted; decrypt it first");
  }
  return arrow::Status::Invalid("this is neither a Parquet nor an Arrow file");
}

class ArrowBackend final : public TableBackend {
 public:
  Result<ColumnCounts> count_column(const std::string& path,
                                    std::string_view column) const override {
    const Place place{.file = path, .line = 0, .column = std::string(column)};
    try {
      arrow::Result<ColumnCounts> counts = count(path, column);
      if (!counts.ok()) return fail(to_error(counts.status()).at(place));
      return std::move(counts).ValueUnsafe();
    } catch (const std::bad_alloc&) {
      return fail(system_error("not enough memory to read the column").at(place));
    } catch (const std::exception& e) {  // Parquet's own reader throws on damaged files
      return fail(data_error(e.what()).at(place));
    }
  }
};

}  // namespace
}  // namespace semveil

extern "C" __attribute__((visibility("default"))) const semveil::TableBackend*
semveil_table_backend(std::uint32_t abi) {
  static const semveil::ArrowBackend backend;
  return abi == semveil::kTableBackendAbi ? &backend : nullptr;
}
