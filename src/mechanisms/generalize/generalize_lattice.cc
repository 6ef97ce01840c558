// Full-domain generalisation: of all combinations of levels the one of least loss.
//
// Every combination has a bound below its loss that needs no look at the tuples: the loss that it
// would have if nothing were suppressed (of discernibility: that of groups of equal size, or what a
// finer combination was found to have). Combinations are taken by rising bound until the bound is
// above the best loss. From each a way leads up to the top, always to the least bound; on it the
// lowest combination within the limit of suppression is found by bisection. What lies below one
// that suppresses too much does so too, and is never looked at.
//
// Monotone:  records in groups below k only become fewer where groups grow together, and so do
//            those in groups with fewer than l distinct values, if every group has one. Entropy,
//            recursive diversity and t-closeness are not: a small bad group may spoil a good one it
//            is merged with. Columns of a VGH whose rows part again (hierarchy.h) are not either.
//            There nothing is concluded from one combination about another.
// Levels:    one with the groups of the level below is left out: it cannot be better.
// Cost:      combinations that are looked at × groups of a finer one, and the order of all
//            combinations. At most kMostLevelCombinations.
// Paper:     the way of bisection is that of Flash (Kohlmayer, Prasser, Eckert, Kemper & Kuhn
//            2012); bounds and ties are ours.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <tuple>

#include "base/stop.h"
#include "mechanisms/generalize/generalize_groups.h"
#include "mechanisms/generalize/generalize_parts.h"

namespace semveil {
namespace {

constexpr std::size_t kMostLevelCombinations = std::size_t{1} << 22U;
using Index = std::uint32_t;  // of a combination

// Whether values that are one on one of the levels are one on the other, both ways.
bool same_groups(const Hierarchy& hierarchy, unsigned a, unsigned b) {
  constexpr Code kNone = 0xFFFFFFFF;
  std::vector<Code> forth(hierarchy.nodes(), kNone), back(hierarchy.nodes(), kNone);
  for (Code v = 0; v < hierarchy.values(); ++v) {
    Code& there = forth[hierarchy.node(v, a)];
    Code& here = back[hierarchy.node(v, b)];
    if (there == kNone) there = hierarchy.node(v, b);
    if (here == kNone) here = hierarchy.node(v, a);
    if (there != hierarchy.node(v, b) || here != hierarchy.node(v, a)) return false;
  }
  return true;
}

// Whether a group that has the demanded values keeps them in a greater one. A group without any
// value has what is demanded and may lose it.
bool counts_distinct(const SensitiveColumn& column) {
  if (column.demand.kind != DiversityKind::kDistinct || column.demand.t) return false;
  for (std::size_t t = 0; t + 1 < column.begin.size(); ++t) {
    if (column.of(t).empty()) return false;
  }
  return true;
}

class Lattice {
 public:
  explicit Lattice(const GeneralizeTask& task)
      : task_(task),
        counts_distinct_(std::ranges::all_of(task.table.sensitive, counts_distinct)),
        tables_(task) {}

  Result<GeneralizeOutcome> search() {
    if (const Status made = make_combinations(); !made) return fail(made.error());
    make_bounds();
    std::vector<Index> order(bounds_.size());
    std::iota(order.begin(), order.end(), Index{0});
    // Bounds may rise later: the order is by what they are now.
    std::sort(order.begin(), order.end(), [this](Index a, Index b) {
      return std::pair(bounds_[a], a) < std::pair(bounds_[b], b);
    });
    for (const Index x : order) {
      if (state_[x] != State::kUnknown || bounds_[x] > worst_of_interest()) continue;
      climb(x);
      if (state_[x] == State::kUnknown && bounds_[x] <= worst_of_interest()) look_at(x);
    }
    if (found_.empty()) return fail(nothing_found());
    return publish(levels_of(best().index));
  }

