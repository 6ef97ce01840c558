// How much a released record lost, where sensitive values are released as sets.
//
//   IL(SA) = (l − 1) / l                              of a value among l
//   IL(t)  = (Σ IL(QID) + Σ IL(SA)) / columns         of a record
//
// Example: 7 quasi-identifiers as they are and a set of 5: IL(t) = 0.8 / 8 = 0.1.
//
// Paper:   EAN eq 1-2, after Kim et al.
// Choice:  several sensitive columns count as one each; the paper has one.
#pragma once

#include <cstddef>
#include <span>

namespace semveil {

inline double information_loss(unsigned l) { return (l - 1.0) / l; }  // l ≥ 1

// Of a record: the losses of its sensitive columns, and how many quasi-identifiers are released
// unchanged.
inline double information_loss(std::span<const double> sensitive, std::size_t quasi_identifiers) {
  double sum = 0;
  for (const double loss : sensitive) sum += loss;
  const std::size_t columns = sensitive.size() + quasi_identifiers;
  return columns == 0 ? 0 : sum / static_cast<double>(columns);
}

}  // namespace semveil
