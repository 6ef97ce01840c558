// The engine of linkability: halves of tuples, and the released records nearest to both. Its
// definition stands in attacks.h.
#pragma once

#include <functional>

#include "figures/paired.h"

namespace semveil {

class LinkedHalves {  // immutable, thread-safe
 public:
  explicit LinkedHalves(const Paired& pairs);  // at least two columns
  // By class: the score of its tuple.
  std::vector<double> scores(const Classes& targets, unsigned threads) const;
  // By class: the released classes nearest to both halves, ascending. Visits come from any thread.
  void for_each_linked(
      const Classes& targets, unsigned threads,
      const std::function<void(std::size_t, std::span<const std::uint32_t>)>& visit) const;

 private:
  struct Half {
    std::vector<std::size_t> columns;
    Classes released;  // `of`: by released class
  };
  // By half of a target: the released halves nearest to it, a bit each.
  struct Nearest {
    std::vector<std::uint32_t> of;  // by target
    std::size_t words = 0;
    std::vector<std::uint64_t> bits;
    std::span<const std::uint64_t> row(std::size_t target) const {
      return std::span(bits).subspan(of[target] * words, words);
    }
  };
  Nearest nearest(const Half& half, const Classes& targets, unsigned threads) const;

  std::vector<std::shared_ptr<const Attribute>> attributes_;
  Classes before_, after_;
  Half halves_[2];
  std::vector<std::uint64_t> counts_;  // by pair
};

}  // namespace semveil
