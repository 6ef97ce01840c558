// The slow twins of linkage and attacks: every record on its own, distances as doubles.
#pragma once

#include <set>

#include "semveil/swap.h"
#include "support/slow_audit.h"

namespace semveil::test {

// How the records nearest to one are taken.
enum class Ties : std::uint8_t {
  kAll,
  kFirst,  // broken: the one that stands first
};

// By record in the order of slow_pairs().
std::vector<double> slow_meaning(const Paired& pairs, Ties ties = Ties::kAll);
std::vector<double> slow_window(const Paired& pairs, SwapAlgorithm algorithm, std::uint64_t k,
                                const std::vector<std::size_t>& swapped);

using SlowRecords = std::vector<std::vector<ConceptId>>;
SlowRecords slow_records(const Classes& classes);
struct SlowGuesses {
  std::size_t guesses = 0, right = 0;
  std::set<std::size_t> pointed_at;  // places among the originals
};
// Every guess about these columns, of `tables` the attributes alone.
SlowGuesses slow_singling_out(const Paired& tables, const SlowRecords& original,
                              const SlowRecords& released, const std::vector<std::size_t>& columns,
                              bool wildcard);
// Of these records, original or others.
double slow_linkability(const Paired& pairs, const SlowRecords& targets, Ties ties = Ties::kAll);
double slow_inference(const Paired& pairs, const SlowRecords& targets);

// The surest link by meaning, from the release and from the originals.
double slow_surest(const Paired& pairs, Side from);

double mean_of(const std::vector<double>& list);

}  // namespace semveil::test
