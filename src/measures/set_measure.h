// Feature measures: two concepts are alike as far as sets that belong to them overlap.
//
//   sanchez              log2(1 + (|A ∪ B| − |A ∩ B|) / |A ∪ B|)
//                        A, B: the concepts at or above a, b
//   tversky              1 − S(A, B)
//                        A, B: the names (labels, synonyms) of the concepts at or above a, b
//   rodriguez-egenhofer  1 − (w S(names) + u S(features) + v S(neighbourhood)), w + u + v = 1
//                        names: the concept's own; features: the names of the parts that it and
//                        what lies above it have, or the words of its definition, whichever are
//                        more alike; neighbourhood: names of the concept, its parents, its
//                        children, its parts and what it is a part of
//   x-similarity         0 where a and b share a name of their own, else 1 − the greatest of the
//                        overlaps |A ∩ B| / |A ∪ B| of the names at or above, of the names of the
//                        children, of the parts and of the wholes, and of the words of the
//                        definitions
//
//   S(A, B) = |A ∩ B| / (|A ∩ B| + γ |A \ B| + (1 − γ) |B \ A|),
//   γ = min(depth(a), depth(b)) / (depth(a) + depth(b))
//
// Paper:   Sánchez, Batet, Isern & Valls 2012, eq 8; master thesis eq 8-12 (Tversky 1977, Rodríguez
//          & Egenhofer 2003, Petrakis et al. 2006).
// Choices: S of two empty sets is 0: that nothing is known of both is no likeness. Without any
//          definition or part in τ the features are left out and w and v are scaled to 1. A
//          neighbourhood of radius 1 holds the concept itself, at distance 0, as Rodríguez &
//          Egenhofer define it. Their distinguishing features are parts, functions and attributes,
//          inherited along is-a; a terminology tells parts, and the definition's words stand for
//          the rest. The greater of the two counts: 0.72 on Miller & Charles (published 0.71) where
//          the mean gives 0.67, words alone 0.60 and parts alone 0.73, which would say nothing in
//          domains of few parts.
//          Petrakis' neighbours are compared by kind of link: up means all subsumers with the
//          concept itself, which agrees with people as published (0.76; 0.74), where parents alone
//          do not (0.60).
// Holds:   range [0, 1], 0 for a concept and itself. γ is the same both ways, but it weighs A \ B
//          and 1 − γ weighs B \ A: tversky and rodriguez-egenhofer are not symmetric unless the
//          depths are equal. distance() is the mean of both ways; directed() is as published.
//          Different concepts at distance 0: x-similarity with a common name; tversky where the
//          names at or above are the same, as for a child all of whose names occur above it;
//          rodriguez-egenhofer where names, parts or words, and neighbourhood are the same.
// Cost:    one to all is a pass over the sets' numbers (feature_sets.h); a pair what two lists
//          cost; no allocation after a thread's first call. Thread-safe.
#pragma once

#include "semveil/measure.h"

namespace semveil {

// nullptr: no measure of this name. The features may be nothing for sanchez alone.
std::unique_ptr<const Measure> make_set_measure(std::shared_ptr<const Taxonomy> taxonomy,
                                                const MeasureOptions& options);

}  // namespace semveil
