// What a class of records may be asked to have in a sensitive column, so that knowing the class of
// a person does not tell the person's value.
//
//   l, distinct    at least l values occur (also called p-sensitivity)
//   l, entropy     exp of the entropy of the values is at least l
//   l, recursive   r1 < c · (r_l + r_(l+1) + …), r the values' records, most frequent first
//   t              the least work that moves the class's distribution to that of the whole column
//                  is at most t; moving costs the distance of the values
//
// Missing cells of the column take no part, unless missing is a value. A class without any value
// meets every demand. Entropies, compared with ln l, and t that miss it by less than 1e-9 meet it
// too: equal shares of ten values have an entropy of ln 10 only up to rounding.
#pragma once

#include <cstdint>
#include <optional>

namespace [[gnu::visibility("default")]] semveil {

enum class DiversityKind : std::uint8_t { kDistinct, kEntropy, kRecursive };

struct Demand {
  std::optional<double> l;
  DiversityKind kind = DiversityKind::kDistinct;
  double c = 4;  // kRecursive
  std::optional<double> t;
};

}  // namespace semveil
