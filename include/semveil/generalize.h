// k-anonymity by generalisation: values are lifted in their taxonomy until every tuple has k
// records.
//
//   full-domain   one level for each column; all combinations of levels are searched for the least
//                 loss
//   local         each class of records carries the least common generalisation of its values
//
// Classes below k, or that miss a demand, may be suppressed up to a limit.
//
//   cells         instead of both: each column on a level that is given, and then single cells are
//                 emptied, as few as can be found, weighed by column
//
// Levels:  0 is the value as it is. Of a VGH level L is column L of its file. Elsewhere level L
//          lifts every concept deeper than D − L to depth D − L along its generalising parent, of
//          its parents at depth − 1 the one with the smallest id; D is the greatest depth among the
//          column's values.
// Loss:    means over records and columns; a suppressed record counts 1.
// Ties:    of equal loss the one with fewer suppressed records, then the smaller sum of levels,
//          then the lexicographically smaller.
#pragma once

#include "semveil/mechanism.h"

namespace [[gnu::visibility("default")]] semveil {

enum class GeneralizeScope : std::uint8_t { kFullDomain, kLocal };

enum class GeneralizeLoss : std::uint8_t {
  kLm,             // (leaves(v) − 1) / (leaves(τ) − 1)
  kLmGeometric,    // Π (1 + lm of the column)^(1 / columns) − 1
  kNcp,            // 0 where leaves(v) = 1, else leaves(v) / leaves(τ)
  kDiscernibility  // Σ|g|² over classes; a suppressed record adds the number of records
};

enum class GeneralizeSuppress : std::uint8_t { kRecords, kCells };

struct GeneralizeOptions {
  std::uint64_t k = 0;
  GeneralizeScope scope = GeneralizeScope::kLocal;
  GeneralizeLoss loss = GeneralizeLoss::kLm;
  double suppression = 0;  // at most this share of the records
  unsigned threads = 1;
  GeneralizeSuppress suppress = GeneralizeSuppress::kRecords;
  // Of kCells, by column: its level, and what emptying one of its cells costs. Empty: 0, and 1.
  std::vector<unsigned> levels = {};
  std::vector<double> weights = {};
  bool empty_matches_all = false;  // missing = "wildcard"; else an empty cell is a value of its own
};
std::unique_ptr<const Mechanism> make_generalize(GeneralizeOptions options);

}  // namespace semveil
