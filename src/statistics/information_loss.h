// How much a released record lost, where sensitive values are released as sets.
//
//   IL(SA) = (|S| − 1) / |S|                               of a value among |S|
//   IL(t)  = (Σ_i lm(t_i) + Σ_s IL(SA_s)) / (q + s)        of a record with q quasi-identifiers and
//                                                          s columns of sets
//   lm(v)  = (leaves(v) − 1) / (leaves(τ) − 1)             of a released concept
//            width / range                                 of an interval of numbers
//            1                                             of an emptied cell
//            0                                             of anything else
//
// Example: 7 quasi-identifiers as they are and a set of 5: IL(t) = 0.8 / 8 = 0.1. One of them
//          lifted to the root: (1 + 0.8) / 8 = 0.225.
//
// Paper:   EAN eq 1-2, after Kim et al.; lm is Iyengar's, which the paper leaves open.
// Choice:  several sensitive columns count as one each; the paper has one. A quasi-identifier that
//          comes out as sets is one of the s. A leaf in another leaf's place loses nothing here:
//          the RMSE tells it. A cell that was missing before lost nothing.
// lm stands in cell_generality.h.
#pragma once

#include <cstddef>
#include <span>

namespace semveil {

inline double information_loss(unsigned l) { return (l - 1.0) / l; }  // l ≥ 1

// Of a record: the losses of its quasi-identifiers and of its sets. As the divisor is the same for
// all records, the means of the columns give the mean of the records.
inline double information_loss(std::span<const double> quasi_identifiers,
                               std::span<const double> sets) {
  double sum = 0;
  for (const double loss : quasi_identifiers) sum += loss;
  for (const double loss : sets) sum += loss;
  const std::size_t columns = quasi_identifiers.size() + sets.size();
  return columns == 0 ? 0 : sum / static_cast<double>(columns);
}

}  // namespace semveil
