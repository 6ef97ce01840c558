// How columns go together, before and after.
#include <algorithm>
#include <cmath>
#include <map>

#include "audit/audit_parts.h"
#include "release/missed_aims.h"
#include "semveil/method.h"
#include "semveil/noise.h"
#include "semveil/statistics.h"

namespace semveil {
namespace {

Space space_of(const AuditTask& task, std::size_t j, const std::vector<ConceptId>& values) {
  const Attribute& attribute = *task.attributes[j];
  if (attribute.is_nominal()) return Space::nominal(attribute.measure, values);
  std::vector<double> numbers;
  for (const ConceptId value : values) numbers.push_back(attribute.numbers[value]);
  return Space::numeric(std::move(numbers));
}

bool is_measured(const AuditTask& task, std::size_t j) {
  const bool words = task.attributes[j]->kind == Attribute::Kind::kText;
  return !words && !task.pair.columns[j].is_set;
}

// Nothing where no record is complete.
std::optional<DistanceStatistics> correlation(const AuditTask& task, std::size_t a, std::size_t b,
                                              Side side, const Classes& alone) {
  std::map<std::pair<ConceptId, ConceptId>, std::uint64_t> counted;
  const auto is_value = [&](std::size_t j, ConceptId value) {
    const Attribute& attribute = *task.attributes[j];
    const bool counts = attribute.missing_is_value && attribute.is_nominal();
    return value < attribute.missing_value() || (counts && value == attribute.missing_value());
  };
  if (task.is_paired()) {
    for (std::size_t i = 0; i < task.pair.pairs.size(); ++i) {
      const auto was = task.pair.pairs.tuple(i, Side::kBefore);
      const auto is = task.pair.pairs.tuple(i, Side::kAfter);
      if (!is_value(a, was[a]) || !is_value(b, was[b])) continue;
      if (!is_value(a, is[a]) || !is_value(b, is[b])) continue;
      const auto tuple = side == Side::kBefore ? was : is;
      counted[{tuple[a], tuple[b]}] += task.pair.pairs.counts[i];
    }
  } else {
    for (std::size_t c = 0; c < alone.size(); ++c) {
      const auto tuple = alone.tuple(c);
      if (!is_value(a, tuple[a]) || !is_value(b, tuple[b])) continue;
      counted[{tuple[a], tuple[b]}] += alone.counts[c];
    }
  }
  if (counted.empty()) return std::nullopt;
  std::vector<ConceptId> of_a, of_b;
  for (const auto& [values, count] : counted) {
    of_a.push_back(values.first);
    of_b.push_back(values.second);
  }
  const auto distinct = [](std::vector<ConceptId>& values) {
    std::ranges::sort(values);
    values.erase(std::unique(values.begin(), values.end()), values.end());
  };
  distinct(of_a);
  distinct(of_b);
  const auto place = [](const std::vector<ConceptId>& values, ConceptId value) {
    return static_cast<std::uint32_t>(std::ranges::lower_bound(values, value) - values.begin());
  };
  std::vector<JointCount> joint;
  for (const auto& [values, count] : counted) {
    joint.push_back({place(of_a, values.first), place(of_b, values.second), count});
  }
  return distance_statistics(space_of(task, a, of_a), space_of(task, b, of_b), joint,
                             {.threads = task.options.work.threads, .most_work = kMostAuditWork});
}

// Framework §5, the fourth measure: |sdCov(A*, B*) − (1 + α) sdCov(A, B)|.
void expect_covariance(const AuditTask& task, AuditedPair& out) {
  const NoiseFit* const fit = noise_aims(task);
  if (fit == nullptr || !out.covariance.original || !out.covariance.masked) return;
  out.expected_covariance = (1 + fit->alpha) * *out.covariance.original;
  out.covariance_error = std::abs(*out.covariance.masked - *out.expected_covariance);
}

}  // namespace

// Over the records complete in both columns, and, where they are paired, in both tables.
void audit_correlations(const AuditTask& task, Audit& all) {
  for (std::size_t a = 0; a < task.pair.columns.size(); ++a) {
    for (std::size_t b = a + 1; b < task.pair.columns.size(); ++b) {
      if (!is_measured(task, a) || !is_measured(task, b)) continue;
      AuditedPair& out = all.pairs.emplace_back();
      out.a = task.pair.columns[a].name;
      out.b = task.pair.columns[b].name;
      if (const auto before = correlation(task, a, b, Side::kBefore, task.pair.original)) {
        out.correlation.original = before->correlation;
        out.covariance.original = before->covariance;
        out.sampled = before->sampled;
      }
      if (const auto after = correlation(task, a, b, Side::kAfter, task.pair.masked)) {
        out.correlation.masked = after->correlation;
        out.covariance.masked = after->covariance;
        out.sampled = std::max(out.sampled, after->sampled);
      }
      const bool masks_a = task.pair.columns[a].is_masked, masks_b = task.pair.columns[b].is_masked;
      if (masks_a && masks_b) expect_covariance(task, out);
      const bool keeps = task.pair.masks && task.pair.about().keeps_correlations;
      if (keeps && (masks_a || masks_b) && out.correlation.original && out.correlation.masked) {
        find_moved_correlation({out.a, out.b, *out.correlation.original, *out.correlation.masked},
                               all.findings);
      }
    }
  }
}

}  // namespace semveil
