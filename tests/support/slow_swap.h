// The slow twin of rank swapping: the swapping page and the paper's prose line by line, on single
// records. O(n² log n). It shares no code with the engine.
//
// Its mutants are wrong in one point each. The judges of the tests must tell them from the engine.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

#include "mechanisms/swap/swap_engine.h"
#include "support/generate.h"

namespace semveil::test {

inline constexpr SwapAlgorithm kSwapAlgorithms[] = {
    SwapAlgorithm::kFixed, SwapAlgorithm::kDynamic, SwapAlgorithm::kMultivariate,
    SwapAlgorithm::kRandom, SwapAlgorithm::kDistributional};

enum class SwapMutant : std::uint8_t {
  kNone,
  kTiesByValue,            // the farthest: each distinct record as likely, however frequent
  kIntervalOfUnswapped,    // swapped records do not count as members
  kIntervalWithReference,  // the reference takes one of the k places
  kNextIsNearest,
  kFirstIsAny,
  kEdgeInAnyOrder,      // unswapped ones do not come first
  kPartnerByValue,      // each distinct record of the interval as likely
  kEdgeByAttribute,     // each attribute draws an edge of its own
  kMissingIsNear,       // one missing cell of a pair counts 0
  kExtendsToAny,        // beyond the interval: anybody
  kTiesInOrder,         // tied records of a ranking stand in the order of the table
  kRanksFromTheNearest  // from the least sum of distances
};

struct SlowSwapTable {
  // By column, place, place: in units of 2^-24.
  std::vector<std::vector<std::vector<std::uint64_t>>> distances;
  std::vector<std::vector<Code>> records;  // by record, then column
};

struct SlowSwapOutcome {
  std::vector<std::vector<Code>> records;
  std::vector<std::uint64_t> kept;  // by column
  std::vector<SwapStep> trace;      // slots are records
};

SlowSwapOutcome slow_swap(const SlowSwapTable& table, const SwapOptions& options, Random& random,
                          SwapMutant mutant = SwapMutant::kNone);

// A generated table for both: records in the order of the engine's slots.
struct SwapCaseShape {
  Shape shape = Shape::kTree;
  std::size_t columns = 1;
  std::size_t numeric = 0;  // the last so many columns are numbers
  std::size_t records = 6;
  std::size_t distinct = 4;        // values of a column, at most
  std::size_t missing_one_in = 0;  // 0: none
};

struct SwapCase {
  std::vector<std::unique_ptr<const SwapSpace>> spaces;
  SwapInput input;
  SlowSwapTable slow;
  std::vector<std::size_t> tuple;  // of each record
};
SwapCase make_swap_case(const SwapCaseShape& shape, std::uint64_t seed);
// The same columns with other records.
SwapCase with_records(SwapCase from, std::vector<std::vector<Code>> records);

}  // namespace semveil::test
