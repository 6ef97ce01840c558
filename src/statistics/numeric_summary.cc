#include "statistics/numeric_summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/date_text.h"

namespace semveil {
namespace {

double numeric_quantile(const std::vector<std::pair<double, std::uint64_t>>& ascending,
                        std::uint64_t records, unsigned percent) {
  std::uint64_t reached = 0;
  for (const auto& [number, count] : ascending) {
    reached += count;
    if (100 * reached >= percent * records) return number;
  }
  return ascending.back().first;
}

}  // namespace

std::optional<NumericSummary> numeric_summary(
    std::vector<std::pair<double, std::uint64_t>> counts) {
  std::erase_if(counts, [](const auto& each) { return each.second == 0; });
  if (counts.empty()) return std::nullopt;
  std::ranges::sort(counts);
  std::uint64_t records = 0;
  long double sum = 0;
  for (const auto& [number, count] : counts) {
    records += count;
    sum += static_cast<long double>(count) * static_cast<long double>(number);
  }
  const long double mean = sum / static_cast<long double>(records);
  long double squares = 0;
  for (const auto& [number, count] : counts) {
    const long double off = static_cast<long double>(number) - mean;
    squares += static_cast<long double>(count) * off * off;
  }
  NumericSummary out;
  out.mean = static_cast<double>(mean);
  if (records > 1) {
    out.deviation = static_cast<double>(std::sqrt(squares / static_cast<long double>(records - 1)));
  }
  out.min = counts.front().first;
  out.max = counts.back().first;
  for (const unsigned percent : kQuantilePercents) {
    out.quantiles.push_back(numeric_quantile(counts, records, percent));
  }
  return out;
}

std::string NumericSummary::written(double figure) const {
  return dates ? days_text(figure) : fmt::format("{}", figure);
}

}  // namespace semveil
