// Counting two tables whose rows are paired, side by side in one pass.
#include <fmt/format.h>
#include <xxhash.h>

#include <algorithm>
#include <array>

#include "audit/pair_columns.h"
#include "audit/pair_counts.h"
#include "audit/record_stream.h"
#include "base/byte_form.h"
#include "release/person_links.h"
#include "semveil/method.h"

namespace semveil {

std::string counted_plan(const PlanFile& plan) {
  ByteWriter out;
  out.number(plan.missing_values.size());
  for (const std::string& text : plan.missing_values) out.text(text);
  out.text(plan.method());
  out.text(plan.draw_by());
  for (const ColumnSettings& column : plan.columns) {
    out.text(column.name);
    out.number(static_cast<std::uint64_t>(column.role));
    out.number(static_cast<std::uint64_t>(column.type));
    out.number(is_nominal(column) ? 1 : 0);
    out.number(plan.changes(column) ? 1 : 0);
  }
  return std::move(out).take();
}

namespace {

constexpr std::string_view kCounting = "counting pairs";
constexpr std::uint64_t kNoPerson = 0;

class PairCounter {
 public:
  PairCounter(const Table& original, const Table& masked, const PlanFile& plan,
              const PairedRows& rows, const WorkOptions& options)
      : original_(original), masked_(masked), plan_(plan), rows_(rows), options_(options) {}

  Result<PairCounts> run() && {
    Result<PairColumns> found =
        find_pair_columns(original_, masked_, plan_, {}, about_, SetColumns::kLeftOut);
    if (!found) return fail(found.error());
    columns_ = *std::move(found);
    prepare();
    const Status status = read();
    if (!status) return fail(status.error());
    return std::move(counts_).settled();
  }

 private:
  void prepare() {
    const std::size_t width = about_.columns.size();
    counts_.original_columns = original_.columns();
    counts_.masked_columns = masked_.columns();
    counts_.plan = counted_plan(plan_);
    counts_.original.tuples = counts_.masked.tuples = PlacedTuples(width);
    counts_.compared.resize(about_.compared.size());
    before_.resize(width);
    after_.resize(width);
    // What a person's records have in common may be in the sets.
    const bool has_sets = plan_.about().releases_sets;
    if (!has_sets) person_ = person_column(original_, plan_);
    counts_.knows_persons = person_.has_value();
  }

  Result<RecordStream> open_original() const {
    std::vector<std::size_t> coded = columns_.in_original, shown;
    if (person_) coded.push_back(*person_);
    for (const ComparedColumn& column : about_.compared) shown.push_back(column.in_original);
    return RecordStream::open(original_, std::move(coded), std::move(shown), kCounting,
                              options_.progress);
  }

  Result<RecordStream> open_masked() const {
    std::vector<std::size_t> coded, shown;
    for (const auto& place : columns_.in_masked) {
      if (place) coded.push_back(*place);
    }
    for (const ComparedColumn& column : about_.compared) shown.push_back(column.in_masked);
    return RecordStream::open(masked_, std::move(coded), std::move(shown), kCounting,
                              options_.progress);
  }

  Status read() {
    Result<RecordStream> original = open_original();
    if (!original) return fail(original.error());
    Result<RecordStream> masked = open_masked();
    if (!masked) return fail(masked.error());
    std::uint64_t row = 0;
    for (;; ++row) {
      const Result<bool> is_there = original->next();
      if (!is_there) return fail(is_there.error());
      const Result<bool> is_paired = masked->next();
      if (!is_paired) return fail(is_paired.error());
      if (*is_there != *is_paired) return refuse_lengths(*is_there ? original_ : masked_, row);
      if (!*is_there) break;
      add(row, *original, *masked);
    }
    for (const auto* flags : {&rows_.not_in_original, &rows_.not_in_masked}) {
      if (!flags->empty() && flags->size() != row) return refuse_flags(flags->size(), row);
    }
    counts_.rows = RowRanges(RowRange{rows_.first_row, rows_.first_row + row});
    keep_texts(*original, *masked);
    return {};
  }

