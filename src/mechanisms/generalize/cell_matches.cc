// Local suppression where an empty cell matches everything (cell_suppression.h).
//
// Emptying a cell takes no match from anybody. So combinations are taken one by one, and each is
// emptied as cheaply as gives it k records. Later ones give matches to earlier ones: sweeps then
// look again at what each still needs, for itself and for those who would have too few without it,
// until nothing gains.
//
// A record that is empty altogether matches everybody. So a few of these give all others what they
// lack, and in a large table nothing is cheaper: that is where the search starts, too.
#include <algorithm>
#include <map>
#include <numeric>

#include "base/stop.h"
#include "mechanisms/generalize/cell_suppression.h"

namespace semveil {
namespace {

constexpr double kLess = 1e-9;  // more than rounding
constexpr unsigned kMostLooks = 20;
constexpr unsigned kMostTurns = 4;  // orders that are tried

class CellMatches {
 public:
  explicit CellMatches(const CellTable& table)
      : table_(table), patterns_(patterns_of(table)), differs_(table.size()) {
    for (std::size_t u = 0; u < table.size(); ++u) missing_.push_back(missing_cells(table, u));
    emptied_ = missing_;
    matches_ = table.counts;
    for (std::size_t u = 0; u < table.size(); ++u) {
      if (missing_[u] == 0) continue;
      compare(u);
      for (std::size_t v = 0; v < table.size(); ++v) {
        // Of two with missing cells both look.
        if (v == u || differs_[v] != 0) continue;
        matches_[u] += table.counts[v];
        if (missing_[v] == 0) matches_[v] += table.counts[u];
      }
    }
  }

  std::uint64_t lacking() const {
    return static_cast<std::uint64_t>(
        std::ranges::count_if(matches_, [&](std::uint64_t records) { return records < table_.k; }));
  }

  void empty(const std::vector<std::uint32_t>& whole) {
    for (const std::uint32_t u : whole) {
      compare(u);
      change(u, (ColumnSet{1} << table_.width) - 1);
    }
  }

  void run(const std::vector<std::uint32_t>& order) {
    for (const std::uint32_t u : order) {
      if (matches_[u] < table_.k) settle(u);
    }
    for (unsigned look = 0; look < kMostLooks; ++look) {
      bool gained = false;
      for (std::size_t i = order.size(); i > 0; --i) gained = settle(order[i - 1]) || gained;
      if (!gained) return;
    }
  }

  const std::vector<ColumnSet>& emptied() const { return emptied_; }
  const std::vector<std::uint64_t>& matches() const { return matches_; }

 private:
  // By other combination: the columns in which it would not match, were nothing of u emptied.
  void compare(std::size_t u) {
    for (std::size_t v = 0; v < table_.size(); ++v) {
      ColumnSet differs = 0;
      for (std::size_t j = 0; j < table_.width; ++j) {
        if (table_.cell(u, j) != table_.cell(v, j)) differs |= ColumnSet{1} << j;
      }
      differs_[v] = differs & ~emptied_[v] & ~missing_[u];
    }
  }

  // The cheapest columns that give it k matches and take nobody below k. Whether they changed.
  bool settle(std::size_t u) {
    const bool lacks = matches_[u] < table_.k;
    if (!lacks && emptied_[u] == missing_[u]) return false;
    check_stop();
    compare(u);
    const ColumnSet now = emptied_[u];
    ColumnSet needed = missing_[u];
    std::map<ColumnSet, std::uint64_t> records;  // by what differs
    for (std::size_t v = 0; v < table_.size(); ++v) {
      records[differs_[v]] += table_.counts[v];
      const bool matches = (differs_[v] & ~now) == 0;
      const bool relies = v != u && matches && matches_[v] - table_.counts[u] < table_.k;
      if (relies) needed |= differs_[v];
    }
    double least = cost_of(table_, now, missing_[u]) - kLess;
    ColumnSet best = now;
    bool found = !lacks;
    for (const ColumnSet pattern : patterns_) {
      const ColumnSet tried = pattern | needed;
      const double cost = cost_of(table_, tried, missing_[u]);
      if (found && cost >= least) continue;
      std::uint64_t matching = 0;
      for (const auto& [differs, count] : records) {
        if ((differs & ~tried) == 0) matching += count;
      }
      if (matching < table_.k) continue;
      best = tried;
      least = cost;
      found = true;
    }
    if (best == now) return false;
    change(u, best);
    return true;
  }

