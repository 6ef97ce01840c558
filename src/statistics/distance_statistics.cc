// Distance covariance, variance and correlation of two columns.
//
// covariance_sum.h says how; here records are counted, sampled where the work would be too much,
// and the sums become figures.
//
// Paper:  framework eq 15-18, rank swapping eq 16. Distances between words need not be of
//         negative type, so the sum under the root can be negative: then it is 0, and said so.
#include <algorithm>
#include <cmath>
#include <numeric>

#include "semveil/statistics.h"
#include "statistics/covariance_sum.h"

namespace semveil {
namespace {

// What rounding may leave of a sum that is 0, as a share of n².
constexpr double kRoundingOfSums = 1e-12;

struct Sizes {
  std::uint64_t pairs = 0, a = 0, b = 0;  // that occur
  Sizes at_most(std::uint64_t most) const {
    return {std::min(pairs, most), std::min(a, most), std::min(b, most)};
  }
};

std::vector<std::uint64_t> counts_of(const Space& space, std::span<const JointCount> joint,
                                     std::uint32_t JointCount::* place) {
  std::vector<std::uint64_t> counts(space.size(), 0);
  for (const JointCount& pair : joint) counts[pair.*place] += pair.count;
  return counts;
}

std::uint64_t occurring(std::span<const std::uint64_t> counts) {
  return counts.size() - static_cast<std::uint64_t>(std::count(counts.begin(), counts.end(), 0U));
}

// Looked-up distances, at most; in doubles, which do not overflow.
double work(const Sizes& sizes, bool numeric_a, bool numeric_b) {
  const auto pairs = static_cast<double>(sizes.pairs);
  const auto a = static_cast<double>(sizes.a);
  const auto b = static_cast<double>(sizes.b);
  if (numeric_a && numeric_b) return pairs;
  if (numeric_b) return pairs * a + 2 * a * a;
  if (numeric_a) return pairs * b + 2 * b * b;
  return pairs * (a + b) + 2 * (a * a + b * b);
}

// The most records whose work is allowed whichever they are; at least one.
template <class Work>
std::uint64_t allowed_records(std::uint64_t records, std::uint64_t most_work, const Work& work_of) {
  const auto most = static_cast<double>(most_work);
  if (work_of(records) <= most) return records;
  std::uint64_t fits = 1;
  std::uint64_t too_many = records;
  while (too_many - fits > 1) {
    const std::uint64_t middle = fits + (too_many - fits) / 2;
    (work_of(middle) <= most ? fits : too_many) = middle;
  }
  return fits;
}

std::uint64_t records_of(std::span<const JointCount> joint) {
  std::uint64_t records = 0;
  for (const JointCount& pair : joint) records += pair.count;
  return records;
}

// Where the values that occur stand among themselves.
std::vector<std::uint32_t> numbered(std::span<const std::uint64_t> counts) {
  std::vector<std::uint32_t> number(counts.size());
  std::uint32_t next = 0;
  for (std::size_t i = 0; i < counts.size(); ++i) number[i] = counts[i] == 0 ? next : next++;
  return number;
}

Joint table_of(std::span<const JointCount> joint, std::span<const std::uint64_t> counts_a,
               std::span<const std::uint64_t> counts_b) {
  const std::vector<std::uint32_t> row = numbered(counts_a);
  const std::vector<std::uint32_t> column = numbered(counts_b);
  Joint table;
  table.begin.assign(occurring(counts_a) + 1, 0);
  for (const JointCount& pair : joint) {
    if (pair.count == 0) continue;
    table.b.push_back(column[pair.b]);
    table.count.push_back(static_cast<double>(pair.count));
    table.begin[row[pair.a] + 1] = table.b.size();
  }
  return table;
}

std::vector<JointCount> turned(std::span<const JointCount> joint) {
  std::vector<JointCount> out;
  out.reserve(joint.size());
  for (const JointCount& pair : joint) out.push_back({pair.b, pair.a, pair.count});
  std::sort(out.begin(), out.end(), [](const JointCount& x, const JointCount& y) {
    return x.a != y.a ? x.a < y.a : x.b < y.b;
  });
  return out;
}

bool is_numeric(const Space& space) { return space.impl().measure == nullptr; }

DistanceStatistics statistics_of(const Space& a, const Space& b, std::span<const JointCount> joint,
                                 unsigned threads) {
  if (is_numeric(a) && !is_numeric(b)) {
    DistanceStatistics out = statistics_of(b, a, turned(joint), threads);
    std::swap(out.variance_a, out.variance_b);
    return out;
  }
  const std::vector<std::uint64_t> counts_a = counts_of(a, joint, &JointCount::a);
  const std::vector<std::uint64_t> counts_b = counts_of(b, joint, &JointCount::b);
  const Column column_a(a, counts_a, threads);
  const Column column_b(b, counts_b, threads);
  const Joint table = table_of(joint, counts_a, counts_b);
  const double n = column_a.records();

  DistanceStatistics out;
  if (n == 0) return out;
  const double sum = is_numeric(a)   ? numeric_covariance_sum(column_a, column_b, table)
                     : is_numeric(b) ? mixed_covariance_sum(column_a, column_b, table, threads)
                                     : nominal_covariance_sum(column_a, column_b, table, threads);
  out.clamped = sum < -kRoundingOfSums * n * n;
  out.covariance = std::sqrt(std::max(0.0, sum)) / n;
  out.variance_a = std::sqrt(column_a.sum_of_squares(threads)) / n;
  out.variance_b = std::sqrt(column_b.sum_of_squares(threads)) / n;
  if (out.variance_a > 0 && out.variance_b > 0) {
    out.correlation = std::min(1.0, out.covariance / std::sqrt(out.variance_a * out.variance_b));
  }
  return out;
}

}  // namespace

DistanceStatistics distance_statistics(const Space& a, const Space& b,
                                       std::span<const JointCount> joint,
                                       const StatisticsOptions& options) {
  const Sizes sizes{joint.size(), occurring(counts_of(a, joint, &JointCount::a)),
                    occurring(counts_of(b, joint, &JointCount::b))};
  const std::uint64_t records = records_of(joint);
  const std::uint64_t allowed = allowed_records(
      records, options.most_work,
      [&](std::uint64_t most) { return work(sizes.at_most(most), is_numeric(a), is_numeric(b)); });
  if (allowed == records) return statistics_of(a, b, joint, options.threads);
  DistanceStatistics out = statistics_of(a, b, sample_of(joint, allowed), options.threads);
  out.sampled = allowed;
  return out;
}

DistanceVariance distance_variance(const Space& space, std::span<const std::uint64_t> counts,
                                   const StatisticsOptions& options) {
  const auto of = [&](std::span<const std::uint64_t> some) {
    const Column column(space, some, options.threads);
    if (column.records() == 0) return 0.0;
    return std::sqrt(column.sum_of_squares(options.threads)) / column.records();
  };
  const std::uint64_t records = std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
  const std::uint64_t values = occurring(counts);
  const std::uint64_t allowed =
      allowed_records(records, options.most_work, [&](std::uint64_t most) {
        const auto some = static_cast<double>(std::min(values, most));
        return is_numeric(space) ? some : 2 * some * some;
      });
  if (allowed == records) return {of(counts), 0};
  std::vector<JointCount> joint;
  for (std::uint32_t i = 0; i < counts.size(); ++i) {
    if (counts[i] > 0) joint.push_back({i, 0, counts[i]});
  }
  return {of(counts_of(space, sample_of(joint, allowed), &JointCount::a)), allowed};
}

}  // namespace semveil
