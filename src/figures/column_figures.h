// What became of one column.
//
// Of paired records, sd the distance of a cell before and after:
//   rmse             √(mean sd²)
//   mean distance    mean sd
//   unchanged        share of cells that are what they were
//   distances        records by sd, kDistanceBins of equal width; 1 falls into the last
//   quality          1 − mean sd over all records
// Of the two columns alone, p and q the shares of a value before and after:
//   total variation  ½ Σ |p − q|
//   Hellinger        √(1 − Σ √(p q)), computed as √(½ Σ (√p − √q)²): 0 where nothing changed
//   mean, variance   of concepts as in semveil/statistics.h; of numbers the ordinary ones
//   mean shift       sd of the two means
//   local IC loss    mean over records of IC(before) less that of IC(after), IC(v) = −ln p(v) in
//                    the column itself: a figure of distributions alone, in nats
//
// Example: a, a, b, b becomes a, a, a, c. Total variation ½ (¼ + ½ + ¼) = ½; IC ln 2 before,
// ¾ ln(4/3) + ¼ ln 4 after: 0.131 lost.
//
// Paper:   quality: thesis eq 22, whose mean over columns it is part of. IC loss: Martínez, Valls &
//          Sánchez 2010 (in the thesis), section 5 and eq 4; it subtracts the averages over the
//          answers of the two samples, each with its own frequencies.
// Choice:  A cell missing in both tables takes no part in rmse, mean distance, unchanged and
//          distances, also where the method takes missing as a value; one missing in one of them
//          is at distance 1 (ColumnTally::compared() is the same for masking). Nor do texts of the
//          original that mean nothing and were kept, emptied or replaced by the root, as the plan
//          says: to masking they are no cells. In quality all take part. A missing cell is no value
//          of a distribution. Texts that mean nothing are values of a distribution, but of no mean
//          or variance. The loss of IC is negative where the release is more varied.
// Cost:    the pairs, sorted, and one distance for each different change; of concepts the mean.
#pragma once

#include "figures/paired.h"
#include "semveil/audit_figures.h"

namespace semveil {

// The values of column j: ascending, also missing ones and texts that mean nothing.
ValueCounts column_counts(const Classes& classes, std::size_t j);

// Fills rmse, mean_distance, unchanged, semantic_quality and distances; no records leave them
// empty.
void audit_changes(const Paired& pairs, std::size_t j, AuditedColumn& out);

// Fills distinct and missing counts, means, mean_shift, variance, total_variation, hellinger and
// ic_loss, as far as they are defined.
void audit_distribution(const Attribute& attribute, const ValueCounts& original,
                        const ValueCounts& masked, unsigned threads, AuditedColumn& out);

}  // namespace semveil
