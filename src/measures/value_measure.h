// Distances of values that mean several concepts: of the senses of both, the closest pair.
//
//   money    {03}                 sd(money, dollar) = least of sd(03, 01), sd(03, 02): the coin is
//   dollar   {01 coin, 02 sign}   money, whatever the sign is
//
// Senses may lie in several taxonomies, each with a measure of its own; the least over all of them
// counts. Two values that no taxonomy knows together lie at 1. Values at distance 0 need not be the
// same value: any shared sense brings them together.
//
// Paper:   master thesis §3 (the distance of two terms), and its clustering with several
// ontologies. Holds:   symmetric, sd(v,v) = 0, range [0,1], at most the distance of any two senses.
// No metric:
//          "coin" and "glyph" may both be near to "dollar" and far from each other.
// Cost:    nothing is kept but the senses, so a column may have any number of values. One pair:
//          senses × senses distances. Rows: a row of the taxonomy's measure for every sense of a
//          source, and a look-up for every sense of a target; 512 bytes for every target.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "semveil/measure.h"

namespace semveil {

// What values mean in one taxonomy.
struct SensesIn {
  std::shared_ptr<const Measure> measure;  // over that taxonomy
  std::vector<std::vector<ConceptId>> of;  // by value: concepts of it, or none
};

// `values` numbers the values; what it says of their order is no part of the distances.
std::unique_ptr<const Measure> make_value_measure(std::shared_ptr<const Taxonomy> values,
                                                  std::string name, std::vector<SensesIn> senses);

}  // namespace semveil
