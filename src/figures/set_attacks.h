// What released sets tell of the values that are in them: the attacks that additive noise is said
// to resist, on any table of sets, whoever made it.
//
//   attribute disclosure   how much is believed of the true value
//   skewness               the likeliest value of a set is guessed
//   similarity             the likeliest category of a set is guessed
//   repeated release       two sets of one record have the true value in common
//
// Who attacks knows a weight of each value and believes of v in the set S
//
//   weight(v) / Σ_{u ∈ S} weight(u),    1/l for all where no value of S has a weight
//
// With SetColumn::weights this is the posterior of the records that the plan was fitted on. Of
// other records it can be too low: drawn by frequency, a value that the fit did not see stands in a
// set only as the true one, which weights do not tell (SetPlan counts it as certain). With the
// column's counts it is the belief of somebody who knows the frequencies and not how the sets were
// made.
//
// Similarity counted, every value of a set alike:
//   (Lymphoma, Heart attack, Leukemia)             cancer   2/3
//   (Gastritis, Stomach cancer, Gastric ulcer)     stomach  3/3
//
// Paper:   EAN (Abdelhameed et al.), sections III and IV; its examples are the two above.
// Choice:  a guess among equals is right by the share of the true one among them. A value of no
//          category is related to no other.
// Holds:   sums do not depend on the order of the records; means are 2^-36 fine (ExactSum).
// Cost:    O(records · l log l).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "semveil/ean.h"

namespace semveil {

// Of one column. A record whose value is kMissing or whose set begins with kMissing takes no part.
struct ReleasedSets {
  std::span<const ConceptId> truth;     // by record
  std::span<const ConceptId> released;  // by record, then l different values in any order
  std::size_t l = 0;

  std::size_t size() const { return truth.size(); }
  std::span<const ConceptId> set(std::size_t i) const { return released.subspan(i * l, l); }
  bool takes_part(std::size_t i) const;
};

// By value; a value beyond the end has no weight. The weights of a set add up to less than 2^64.
using SetWeights = std::span<const std::uint64_t>;

struct AttributeDisclosure {  // beliefs in the true value
  std::uint64_t records = 0;
  double mean = 0, worst = 0;
  double above = 0;  // share of the records where it is more than 1/l
};
AttributeDisclosure attribute_disclosure(const ReleasedSets& sets, SetWeights weights);

struct SetGuess {  // beliefs in the likeliest
  double mean = 0, greatest = 0;
  double right = 0;  // share of the records where it is the true one
};
SetGuess skewness_attack(const ReleasedSets& sets, SetWeights weights);

struct SimilarityAttack {
  SetGuess counted;   // every value of a set counts alike
  SetGuess weighted;  // the beliefs in a category's values add up
};
// `category` by value as in SetColumn.
SimilarityAttack similarity_attack(const ReleasedSets& sets,
                                   std::span<const std::uint32_t> category, SetWeights weights);

struct RepeatedRelease {  // of the values that both sets of a record have
  std::uint64_t records = 0;
  double mean_size = 0;
  double single = 0;  // share of the records with one value left
  double found = 0;   // where it is the true one
};
// The same records twice; l may differ.
RepeatedRelease repeated_release(const ReleasedSets& first, const ReleasedSets& second);

}  // namespace semveil