 private:
  enum class State : std::uint8_t { kUnknown, kWithin, kBeyond };  // the limit of suppression
  struct Found {
    Index index;
    double loss;
    std::uint64_t suppressed;
  };

  std::size_t width() const { return task_.table.width(); }
  double equal_loss() const {
    return task_.options.loss == GeneralizeLoss::kDiscernibility ? 0 : kEqualLoss;
  }
  double worst_of_interest() const { return best_loss_ + equal_loss(); }

  Status make_combinations() {
    std::size_t combinations = 1;
    for (const Hierarchy& hierarchy : task_.hierarchies) {
      std::vector<unsigned>& levels = levels_.emplace_back(1, 0);
      for (unsigned level = 1; level < hierarchy.levels(); ++level) {
        if (!same_groups(hierarchy, levels.back(), level)) levels.push_back(level);
      }
      stride_.push_back(static_cast<Index>(combinations));
      combinations *= levels.size();
      if (combinations > kMostLevelCombinations) {
        return fail(
            data_error(fmt::format("the columns have more than {} combinations of levels: "
                                   "scope = \"local\" does not search them all",
                                   kMostLevelCombinations)));
      }
    }
    state_.assign(combinations, State::kUnknown);
    return {};
  }
  std::size_t step(Index x, std::size_t j) const { return x / stride_[j] % levels_[j].size(); }
  bool at_top(Index x, std::size_t j) const { return step(x, j) + 1 == levels_[j].size(); }
  LevelChoice levels_of(Index x) const {
    LevelChoice out;
    for (std::size_t j = 0; j < width(); ++j) out.push_back(levels_[j][step(x, j)]);
    return out;
  }

  void make_bounds() {
    std::vector<std::vector<double>> by_level;  // by column and step: its mean, or its groups
    for (std::size_t j = 0; j < width(); ++j) by_level.push_back(column_bounds(j));
    std::vector<double> columns(width());
    const auto records = static_cast<double>(task_.records);
    StopCheck check;
    for (Index x = 0; x < state_.size(); ++x) {
      check();
      for (std::size_t j = 0; j < width(); ++j) columns[j] = by_level[j][step(x, j)];
      if (task_.options.loss == GeneralizeLoss::kDiscernibility) {
        double groups = 1;
        for (const double column : columns) groups *= column;
        bounds_.push_back(std::floor(records * (records / groups)) - 1);  // rounding
      } else {
        bounds_.push_back(table_loss(task_.options.loss, columns));
      }
    }
  }
  std::vector<double> column_bounds(std::size_t j) const {
    const Hierarchy& hierarchy = task_.hierarchies[j];
    std::vector<std::uint64_t> counts(hierarchy.values(), 0);
    for (std::size_t t = 0; t < task_.table.size(); ++t) {
      counts[task_.table.tuple(t)[j]] += task_.table.counts[t];
    }
    std::vector<double> out;
    for (const unsigned level : levels_[j]) {
      std::uint64_t units = 0;
      std::vector<bool> seen(hierarchy.nodes(), false);
      for (Code v = 0; v < hierarchy.values(); ++v) {
        units += counts[v] * task_.losses[j].units(hierarchy.node(v, level));
        seen[hierarchy.node(v, level)] = true;
      }
      out.push_back(task_.options.loss == GeneralizeLoss::kDiscernibility
                        ? static_cast<double>(std::count(seen.begin(), seen.end(), true))
                        : task_.losses[j].mean(units, 0, task_.records));
    }
    return out;
  }

