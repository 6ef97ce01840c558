#include "audit/compared_cells.h"

#include <xxhash.h>

#include <algorithm>
#include <set>
#include <span>
#include <utility>

#include "audit/record_stream.h"
#include "base/hash_joined.h"
#include "base/stop.h"
#include "release/row_keys.h"

namespace semveil {
namespace {

constexpr std::size_t kColumnsAtOnce = 8;

constexpr std::string_view kComparing = "comparing cells";

std::uint64_t cell_hash(std::string_view cell) { return XXH3_64bits(cell.data(), cell.size()); }

Result<RecordStream> cells_of(const Table& table, std::vector<std::size_t> columns,
                              const WorkProgress& progress) {
  return RecordStream::open(table, {}, std::move(columns), kComparing, progress);
}

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

// Pairs of records, cell by cell.
class Comparison {
 public:
  Comparison(const CellsToCompare& what, std::span<ComparedColumn> columns)
      : what_(what), columns_(columns), counts_(columns.size()), apart_(columns.size(), 0) {}

  template <class Before>
  void add(std::uint64_t row, const RecordStream& masked, const Before& equals_before) {
    count_cells(columns_, counts_, row,
                RecordPair{[&](std::size_t k) { return masked.cell(k); }, equals_before,
                           [&] { return what_.is_suppressed(row); }});
  }
  // Sums of hashes do not depend on the order.
  void add_order(std::size_t k, std::string_view before, std::string_view after) {
    knows_order_ = true;
    if (before != after) apart_[k] += cell_hash(before) - cell_hash(after);
  }
  void finish() {
    for (std::size_t k = 0; k < columns_.size(); ++k) {
      counts_[k].tell(columns_[k], what_.person_of);
      columns_[k].reordered = knows_order_ && !columns_[k].is_same() && apart_[k] == 0;
    }
  }

 private:
  const CellsToCompare& what_;
  std::span<ComparedColumn> columns_;
  std::vector<CellCounts> counts_;  // by column
  bool knows_order_ = false;
  std::vector<std::uint64_t> apart_;
};

Status compare_in_order(const CellsToCompare& what, std::span<ComparedColumn> columns) {
  Result<RecordStream> original =
      cells_of(what.original, places(columns, &ComparedColumn::in_original), what.progress);
  if (!original) return fail(original.error());
  Result<RecordStream> masked =
      cells_of(what.masked, places(columns, &ComparedColumn::in_masked), what.progress);
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
        return fail(
            data_error("the table changed while it was read: compare it again when it is whole")
                .at(what.original.name()));
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
  Result<RecordStream> original =
      cells_of(what.original, places(columns, &ComparedColumn::in_original), what.progress);
  if (!original) return fail(original.error());
  for (;;) {
    const Result<bool> more = original->next();
    if (!more) return fail(more.error());
    if (!*more) break;
    for (std::size_t k = 0; k < columns.size(); ++k) kept.push_back(cell_hash(original->cell(k)));
  }
  Result<RecordStream> masked =
      cells_of(what.masked, places(columns, &ComparedColumn::in_masked), what.progress);
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
  StopCheck check;
  std::ranges::sort(hashes, [&](std::uint64_t a, std::uint64_t b) {
    check();
    return a < b;
  });
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

void CellCounts::add(std::uint64_t row, std::string_view cell, bool is_equal) {
  ++rows;
  equal += is_equal ? 1 : 0;
  if (first.size() < kMostSampled) first.push_back({row, cell_hash(cell)});
}

void CellCounts::merge(const CellCounts& other) {
  rows += other.rows;
  equal += other.equal;
  std::vector<Sampled> both;
  std::ranges::merge(first, other.first, std::back_inserter(both), {}, &Sampled::row,
                     &Sampled::row);
  if (both.size() > kMostSampled) both.resize(kMostSampled);
  first = std::move(both);
}

void CellCounts::tell(ComparedColumn& column, const PersonOfRow& person_of) const {
  column.rows = rows;
  column.equal = equal;
  std::set<std::uint64_t> cells;
  std::set<std::pair<std::uint64_t, std::uint64_t>> of_persons;  // cell, whose it is
  for (const Sampled& cell : first) {
    cells.insert(cell.hash);
    of_persons.emplace(cell.hash, person_of ? person_of(cell.row) : cell.row);
  }
  column.sampled = of_persons.size();
  column.distinct = cells.size();
}

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
  Result<RecordStream> records = cells_of(table, columns, progress);
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
    Result<RecordStream> records =
        cells_of(table, {from, from + static_cast<std::ptrdiff_t>(count)}, progress);
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
