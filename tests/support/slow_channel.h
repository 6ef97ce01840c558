// The slow twin of the channel: P(z | x) by integrating over errors, each led where the noise
// page's rules lead it (slow_noise.h), and Bayes' rule written out over full tables.
#pragma once

#include <functional>
#include <map>
#include <vector>

#include "semveil/channel.h"
#include "support/slow_noise.h"

namespace semveil::test {

using SlowRow = std::map<SlowTaxonomy::Node, double>;

// Between two neighbouring distances (and what is tolerated beyond them) all errors of one sign
// lead alike, so an error in between stands for them; `cdf` is that of the errors.
SlowRow slow_row(const SlowNoise& noise, SlowTaxonomy::Node x,
                 std::optional<SlowTaxonomy::Node> reference, bool first,
                 const std::function<double(double)>& cdf);

// Of a table p(x) P(z | x), by x then z, all releases in order.
struct SlowRisk {
  double prior = 0, vulnerability = 0, expected = 0, worst = 0;
};
SlowRisk slow_risk(const std::vector<std::vector<double>>& joint);

}  // namespace semveil::test
