// Distances that are given, not computed: between the concepts of a taxonomy without depth, all of
// them roots or a single one.
#pragma once

#include <memory>
#include <string>

#include "semveil/measure.h"

namespace semveil {

// distances(i, j): of the i-th and j-th concept by id. The virtual root lies at 1 from all.
std::unique_ptr<const Measure> make_matrix_measure(std::shared_ptr<const Taxonomy> taxonomy,
                                                   std::string name,
                                                   std::shared_ptr<const DistanceMatrix> distances,
                                                   bool symmetrised = false);

}  // namespace semveil
