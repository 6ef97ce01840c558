#include "release/table_counts.h"

#include "base/stop.h"

namespace semveil {
namespace {

constexpr std::uint64_t kNoRow = ~std::uint64_t{0};

class Counter {
 public:
  Counter(const Table& table, const SurveyColumns& columns, Rows rows, std::uint64_t first_row,
          const WorkOptions& options)
      : table_(table),
        shape_(columns),
        is_part_(rows == Rows::kPart),
        first_row_(first_row),
        options_(options),
        found_(std::make_unique<SurveyPart::Impl>()) {
    found_->table = table.name();
    found_->names = table.columns();
    found_->joined = columns.joined;
    found_->person = columns.person;
    found_->tuples = TupleCounter(columns.joined.size());
    for (const SurveyColumns::Counted& column : columns.counted) {
      CountedTexts& counted = found_->columns.emplace_back();
      counted.column = column.column;
      if (column.ordered) counted.order.emplace();
    }
  }

  Result<std::unique_ptr<SurveyPart::Impl>> run() && {
    std::vector<std::size_t> wanted;
    for (const CountedTexts& column : found_->columns) wanted.push_back(column.column);
    dictionaries_.resize(wanted.size());
    unseen_.resize(wanted.size());
    const auto source = table_.read(std::move(wanted), Cells::kWanted);
    if (!source) return fail(source.error());
    std::uint64_t bytes = 0;
    for (;;) {
      check_stop();
      const Result<std::unique_ptr<TableBatch>> next = (*source)->next(dictionaries_);
      if (!next) return fail(next.error());
      if (*next == nullptr) break;
      count(**next);
      bytes += (*next)->bytes;
      if (options_.progress) options_.progress("reading", bytes, table_.bytes());
    }
    for (std::size_t j = 0; j < dictionaries_.size(); ++j) {
      found_->columns[j].texts = std::move(dictionaries_[j]);
    }
    found_->persons.settle();
    found_->rows = RowRanges({first_row_, first_row_ + found_->records});
    std::vector<std::size_t> person_like = shape_.identifiers;
    person_like.insert(person_like.end(), shape_.person_like.begin(), shape_.person_like.end());
    found_->person_like = FirstRecords::read(table_, person_like, {}, first_row_);
    std::vector<std::size_t> always = shape_.masked;
    if (shape_.person) {
      const std::size_t person = shape_.counted[*shape_.person].column;
      const bool passes = std::ranges::find(shape_.passing, person) != shape_.passing.end();
      if (!passes) always.push_back(person);
    }
    found_->first = FirstRecords::read(
        table_, shape_.passing.empty() ? shape_.masked : shape_.passing, always, first_row_);
    return std::move(found_);
  }

 private:
  void count(const TableBatch& batch) {
    const std::uint64_t first_row = first_row_ + batch.first_row;
    for (std::size_t j = 0; j < found_->columns.size(); ++j) {
      if (is_part_) find_first_rows(first_row, batch.codes[j], j);
      count_codes(first_row, batch.codes[j], dictionaries_[j], found_->columns[j]);
    }
    if (found_->joined.size() > 1) count_tuples(first_row, batch);
    if (found_->joined.size() == 1 && found_->person) count_persons(batch);
    found_->records += batch.rows;
  }

  static void count_codes(std::uint64_t first_row, const std::vector<Code>& codes,
                          const Dictionary& texts, CountedTexts& column) {
    column.counts.resize(texts.size());
    if (column.order) column.order->add(first_row, codes, texts);
    for (std::size_t row = 0; row < codes.size(); ++row) {
      if (codes[row] == kMissing) {
        ++column.missing;
        if (!column.first_missing) column.first_missing = first_row + row;
      } else {
        ++column.counts[codes[row]];
      }
    }
  }

  // A dictionary may have texts that no row has had so far.
  void find_first_rows(std::uint64_t first_row, const std::vector<Code>& codes, std::size_t j) {
    std::vector<std::uint64_t>& first_rows = found_->columns[j].first_rows;
    unseen_[j] += dictionaries_[j].size() - first_rows.size();
    first_rows.resize(dictionaries_[j].size(), kNoRow);
    for (std::size_t row = 0; row < codes.size() && unseen_[j] > 0; ++row) {
      if (codes[row] == kMissing || first_rows[codes[row]] != kNoRow) continue;
      first_rows[codes[row]] = first_row + row;
      --unseen_[j];
    }
  }

  void count_tuples(std::uint64_t first_row, const TableBatch& batch) {
    std::vector<std::span<const Code>> columns;
    for (const std::size_t j : found_->joined) columns.emplace_back(batch.codes[j]);
    if (!is_part_ && !found_->person) return found_->tuples.add_rows(columns);
    std::vector<Code> tuple(columns.size());
    for (std::size_t row = 0; row < batch.rows; ++row) {
      for (std::size_t j = 0; j < columns.size(); ++j) tuple[j] = columns[j][row];
      const std::size_t at = found_->tuples.add(tuple);
      if (is_part_ && at == found_->first_rows.size())
        found_->first_rows.push_back(first_row + row);
      if (found_->person) {
        found_->persons.add(static_cast<std::uint32_t>(at), batch.codes[*found_->person][row]);
      }
    }
  }

  // Of a single column, which has no tuples.
  void count_persons(const TableBatch& batch) {
    const std::vector<Code>& codes = batch.codes[found_->joined.front()];
    const std::vector<Code>& persons = batch.codes[*found_->person];
    for (std::size_t row = 0; row < batch.rows; ++row) {
      found_->persons.add(codes[row], persons[row]);
    }
  }

  const Table& table_;
  const SurveyColumns& shape_;
  bool is_part_;
  std::uint64_t first_row_;
  const WorkOptions& options_;
  std::unique_ptr<SurveyPart::Impl> found_;
  std::vector<Dictionary> dictionaries_;  // by counted column
  std::vector<std::size_t> unseen_;       // of their texts, in no row so far
};

}  // namespace

Result<std::unique_ptr<SurveyPart::Impl>> count_table(const Table& table,
                                                      const SurveyColumns& columns, Rows rows,
                                                      std::uint64_t first_row,
                                                      const WorkOptions& options) {
  return Counter(table, columns, rows, first_row, options).run();
}

}  // namespace semveil
