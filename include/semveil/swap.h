// Semantic rank swapping: the values of a column change places among records, each moving only to
// where a similar one was. Every figure of a single column stays exactly as it was.
//
//   fixed            rank all records once by distance from the most distant value; each swaps with
//                    one of the k after it
//   dynamic          a reference swaps with one of the k records closest to it; the next reference
//                    is the unswapped one farthest from this
//   multivariate     the same on whole records, an attribute at a time
//   random           any record with any other
//   distributional   as fixed, ranked by how often a value occurs
//
// The plan deals the values out: the i-th record of a tuple gets what the fit decided for one of
// that tuple's records, which one says a keyed permutation, so the order of the records tells
// nothing.
//
// The paper claims that nobody is found with a probability above 1/k. That is no theorem: cells
// without a partner stay, and swaps may bring back equal values. What is left is counted.
//
// Paper:  rank swapping for nominal data, Algorithms 1-3.
// Cost:   src/mechanisms/swap/swap_engine.h; a record costs a search among the distinct tuples.
// Memory: a few words a record.
#pragma once

#include "semveil/mechanism.h"

namespace [[gnu::visibility("default")]] semveil {

enum class SwapAlgorithm : std::uint8_t {
  kFixed,
  kDynamic,
  kMultivariate,
  kRandom,
  kDistributional
};
std::string_view to_string(SwapAlgorithm algorithm);

// What becomes of a value for which the interval has no partner left.
enum class Exhausted : std::uint8_t {
  kKeep,    // it stays
  kExtend,  // one of the nearest beyond: by distance; in a fixed ranking the next one
};

struct SwapOptions {
  SwapAlgorithm algorithm = SwapAlgorithm::kMultivariate;
  std::uint64_t k = 10;  // records of an interval; beyond all others: all others
  Exhausted exhausted = Exhausted::kKeep;
  bool demands_risk = false;  // fit fails if SwapFit::risk is above 1/k
  unsigned threads = 1;
  bool traced = false;
};

std::unique_ptr<const Mechanism> make_swap(SwapOptions options);

// What became of one attribute of one reference. Slots are records by number: those of a tuple are
// numbered consecutively, tuples in ascending order.
struct SwapStep {
  std::uint64_t step = 0;  // references from 0; of each column alone, except with kMultivariate
  std::uint32_t column = 0;
  std::uint64_t slot = 0;
  std::optional<std::uint64_t> partner;  // none: the value stays
  std::uint64_t interval = 0;            // records that could be picked
  double distance = 0;                   // of the two values
  bool operator==(const SwapStep&) const = default;
};

struct SwapTally {
  std::uint64_t swapped = 0;  // cells that changed places, be it with an equal value
  std::uint64_t kept = 0;     // cells that found no partner
  // kDynamic, kMultivariate: cells with more than k like them (of records with all columns like
  // theirs, if kMultivariate), which change places with each other.
  std::uint64_t among_equals = 0;
};

// What a fit of swapping found, for summaries and traces.
struct SwapFit {
  std::vector<SwapTally> columns;
  std::uint64_t uniques = 0;            // records that are the only one with their cells
  std::uint64_t unchanged_uniques = 0;  // of them: those that come out as they were
  // The greatest chance, over all records, that one of the released records that look like it is
  // its own.
  double risk = 0;
  std::optional<std::vector<SwapStep>> trace;  // if the options ask for it
};
const SwapFit* swap_fit(const FittedMethod& plan);  // null: not a plan of swapping

}  // namespace semveil
