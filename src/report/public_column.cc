// What of an audited column may be shown to anybody: rules 1 to 3 of public_edition.cc.
//
// Rule 3, why and when. Who has the release knows its frequencies q; total variation, Hellinger and
// loss of detail are functions of q and of the original's p. Exact and together they are equations
// for whole numbers that few columns solve but the true one. So where values are hidden
//   Hellinger, loss of detail   are left out
//   total variation             has three digits, as the spread before has
//   of three values at most     nothing of it is told: two figures are enough to give them back
// Who knows much of a small table may still conclude something: that is what a steward has to
// weigh.
#include <algorithm>

#include "report/public_edition.h"

namespace semveil::report {
namespace {

// Of so few values one figure tells all.
constexpr std::uint64_t kFewValues = 3;

// Beside values that are named, a pool is not rounded to everything.
constexpr double kNearlyAll = 0.999;

// Original records that have the value. Where nobody counted them, the share says it: of at least
// so many records, so that rather too many values are pooled than too few.
double records_of(const ValueShare& share, const AuditedColumn& column, const Audit& audit) {
  if (share.original_records > 0) return static_cast<double>(share.original_records);
  const double at_least = static_cast<double>(audit.original_records) -
                          static_cast<double>(column.original_missing) -
                          static_cast<double>(column.original_unmapped);
  return std::floor(share.original * std::max(at_least, 0.0) + 1e-6);
}

bool contains(const AuditedColumn& column, const NamedConcept& mean) {
  bool found = false;
  for (const ValueShare& share : column.distribution) {
    if (share.label != mean.label || share.pooled) continue;
    if (!share.in_release) return false;
    found = true;
  }
  return found;
}

struct Counted {
  double records = 0;
  std::uint64_t values = 0;  // that original records have
  void add(const ValueShare& share, double having) {
    records += having;
    values += having > 0 ? share.values : 0;
  }
};

struct Pooled {
  std::vector<ValueShare> shown;  // empty: it must be left out
  Hidden hidden = Hidden::kNothing;
};

Pooled pooled(const AuditedColumn& column, const Audit& audit, double k) {
  Pooled out;
  ValueShare pool;
  pool.label = "other values";
  pool.pooled = true;
  pool.values = 0;
  Counted hidden, all;
  for (const ValueShare& share : column.distribution) {
    const double having = records_of(share, column, audit);
    all.add(share, having);
    if (share.in_release && !share.pooled && having >= k) {
      out.shown.push_back(share);
      round_both(out.shown.back().original, out.shown.back().masked);
      out.shown.back().original_records = 0;
      continue;
    }
    pool.original += share.original;
    pool.masked += share.masked;
    pool.values += share.values;
    hidden.add(share, having);
  }
  if (pool.values == 0) return out;
  if (hidden.values < 2 || hidden.records < k) {
    out.shown.clear();
    out.hidden = all.values > kFewValues ? Hidden::kSome : Hidden::kAll;
    return out;
  }
  const bool is_all = pool.original >= 1 && pool.masked >= 1;
  round_both(pool.original, pool.masked);
  if (!is_all) {
    pool.original = std::min(pool.original, kNearlyAll);
    pool.masked = std::min(pool.masked, kNearlyAll);
  }
  round_figure(pool.values);
  out.shown.push_back(pool);
  out.hidden = Hidden::kSome;
  return out;
}

}  // namespace

Hidden make_public(AuditedColumn& column, const Audit& audit, double k) {
  if (column.mean_original && !contains(column, *column.mean_original)) {
    column.mean_original.reset();
  }
  Pooled found = pooled(column, audit, k);
  column.distribution = std::move(found.shown);
  const bool is_number = column.number_mean.original || column.number_mean.masked;
  if (found.hidden != Hidden::kNothing) {
    column.hellinger.reset();
    column.ic_loss.reset();
    round_figure(column.total_variation);
  }
  if (found.hidden == Hidden::kAll) {
    column.total_variation.reset();
    column.variance.original.reset();
    column.expected_variance.reset();
    column.drawn_variance.reset();
    column.target_rmse.reset();
    column.number_mean.original.reset();
    if (is_number) column.mean_shift.reset();
  }
  round_both(column.original_distinct, column.masked_distinct);
  round_both(column.original_missing, column.masked_missing);
  round_both(column.original_unmapped, column.masked_unmapped);
  round_both(column.variance.original, column.variance.masked);
  round_both(column.number_mean.original, column.number_mean.masked);
  if (found.hidden == Hidden::kAll) column.numeric_original.reset();
  if (column.numeric_original) {
    NumericSummary alone = *column.numeric_original;
    NumericSummary& after = column.numeric_masked ? *column.numeric_masked : alone;
    round_both(column.numeric_original->mean, after.mean);
    round_both(column.numeric_original->deviation, after.deviation);
  }
  round_all(column.expected_variance, column.drawn_variance, column.target_rmse);
  if (is_number) round_figure(column.mean_shift);
  return found.hidden;
}

}  // namespace semveil::report
