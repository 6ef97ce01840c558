// The exact channel of a method that draws: with which probability each value comes out as which,
// and what somebody who sees the release can conclude from it. Nothing is simulated where it can be
// computed.
//
//   P(z | x)        released z, original x: from the plan's ladders and error spread, its sets, its
//                   frequencies; of swaps and look-ups from what they did
//   p(x)            the column's frequencies, which the attacker is taken to know
//   posterior       P(x | z) = p(x) P(z | x) / P(z)
//   vulnerability   before max_x p(x), after Σ_z max_x p(x) P(z | x): the chance of a best guess
//   leakage         log2 of their quotient (min-entropy leakage), in bits
//
// Paper:  Alvim et al., The Science of Quantitative Information Flow, ch. 5; semantic noise
//         Algorithm 1 and framework Algorithms 1-3 for P(z | x, ε).
#pragma once

#include <optional>
#include <vector>

#include "semveil/mechanism.h"

namespace [[gnu::visibility("default")]] semveil {

struct ChannelRisk {
  enum class How : std::uint8_t {
    kExact,      // over all draws the plan can make
    kObserved,   // from the flow between the two tables: swaps, look-ups, anybody's masking
    kSimulated,  // an estimate with an interval: three or more columns of correlated errors, sets
                 // of several columns, and other columns together where a sum is too long
  };
  std::vector<std::string> columns;  // one, or several that are looked at together
  How how = How::kExact;
  double prior = 0;          // vulnerability before
  double vulnerability = 0;  // after
  double leakage = 0;
  // Of columns together the values are tuples, of the records that have a cell in all of them.
  double expected = 0;   // mean over the records of the posterior of the record's own value
  double worst = 0;      // the greatest such posterior that some draw can bring about; simulated:
                         // the greatest seen
  double unchanged = 0;  // share of the records whose value comes out as it was; 0 for sets, in
                         // which it always stands
  std::optional<double> half_width;  // of a 99 % interval of `vulnerability`, where simulated
  // By value of the column, ascending; one column alone. Confidential: it tells of original values.
  struct Value {
    ConceptId value;
    std::uint64_t records;
    double expected, worst, unchanged;
  };
  std::vector<Value> values;
};
std::string_view to_string(ChannelRisk::How how);

struct ChannelOptions {
  unsigned threads = 1;
  std::uint64_t simulated = 1'000'000;  // draws, where there must be some; their key is fixed
};

// P(z | x) of one column: noise of every kind, naive, probabilistic. Thread-safe. The plan outlives
// it.
class Channel {
 public:
  virtual ~Channel() = default;
  virtual const Attribute& attribute() const = 0;
  virtual const ValueCounts& prior() const = 0;
  // `row` has a place for every value of the attribute and for missing_value(); they add up to 1.
  // With partners as references, the mean over those that the records of x have; a value without
  // records is taken to have none.
  virtual void probabilities(ConceptId x, std::vector<double>& row) const = 0;
};
// Null where the plan does not draw per cell or releases sets. `table`: what the plan was fitted
// on.
std::unique_ptr<const Channel> channel_of(const FittedMethod& plan, const FrequencyTable& table,
                                          std::size_t column);
ChannelRisk channel_risk(const Channel& channel, const ChannelOptions& options = {});
struct Origin {
  ConceptId value;
  double posterior;
};
// What released values may have been: at most so many origins of each, likeliest first. One pass
// over the original values, however many are asked for.
std::vector<std::vector<Origin>> origins(const Channel& channel,
                                         std::span<const ConceptId> released, std::size_t most);

// Of every masked column, then of each pair of columns that are each other's reference, then of all
// columns together (left out where even drawing them is too much work); empty where the plan draws
// nothing per cell (then see observed_risk in src/figures/flow.h).
Result<std::vector<ChannelRisk>> channel_risks(const FittedMethod& plan,
                                               const FrequencyTable& table,
                                               const ChannelOptions& options);

}  // namespace semveil
