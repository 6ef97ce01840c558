#include "support/slow_channel.h"

#include <algorithm>
#include <limits>
#include <set>

namespace semveil::test {

SlowRow slow_row(const SlowNoise& noise, SlowTaxonomy::Node x,
                 std::optional<SlowTaxonomy::Node> reference, bool first,
                 const std::function<double(double)>& cdf) {
  constexpr double kInfinity = std::numeric_limits<double>::infinity();
  std::set<double> ends = {0, kInfinity};
  for (const SlowTaxonomy::Node c : noise.candidates()) {
    if (c != x) ends.insert(noise.sd(c, x) + 1e-9);  // the tolerance of rule 3
  }
  SlowRow out;
  for (auto end = std::next(ends.begin()); end != ends.end(); ++end) {
    const double from = *std::prev(end), to = *end;
    const double size = to == kInfinity ? from + 1 : (from + to) / 2;
    for (const double sign : {1.0, -1.0}) {
      const double p = sign > 0 ? cdf(to) - cdf(from) : cdf(-from) - cdf(-to);
      const auto admissible = noise.replace(x, sign * size, reference).admissible;
      if (first) {
        out[noise.first(admissible)] += p;
      } else {
        for (const auto z : admissible) out[z] += p / static_cast<double>(admissible.size());
      }
    }
  }
  return out;
}

SlowRisk slow_risk(const std::vector<std::vector<double>>& joint) {
  SlowRisk out;
  for (const auto& row : joint) {
    double p = 0;
    for (const double cell : row) p += cell;
    out.prior = std::max(out.prior, p);
  }
  for (std::size_t z = 0; !joint.empty() && z < joint[0].size(); ++z) {
    double sum = 0, best = 0;
    for (const auto& row : joint) {
      sum += row[z];
      best = std::max(best, row[z]);
    }
    out.vulnerability += best;
    for (const auto& row : joint) {
      if (row[z] == 0) continue;
      out.expected += row[z] * (row[z] / sum);
      out.worst = std::max(out.worst, row[z] / sum);
    }
  }
  return out;
}

}  // namespace semveil::test
