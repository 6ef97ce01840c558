// A CSV table as the source of batches.
//
// Cost of a pass: what csv_records.h says, and one look-up in a dictionary per wanted cell. Memory:
// chunks under way (a MiB, or one record) with a bit for each of their bytes and 20 bytes for
// each record; four pieces read ahead, and four that wait to be written.
#include "table/csv_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <utility>

#include "base/limits.h"
#include "table/table_impl.h"

namespace semveil {

std::vector<std::optional<std::string_view>> CsvBatch::texts(std::size_t column) const {
  std::vector<std::optional<std::string_view>> texts;
  texts.reserve(rows);
  for (std::size_t row = first; row < first + rows; ++row) {
    const std::string_view raw = chunk->raw(row, column);
    std::string scratch;
    const std::string_view text = csv_text(raw, quote, scratch);
    if (scratch.empty()) {
      texts.emplace_back(text);
    } else {
      const std::lock_guard lock(mutex_);
      texts.emplace_back(unquoted_.emplace_back(std::move(scratch)));
    }
  }
  return texts;
}

namespace {

// Texts that stand for nothing. Almost no cell has the length of one, so that is asked first.
class MissingTexts {
 public:
  explicit MissingTexts(const std::vector<std::string>& texts) : texts_(texts) {
    for (const std::string& text : texts_) lengths_ |= bit(text.size());
  }
  bool may_have(std::string_view text) const { return (lengths_ & bit(text.size())) != 0; }
  bool has(std::string_view text) const {
    return may_have(text) && std::find(texts_.begin(), texts_.end(), text) != texts_.end();
  }

 private:
  static std::uint64_t bit(std::size_t length) {
    return std::uint64_t{1} << std::min<std::size_t>(length, 63);
  }
  std::vector<std::string> texts_;
  std::uint64_t lengths_ = 0;
};

// What a damaged packed file holds looks like bad CSV until its checksum is reached: that is the
// error then.
Error true_cause(Error error, const TableInput& input) {
  if (!input.is_packed() || !input.can_be_read_again()) return error;
  auto stream = input.read();
  std::vector<char> piece(std::size_t{1} << 18);
  while (stream) {
    const auto got = (*stream)->read(piece.data(), piece.size());
    if (!got) return got.error();
    if (*got == 0) break;
  }
  return error;
}

class CsvSource final : public TableSource {
 public:
  CsvSource(std::shared_ptr<const TableInput> input, CsvRecords records,
            const std::vector<std::size_t>& wanted, const TableOptions& options)
      : input_(std::move(input)),
        records_(std::move(records)),
        missing_(options.missing_values),
        batch_rows_(options.batch_rows) {
    for (const std::size_t column : wanted) wanted_.push_back({column, wanted_.size(), {}});
    std::ranges::sort(wanted_, {}, &Wanted::column);
  }

  // Begins behind a header that was already read.
  void go_on(std::shared_ptr<CsvChunk> chunk) {
    chunk_ = std::move(chunk);
    row_ = 1;
    byte_ = chunk_->line_end(0);
    bytes_read_ = chunk_->bytes_read();
  }

  Result<std::unique_ptr<TableBatch>> next(std::span<Dictionary> dictionaries) override {
    while (!chunk_ || byte_ == chunk_->text().size()) {
      chunk_.reset();  // if no batch holds it, it is the next one
      std::shared_ptr<CsvChunk> chunk = chunks_->take();
      const Result<bool> more = records_.next(*chunk);
      if (!more) return fail(true_cause(more.error(), *input_));
      if (!*more) return nullptr;
      chunk_ = std::move(chunk);
      row_ = 0;
      byte_ = 0;
      bytes_read_ = chunk_->bytes_read();
    }
    auto batch = std::make_unique<CsvBatch>();
    const std::size_t left = chunk_->rows() - row_;
    batch->rows = batch_rows_ == 0 ? left : std::min<std::uint64_t>(left, batch_rows_);
    batch->first_row = next_row_;
    batch->bytes = std::exchange(bytes_read_, 0);
    batch->chunk = chunk_;
    batch->first = row_;
    batch->quote = records_.dialect().quote;
    batch->begin = byte_;
    row_ += batch->rows;
    next_row_ += batch->rows;
    byte_ = row_ == chunk_->rows() ? static_cast<std::uint32_t>(chunk_->text().size())
                                   : chunk_->row(row_).begin;
    batch->end = byte_;
    encode(*batch, dictionaries);
    return batch;
  }

