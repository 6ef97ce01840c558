#include "mechanisms/sets/set_repeats.h"

#include <vector>

namespace semveil {
namespace {

constexpr double kMostWork = 1e8;

// Σ q(u)² over a category.
double meeting(const SetColumn& column, const Categories::Category& category, SetDraw draw) {
  if (draw == SetDraw::kUniform) return 1.0 / static_cast<double>(category.values.size());
  double sum = 0;
  double squares = 0;
  for (const ConceptId value : category.values) {
    const auto count = static_cast<double>(column.counts[value]);
    sum += count;
    squares += count * count;
  }
  return sum > 0 ? squares / (sum * sum) : 1;
}

// For a record whose category is `own`.
double parted(const std::vector<double>& meetings, std::size_t own, std::size_t others) {
  const std::size_t width = others + 1;
  std::vector<double> ways(width * width, 0);  // by how many categories each release has taken
  ways[0] = 1;
  for (std::size_t d = 0; d < meetings.size(); ++d) {
    if (d == own) continue;
    for (std::size_t a = width; a-- > 0;) {
      for (std::size_t b = width; b-- > 0;) {
        double& here = ways[a * width + b];  // the greater ones first: each category once
        if (a > 0) here += ways[(a - 1) * width + b];
        if (b > 0) here += ways[a * width + b - 1];
        if (a > 0 && b > 0) here += (1 - meetings[d]) * ways[(a - 1) * width + b - 1];
      }
    }
  }
  double choices = 1;  // of `others` among all but one
  const auto all = static_cast<double>(meetings.size() - 1);
  for (std::size_t i = 0; i < others; ++i) {
    choices *= (all - static_cast<double>(i)) / static_cast<double>(i + 1);
  }
  return ways.back() / choices / choices;
}

// C(n−l, l−1) / C(n−1, l−1). Where n < 2l − 1 a factor is 0, and those behind it are negative: the
// product ends there, and is no −0.
double parted_values(double values, unsigned l) {
  double share = 1;
  for (unsigned i = 0; i + 1 < l && share > 0; ++i) share *= (values - l - i) / (values - 1 - i);
  return share;
}

}  // namespace

std::optional<double> revealed_by_two_releases(const SetColumn& column, bool by_category,
                                               SetDraw draw) {
  std::size_t values = 0;
  for (const Categories::Category& category : column.categories.list) {
    values += category.values.size();
  }
  if (!by_category) return parted_values(static_cast<double>(values), column.l);
  const auto categories = static_cast<double>(column.categories.list.size());
  if (categories * categories * column.l * column.l > kMostWork) return std::nullopt;
  std::vector<double> meetings;
  for (const Categories::Category& category : column.categories.list) {
    meetings.push_back(meeting(column, category, draw));
  }
  double revealed = 0;
  double records = 0;
  for (std::size_t c = 0; c < meetings.size(); ++c) {
    double inside = 0;
    for (const ConceptId value : column.categories.list[c].values) {
      inside += static_cast<double>(column.counts[value]);
    }
    if (inside == 0) continue;
    revealed += inside * parted(meetings, c, column.l - 1);
    records += inside;
  }
  return records > 0 ? std::optional(revealed / records) : std::nullopt;
}

}  // namespace semveil
