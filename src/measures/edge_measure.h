// The edge-counting family: distances that are functions of depth(l) and of the path sum.
//
//   wu-palmer          1 − 2d/(2d + p)      d = depth(l) in nodes, p = path(a,l) + path(b,l)
//   wu-palmer-edges    the same with d = depth(l) − 1
//   path               p / (2(D − 1))       p the least over all common subsumers
//   leacock-chodorow   ln(p + 1) / ln 2D    likewise: p + 1 nodes on the shortest path
//
// Paper:   rank swapping eq 3, framework eq 11-12 (wu-palmer); thesis eq 5-7 (the others).
// Choice:  the thesis's Leacock-Chodorow similarity −log(Np/2D) is turned into ln Np / ln 2D.
// Holds:   symmetric, 0 for equal concepts, within [0, 1]. Quotients of small integers: equal
//          ratios give equal doubles, so comparing them is exact.
// Cost:    one-to-one O(ancestors), one-to-all one pass over the taxonomy.
#pragma once

#include <memory>

#include "semveil/measure.h"

namespace semveil {

// Null if `name` is none of the family.
std::unique_ptr<const Measure> make_edge_measure(std::shared_ptr<const Taxonomy> taxonomy,
                                                 std::string_view name);

}  // namespace semveil
