// The family on information content: distances that are functions of IC(a), IC(b) and IC(l).
//
//   resnik          1 − IC(l) / max IC
//   lin             1 − 2 IC(l) / (IC(a) + IC(b))
//   jiang-conrath   (IC(a) + IC(b) − 2 IC(l)) / (2 max IC)
//
// Paper:   thesis eq 13-16.
// Choice:  l is the LCS of taxonomy.h, or with `mica` the common subsumer of greatest IC, then
//          greatest depth, then smallest id. Frequencies of a file need not fall along every link:
//          results are cut to [0, 1].
// Holds:   symmetric, 0 for equal concepts.
// Cost:    one-to-one O(ancestors), one-to-all one pass that carries l itself.
#pragma once

#include <memory>

#include "semveil/measure.h"

namespace semveil {

// Null if `name` is none of the family.
std::unique_ptr<const Measure> make_ic_measure(std::shared_ptr<const Taxonomy> taxonomy,
                                               const MeasureOptions& options);

}  // namespace semveil
