// The slow twin of fusion and recoding: section 4.3 of the paper line by line, on single records.
// Everything is computed anew in each step, O(n³). It shares no code with the engine.
//
// Its mutants are wrong in one point each. A test must tell them from the engine.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "mechanisms/fuse/fuse_engine.h"
#include "support/generate.h"

namespace semveil::test {

enum class FuseMutant : std::uint8_t {
  kNone,
  kOneMoreThanK,       // goes on until every class has k + 1
  kOneLessThanK,       // stops when every class has k − 1
  kNoH1,               // any tuple below k instead of the smallest
  kGreatestFirst,      // H1 the other way round
  kNoH2,               // any of S1
  kH2LeastSimilar,     // H2 the other way round
  kNoH3,               // any of S2
  kH3Largest,          // H3 the other way round
  kH3BeforeH2,         // the smallest fusion first, over all partners
  kH3OfFirstPartner,   // H3 looks at one partner that reaches the best quality only
  kPartnerLargest,     // of equally similar partners the one with most records
  kPartnerOfAnySize,   // of equally similar partners any
  kPartnerFirst,       // of equally similar and small partners the first
  kFirstOfS3,          // no random choice
  kStaleSizes,         // partners count as they did in the beginning
  kStaleQuality,       // best quality as in the beginning, also when the partner has vanished
  kTiesExact,          // sums that differ in their last bits are not tied
  kOnlyAnonymous,      // partners are such that have k, while there are any
  kPartnerTakesTuple,  // the partner's records take the tuple instead
  kDemandsForgotten,   // only k counts
  kH1OverAllClasses,   // with demands: the smallest class, whether it misses something or not
};
inline constexpr int kFuseMutants = 22;

struct SlowFuseTable {
  std::vector<std::vector<std::vector<double>>> distances;  // by column, place, place
  std::vector<std::vector<Code>> records;                   // by record, then column; sorted
  std::vector<std::vector<std::string>> texts;              // by column, place
  // Whether these records have what is demanded; empty: nothing is.
  std::function<bool(const std::vector<std::size_t>&)> met;
};

struct SlowFuseOutcome {
  struct Step {
    std::vector<Code> from, to;
    std::size_t size = 0, partner_size = 0;
    double similarity = 0;
  };
  std::vector<std::vector<Code>> records;
  std::vector<Step> steps;
};

// 0 … count − 1; the list it chooses from is ascending. Not asked for a count of 1.
using Choose = std::function<std::size_t(std::size_t)>;

SlowFuseOutcome slow_fuse(const SlowFuseTable& table, const FuseOptions& options,
                          const Choose& choose, FuseMutant mutant = FuseMutant::kNone);

enum class RecodeMutant : std::uint8_t {
  kNone,
  kOneMoreThanK,
  kOtherTarget,     // anonymous and any change places
  kFromTheLast,     // the last record first
  kValuesOnce,      // a value that took another's place waits for its own turn
  kPartnerLargest,  // of equally similar values the one with most records
  kPartnerFirst,
};
inline constexpr int kRecodeMutants = 7;
// Of one column: the listing of the recoding paper, over records in ascending order.
SlowFuseOutcome slow_recode(const SlowFuseTable& table, const RecodeOptions& options,
                            const Choose& choose, RecodeMutant mutant = RecodeMutant::kNone);

// A generated table for both.
struct FuseCaseShape {
  Shape shape = Shape::kTree;
  std::size_t columns = 1;
  std::size_t numeric = 0;  // the last so many columns are numbers
  std::size_t texts = 0;    // and so many before them texts
  std::size_t records = 12;
  std::size_t distinct = 5;        // values of a column, at most
  std::size_t missing_one_in = 0;  // 0: none
  bool nearly_tied = false;        // numbers come in bunches 4e-10 apart
  Demand demand = {};              // on a column of four sensitive values
};
struct FuseCase {
  ClassTable table;
  SlowFuseTable slow;              // records in the order of the tuples
  std::vector<std::size_t> tuple;  // of each record
  std::vector<Code> sensitive;     // of each record, with a demand
};
FuseCase make_fuse_case(const FuseCaseShape& shape, std::uint64_t seed);
// The same columns with other records, without demands.
FuseCase with_records(FuseCase from, std::vector<std::vector<Code>> records);

}  // namespace semveil::test
