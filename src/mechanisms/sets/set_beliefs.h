// What is believed of each value of a released set, by who knows a weight of every value.
//
//   belief(v) = weight(v) / Σ_{u ∈ S} weight(u)
//               1 / l    where no value of S has a weight
//               1 or 0   where a value of S can stand there only as the true one
//
// Weights are whole numbers, std::uint64_t or, below 2^53, double: sums are exact, and beliefs do
// not depend on the order of a set.
//
// Cost:  O(l) a set, no allocation.
#pragma once

#include <algorithm>
#include <span>
#include <utility>

#include "semveil/ean.h"

namespace semveil {

// WeightOf: the weight of a value. IsCertain: whether it can stand in a set only as the true one.
template <class WeightOf, class IsCertain>
class SetBeliefs {
 public:
  using Weight = decltype(std::declval<const WeightOf&>()(ConceptId{}));

  SetBeliefs(WeightOf weight_of, IsCertain is_certain)
      : weight_of_(std::move(weight_of)), is_certain_(std::move(is_certain)) {}

  void look_at(std::span<const ConceptId> set) {
    Weight sum = 0, largest = 0;
    ConceptId certain = kMissing;
    for (const ConceptId v : set) {
      const Weight weight = weight_of_(v);
      sum += weight;
      largest = std::max(largest, weight);
      if (is_certain_(v)) certain = v;
    }
    certain_ = certain;
    alike_ = sum == 0;
    sum_ = certain != kMissing ? 1 : alike_ ? static_cast<Weight>(set.size()) : sum;
    largest_ = certain != kMissing || alike_ ? 1 : largest;
  }

  // Of the set last looked at: beliefs are weights divided by their sum.
  Weight weight(ConceptId v) const {
    if (certain_ != kMissing) return v == certain_ ? 1 : 0;
    return alike_ ? 1 : weight_of_(v);
  }
  Weight sum() const { return sum_; }
  Weight largest() const { return largest_; }
  double belief(ConceptId v) const {
    return static_cast<double>(weight(v)) / static_cast<double>(sum_);
  }

 private:
  WeightOf weight_of_;
  IsCertain is_certain_;
  Weight sum_ = 1, largest_ = 0;
  ConceptId certain_ = kMissing;
  bool alike_ = false;
};

}  // namespace semveil
