// gloss-vector: two concepts are alike as far as the words of their definitions occur with the same
// words.
//
//   sd(a, b) = 1 − v_a · v_b / (|v_a| |v_b|),      v_c = Σ of M[w] over the words w of c
//
// M[w][v] is the number of definitions in τ that hold both w and v: a word is told by the company
// it keeps, a concept by its words. "car" and "bus" share no gloss word, yet both keep company with
// "road" and "passenger".
//
// Paper:   master thesis eq 17; Patwardhan & Pedersen 2006 (second-order context vectors).
// Choices: the words are those of the concept's definition, of its names, and of its parents'
//          definitions (the authors' extended glosses; without the last two 0.61 on Miller &
//          Charles, with them 0.72); M is counted over definitions alone. Words of a single
//          definition tell nothing and are left out, as are those in more than max(50, N/500)
//          definitions. Of a definition the first 255 different words count, of a concept with
//          names and parents 4095. A concept without a word is at distance 1 from all others.
// Holds:   symmetric, range [0, 1], 0 for a concept and itself and for equal words. All sums are
//          of whole numbers below 2^64: exact, in whatever order.
// Cost:    M is never made. With G the concepts' words, M = GᵀG: the vector of one concept is two
//          steps through the lists of its words, M times it two passes over G, and one more pass
//          gives the products with all concepts. Lengths are computed when first asked for and
//          kept: the first one to all on WordNet computes all of them (1.3 s; then 6 ms).
//          Thread-safe.
#pragma once

#include "semveil/measure.h"

namespace semveil {

struct ConceptFeatures;

std::unique_ptr<const Measure> make_gloss_measure(std::shared_ptr<const Taxonomy> taxonomy,
                                                  const ConceptFeatures& features);

}  // namespace semveil
