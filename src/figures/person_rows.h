// Whose records are where: how many rows each person has in every class, or in every pair.
//
// A person's figure is the greatest over their rows, and means are over persons: who has ten rows
// is found if one of them is.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

#include "base/person_pairs.h"
#include "figures/paired.h"

namespace semveil {

struct PersonRows {
  struct Entry {
    std::uint32_t person;
    std::uint64_t rows;
  };
  std::vector<std::size_t> begin;  // by thing: its first; one more at the end. Empty: not told
  std::vector<Entry> entries;      // of each thing, ascending by person

  static constexpr std::uint32_t kGone = ~std::uint32_t{0};

  bool are_told() const { return !begin.empty(); }
  std::size_t things() const { return begin.empty() ? 0 : begin.size() - 1; }
  std::span<const Entry> of(std::size_t thing) const {
    return std::span(entries).subspan(begin[thing], begin[thing + 1] - begin[thing]);
  }
  // One PersonPairs::pair_of(thing, person) for each row, in any order.
  static PersonRows count(std::vector<std::uint64_t> rows, std::size_t things);
  // By other things, which several of these may be; kGone: their rows are left out.
  PersonRows moved(std::span<const std::uint32_t> to, std::size_t others) const;
  PersonPairs pairs() const;
  std::uint64_t persons() const;   // different ones
  std::uint32_t greatest() const;  // number of a person; 0 of none
  // Over things of the greatest share of its rows that are one person's. Classes of k persons do
  // not bound it: 96 of a hundred rows may be those of one of five. 0 of none.
  double greatest_share() const;
};

// The greatest score of each person.
class PersonScores {
 public:
  explicit PersonScores(const PersonRows& rows) : scores_(rows.greatest() + std::size_t{1}, -1) {}
  void raise(std::uint32_t person, double score) {
    scores_[person] = std::max(scores_[person], score);
  }
  double mean() const;  // of the persons that were raised; 0 of none

 private:
  std::vector<double> scores_;  // below 0: not yet
};

// By pair of `some`, which are pairs of `all` over some columns, or some of these: whose they are.
PersonRows persons_over(const Paired& all, const PersonRows& rows,
                        std::span<const std::size_t> columns, const Paired& some);

}  // namespace semveil
