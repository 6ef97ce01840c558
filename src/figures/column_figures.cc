#include "figures/column_figures.h"

#include <algorithm>
#include <cmath>

#include "base/math.h"
#include "figures/value_names.h"
#include "statistics/numeric_summary.h"
#include "statistics/shown_mean.h"

namespace semveil {
namespace {

struct Change {
  ConceptId before, after;
  std::uint64_t records;
};

// Each different change of column j once, in the order of the values.
std::vector<Change> changes_of(const Paired& pairs, std::size_t j) {
  std::vector<Change> all;
  all.reserve(pairs.size());
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    all.push_back(
        {pairs.tuple(i, Side::kBefore)[j], pairs.tuple(i, Side::kAfter)[j], pairs.counts[i]});
  }
  std::ranges::sort(all, [](const Change& a, const Change& b) {
    return a.before != b.before ? a.before < b.before : a.after < b.after;
  });
  std::vector<Change> out;
  for (const Change& change : all) {
    const bool known =
        !out.empty() && out.back().before == change.before && out.back().after == change.after;
    if (known) {
      out.back().records += change.records;
    } else {
      out.push_back(change);
    }
  }
  return out;
}

std::size_t bin_of(double distance) {
  constexpr double kRounding = 1e-9;  // 1 − 4/5 lies in the bin that begins at 0.2
  const auto bin =
      static_cast<std::size_t>(distance * static_cast<double>(kDistanceBins) + kRounding);
  return std::min(bin, kDistanceBins - 1);
}

// Those of values that are not missing; those of the attribute alone.
ValueCounts chosen(const ValueCounts& all, ConceptId missing, bool unmapped_too) {
  ValueCounts out;
  for (std::size_t i = 0; i < all.values.size(); ++i) {
    const ConceptId value = all.values[i];
    if (value == missing || (value > missing && !unmapped_too)) continue;
    out.values.push_back(value);
    out.counts.push_back(all.counts[i]);
  }
  return out;
}

std::uint64_t missing_cells(const ValueCounts& all, ConceptId missing) {
  const auto at = std::ranges::lower_bound(all.values, missing);
  if (at == all.values.end() || *at != missing) return 0;
  return all.counts[static_cast<std::size_t>(at - all.values.begin())];
}

double mean_ic(const ValueCounts& column) {
  const auto all = static_cast<double>(column.total());
  double sum = 0;
  for (const std::uint64_t count : column.counts) {
    const double share = static_cast<double>(count) / all;
    sum -= share * ln(share);
  }
  return sum;
}

void compare_shares(const ValueCounts& original, const ValueCounts& masked, AuditedColumn& out) {
  const auto before = static_cast<double>(original.total());
  const auto after = static_cast<double>(masked.total());
  double apart = 0, squares = 0;
  std::size_t i = 0, k = 0;
  const auto end = [](const ValueCounts& of) { return of.values.size(); };
  while (i < end(original) || k < end(masked)) {
    const bool in_original =
        i < end(original) && (k == end(masked) || original.values[i] <= masked.values[k]);
    const bool in_masked =
        k < end(masked) && (i == end(original) || masked.values[k] <= original.values[i]);
    const double p = in_original ? static_cast<double>(original.counts[i++]) / before : 0;
    const double q = in_masked ? static_cast<double>(masked.counts[k++]) / after : 0;
    apart += std::abs(p - q);
    const double root = std::sqrt(p) - std::sqrt(q);
    squares += root * root;
  }
  out.total_variation = std::min(1.0, apart / 2);
  out.hellinger = std::min(1.0, std::sqrt(squares / 2));
}

void compare_concepts(const Attribute& of_values, const ValueCounts& original_values,
                      const ValueCounts& masked_values, unsigned threads, AuditedColumn& out) {
  const Attribute& attribute = concepts_of(of_values);
  const ValueCounts original = concept_counts(of_values, original_values);
  const ValueCounts masked = concept_counts(of_values, masked_values);
  const Measure& measure = *attribute.measure;
  const auto before = semantic_mean(measure, original, threads);
  const auto after = semantic_mean(measure, masked, threads);
  const auto shown = [&](const ValueCounts& column, ConceptId mean) {
    return shown_mean(measure, column, mean, attribute.candidates.get(), threads);
  };
  if (before) {
    out.mean_original = named_concept(attribute, shown(original, before->concept_id));
    out.variance.original = semantic_variance(measure, original, before->concept_id);
  }
  if (after) {
    out.mean_masked = named_concept(attribute, shown(masked, after->concept_id));
    out.variance.masked = semantic_variance(measure, masked, after->concept_id);
  }
  if (before && after) {
    out.mean_shift = measure.distance(before->concept_id, after->concept_id);
  }
}

void mean_and_variance(const Attribute& attribute, const ValueCounts& column,
                       std::optional<double>& mean, std::optional<double>& variance) {
  if (column.values.empty()) return;
  const auto all = static_cast<double>(column.total());
  double sum = 0, squares = 0;
  for (std::size_t i = 0; i < column.values.size(); ++i) {
    sum += static_cast<double>(column.counts[i]) * attribute.numbers[column.values[i]];
  }
  for (std::size_t i = 0; i < column.values.size(); ++i) {
    const double off = attribute.numbers[column.values[i]] - sum / all;
    squares += static_cast<double>(column.counts[i]) * (off * off);
  }
  mean = sum / all;
  variance = squares / all;
}

std::optional<NumericSummary> numbers_of(const Attribute& attribute, const ValueCounts& column) {
  std::vector<std::pair<double, std::uint64_t>> counts;
  for (std::size_t i = 0; i < column.values.size(); ++i) {
    counts.emplace_back(attribute.numbers[column.values[i]], column.counts[i]);
  }
  std::optional<NumericSummary> summary = numeric_summary(std::move(counts));
  if (summary) summary->dates = attribute.is_date();
  return summary;
}

void compare_numbers(const Attribute& attribute, const ValueCounts& original,
                     const ValueCounts& masked, AuditedColumn& out) {
  out.numeric_original = numbers_of(attribute, original);
  out.numeric_masked = numbers_of(attribute, masked);
  mean_and_variance(attribute, original, out.number_mean.original, out.variance.original);
  mean_and_variance(attribute, masked, out.number_mean.masked, out.variance.masked);
  if (!out.number_mean.original || !out.number_mean.masked) return;
  const double apart = std::abs(*out.number_mean.original - *out.number_mean.masked);
  out.mean_shift = attribute.unit > 0 ? std::min(1.0, apart / attribute.unit) : 0;
}

}  // namespace

