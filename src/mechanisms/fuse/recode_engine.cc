// The paper goes through the records until nothing changes; a record whose value occurs fewer than
// k times gives all records with that value the most similar other one.
//
// Choices: records stand in the order of their values, ascending, so that the order of the table
//          does not matter. Of several equally similar values (kTie) the one with the fewest
//          records is taken, then any. The text looks among the values that have k records, the
//          listing among all: RecodeTarget.
// Holds:   one pass is enough. A value that is looked at has k records or vanishes, and nothing
//          comes back: after the last record every value has k.
// Cost:    O(values) for each that is replaced, and its row of distances.
// Paper:   recoding method based on semantic similarity, section 4.
#include "mechanisms/fuse/recode_engine.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "base/growing_set.h"
#include "base/stop.h"
#include "mechanisms/fuse/fuse_groups.h"

namespace semveil {
namespace {

constexpr std::size_t kFetched = 128;

class ValueRecoding {
 public:
  ValueRecoding(const ClassTable& column, const RecodeOptions& options, RandomChoices& random)
      : options_(options),
        random_(random),
        distances_(column.attributes.front(), column.values.front(), options.threads),
        rows_(distances_),
        other_rows_(distances_),
        places_(column.tuples),
        records_(column.counts),
        sizes_(column.sizes()),
        left_(column.size()) {
    for (std::uint32_t v = 0; column.persons.are_told() && v < column.size(); ++v) {
      persons_.emplace_back(column.persons.of(v));
    }
    std::iota(left_.begin(), left_.end(), 0);
    outcome_.target = left_;
    has_k_ = static_cast<std::size_t>(
        std::ranges::count_if(sizes_, [&](std::uint64_t size) { return size >= options.k; }));
  }

  FuseOutcome run() {
    for (std::uint32_t value = 0; value < records_.size(); ++value) {
      if (value % kFetched == 0) fetch(value);
      // Each record that had the value looks at what it has now.
      std::uint32_t now = value;
      for (std::uint64_t record = 0; record < records_[value]; ++record) {
        while (outcome_.target[now] != now) now = outcome_.target[now];
        if (sizes_[now] >= options_.k) break;
        check_stop();
        replace(now, now == value ? rows_ : other_rows_);
      }
    }
    follow_to_the_end(outcome_.target);
    return std::move(outcome_);
  }

 private:
  bool may_take(std::uint32_t value, std::uint32_t other) const {
    const bool all = options_.target == RecodeTarget::kAny || has_k_ == 0;
    return other != value && (all || sizes_[other] >= options_.k);
  }

  // The rows of values whose turn comes next, where they are not kept.
  void fetch(std::uint32_t first) {
    if (!distances_.row(0).empty()) return;
    std::vector<Code> small;
    for (std::size_t v = first; v < std::min(sizes_.size(), first + kFetched); ++v) {
      if (sizes_[v] < options_.k) small.push_back(places_[v]);
    }
    rows_.fetch(std::move(small));
  }

  std::uint32_t most_similar(std::uint32_t value, ValueRows& rows) {
    const std::span<const double> row = rows.row(places_[value]);
    double least = std::numeric_limits<double>::infinity();
    for (const std::uint32_t other : left_) {
      if (may_take(value, other)) least = std::min(least, row[places_[other]]);
    }
    std::vector<std::uint32_t> tied;
    for (const std::uint32_t other : left_) {
      if (!may_take(value, other) || row[places_[other]] > least + FuseSearch::kTie) continue;
      if (!tied.empty() && sizes_[other] > sizes_[tied.front()]) continue;
      if (!tied.empty() && sizes_[other] < sizes_[tied.front()]) tied.clear();
      tied.push_back(other);
    }
    return tied[random_.one_of(tied.size())];
  }

  void replace(std::uint32_t value, ValueRows& rows) {
    const std::uint32_t by = most_similar(value, rows);
    if (options_.traced) {
      outcome_.steps.push_back({.from = value,
                                .to = by,
                                .size = sizes_[value],
                                .partner_size = sizes_[by],
                                .similarity = 1 - distances_(places_[value], places_[by])});
    }
    outcome_.target[value] = by;
    const bool had_k = sizes_[by] >= options_.k;
    sizes_[by] = size_together(value, by);
    if (!had_k && sizes_[by] >= options_.k) ++has_k_;
    left_.erase(std::ranges::lower_bound(left_, value));
  }

  // A person may have records with both.
  std::uint64_t size_together(std::uint32_t value, std::uint32_t by) {
    if (persons_.empty()) return sizes_[by] + sizes_[value];
    persons_[by].take(persons_[value]);
    return persons_[by].size();
  }

  const RecodeOptions& options_;
  RandomChoices& random_;
  ColumnDistances distances_;
  ValueRows rows_, other_rows_;
  std::vector<Code> places_;                        // by value, of its row
  std::vector<std::uint64_t> records_;              // by value, as they came
  std::vector<std::uint64_t> sizes_;                // by value: records or persons by now
  std::vector<GrowingSet<std::uint32_t>> persons_;  // by value; empty: they are not told
  std::vector<std::uint32_t> left_;                 // ascending
  std::size_t has_k_ = 0;                           // values with k records
  FuseOutcome outcome_;
};

}  // namespace

FuseOutcome recode_by_listing(const ClassTable& column, const RecodeOptions& options,
                              RandomChoices& random) {
  return ValueRecoding(column, options, random).run();
}

}  // namespace semveil
