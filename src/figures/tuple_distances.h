// Which tuples of one list lie nearest to each tuple of another, all that tie for it included.
//
//   d(x, y) = Σ_j sd_j(x_j, y_j)    over the columns; a mean, but for the number of columns
//
// Sums are compared as whole numbers of 2^-kLinkBits. What is equal on paper differs by at most a
// unit a column then (1/3 + 1/6 and 1/2), and everything within 1e-9 is tied: 1/3 + 1/6 ties with
// 1/2, whatever the order of the columns. A tie set is never cut short: on words most distances
// tie, and to pick one by its position would make a table look safe.
//
// Intuition: the columns are cut into two parts. A part has far fewer distinct values than there
// are tuples, so its distances are summed once for each pair of part values:
//
//   d(x, y) = L[y's first part] + R[y's second part]
//
// Sources stand sorted by their first part, so that the sums of its leading columns serve many.
// Targets are sorted likewise, in runs. A run is looked into only if L of the run plus
// the least R could still reach the nearest found so far.
//
// Cost:    at most one look-up for each pair of tuples, and far fewer where tuples have a near
//          neighbour. Adult, 18,109 × 18,109 tuples of 8 columns: bench/audit_bench.cc.
// Memory:  distances of values and second parts, at most 64 MB a column and 256 MB together; what
//          would need more is computed again for every block of sources.
// Holds:   the result depends neither on threads nor on the order of tuples or columns.
#pragma once

#include <functional>

#include "figures/value_distances.h"

namespace semveil {

class TupleDistances {  // immutable, thread-safe
 public:
  static constexpr unsigned kLinkBits = 40;
  static constexpr std::uint64_t kTied = 1099;  // 1e-9 in units of 2^-40

  using Attributes = std::vector<std::shared_ptr<const Attribute>>;
  struct Options {
    unsigned bits = kLinkBits;
    std::uint64_t tied = kTied;  // sums this far apart are equal
    unsigned threads = 1;
    // For tests: distances kept of a column, and of second parts.
    std::size_t most_kept = ValueDistances::kMostKept;
    std::size_t most_parts_kept = std::size_t{1} << 25U;
  };
  // Tuples by tuple, then column; of no column all distances are 0.
  TupleDistances(const Attributes& attributes, std::span<const ConceptId> sources,
                 std::size_t source_tuples, std::span<const ConceptId> targets,
                 std::size_t target_tuples, const Options& options);

  // visit(source, targets) once for each source, from any thread; targets ascend.
  using Visit = std::function<void(std::size_t, std::span<const std::uint32_t>)>;
  void nearest(const Visit& visit) const;
  // The targets among which the k records closest to a source are, all at the edge included.
  // Sources and targets are the same tuples, `counts` their records; the source itself is a record
  // that does not count. The source's tuple is always among them.
  void closest(std::uint64_t k, std::span<const std::uint64_t> counts, const Visit& visit) const;

 private:
  struct Part {  // some of the columns
    std::vector<std::size_t> columns;
    std::vector<std::vector<std::uint32_t>> sources;  // by column, then source part: place
    std::vector<std::vector<std::uint32_t>> targets;
    std::size_t source_parts = 0, target_parts = 0;
  };
  struct Scratch {
    std::vector<ValueDistances::Rows> first_rows, second_rows;
    // By column of the first part, then target part: sums up to this column; the last are L.
    std::vector<std::vector<std::uint64_t>> lefts;
    std::uint64_t* left = nullptr;  // L
    std::size_t nearest_run = 0;    // with the least L
    std::vector<std::uint64_t> right;
    std::vector<std::pair<std::uint64_t, std::uint32_t>> runs;  // least sum in it, run
    std::vector<std::uint32_t> found;
    std::vector<std::pair<std::uint64_t, std::uint32_t>> near;  // sum, target
  };

  void choose_parts(const std::vector<std::vector<std::uint32_t>>& sources,
                    const std::vector<std::vector<std::uint32_t>>& targets);
  void keep_second_rows();
  void rows_for(const Part& part, std::span<const std::uint32_t> source_parts,
                std::vector<ValueDistances::Rows>& rows) const;
  void sums(const Part& part, std::uint32_t source_part,
            const std::vector<ValueDistances::Rows>& rows, std::uint64_t* out) const;
  void add_left(std::uint32_t source_part, std::size_t from_column, Scratch& scratch) const;
  template <class Work>
  void for_sources(const Work& work) const;
  std::span<const std::uint32_t> run(std::size_t r) const {
    return std::span(second_of_).subspan(run_[r], run_[r + 1] - run_[r]);
  }
  void find_nearest(const std::uint64_t* right, Scratch& scratch) const;
  void find_closest(std::uint64_t k, std::span<const std::uint64_t> counts, std::uint32_t source,
                    const std::uint64_t* right, Scratch& scratch) const;

  Options options_;
  std::vector<ValueDistances> columns_;
  Part first_, second_;
  // Sources by first part, then second: what each is.
  struct Source {
    std::uint32_t first, second, source;
  };
  std::vector<Source> sources_;
  // Targets by first part, then second.
  std::vector<std::uint32_t> run_;          // by first part: its first target; one more at the end
  std::vector<std::uint32_t> second_of_;    // by target in this order
  std::vector<std::uint32_t> target_;       // and which it is
  std::vector<std::uint64_t> second_kept_;  // by source part, then target part; empty: too many
};

}  // namespace semveil
