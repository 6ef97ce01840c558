#include "mechanisms/generalize/generalize_loss.h"

#include <algorithm>

namespace semveil {

CellLoss::CellLoss(const Hierarchy& hierarchy, GeneralizeLoss loss) {
  // Whole numbers, too: a share of this many units, so that sums do not depend on their order.
  constexpr std::uint64_t kUnits = std::uint64_t{1} << 36U;
  if (!hierarchy.shares().empty()) {
    const bool loses = std::ranges::any_of(hierarchy.shares(), [](double s) { return s > 0; });
    whole_ = loses ? kUnits : 0;
    for (const double share : hierarchy.shares()) {
      units_.push_back(static_cast<std::uint64_t>(share * static_cast<double>(kUnits) + 0.5));
    }
    return;
  }
  const bool ncp = loss == GeneralizeLoss::kNcp;
  whole_ = ncp ? hierarchy.all_leaves() : hierarchy.all_leaves() - 1;
  for (Code node = 0; node < hierarchy.nodes(); ++node) {
    const std::uint64_t leaves = hierarchy.leaves(node);
    units_.push_back(!ncp ? leaves - 1 : leaves == 1 ? 0 : leaves);
  }
}

double root_of(double power, std::size_t n) {
  // Newton's steps from above only descend, until rounding.
  for (double x = 2;;) {
    double below = 1;  // x^(n-1)
    for (std::size_t i = 1; i < n; ++i) below *= x;
    const auto count = static_cast<double>(n);
    const double next = ((count - 1) * x + power / below) / count;
    if (next >= x) return x;
    x = next;
  }
}

double table_loss(GeneralizeLoss loss, std::span<const double> columns) {
  if (columns.empty()) return 0;
  if (loss == GeneralizeLoss::kLmGeometric) {
    double product = 1;
    for (const double mean : columns) product *= 1 + mean;
    return root_of(product, columns.size()) - 1;
  }
  double sum = 0;
  for (const double mean : columns) sum += mean;
  return sum / static_cast<double>(columns.size());
}

std::uint64_t suppression_limit(double share, std::uint64_t records) {
  constexpr double kRounding = 1e-12;
  const double product = share * static_cast<double>(records);
  return std::min(records, static_cast<std::uint64_t>(product + product * kRounding));
}

}  // namespace semveil
