#include "compare/coded_table.h"

#include <algorithm>

#include "base/stop.h"
#include "table/table_impl.h"

namespace semveil {
namespace {

constexpr std::size_t kBatchRows = 1U << 14U;

class CodedBatch final : public TableBatch {
 public:
  explicit CodedBatch(const CodedTable& table) : table_(table) {}

  std::vector<std::optional<std::string_view>> texts(std::size_t column) const override {
    std::vector<std::optional<std::string_view>> out(rows);
    if (!table_.has(column)) return out;  // it was not read
    for (std::size_t row = 0; row < rows; ++row) {
      const Code code = table_.codes(column)[first_row + row];
      if (code != kMissing) out[row] = table_.texts(column).text(code);
    }
    return out;
  }

 private:
  const CodedTable& table_;
};

class CodedSource final : public TableSource {
 public:
  CodedSource(const CodedTable& table, std::vector<std::size_t> wanted)
      : table_(table), wanted_(std::move(wanted)) {}

  Result<std::unique_ptr<TableBatch>> next(std::span<Dictionary> dictionaries) override {
    if (row_ == 0) number_texts(dictionaries);
    if (row_ == table_.records()) return std::unique_ptr<TableBatch>();
    auto batch = std::make_unique<CodedBatch>(table_);
    batch->first_row = row_;
    batch->rows = std::min<std::size_t>(kBatchRows, table_.records() - row_);
    for (std::size_t j = 0; j < wanted_.size(); ++j) {
      const auto codes = std::span(table_.codes(wanted_[j])).subspan(row_, batch->rows);
      std::vector<Code>& out = batch->codes.emplace_back();
      out.reserve(codes.size());
      for (const Code code : codes) out.push_back(code == kMissing ? kMissing : numbers_[j][code]);
    }
    row_ += batch->rows;
    return batch;
  }

 private:
  // All at once: an empty dictionary then has the file's numbers.
  void number_texts(std::span<Dictionary> dictionaries) {
    for (std::size_t j = 0; j < wanted_.size(); ++j) {
      const Dictionary& texts = table_.texts(wanted_[j]);
      std::vector<Code>& numbers = numbers_.emplace_back();
      for (Code code = 0; code < texts.size(); ++code) {
        numbers.push_back(dictionaries[j].add(texts.text(code), texts.first_line(code)));
      }
    }
  }

  const CodedTable& table_;
  std::vector<std::size_t> wanted_;
  std::vector<std::vector<Code>> numbers_;  // by wanted column: the caller's codes
  std::uint64_t row_ = 0;
};

class Caught final : public RenderedBatch {
 public:
  std::vector<std::vector<Code>> cells;
  std::vector<std::uint64_t> rows;
};

class CatchingSink final : public TableSink {
 public:
  CatchingSink(std::shared_ptr<ReleasedCells> out, const Edits& edits) : out_(std::move(out)) {
    for (const Edits::Replace& replace : edits.replace) {
      ReleasedCells::Column& column = out_->columns.emplace_back();
      column.column = replace.column;
      column.texts = replace.texts;
      if (replace.set) column.width = replace.set->width;
    }
    out_->dropped = edits.drop;
  }

  Result<std::unique_ptr<RenderedBatch>> render(
      const TableBatch& batch, std::span<const std::span<const Code>> cells) const override {
    auto caught = std::make_unique<Caught>();
    for (std::size_t row = 0; row < batch.rows; ++row) {
      const bool dropped = !batch.dropped.empty() && batch.dropped[row];
      if (!dropped) caught->rows.push_back(batch.first_row + row);
    }
    for (std::size_t j = 0; j < cells.size(); ++j) {
      const std::size_t width = out_->columns[j].width.value_or(1);
      std::vector<Code>& kept = caught->cells.emplace_back();
      kept.reserve(caught->rows.size() * width);
      for (const std::uint64_t row : caught->rows) {
        const auto cell = cells[j].subspan((row - batch.first_row) * width, width);
        kept.insert(kept.end(), cell.begin(), cell.end());
      }
    }
    return caught;
  }

  Status write(std::unique_ptr<RenderedBatch> rendered) override {
    const auto& caught = static_cast<const Caught&>(*rendered);
    out_->rows.insert(out_->rows.end(), caught.rows.begin(), caught.rows.end());
    for (std::size_t j = 0; j < caught.cells.size(); ++j) {
      std::vector<Code>& cells = out_->columns[j].cells;
      cells.insert(cells.end(), caught.cells[j].begin(), caught.cells[j].end());
    }
    return {};
  }

  Status flush() override { return {}; }
  Status finish() override { return {}; }
  std::optional<Written> written() const override { return std::nullopt; }
  Status commit(std::vector<PendingFile> others, Sync sync) override {
    return commit_together(std::move(others), sync);
  }

 private:
  std::shared_ptr<ReleasedCells> out_;
};

class CodedImpl final : public Table::Impl {
 public:
  CodedImpl(const CodedTable& table, std::shared_ptr<ReleasedCells> released)
      : table_(table), released_(std::move(released)) {}

  const std::string& name() const override { return table_.name(); }
  const std::vector<std::string>& columns() const override { return table_.names(); }
  std::uint64_t bytes() const override { return 0; }
  Result<std::unique_ptr<TableSource>> read(std::vector<std::size_t> wanted,
                                            Cells /*cells*/) const override {
    for (const std::size_t column : wanted) {
      if (!table_.has(column)) {
        return fail(data_error("the column was not read").at({name(), 0, columns()[column]}));
      }
    }
    return std::make_unique<CodedSource>(table_, std::move(wanted));
  }
  Result<std::unique_ptr<TableSink>> write(const std::string& /*path*/,
                                           Edits edits) const override {
    return std::make_unique<CatchingSink>(released_ ? released_ : std::make_shared<ReleasedCells>(),
                                          edits);
  }