 private:
  static constexpr std::size_t kAtOnce = Dictionary::kAtOnce;
  struct Wanted {
    std::size_t column, place;
    std::vector<std::string_view> texts;  // of some rows, without their outer quotes
    std::uint64_t doubled = 0;            // those with quotes inside
    std::uint64_t maybe_missing = 0;
  };

  void encode(CsvBatch& batch, std::span<Dictionary> dictionaries) {
    batch.codes.resize(wanted_.size());
    for (std::vector<Code>& codes : batch.codes) codes.resize(batch.rows);
    for (std::size_t from = 0; from < batch.rows; from += kAtOnce) {
      const std::size_t rows = std::min(kAtOnce, batch.rows - from);
      // No longer than needed: a table of very many columns has few rows in a chunk.
      for (Wanted& wanted : wanted_) {
        if (wanted.texts.size() < rows) wanted.texts.resize(rows);
      }
      for (std::size_t i = 0; i < rows; ++i) cut_out(batch.first + from + i, i, batch.quote);
      for (Wanted& wanted : wanted_) {
        const std::span<Code> codes(batch.codes[wanted.place]);
        look_up(wanted, batch.first + from, dictionaries[wanted.place], codes.subspan(from, rows));
      }
    }
  }

  void cut_out(std::size_t row, std::size_t i, char quote) {
    CsvChunk::Fields fields(*chunk_, row);
    for (Wanted& wanted : wanted_) {
      fields.go_to(wanted.column);
      std::string_view text = fields.raw();
      if (!text.empty() && text.front() == quote) {
        text = text.substr(1, text.size() - 2);
        wanted.doubled |= std::uint64_t{text.find(quote) != std::string_view::npos} << i;
      }
      wanted.maybe_missing |= std::uint64_t{missing_.may_have(text)} << i;
      wanted.texts[i] = text;
    }
  }

  void look_up(Wanted& wanted, std::size_t first_row, Dictionary& dictionary,
               std::span<Code> codes) {
    const std::span<const std::string_view> texts(wanted.texts.data(), codes.size());
    const std::uint64_t doubled = std::exchange(wanted.doubled, 0);
    std::uint64_t left =
        dictionary.find_padded(texts, codes) | doubled | std::exchange(wanted.maybe_missing, 0);
    for (; left != 0; left &= left - 1) {
      const auto i = static_cast<std::size_t>(std::countr_zero(left));
      std::string_view text = texts[i];
      if ((doubled >> i & 1U) != 0) {
        const std::string_view raw(text.data() - 1, text.size() + 2);  // with its outer quotes
        unquoted_.clear();
        text = csv_text(raw, raw.front(), unquoted_);
      }
      codes[i] = missing_.has(text) ? kMissing : dictionary.add(text, chunk_->line(first_row + i));
    }
  }

  std::shared_ptr<const TableInput> input_;
  CsvRecords records_;
  std::vector<Wanted> wanted_;  // by column
  MissingTexts missing_;
  std::uint64_t batch_rows_;
  std::shared_ptr<Pool<CsvChunk>> chunks_ = std::make_shared<Pool<CsvChunk>>();
  std::shared_ptr<CsvChunk> chunk_;
  std::size_t row_ = 0;     // of the chunk, not yet given out
  std::uint32_t byte_ = 0;  // the same
  std::uint64_t bytes_read_ = 0, next_row_ = 0;
  std::string unquoted_;
};

class CsvTable final : public Table::Impl {
 public:
  CsvTable(TableInput input, const TableOptions& options)
      : input_(std::make_shared<const TableInput>(std::move(input))), options_(options) {
    read_options_.dialect = {options.separator, options.quote};
    if (input_->is_file()) read_options_.ahead = CsvRecords::Ahead::kYes;
    if (!options.separator && without_packing(input_->name()).ends_with(".tsv")) {
      read_options_.dialect.separator = '\t';
    }
  }

  const std::string& name() const override { return input_->name(); }
  const std::vector<std::string>& columns() const override { return columns_; }
  std::uint64_t bytes() const override { return input_->bytes(); }
  std::uint64_t header_line() const override { return header_.line; }

