// The slow twins of what classes disclose: one person at a time, every definition word for word.
#pragma once

#include "figures/disclosures.h"

namespace semveil::test {

// `pairs`: the quasi-identifiers, then the secret.
struct SlowDisclosed {
  double mean = 0, worst = 0, baseline = 0, baseline_worst = 0;
  std::uint64_t fewest = 0, sharing = 0;
};
SlowDisclosed slow_belief(const Paired& pairs, ClassOf how);
SlowDisclosed slow_likeliest(const Paired& pairs, ClassOf how, Grouping grouping);
double slow_membership(const Paired& pairs, const Paired& control);  // TPR − FPR

}  // namespace semveil::test
