// The channel as it was observed: which values came out as which, and how many records did so. For
// swaps, whose flow table this is, for methods that look tuples up, and for anybody's masking.
//
//   P(x, z) = records that were x and came out as z / records
//
// Prior, vulnerability and posteriors follow from it as from any channel (semveil/channel.h). It is
// what happened, not what could have happened: a method that draws is better served by
// channel_risks, and a release of few records looks worse here than its method is.
//
// Cost:  O(pairs log pairs).
#pragma once

#include <span>

#include "figures/paired.h"
#include "semveil/channel.h"

namespace semveil {

// The columns are looked at together; with a single one the risk of each of its values is told.
ChannelRisk observed_risk(const Paired& pairs, std::span<const std::size_t> columns);

}  // namespace semveil
