// The most similar among the tuples that are left.
//
// Tuples never change their values: they vanish and grow. They stand in a trie, a column to a
// level: on top the columns whose values lie far apart, of these first the ones with few values,
// so that a search turns back early and neighbours share ways. It goes down where the distances of
// the columns so far do not exceed what is found already; every node knows the smallest group below
// it, so that among equally similar tuples the smallest group is found without looking at all of
// them.
//
// Distance of tuples: the sum of their columns' distances, the columns added in the order of the
// levels; within kTie of the least it is tied with it. (A sum of the first columns never exceeds
// the whole sum, also when rounded: nothing is lost by turning back.)
//
// Cost:   a search that finds something near looks at few nodes; the worst case is all tuples.
// Memory: 20 bytes a node, at most one for each tuple and column; distances as in class_table.h.
#pragma once

#include <limits>
#include <vector>

#include "mechanisms/classes/class_table.h"

namespace semveil {

class FuseSearch {  // searches are thread-safe among themselves
 public:
  static constexpr double kTie = 1e-9;
  static constexpr std::uint32_t kNone = ~std::uint32_t{0};

  // One for each thread that searches.
  class Scratch {
   public:
    std::uint64_t visited() const { return visited_; }  // nodes, by all its searches

   private:
    friend class FuseSearch;
    std::vector<const double*> row_;  // by level; null: distances are computed one by one
    std::vector<Code> of_;            // by level: the tuple's value
    std::vector<std::uint32_t> own_;  // by level: the node on the way to the tuple itself
    std::vector<ValueRows> rows_;     // of a single column
    std::uint64_t visited_ = 0;
  };

  // The table must outlive it.
  FuseSearch(const ClassTable& table, unsigned threads);

  std::size_t left() const { return left_; }
  std::uint64_t size_of(std::uint32_t tuple) const { return sizes_[tuple]; }  // 0: vanished
  void resize(std::uint32_t tuple, std::uint64_t size);
  // The mean over the columns, in their order, of 1 − distance.
  double similarity(std::uint32_t a, std::uint32_t b) const;

  // Tuples that will be searched for: a wide column is cheaper for many.
  void expect(std::span<const std::uint32_t> tuples, Scratch& scratch) const;

  struct Nearest {
    double distance = 0;
    std::uint32_t tuple = kNone;  // one that lies there; kNone: there is no other
  };
  // The least distance to another tuple. `at_least`: what it is known not to fall below.
  Nearest nearest(std::uint32_t tuple, double at_least, Scratch& scratch) const;

  struct Tied {
    std::uint64_t size = 0;             // of the smallest group
    std::uint32_t smallest = kNone;     // one of that size
    double distance = 0;                // of it
    std::vector<std::uint32_t> others;  // all of the tied, if they are at most kKept
  };
  static constexpr std::size_t kKept = 8;
  // Of the other tuples within kTie of `distance`, the smallest.
  Tied tied(std::uint32_t tuple, double distance, Scratch& scratch) const;
  // Those of them that have that size, in any order.
  void tied_of_size(std::uint32_t tuple, double distance, std::uint64_t size, Scratch& scratch,
                    std::vector<std::uint32_t>& out) const;

 private:
  static constexpr std::uint64_t kGone = ~std::uint64_t{0};  // as a node's smallest group
  struct Level {
    std::vector<Code> values;
    std::vector<std::uint32_t> begin;     // first child of each node; one more at the end
    std::vector<std::uint32_t> parent;    // node above
    std::vector<std::uint64_t> smallest;  // group below
  };
  struct Range {
    std::uint32_t begin, end;
  };

  void build(std::vector<std::uint32_t> tuples);
  void prepare(std::uint32_t tuple, Scratch& scratch) const;
  Range top() const { return {0, static_cast<std::uint32_t>(levels_.front().values.size())}; }
  Range below(std::size_t level, std::uint32_t node) const {
    return {levels_[level].begin[node], levels_[level].begin[node + 1]};
  }
  // What a node adds to the distance.
  double length(std::size_t level, std::uint32_t node, const Scratch& scratch) const {
    const Code value = levels_[level].values[node];
    return scratch.row_[level] != nullptr ? scratch.row_[level][value]
                                          : distances_[columns_[level]](scratch.of_[level], value);
  }
  std::uint32_t start(std::size_t level, Range range, const Scratch& scratch) const {
    const std::uint32_t own = scratch.own_[level];
    return own >= range.begin && own < range.end ? own : range.begin;
  }

  void descend(std::size_t level, Range range, double before, double at_least, Scratch& scratch,
               Nearest& found) const;
  void find_tied(std::size_t level, Range range, double before, double limit, Scratch& scratch,
                 Tied& found, bool& all) const;
  void find_tied_of_size(std::size_t level, Range range, double before, double limit,
                         std::uint64_t size, Scratch& scratch,
                         std::vector<std::uint32_t>& out) const;

  const ClassTable& table_;
  std::vector<ColumnDistances> distances_;  // by column
  std::vector<std::size_t> columns_;        // by level
  std::vector<std::uint64_t> sizes_;        // by tuple
  std::size_t left_ = 0;
  std::vector<Level> levels_;
  std::vector<std::uint32_t> leaves_;   // the tuples of the last level's nodes
  std::vector<std::uint32_t> leaf_of_;  // by tuple
};

}  // namespace semveil