  static Status refuse_lengths(const Table& longer, std::uint64_t rows) {
    return fail(
        data_error(fmt::format("the table has more rows than the other, which has {}: row i "
                               "of the one must be row i of the other",
                               rows))
            .at(longer.name()));
  }
  static Status refuse_flags(std::size_t flags, std::uint64_t rows) {
    return fail(usage_error(
        fmt::format("the tables have {} rows, and it is told of {} of them in which table they are",
                    rows, flags)));
  }

  static bool is_in(const std::vector<bool>& absent, std::uint64_t row) {
    return row >= absent.size() || !absent[row];
  }

  void add(std::uint64_t at, const RecordStream& original, const RecordStream& masked) {
    const std::uint64_t row = rows_.first_row + at;
    const bool was = is_in(rows_.not_in_original, at), is = is_in(rows_.not_in_masked, at);
    std::array<std::uint32_t, 2> pair{};
    if (was) pair[0] = add_original(row, original);
    if (is) pair[1] = add_masked(row, masked);
    if (!was || !is) return;
    counts_.pairs.add(pair, 1, row);
    count_cells(
        about_.compared, counts_.compared, row,
        RecordPair{[&](std::size_t k) { return masked.cell(k); },
                   [&](std::size_t k, std::string_view cell) { return original.cell(k) == cell; },
                   [&] { return is_suppressed(); }});
    if (person_ && counts_.persons.size() < PersonLinks::kMostRecords) {
      counts_.persons.push_back({row, pair[1], person(original)});
    }
  }

  std::uint32_t add_original(std::uint64_t row, const RecordStream& original) {
    for (std::size_t j = 0; j < before_.size(); ++j) before_[j] = original.code(j);
    return static_cast<std::uint32_t>(counts_.original.tuples.add(before_, 1, row));
  }

  std::uint32_t add_masked(std::uint64_t row, const RecordStream& masked) {
    std::size_t at = 0;
    for (std::size_t j = 0; j < after_.size(); ++j) {
      after_[j] = columns_.in_masked[j] ? masked.code(at++) : kMissing;
    }
    return static_cast<std::uint32_t>(counts_.masked.tuples.add(after_, 1, row));
  }

  // Every quasi-identifier of the masked record is empty.
  bool is_suppressed() const {
    return !about_.quasi_identifiers.empty() &&
           std::ranges::all_of(about_.quasi_identifiers,
                               [&](std::size_t j) { return after_[j] == kMissing; });
  }

  std::uint64_t person(const RecordStream& original) const {
    const std::size_t place = before_.size();
    const Code code = original.code(place);
    if (code == kMissing) return kNoPerson;
    const std::string_view text = original.dictionaries()[place].text(code);
    return XXH3_64bits(text.data(), text.size());
  }

  void keep_texts(RecordStream& original, RecordStream& masked) {
    std::size_t at = 0;
    for (std::size_t j = 0; j < before_.size(); ++j) {
      counts_.original.texts.push_back(std::move(original.dictionaries()[j]));
      counts_.masked.texts.push_back(columns_.in_masked[j] ? std::move(masked.dictionaries()[at++])
                                                           : Dictionary());
    }
  }

  const Table& original_;
  const Table& masked_;
  const PlanFile& plan_;
  const PairedRows& rows_;
  const WorkOptions& options_;
  TablePair::Impl about_;  // columns alone
  PairColumns columns_;
  std::optional<std::size_t> person_;  // column of the original
  std::vector<Code> before_, after_;   // of the present row
  PairCounts counts_;
};

}  // namespace

Result<PairCounts> count_pairs(const Table& original, const Table& masked, const PlanFile& plan,
                               const PairedRows& rows, const WorkOptions& options) {
  return PairCounter(original, masked, plan, rows, options).run();
}

}  // namespace semveil