  void change(std::size_t u, ColumnSet to) {
    const ColumnSet was = emptied_[u];
    for (std::size_t v = 0; v < table_.size(); ++v) {
      if (v == u) continue;
      const bool before = (differs_[v] & ~was) == 0, after = (differs_[v] & ~to) == 0;
      if (before == after) continue;
      matches_[v] = after ? matches_[v] + table_.counts[u] : matches_[v] - table_.counts[u];
      matches_[u] = after ? matches_[u] + table_.counts[v] : matches_[u] - table_.counts[v];
    }
    emptied_[u] = to;
  }

  const CellTable& table_;
  const std::vector<ColumnSet> patterns_;
  std::vector<ColumnSet> missing_, emptied_;  // by combination
  std::vector<std::uint64_t> matches_;        // records, its own among them
  std::vector<ColumnSet> differs_;            // of compare()
};

// Of whole combinations the cheapest that have `needed` records together: best[r] for r records.
std::vector<std::uint32_t> cheapest_whole(const CellTable& table, std::uint64_t needed) {
  struct Best {
    double cost = 0;
    std::vector<std::uint32_t> units;
    bool is_known = false;
  };
  const ColumnSet all = (ColumnSet{1} << table.width) - 1;
  std::vector<Best> best(needed + 1);
  best[0].is_known = true;
  for (std::uint32_t u = 0; u < table.size(); ++u) {
    const double cost =
        static_cast<double>(table.counts[u]) * cost_of(table, all, missing_cells(table, u));
    for (std::uint64_t records = needed; records > 0; --records) {
      const Best& before = best[records - std::min(records, table.counts[u])];
      if (!before.is_known) continue;
      Best& here = best[records];
      if (here.is_known && before.cost + cost >= here.cost - kLess) continue;
      std::vector<std::uint32_t> units = before.units;
      units.push_back(u);
      here = {before.cost + cost, std::move(units), true};
    }
  }
  return best[needed].units;
}

// Whole records that give the others what they lack: `given` by each, and who lacks more goes
// along.
std::vector<std::uint32_t> whole_records(const CellTable& table, std::uint64_t given) {
  CellTable others = table;
  std::vector<std::uint32_t> whole, places;
  others.cells.clear();
  others.counts.clear();
  std::uint64_t records = 0;
  for (std::uint32_t u = 0; u < table.size(); ++u) {
    if (table.counts[u] + given < table.k) {
      whole.push_back(u);
      records += table.counts[u];
      continue;
    }
    places.push_back(u);
    others.counts.push_back(table.counts[u]);
    for (std::size_t j = 0; j < table.width; ++j) others.cells.push_back(table.cell(u, j));
  }
  if (records >= given) return whole;
  for (const std::uint32_t place : cheapest_whole(others, given - records)) {
    whole.push_back(places[place]);
  }
  return whole;
}

}  // namespace

std::vector<ColumnSet> suppress_as_wildcard(const CellTable& table) {
  std::vector<std::uint32_t> order(table.size());
  std::iota(order.begin(), order.end(), std::uint32_t{0});
  std::ranges::stable_sort(order, {}, [&](std::uint32_t u) { return table.counts[u]; });
  std::vector<ColumnSet> best;
  const auto keep_better = [&](const CellMatches& found) {
    if (best.empty() || cost_of(table, found.emptied()) < cost_of(table, best) - kLess) {
      best = found.emptied();
    }
  };
  const double least = *std::ranges::min_element(table.weights);
  CellMatches start(table);
  for (std::uint64_t given = table.k; given-- > 0;) {
    const std::vector<std::uint32_t> whole = whole_records(table, given);
    // A record that is needed keeps one of its cells empty at least: far dearer ones cannot win.
    const double far = static_cast<double>(table.width) * (best.empty() ? 0 : cost_of(table, best));
    if (!best.empty() && static_cast<double>(whole.size()) * least > far) continue;
    CellMatches some = start;
    some.empty(whole);
    some.run(order);
    keep_better(some);
  }
  // One by one each of those that lack something costs a cell at least, or nearly so.
  if (static_cast<double>(start.lacking()) * least > cost_of(table, best)) return best;
  for (unsigned turn = 0; turn < kMostTurns; ++turn) {
    CellMatches one_by_one = start;
    one_by_one.run(order);
    keep_better(one_by_one);
    std::ranges::reverse(order);
    if (turn == 1) {
      const auto middle = order.begin() + static_cast<std::ptrdiff_t>(order.size() / 2);
      std::ranges::rotate(order, middle);
    }
  }
  return best;
}

}  // namespace semveil
