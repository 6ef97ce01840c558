// The channel of sets: what a released set tells of the value that is in it, over all sets that the
// plan can make.
//
// A set has one value u of each of l groups: categories for `ean`, single values for `an`. Value v
// stands in S with p(v) P(S | v) = W(v) Π_{u ∈ S} d(u) / C(n − 1, l − 1), where n is the number of
// groups, d(u) the chance that u is drawn of its group, and W(v) = p(v) / d(v) its weight
// (semveil/ean.h). So of l groups chosen alike, and a value drawn of each,
//
//   vulnerability   (n / l) E max W(u). P(max W(u) ≤ w) is the mean over l of n groups of the
//                   product of P(W(u) ≤ w): an elementary symmetric sum of them over C(n, l)
//   expected        of v: E W(v) / (W(v) + Σ W(u)), the sum over l − 1 of the other groups. By
//                   1 / s = ∫ e^(−ts) dt it is ∫ W(v) e^(−t W(v)) Q(t) dt, where Q(t) is the mean
//                   over l − 1 other groups of the product of E e^(−t W(u)): the same sums
//   worst           of v: beside the l − 1 lightest values of different other groups
//
// Nothing is enumerated or drawn. The integral is taken by the trapezoid rule over ln t, which
// converges like e^(−2π · 1.4 / h): h = ¼ leaves less than 1e-14.
//
// Sets of several columns together have no such form: they are drawn, with a fixed key, and the
// posterior of each drawn one is computed over all tuples. Its mean has no bias; the interval is
// ±2.58 standard errors, and `worst` is the greatest seen.
//
// `unchanged` is 0: the true value always stands in its set.
//
// Cost:  O(n l) for each distinct weight and for some 250 places of t; memory n l numbers.
#pragma once

#include <optional>

#include "semveil/channel.h"
#include "semveil/ean.h"

namespace semveil {

ChannelRisk set_channel_risk(const Attribute& attribute, const SetFit& fit, std::size_t column);
// Nothing where no record has a value in every column.
std::optional<ChannelRisk> joint_set_risk(const SetFit& fit, const FrequencyTable& table,
                                          const ChannelOptions& options);

}  // namespace semveil
