// A swap's trace played again on single records, every step held against the definitions: the
// reference is the farthest, its partner stands in the interval, no cell moves twice, and the end
// is the outcome.
#pragma once

#include <gtest/gtest.h>

#include <algorithm>
#include <optional>
#include <vector>

#include "support/slow_swap.h"

namespace semveil::test {

class Replay {
 public:
  Replay(const SwapCase& data, const SwapOptions& options) : data_(data), options_(options) {
    for (const std::vector<Code>& record : data.slow.records) {
      cells_.insert(cells_.end(), record.begin(), record.end());
    }
    open_.resize(cells_.size());
    for (std::size_t i = 0; i < cells_.size(); ++i) open_[i] = cells_[i] != kMissing;
    tallies_.resize(width());
  }

  void check(const SwapOutcome& outcome) {
    for (const SwapStep& step : outcome.trace) {
      ASSERT_TRUE(is_open(step.slot, step.column));
      const bool begins =
          !last_ || last_->step != step.step || (!multivariate() && last_->column != step.column);
      if (dynamic() && begins) {
        before_ = open_;
        check_reference(step);
      }
      if (dynamic()) check_interval(step);
      if (!dynamic() && options_.algorithm != SwapAlgorithm::kRandom) {
        ASSERT_LE(step.interval, options_.k);
      }
      apply(step);
      last_ = step;
    }
    ASSERT_EQ(cells_, outcome.values);
    ASSERT_TRUE(std::ranges::none_of(open_, [](bool open) { return open; }));
    for (std::size_t j = 0; j < width(); ++j) {
      EXPECT_EQ(tallies_[j].swapped, outcome.columns[j].swapped);
      EXPECT_EQ(tallies_[j].kept, outcome.columns[j].kept);
    }
  }

 private:
  std::size_t width() const { return data_.input.columns.size(); }
  std::size_t size() const { return data_.slow.records.size(); }
  bool multivariate() const { return options_.algorithm == SwapAlgorithm::kMultivariate; }
  bool dynamic() const { return multivariate() || options_.algorithm == SwapAlgorithm::kDynamic; }
  bool is_open(std::size_t i, std::size_t j) const { return open_[i * width() + j]; }

  // Columns that the step's distances are made of.
  std::vector<std::size_t> attributes(const SwapStep& step) const {
    if (!multivariate()) return {step.column};
    std::vector<std::size_t> all(width());
    for (std::size_t j = 0; j < width(); ++j) all[j] = j;
    return all;
  }
  std::uint64_t sd(std::size_t i, std::size_t l, const std::vector<std::size_t>& over) const {
    std::uint64_t sum = 0;
    for (const std::size_t j : over) {
      const Code a = data_.slow.records[i][j];
      const Code b = data_.slow.records[l][j];
      if (a == kMissing || b == kMissing) {
        sum += a == b ? 0 : kSwapUnit;
      } else {
        sum += data_.slow.distances[j][a][b];
      }
    }
    return sum;
  }
  bool takes_part(std::size_t i, const std::vector<std::size_t>& over) const {
    return std::ranges::any_of(over, [&](auto j) { return data_.slow.records[i][j] != kMissing; });
  }
  bool unfinished(const std::vector<bool>& open, std::size_t i,
                  const std::vector<std::size_t>& over) const {
    return std::ranges::any_of(over, [&](auto j) { return open[i * width() + j]; });
  }

  // The most distant of all, then the farthest from the last that is not done.
  void check_reference(const SwapStep& step) {
    const std::vector<std::size_t> over = attributes(step);
    const bool first = !last_ || (!multivariate() && last_->column != step.column);
    const auto figure = [&](std::size_t i) {
      if (!first) return sd(i, last_->slot, over);
      std::uint64_t sum = 0;
      for (std::size_t l = 0; l < size(); ++l) sum += takes_part(l, over) ? sd(i, l, over) : 0;
      return sum;
    };
    const std::uint64_t mine = figure(step.slot);
    for (std::size_t i = 0; i < size(); ++i) {
      if (unfinished(open_, i, over)) {
        ASSERT_LE(figure(i), mine);
      }
    }
  }

  void check_interval(const SwapStep& step) {
    const std::vector<std::size_t> over = attributes(step);
    std::vector<std::uint64_t> distances;
    for (std::size_t i = 0; i < size(); ++i) {
      if (i != step.slot && takes_part(i, over)) distances.push_back(sd(i, step.slot, over));
    }
    std::ranges::sort(distances);
    const bool all = distances.size() <= options_.k;
    const std::uint64_t edge = all ? kSwapUnit * 256ULL : distances[options_.k - 1];
    const auto closer = static_cast<std::uint64_t>(
        std::ranges::count_if(distances, [&](std::uint64_t d) { return d < edge; }));
    const std::uint64_t places = all ? 0 : options_.k - closer;
    std::uint64_t inside = 0, at_edge = 0, undone_at_edge = 0, beyond = 0;
    std::uint64_t nearest = kSwapUnit * 256ULL;
    for (std::size_t i = 0; i < size(); ++i) {
      if (i == step.slot) continue;
      const std::uint64_t d = sd(i, step.slot, over);
      undone_at_edge += d == edge && unfinished(before_, i, over) ? 1 : 0;
      if (!is_open(i, step.column)) continue;
      ++(d < edge ? inside : d == edge ? at_edge : beyond);
      nearest = std::min(nearest, d);
    }
    const std::uint64_t most = inside + std::min(places, at_edge);
    // Of the edge's undone records the places go to any: at least so many are this attribute's.
    const std::uint64_t others = undone_at_edge - at_edge;
    const std::uint64_t least =
        inside +
        (undone_at_edge <= places ? at_edge : std::min(at_edge, places - std::min(places, others)));
    const bool extended =
        options_.exhausted == Exhausted::kExtend &&
        (least == 0 && step.partner && inside == 0 && sd(*step.partner, step.slot, over) >= edge);
    if (!step.partner) {
      ASSERT_EQ(least, 0U);
      ASSERT_EQ(step.interval, 0U);
      if (options_.exhausted == Exhausted::kExtend) {
        ASSERT_EQ(inside + at_edge + beyond, 0U);
      }
      return;
    }
    if (extended) {
      ASSERT_EQ(sd(*step.partner, step.slot, over), nearest);
      return;
    }
    ASSERT_LE(sd(*step.partner, step.slot, over), edge);
    ASSERT_LE(step.interval, most);
    ASSERT_GE(step.interval, least);
  }

  void apply(const SwapStep& step) {
    const std::size_t mine = step.slot * width() + step.column;
    open_[mine] = false;
    if (!step.partner) {
      ++tallies_[step.column].kept;
      return;
    }
    ASSERT_NE(*step.partner, step.slot);
    ASSERT_TRUE(is_open(*step.partner, step.column));
    const std::size_t theirs = *step.partner * width() + step.column;
    open_[theirs] = false;
    ASSERT_EQ(step.distance,
              data_.input.columns[step.column].space->distance(cells_[mine], cells_[theirs]));
    std::swap(cells_[mine], cells_[theirs]);
    tallies_[step.column].swapped += 2;
  }

  const SwapCase& data_;
  const SwapOptions& options_;
  std::vector<Code> cells_;
  std::vector<bool> open_, before_;
  std::vector<SwapTally> tallies_;
  std::optional<SwapStep> last_;
};

}  // namespace semveil::test
