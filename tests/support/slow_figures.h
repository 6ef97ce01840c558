// The slow twins of what an audit tells of columns, classes and a classifier: every record on its
// own, every definition word for word.
#pragma once

#include <optional>
#include <vector>

#include "figures/paired.h"
#include "support/generated_table.h"

namespace semveil::test {

// Four columns: two of concepts, one of numbers, one of texts. Half of the cells are changed:
// replaced, generalised to something above, emptied, or into a text that means nothing, which some
// cells were before. Some records are suppressed; some pairs stand there twice.
Paired mixed_pairs(const TwinDomain& domain, std::size_t pairs, std::uint64_t seed);

// Whether a value, or every value of a combination, fits a released one (figures/fits.h).
bool slow_fits(const Attribute& attribute, ConceptId value, ConceptId released, bool wildcard);
bool slow_fits(const Paired& pairs, const std::vector<ConceptId>& person,
               const std::vector<ConceptId>& released, bool wildcard);

struct SlowChanges {
  std::optional<double> rmse, mean_distance, unchanged;
  double quality = 0;
  std::vector<std::uint64_t> distances;
};
SlowChanges slow_changes(const Paired& pairs, std::size_t j);

struct SlowDistribution {
  double total_variation = 0, hellinger = 0, ic_loss = 0;
  double mean_original = 0, mean_masked = 0, variance_original = 0, variance_masked = 0;  // numbers
};
// Both sides have a value.
SlowDistribution slow_distribution(const Paired& pairs, std::size_t j);

struct SlowClassRisk {
  std::uint64_t classes = 0, smallest = 0, uniques = 0, suppressed = 0, discernibility = 0;
  double prosecutor = 0, marketer = 0;
};
SlowClassRisk slow_class_risk(const Paired& pairs, Side side, bool wildcard);
std::optional<double> slow_journalist(const Paired& pairs, bool wildcard);
struct SlowOwn {
  double worst = 0, mean = 0;
};
SlowOwn slow_own_among_alike(const Paired& pairs, bool wildcard);

struct SlowDownstream {
  double original = 0, masked = 0, majority = 0;
  std::uint64_t tested = 0;
};
// Of the last column by all others.
std::optional<SlowDownstream> slow_downstream(const Paired& pairs);

}  // namespace semveil::test