ValueCounts column_counts(const Classes& classes, std::size_t j) {
  std::vector<std::pair<ConceptId, std::uint64_t>> all;
  all.reserve(classes.size());
  for (std::size_t c = 0; c < classes.size(); ++c) {
    all.emplace_back(classes.tuple(c)[j], classes.counts[c]);
  }
  std::ranges::sort(all);
  ValueCounts out;
  for (const auto& [value, count] : all) {
    if (out.values.empty() || out.values.back() != value) {
      out.values.push_back(value);
      out.counts.push_back(0);
    }
    out.counts.back() += count;
  }
  return out;
}

namespace {

// A missing cell that stays so, and what masking knows nothing of: a text without a meaning that a
// rule of the plan keeps, empties or replaces by the root.
bool takes_no_part(const Attribute& attribute, ConceptId before, ConceptId after) {
  const ConceptId missing = attribute.missing_value();
  if (before == missing) return after == missing;
  if (before < missing || !attribute.is_nominal()) return false;
  return after == before || after == missing || after == Taxonomy::root();
}

}  // namespace

void audit_changes(const Paired& pairs, std::size_t j, AuditedColumn& out) {
  const Attribute& attribute = *pairs.attributes[j];
  std::uint64_t cells = 0, same = 0, records = 0;
  double sum = 0, squares = 0, lost = 0;
  std::vector<std::uint64_t> bins(kDistanceBins, 0);
  for (const Change& change : changes_of(pairs, j)) {
    records += change.records;
    const bool stays = change.before == change.after;
    const double distance = attribute.distance(change.before, change.after);
    lost += static_cast<double>(change.records) * distance;
    if (takes_no_part(attribute, change.before, change.after)) continue;
    cells += change.records;
    if (stays) same += change.records;
    sum += static_cast<double>(change.records) * distance;
    squares += static_cast<double>(change.records) * (distance * distance);
    bins[bin_of(distance)] += change.records;
  }
  if (records == 0) return;
  out.semantic_quality = 1 - lost / static_cast<double>(records);
  out.distances = std::move(bins);
  if (cells == 0) return;
  const auto all = static_cast<double>(cells);
  out.rmse = std::sqrt(squares / all);
  out.mean_distance = sum / all;
  out.unchanged = static_cast<double>(same) / all;
}

void audit_distribution(const Attribute& attribute, const ValueCounts& original,
                        const ValueCounts& masked, unsigned threads, AuditedColumn& out) {
  const ConceptId missing = attribute.missing_value();
  const ValueCounts before = chosen(original, missing, true);
  const ValueCounts after = chosen(masked, missing, true);
  out.original_distinct = before.values.size();
  out.masked_distinct = after.values.size();
  out.original_missing = missing_cells(original, missing);
  out.masked_missing = missing_cells(masked, missing);
  if (!before.values.empty() && !after.values.empty()) {
    compare_shares(before, after, out);
    out.ic_loss = mean_ic(before) - mean_ic(after);
  }
  ValueCounts meant = chosen(original, missing, false);
  ValueCounts released = chosen(masked, missing, false);
  if (attribute.missing_is_value && attribute.is_nominal()) {  // one more value, as in masking
    const auto add = [&](ValueCounts& to, std::uint64_t cells) {
      if (cells == 0) return;
      to.values.push_back(missing);
      to.counts.push_back(cells);
    };
    add(meant, out.original_missing);
    add(released, out.masked_missing);
  }
  if (attribute.is_nominal()) compare_concepts(attribute, meant, released, threads, out);
  if (attribute.is_numeric()) compare_numbers(attribute, meant, released, out);
}

}  // namespace semveil