  void climb(Index x) {
    std::vector<Index> way = {x};
    for (;;) {
      const Index from = way.back();
      std::optional<Index> next;
      for (std::size_t j = 0; j < width(); ++j) {
        if (at_top(from, j)) continue;
        const Index above = from + stride_[j];
        if (!next || bounds_[above] < bounds_[*next]) next = above;
      }
      if (!next || bounds_[*next] > worst_of_interest()) break;
      way.push_back(*next);
    }
    for (std::size_t low = 0, high = way.size(); low < high;) {
      const std::size_t middle = (low + high) / 2;
      if (state_[way[middle]] == State::kUnknown) look_at(way[middle]);
      if (state_[way[middle]] == State::kWithin) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
  }

  struct Cost {
    double loss = 0, unsuppressed = 0;  // discernibility; of the others the bound is exact
    std::uint64_t suppressed = 0;
  };
  Cost cost_of(const GroupTable& groups, const std::vector<bool>& bad) const {
    Cost out;
    std::vector<std::uint64_t> units(width(), 0);
    double squares = 0;
    for (std::size_t g = 0; g < groups.size(); ++g) {
      const std::uint64_t count = groups.counts[g];
      const double square = static_cast<double>(count) * static_cast<double>(count);
      out.unsuppressed += square;
      if (bad[g]) {
        out.suppressed += count;
        continue;
      }
      squares += square;
      for (std::size_t j = 0; j < width(); ++j) {
        units[j] += count * task_.losses[j].units(groups.rows[g * width() + j]);
      }
    }
    if (task_.options.loss == GeneralizeLoss::kDiscernibility) {
      out.loss = squares + static_cast<double>(out.suppressed) * static_cast<double>(task_.records);
    } else {
      std::vector<double> means;
      for (std::size_t j = 0; j < width(); ++j) {
        means.push_back(task_.losses[j].mean(units[j], out.suppressed, task_.records));
      }
      out.loss = table_loss(task_.options.loss, means);
    }
    return out;
  }
  std::vector<bool> too_small(const GroupTable& groups) const {
    std::vector<bool> out;
    for (std::size_t g = 0; g < groups.size(); ++g) {
      const std::uint64_t size =
          groups.persons.are_told() ? groups.persons.of(g).size() : groups.counts[g];
      out.push_back(size < task_.options.k);
    }
    return out;
  }
  // Groups below k or that miss a demand.
  std::vector<bool> bad_groups(const GroupTable& groups,
                               const std::vector<std::uint32_t>& group_of) const {
    std::vector<bool> bad = too_small(groups);
    if (task_.demands == nullptr) return bad;
    std::vector<bool> asked = bad;
    asked.flip();
    const std::vector<bool> met = classes_met(task_, group_of, asked);
    for (std::size_t g = 0; g < bad.size(); ++g) bad[g] = bad[g] || !met[g];
    return bad;
  }

  void look_at(Index x) {
    check_stop();
    const GroupTable groups = tables_.at(levels_of(x));
    Cost cost = cost_of(groups, too_small(groups));
    if (task_.options.loss == GeneralizeLoss::kDiscernibility) raise_bounds(x, cost.unsuppressed);
    bool asked = task_.demands == nullptr;
    bool sure = true;  // what lies below is no better
    if (task_.demands != nullptr && cost.suppressed <= task_.limit &&
        cost.loss <= worst_of_interest()) {
      std::vector<std::uint32_t> group_of;
      const GroupTable whole = tables_.at(levels_of(x), group_of);
      cost = cost_of(whole, bad_groups(whole, group_of));
      sure = counts_distinct_;
      asked = true;
    }
    if (asked) fewest_suppressed_ = std::min(fewest_suppressed_, cost.suppressed);
    if (cost.suppressed > task_.limit) {
      state_[x] = State::kBeyond;
      if (sure) rule_out_below(x);
      return;
    }
    state_[x] = State::kWithin;
    if (cost.loss > worst_of_interest()) return;
    // With demands that were not asked the loss was above that already.
    best_loss_ = std::min(best_loss_, cost.loss);
    found_.push_back({x, cost.loss, cost.suppressed});
  }

  void rule_out_below(Index x) {
    std::vector<Index> open = {x};
    while (!open.empty()) {
      const Index at = open.back();
      open.pop_back();
      for (std::size_t j = 0; j < width(); ++j) {
        if (step(at, j) == 0 || !task_.hierarchies[j].is_nested()) continue;
        const Index below = at - stride_[j];
        if (state_[below] == State::kBeyond) continue;
        state_[below] = State::kBeyond;
        open.push_back(below);
      }
    }
  }
  // Coarser groups have no smaller squares.
  void raise_bounds(Index x, double bound) {
    bounds_[x] = std::max(bounds_[x], bound);
    std::vector<Index> open = {x};
    while (!open.empty()) {
      const Index at = open.back();
      open.pop_back();
      for (std::size_t j = 0; j < width(); ++j) {
        if (at_top(at, j) || !task_.hierarchies[j].is_nested()) continue;
        const Index above = at + stride_[j];
        if (bounds_[above] >= bound) continue;
        bounds_[above] = bound;
        open.push_back(above);
      }
    }
  }

  const Found& best() const {
    const auto rank = [this](const Found& found) {
      const LevelChoice levels = levels_of(found.index);
      return std::tuple(found.suppressed, std::accumulate(levels.begin(), levels.end(), 0U),
                        levels);
    };
    const Found* best = nullptr;
    for (const Found& found : found_) {
      if (found.loss > worst_of_interest()) continue;
      if (best == nullptr || rank(found) < rank(*best)) best = &found;
    }
    return *best;
  }

  GeneralizeOutcome publish(const LevelChoice& levels) const {
    std::vector<std::uint32_t> group_of;
    const GroupTable groups = tables_.at(levels, group_of);
    const std::vector<bool> bad = bad_groups(groups, group_of);
    std::vector<Code> cells;
    cells.reserve(task_.table.tuples.size());
    std::vector<bool> suppressed;
    for (const std::uint32_t g : group_of) {
      suppressed.push_back(bad[g]);
      for (std::size_t j = 0; j < width(); ++j) cells.push_back(groups.rows[g * width() + j]);
    }
    GeneralizeOutcome out = outcome_of(task_, cells, std::move(suppressed));
    out.levels = levels;
    return out;
  }

  Error nothing_found() {
    // Of combinations with too many small groups the demands were not asked. The last is coarsest.
    std::vector<std::uint32_t> group_of;
    const auto top = static_cast<Index>(state_.size() - 1);
    const GroupTable groups = tables_.at(levels_of(top), group_of);
    const std::uint64_t fewest =
        std::min(fewest_suppressed_, cost_of(groups, bad_groups(groups, group_of)).suppressed);
    std::string message = fmt::format(
        "no combination of levels gives every tuple k = {} {}{} with at most {} of {} records "
        "suppressed",
        task_.options.k, task_.table.counted_as(),
        task_.demands == nullptr ? "" : " and what is demanded", task_.limit, task_.records);
    if (fewest < task_.records) {
      const double share = static_cast<double>(fewest) / static_cast<double>(task_.records);
      message += fmt::format("; suppression = {:.6f} ({} records) would do",
                             std::ceil(share * 1e6) / 1e6, fewest);
    }
    if (task_.demands != nullptr) {
      if (const std::string why = task_.demands->unmeetable(); !why.empty()) message += "; " + why;
    }
    return {ErrorCode::kGuarantee, std::move(message), {}, {}, {}};
  }

  const GeneralizeTask& task_;
  bool counts_distinct_;
  GroupTables tables_;
  std::vector<std::vector<unsigned>> levels_;  // by column and step
  std::vector<Index> stride_;
  std::vector<double> bounds_;  // by combination
  std::vector<State> state_;
  std::vector<Found> found_;
  double best_loss_ = std::numeric_limits<double>::infinity();
  std::uint64_t fewest_suppressed_ = std::numeric_limits<std::uint64_t>::max();
};

}  // namespace

Result<GeneralizeOutcome> generalize_full_domain(const GeneralizeTask& task) {
  return Lattice(task).search();
}

}  // namespace semveil