 private:
  const CodedTable& table_;
  std::shared_ptr<ReleasedCells> released_;
};

}  // namespace

const ReleasedCells::Column* ReleasedCells::find(std::size_t column) const {
  const auto at = std::ranges::find(columns, column, &Column::column);
  return at == columns.end() ? nullptr : &*at;
}

CodedTable::CodedTable(const Table& table, const std::vector<std::size_t>& wanted)
    : name_(table.name()), names_(table.columns()), cells_(names_.size()) {
  for (const std::size_t column : wanted) {
    cells_[column].emplace().texts = std::make_shared<Dictionary>();
  }
}

Result<CodedTable::Parts> CodedTable::read(const Table& table,
                                           const std::vector<std::size_t>& wanted,
                                           const std::function<bool(std::uint64_t row)>& aside,
                                           const WorkProgress& progress,
                                           std::optional<std::size_t> person) {
  const auto person_at = static_cast<std::size_t>(
      std::ranges::find(wanted, person.value_or(table.columns().size())) - wanted.begin());
  enum class Goes : std::uint8_t { kUnknown, kStays, kAside };
  std::vector<Goes> person_goes;  // by code
  Parts parts{CodedTable(table, wanted), CodedTable(table, wanted)};
  Result<std::unique_ptr<TableSource>> source = table.read(wanted, semveil::Cells::kWanted);
  if (!source) return fail(source.error());
  std::vector<Dictionary> texts(wanted.size());
  // By column: the file's codes in each part; kMissing: not there yet.
  std::vector<std::vector<Code>> kept_codes(wanted.size()), aside_codes(wanted.size());
  std::uint64_t bytes = 0;
  for (;;) {
    check_stop();
    Result<std::unique_ptr<TableBatch>> next = (*source)->next(texts);
    if (!next) return fail(next.error());
    if (*next == nullptr) break;
    const TableBatch& batch = **next;
    std::vector<bool> goes_aside(batch.rows, false);
    for (std::size_t row = 0; row < batch.rows; ++row) {
      goes_aside[row] = aside && aside(batch.first_row + row);
      const Code who = person_at < wanted.size() ? batch.codes[person_at][row] : kMissing;
      if (who != kMissing) {
        if (person_goes.size() <= who) person_goes.resize(texts[person_at].size(), Goes::kUnknown);
        Goes& goes = person_goes[who];
        if (goes == Goes::kUnknown) goes = goes_aside[row] ? Goes::kAside : Goes::kStays;
        goes_aside[row] = goes == Goes::kAside;
      }
      ++(goes_aside[row] ? parts.aside : parts.kept).records_;
    }
    for (std::size_t j = 0; j < wanted.size(); ++j) {
      kept_codes[j].resize(texts[j].size(), kMissing);
      aside_codes[j].resize(texts[j].size(), kMissing);
      for (std::size_t row = 0; row < batch.rows; ++row) {
        Cells& cells = *(goes_aside[row] ? parts.aside : parts.kept).cells_[wanted[j]];
        const Code code = batch.codes[j][row];
        if (code == kMissing) {
          cells.codes.push_back(kMissing);
          continue;
        }
        Code& part = (goes_aside[row] ? aside_codes : kept_codes)[j][code];
        if (part == kMissing) {
          part = cells.texts->add(texts[j].text(code), texts[j].first_line(code));
        }
        cells.codes.push_back(part);
      }
    }
    bytes += batch.bytes;
    if (progress) progress("reading", bytes, table.bytes());
  }
  return parts;
}

void CodedTable::hide(const std::vector<std::string>& texts) {
  for (std::optional<Cells>& column : cells_) {
    if (!column) continue;
    for (const std::string& text : texts) {
      if (const std::optional<Code> code = column->texts->find(text)) {
        std::ranges::replace(column->codes, *code, kMissing);
      }
    }
  }
}

CodedTable CodedTable::released(const ReleasedCells& cells) const {
  CodedTable out(name_);
  out.records_ = cells.rows.size();
  for (std::size_t column = 0; column < names_.size(); ++column) {
    if (std::ranges::find(cells.dropped, column) != cells.dropped.end()) continue;
    const ReleasedCells::Column* const replaced = cells.find(column);
    const std::size_t width = replaced != nullptr ? replaced->width.value_or(1) : 1;
    for (std::size_t place = 0; place < width; ++place) {
      const bool is_set = replaced != nullptr && replaced->width;
      out.names_.push_back(names_[column] + (is_set ? "_" + std::to_string(place + 1) : ""));
      std::optional<Cells>& filled = out.cells_.emplace_back();
      if (!has(column)) continue;
      filled.emplace().texts = std::make_shared<Dictionary>();
      for (std::size_t i = 0; i < cells.rows.size(); ++i) {
        const Code cell = replaced != nullptr ? replaced->cells[i * width + place] : kAsItWas;
        const Code own = codes(column)[cells.rows[i]];
        const Code from = cell == kAsItWas ? own : cell;
        if (from == kMissing) {
          filled->codes.push_back(kMissing);
          continue;
        }
        const std::string_view text =
            cell == kAsItWas ? texts(column).text(from) : replaced->texts[from];
        filled->codes.push_back(filled->texts->add(text, 0));
      }
    }
  }
  return out;
}

Table CodedTable::table(std::shared_ptr<ReleasedCells> released) const {
  return Table::Impl::table(std::make_unique<CodedImpl>(*this, std::move(released)));
}

}  // namespace semveil
