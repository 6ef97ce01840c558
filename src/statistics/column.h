// One column as the distance statistics see it: the distinct values that occur, with their counts,
// and the means of their distances.
//
//   centred distance   δ_ij = sd_ij − (r_i + r_j − g)
//   r_i                Σ_j f_j sd_ij / n
//   g                  Σ_i f_i r_i / n
//
// Cost:  d² look-ups for words, O(d) for numbers, by prefix sums over the sorted values.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <vector>

#include "semveil/statistics.h"

namespace semveil {

struct Space::Impl {
  std::shared_ptr<const Measure> measure;  // null: numbers
  std::vector<ConceptId> concepts;
  std::vector<double> numbers;  // moved to 0 … 1
};

class Column {
 public:
  // Of the values of a space, those with a count.
  Column(const Space& space, std::span<const std::uint64_t> counts, unsigned threads);

  bool numeric() const { return measure_ == nullptr; }
  std::size_t size() const { return counts_.size(); }
  double records() const { return records_; }
  double count(std::size_t i) const { return counts_[i]; }
  double number(std::size_t i) const { return numbers_[i]; }
  // Sums of them lose fewer digits.
  std::vector<double> numbers_about_mean() const;
  double row_mean(std::size_t i) const { return row_mean_[i]; }
  double mean() const { return mean_; }

  // Of words: visit(k, row) gets δ between value sources[k] and every value, k = 0, 1, …; sources
  // ascend.
  void centred_rows(std::span<const std::uint32_t> sources, const Measure::VisitRow& visit) const;
  // Σ_ij f_i f_j δ_ij², which is n² sdVar².
  double sum_of_squares(unsigned threads) const;

 private:
  void find_means_of_words(std::span<const std::uint64_t> counts, unsigned threads);
  void find_means_of_numbers();

  std::shared_ptr<const Measure> measure_;
  std::vector<ConceptId> concepts_;  // without the missing value
  bool missing_ = false;             // the last value is the missing one
  std::vector<double> numbers_;
  std::vector<double> counts_;
  double records_ = 0;
  std::vector<double> row_mean_;
  double mean_ = 0;
};

}  // namespace semveil
