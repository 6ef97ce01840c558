#include "audit/compared_cells.h"

#include <algorithm>
#include <span>

#include "base/hash_joined.h"
#include "release/row_keys.h"

namespace semveil {
namespace {

constexpr std::size_t kColumnsAtOnce = 8;

std::uint64_t cell_hash(std::string_view cell) { return std::hash<std::string_view>()(cell); }

// A table record by record.
class CellStream {
 public:
  static Result<CellStream> open(const Table& table, std::vector<std::size_t> columns,
                                 const WorkProgress& progress) {
    Result<std::unique_ptr<TableSource>> source = table.read({});
    if (!source) return fail(source.error());
    return CellStream(table, *std::move(source), std::move(columns), progress);
  }

  // The next record; false at the end.
  Result<bool> next() {
    ++at_;
    while (batch_ == nullptr || at_ == batch_->rows) {
      Result<std::unique_ptr<TableBatch>> read = source_->next({});
      if (!read) return fail(read.error());
      if (*read == nullptr) return false;
      batch_ = *std::move(read);
      at_ = 0;
      for (std::size_t k = 0; k < columns_.size(); ++k) texts_[k] = batch_->texts(columns_[k]);
      bytes_ += batch_->bytes;
      if (*progress_) (*progress_)("comparing cells", bytes_, table_->bytes());
    }
    return true;
  }

  std::string_view cell(std::size_t k) const { return texts_[k][at_].value_or(""); }

 private:
  CellStream(const Table& table, std::unique_ptr<TableSource> source,
             std::vector<std::size_t> columns, const WorkProgress& progress)
      : table_(&table),
        source_(std::move(source)),
        columns_(std::move(columns)),
        texts_(columns_.size()),
        progress_(&progress) {}

  const Table* table_;
  std::unique_ptr<TableSource> source_;
  std::vector<std::size_t> columns_;
  std::unique_ptr<TableBatch> batch_;
  std::vector<std::vector<std::optional<std::string_view>>> texts_;  // by column, then row
  std::size_t at_ = 0;                                               // of the batch
  std::uint64_t bytes_ = 0;
  const WorkProgress* progress_;
};

std::vector<std::size_t> places(std::span<const ComparedColumn> columns,
                                std::size_t ComparedColumn::* table) {
  std::vector<std::size_t> out;
  for (const ComparedColumn& column : columns) out.push_back(column.*table);
  return out;
}

bool is_ascending(std::span<const std::uint64_t> rows) {
  std::uint64_t next = 0;
  for (const std::uint64_t row : rows) {
    if (row == kNobody) continue;
    if (row < next) return false;
    next = row + 1;
  }
  return true;
}

// One pair of records, cell by cell.
class Comparison {
 public:
  Comparison(const CellsToCompare& what, std::span<ComparedColumn> columns)
      : what_(what), columns_(columns), apart_(columns.size(), 0), first_(columns.size()) {}

  template <class Before>
  void add(std::uint64_t row, const CellStream& masked, const Before& equals_before) {
    bool known = false, suppressed = false;
    for (std::size_t k = 0; k < columns_.size(); ++k) {
      ComparedColumn& column = columns_[k];
      const std::string_view cell = masked.cell(k);
      const bool equal = equals_before(k, cell);
      if (!equal && column.goes_with_suppressed) {
        if (!known) suppressed = what_.is_suppressed(row);
        known = true;
        if (suppressed) continue;
      }
      ++column.rows;
      column.equal += equal ? 1 : 0;
      if (first_[k].size() < kMostSampled) first_[k].push_back(cell_hash(cell));
    }
  }
  // Sums of hashes do not depend on the order.
  void add_order(std::size_t k, std::string_view before, std::string_view after) {
    knows_order_ = true;
    if (before != after) apart_[k] += cell_hash(before) - cell_hash(after);
  }
  void finish() {
    for (std::size_t k = 0; k < columns_.size(); ++k) {
      columns_[k].reordered = knows_order_ && !columns_[k].is_same() && apart_[k] == 0;
      columns_[k].sampled = first_[k].size();
      std::ranges::sort(first_[k]);
      const auto end = std::unique(first_[k].begin(), first_[k].end());
      columns_[k].distinct = static_cast<std::uint64_t>(end - first_[k].begin());
    }
  }

