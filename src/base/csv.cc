// One record at a time on top of csv_records.h, which finds and checks them.
#include "base/csv.h"

#include <algorithm>
#include <utility>

namespace semveil {

class CsvReader::Impl {
 public:
  using Fields = std::span<const std::string_view>;

  explicit Impl(CsvRecords records) : records_(std::move(records)) {}

  Result<std::optional<Fields>> next();
  std::uint64_t line() const { return line_; }
  const CsvRecords& records() const { return records_; }

 private:
  CsvRecords records_;
  CsvChunk chunk_;
  std::size_t row_ = 0;     // the next one …
  std::size_t rows_ = 0;    // … of so many
  std::uint64_t line_ = 1;  // of the record given last
  std::vector<std::string_view> fields_;
  std::string unquoted_;  // fields that held doubled quotes
};

Result<std::optional<CsvReader::Impl::Fields>> CsvReader::Impl::next() {
  while (row_ == rows_) {
    const Result<bool> more = records_.next(chunk_);
    if (!more) return fail(more.error());
    if (!*more) return std::optional<Fields>();
    row_ = 0;
    rows_ = chunk_.rows();
  }
  const std::size_t width = chunk_.fields(row_);
  fields_.clear();
  unquoted_.clear();
  unquoted_.reserve(chunk_.content_end(row_) - chunk_.row(row_).begin);  // views must not move
  CsvChunk::Fields fields(chunk_, row_);
  for (std::size_t i = 0; i < width; ++i) {
    fields.go_to(i);
    fields_.push_back(csv_text(fields.raw(), records_.dialect().quote, unquoted_));
  }
  line_ = chunk_.line(row_++);
  return std::optional<Fields>(fields_);
}

CsvReader::CsvReader(std::unique_ptr<Impl> impl) : impl_(std::move(impl)) {}
CsvReader::~CsvReader() = default;
CsvReader::CsvReader(CsvReader&&) noexcept = default;
CsvReader& CsvReader::operator=(CsvReader&&) noexcept = default;

namespace {

CsvRecords::Options options_of(std::optional<CsvDialect> dialect, CsvReader::Ragged ragged) {
  CsvRecords::Options options;
  if (dialect) options.dialect = {dialect->separator, dialect->quote};
  options.ragged = ragged;
  return options;
}

}  // namespace

Result<CsvReader> CsvReader::open(const std::string& path, std::optional<CsvDialect> dialect,
                                  Ragged ragged) {
  auto stream = InputStream::open(path);
  if (!stream) return fail(stream.error());
  return over(std::move(*stream), path, dialect, ragged);
}

Result<CsvReader> CsvReader::over(std::unique_ptr<InputStream> stream, std::string name,
                                  std::optional<CsvDialect> dialect, Ragged ragged) {
  auto records = CsvRecords::over(std::move(stream), std::move(name), options_of(dialect, ragged));
  if (!records) return fail(records.error());
  return CsvReader(std::make_unique<Impl>(std::move(*records)));
}

Result<CsvReader> CsvReader::over(std::string_view text, std::string name,
                                  std::optional<CsvDialect> dialect, Ragged ragged) {
  auto records = CsvRecords::over(text, std::move(name), options_of(dialect, ragged));
  if (!records) return fail(records.error());
  return CsvReader(std::make_unique<Impl>(std::move(*records)));
}

Result<std::optional<std::span<const std::string_view>>> CsvReader::next() { return impl_->next(); }
std::uint64_t CsvReader::line() const { return impl_->line(); }
const std::string& CsvReader::name() const { return impl_->records().name(); }
const CsvDialect& CsvReader::dialect() const { return impl_->records().dialect(); }

std::string csv_field(std::string_view text, CsvDialect dialect) {
  const auto special = [dialect](char c) {
    return c == dialect.separator || c == dialect.quote || c == '\n' || c == '\r';
  };
  const auto blank = [](char c) { return c == ' ' || c == '\t'; };
  const bool plain = text.empty() || (!blank(text.front()) && !blank(text.back()) &&
                                      std::none_of(text.begin(), text.end(), special));
  if (plain) return std::string(text);
  std::string quoted(1, dialect.quote);
  for (const char c : text) {
    if (c == dialect.quote) quoted += c;
    quoted += c;
  }
  quoted += dialect.quote;
  return quoted;
}

}  // namespace semveil
