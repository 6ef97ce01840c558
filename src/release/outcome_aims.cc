#include "release/outcome_aims.h"

#include <algorithm>
#include <cmath>

#include "release/missed_aims.h"
#include "semveil/method.h"
#include "semveil/noise.h"

namespace semveil {
namespace {

const ColumnDescription* described(const std::optional<Description>& of, const std::string& name) {
  if (!of) return nullptr;
  const auto at = std::ranges::find(of->columns, name, &ColumnDescription::name);
  return at == of->columns.end() ? nullptr : &*at;
}

// The concept that a description names; nothing for none.
std::optional<ConceptId> concept_of(const Attribute& attribute, const ColumnDescription* column) {
  if (column == nullptr || !column->mean) return std::nullopt;
  const std::string id = column->mean->id.value_or("");
  for (ConceptId c = 0; c < attribute.size(); ++c) {
    if (attribute.id(c) == id) return c;
  }
  return std::nullopt;
}

// Their ordinary mean.
void add_numbers(const NoiseColumn& fitted, const NumericSummary& after, NoisyColumn& column) {
  column.mean_shift = std::min(1.0, std::abs(after.mean - *fitted.average) * fitted.per_unit);
}

void find_columns(const NoiseFit& fit, const FittedMethod& plan,
                  const std::vector<std::size_t>& columns, MaskResult& out) {
  for (std::size_t j = 0; j < columns.size(); ++j) {
    const MaskedColumn& masked = out.masked[columns[j]];
    const ColumnDescription* const after = described(out.after, masked.name);
    NoisyColumn column{.name = masked.name,
                       .cells = masked.cells,
                       .alpha = fit.alpha,
                       .rmse = masked.rmse,
                       .deviation = fit.columns[j].distance(),
                       .variance = fit.columns[j].variance,
                       .variance_after = after == nullptr ? std::nullopt : after->any_variance(),
                       .mean_shift = std::nullopt};
    const Attribute& attribute = *plan.attributes()[j];
    if (fit.columns[j].average && after != nullptr && after->numeric) {
      add_numbers(fit.columns[j], *after->numeric, column);
    }
    if (attribute.is_nominal()) {
      // A mean that may not be shown is compared as it is shown.
      const ConceptId fitted = fit.columns[j].mean;
      const bool is_shown =
          attribute.candidates == nullptr || attribute.candidates->contains(fitted);
      const auto was =
          is_shown ? fitted : concept_of(attribute, described(out.before, masked.name));
      const auto is = concept_of(attribute, after);
      if (was && is) column.mean_shift = attribute.distance(*was, *is);
    }
    find_missed_aims(column, out.findings);
  }
}

void find_pairs(const ModelStep& step, const NoiseFit* fit, MaskResult& out) {
  if (!out.before || !out.after || !step.about().keeps_correlations) return;
  const auto is_masked = [&](const std::string& name) {
    return std::ranges::any_of(step.columns,
                               [&](std::size_t j) { return out.masked[j].name == name; });
  };
  for (const PairDescription& after : out.after->pairs) {
    const auto before = std::ranges::find_if(out.before->pairs, [&](const PairDescription& pair) {
      return pair.a == after.a && pair.b == after.b;
    });
    if (before == out.before->pairs.end()) continue;
    if (!is_masked(after.a) && !is_masked(after.b)) continue;
    find_moved_correlation(
        {after.a, after.b, before->distance_correlation, after.distance_correlation}, out.findings);
    if (fit == nullptr || !is_masked(after.a) || !is_masked(after.b)) continue;
    const double expected = (1 + fit->alpha) * before->distance_covariance;
    out.noise_pairs.push_back(
        {after.a, after.b, expected, std::abs(after.distance_covariance - expected)});
  }
}

}  // namespace

void find_what_missed(const FittedSteps& plan, MaskResult& out) {
  for (std::size_t i = 0; i < plan.size(); ++i) {
    const NoiseFit* const fit = noise_fit(plan.plan(i));
    if (fit != nullptr) find_columns(*fit, plan.plan(i), plan.step(i).columns, out);
    find_pairs(plan.step(i), fit, out);
  }
  rank(out.findings);
}

}  // namespace semveil