 private:
  const CellsToCompare& what_;
  std::span<ComparedColumn> columns_;
  bool knows_order_ = false;
  std::vector<std::uint64_t> apart_;
  std::vector<std::vector<std::uint64_t>> first_;  // by column: hashes of its first cells
};

Status compare_in_order(const CellsToCompare& what, std::span<ComparedColumn> columns) {
  Result<CellStream> original =
      CellStream::open(what.original, places(columns, &ComparedColumn::in_original), what.progress);
  if (!original) return fail(original.error());
  Result<CellStream> masked =
      CellStream::open(what.masked, places(columns, &ComparedColumn::in_masked), what.progress);
  if (!masked) return fail(masked.error());
  Comparison comparison(what, columns);
  std::uint64_t read = 0;  // records of the original
  for (std::uint64_t row = 0;; ++row) {
    const Result<bool> is_there = masked->next();
    if (!is_there) return fail(is_there.error());
    if (!*is_there) break;
    const std::uint64_t from = what.rows.empty() ? row : what.rows[row];
    if (from == kNobody) continue;
    for (; read <= from; ++read) {
      const Result<bool> more = original->next();
      if (!more) return fail(more.error());
      if (!*more)
        return fail(data_error("the table changed while it was read").at(what.original.name()));
    }
    comparison.add(row, *masked,
                   [&](std::size_t k, std::string_view cell) { return original->cell(k) == cell; });
    for (std::size_t k = 0; k < columns.size(); ++k) {
      comparison.add_order(k, original->cell(k), masked->cell(k));
    }
  }
  comparison.finish();
  return {};
}

Status compare_kept(const CellsToCompare& what, std::span<ComparedColumn> columns) {
  std::vector<std::uint64_t> kept;  // by record of the original, then column
  Result<CellStream> original =
      CellStream::open(what.original, places(columns, &ComparedColumn::in_original), what.progress);
  if (!original) return fail(original.error());
  for (;;) {
    const Result<bool> more = original->next();
    if (!more) return fail(more.error());
    if (!*more) break;
    for (std::size_t k = 0; k < columns.size(); ++k) kept.push_back(cell_hash(original->cell(k)));
  }
  Result<CellStream> masked =
      CellStream::open(what.masked, places(columns, &ComparedColumn::in_masked), what.progress);
  if (!masked) return fail(masked.error());
  Comparison comparison(what, columns);
  for (std::uint64_t row = 0;; ++row) {
    const Result<bool> more = masked->next();
    if (!more) return fail(more.error());
    if (!*more) break;
    const std::uint64_t from = what.rows[row];
    if (from == kNobody) continue;
    comparison.add(row, *masked, [&](std::size_t k, std::string_view cell) {
      return kept[from * columns.size() + k] == cell_hash(cell);
    });
  }
  comparison.finish();
  return {};
}

// The chance that two cells are equal: Σ (records that have the same / records)².
double agreement_of(std::vector<std::uint64_t> hashes) {
  std::ranges::sort(hashes);
  const auto all = static_cast<double>(hashes.size());
  double sum = 0;
  for (std::size_t first = 0; first < hashes.size();) {
    std::size_t end = first;
    while (end < hashes.size() && hashes[end] == hashes[first]) ++end;
    const double share = static_cast<double>(end - first) / all;
    sum += share * share;
    first = end;
  }
  return sum;
}

}  // namespace

Status compare_cells(const CellsToCompare& what, std::vector<ComparedColumn>& columns) {
  if (columns.empty()) return {};
  if (is_ascending(what.rows)) return compare_in_order(what, columns);
  for (std::size_t first = 0; first < columns.size(); first += kColumnsAtOnce) {
    const std::size_t count = std::min(kColumnsAtOnce, columns.size() - first);
    const Status status = compare_kept(what, std::span(columns).subspan(first, count));
    if (!status) return status;
  }
  return {};
}

Result<std::vector<std::uint64_t>> hashes_of(const Table& table,
                                             const std::vector<std::size_t>& columns,
                                             const WorkProgress& progress) {
  Result<CellStream> records = CellStream::open(table, columns, progress);
  if (!records) return fail(records.error());
  std::vector<std::uint64_t> out;
  for (;;) {
    const Result<bool> more = records->next();
    if (!more) return fail(more.error());
    if (!*more) return out;
    std::uint64_t hash = 0;
    for (std::size_t k = 0; k < columns.size(); ++k)
      hash = hash_joined(hash, cell_hash(records->cell(k)));
    out.push_back(hash);
  }
}

Result<std::vector<double>> agreement_by_chance(const Table& table,
                                                const std::vector<std::size_t>& columns,
                                                const WorkProgress& progress) {
  std::vector<double> out;
  for (std::size_t first = 0; first < columns.size(); first += kColumnsAtOnce) {
    const auto from = columns.begin() + static_cast<std::ptrdiff_t>(first);
    const std::size_t count = std::min(kColumnsAtOnce, columns.size() - first);
    Result<CellStream> records =
        CellStream::open(table, {from, from + static_cast<std::ptrdiff_t>(count)}, progress);
    if (!records) return fail(records.error());
    std::vector<std::vector<std::uint64_t>> hashes(count);
    for (;;) {
      const Result<bool> more = records->next();
      if (!more) return fail(more.error());
      if (!*more) break;
      for (std::size_t k = 0; k < count; ++k) hashes[k].push_back(cell_hash(records->cell(k)));
    }
    for (std::vector<std::uint64_t>& column : hashes) {
      out.push_back(agreement_of(std::move(column)));
    }
  }
  return out;
}

}  // namespace semveil