  Status start() {
    auto stream = input_->read();
    if (!stream) return fail(stream.error());
    auto records = CsvRecords::over(std::move(*stream), name(), read_options_);
    if (!records) return fail(true_cause(records.error(), *input_));
    dialect_ = records->dialect();
    read_options_.dialect = {dialect_.separator, dialect_.quote};
    first_ = std::make_shared<CsvChunk>();
    const Result<bool> more = records->next(*first_);
    if (!more) return fail(true_cause(more.error(), *input_));
    if (!*more || first_->rows() == 0) {
      return fail(data_error("the table is empty: expected a header line").at(name()));
    }
    if (first_->fields(0) > kMostColumns) {
      return fail(data_error(fmt::format("the header has {} columns, more than the {} that a table "
                                         "may have: is this the right separator?",
                                         first_->fields(0), kMostColumns))
                      .at(name(), first_->line(0)));
    }
    learn_header(*first_);
    begun_ = std::make_unique<CsvRecords>(std::move(*records));
    return {};
  }

  Result<std::unique_ptr<TableSource>> read(std::vector<std::size_t> wanted,
                                            Cells /*cells*/) const override {
    if (!begun_) {
      auto stream = input_->read();
      if (!stream) return fail(stream.error());
      auto records = CsvRecords::over(std::move(*stream), name(), read_options_);
      if (!records) return fail(records.error());
      auto first = std::make_shared<CsvChunk>();
      const Result<bool> more = records->next(*first);
      if (!more) return fail(more.error());
      begun_ = std::make_unique<CsvRecords>(std::move(*records));
      first_ = std::move(first);
    }
    auto source = std::make_unique<CsvSource>(input_, std::move(*begun_), wanted, options_);
    source->go_on(std::move(first_));
    begun_.reset();
    first_.reset();
    return source;
  }

  Result<std::unique_ptr<TableSink>> write(const std::string& path, Edits edits) const override {
    switch (const OutputFormat format = output_format(path)) {
      case OutputFormat::kTsv:
        if (dialect_.separator == '\t') break;
        return write_as_csv(path, CsvDialect{'\t', '"'}, columns_, std::move(edits), options_);
      case OutputFormat::kParquet:
        return write_arrow(path, ArrowFormat::kParquet, std::move(edits));
      case OutputFormat::kIpcFile:
        return write_arrow(path, ArrowFormat::kIpcFile, std::move(edits));
      case OutputFormat::kIpcStream:
        return write_arrow(path, ArrowFormat::kIpcStream, std::move(edits));
      case OutputFormat::kOwn:
      case OutputFormat::kCsv:
        static_cast<void>(format);
        break;
    }
    return splice_csv(path, dialect_, header_, columns_, std::move(edits), options_);
  }

 private:
  void learn_header(const CsvChunk& chunk) {
    const std::string_view text = chunk.text();
    header_.bytes = text.substr(0, chunk.line_end(0));
    header_.line = chunk.line(0);
    const std::string_view line_end = std::string_view(header_.bytes).substr(chunk.content_end(0));
    if (line_end.ends_with('\n')) header_.line_end = line_end;
    std::string scratch;
    CsvChunk::Fields fields(chunk, 0);
    for (std::size_t i = 0; i < chunk.fields(0); ++i) {
      fields.go_to(i);
      header_.fields.emplace_back(fields.begin(), fields.end());
      scratch.clear();
      columns_.emplace_back(csv_text(fields.raw(), dialect_.quote, scratch));
    }
  }

  Result<std::unique_ptr<TableSink>> write_arrow(const std::string& path, ArrowFormat format,
                                                 Edits edits) const {
    const Result<const TableBackend*> backend = table_backend();
    if (!backend) return fail(backend.error());
    return (*backend)->write(path, format, columns_, nullptr, std::move(edits), options_);
  }

  std::shared_ptr<const TableInput> input_;
  TableOptions options_;
  CsvRecords::Options read_options_;
  CsvDialect dialect_;
  CsvHeader header_;
  std::vector<std::string> columns_;
  // The pass that read the header; the first read() goes on with it.
  mutable std::unique_ptr<CsvRecords> begun_;
  mutable std::shared_ptr<CsvChunk> first_;
};

}  // namespace

Result<std::unique_ptr<Table::Impl>> open_csv_table(TableInput input, const TableOptions& options) {
  auto table = std::make_unique<CsvTable>(std::move(input), options);
  if (Status started = table->start(); !started) return fail(started.error());
  return table;
}

}  // namespace semveil
