// k-anonymous fusion: quasi-identifier tuples of fewer than k records are replaced by the most
// similar tuple that exists in the data, until every tuple has k.
//
//   S1 = the tuples with the fewest records            (H1)
//   S2 = those of S1 most similar to some other tuple  (H2)
//   S3 = those of S2 whose fusion makes the smallest group, over the partners that are as similar
//        (H3)
//   one of S3 at random takes the tuple of its most similar partner; of several the one with the
//   fewest records, then at random; until no tuple has fewer than k records
//
// Similarity of tuples: the mean over the columns of 1 − sd. With demands on sensitive columns
// fusion goes on while a class misses one, and H1 looks at classes that are too small or miss one.
//
// Recoding does it column by column: every value of a column then has k records, tuples need not.
//
// Paper:  k-anonymous fusion eq 18-19 and section 4.3; the local variants of its two forerunners.
#pragma once

#include "semveil/mechanism.h"
#include "semveil/work_limits.h"

namespace [[gnu::visibility("default")]] semveil {

enum class FuseGuide : std::uint8_t {
  kSemantic,
  kDiscernibility,  // the partner that adds least to Σ|g|²
  kRandom,          // any tuple takes any other
  kRandomRecord,    // the first in alphabetical order takes that of a random record (S4)
};

struct FuseOptions {
  std::uint64_t k = 0;
  FuseGuide guide = FuseGuide::kSemantic;
  // 0: none, 1: H1, 2: H1 and H2, 3: all; kSemantic. Similarity comes in with H2: below it the
  // partner is any tuple.
  unsigned heuristics = 3;
  unsigned threads = 1;
  bool traced = false;
  double most_hours = kUsualHours;
};
std::unique_ptr<const Mechanism> make_fuse(FuseOptions options);

enum class RecodeAlgorithm : std::uint8_t {
  kHeuristic,  // fusion of one column
  kRecoding,   // every value with fewer than k records is replaced by the most similar one
};
enum class RecodeTarget : std::uint8_t {
  kAnonymous,  // … that already has k; any while none has
  kAny,
};

struct RecodeOptions {
  std::uint64_t k = 0;
  RecodeAlgorithm algorithm = RecodeAlgorithm::kHeuristic;
  RecodeTarget target = RecodeTarget::kAnonymous;  // kRecoding
  unsigned threads = 1;
  bool traced = false;
  double most_hours = kUsualHours;
};
std::unique_ptr<const Mechanism> make_recode(RecodeOptions options);

}  // namespace semveil
