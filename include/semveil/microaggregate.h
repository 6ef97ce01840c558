// Semantic microaggregation: records are put into groups of at least k that are alike, and each
// group takes its centroid: of concepts the semantic mean, of numbers the mean, of texts the most
// frequent one.
//
// Groups are formed as MDAV does: around the record farthest from the centroid of those that are
// left, and around the one farthest from that. The sum of squared distances is to be small; numbers
// are compared in standard deviations.
//
// Paper:  future work of k-anonymous fusion; MDAV: Domingo-Ferrer and Torra, Ordinal, continuous
//         and heterogeneous k-anonymity through microaggregation, 2005.
#pragma once

#include "semveil/mechanism.h"
#include "semveil/work_limits.h"

namespace [[gnu::visibility("default")]] semveil {

struct MicroaggregateOptions {
  std::uint64_t k = 0;
  unsigned threads = 1;
  double most_hours = kUsualHours;
};
std::unique_ptr<const Mechanism> make_microaggregate(MicroaggregateOptions options);

}  // namespace semveil
