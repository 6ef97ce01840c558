// Local suppression where an empty cell matches everything (cell_suppression.h).
//
// Emptying a cell takes no match from anybody. So combinations are taken one by one, and each is
// emptied as cheaply as gives it k records. Later ones give matches to earlier ones: sweeps then
// look again at what each still needs, for itself and for those who would have too few without it,
// until nothing gains.
//
// A record that is empty altogether matches everybody. So a few of these give all others what they
// lack, and in a large table nothing is cheaper: that is where the search starts, too.
//
// Where persons are told, a combination keeps how many matching ones each person has: it has k if
// these are k persons.
//
// Memory: persons are kept by combination, those of all that match.
#include <algorithm>
#include <map>
#include <numeric>
#include <unordered_map>

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
    matches_.assign(table.size(), 0);
    if (table.persons.are_told()) matching_of_.resize(table.size());
    for (std::size_t u = 0; u < table.size(); ++u) gain(u, u);
    for (std::size_t u = 0; u < table.size(); ++u) {
      if (missing_[u] == 0) continue;
      compare(u);
      for (std::size_t v = 0; v < table.size(); ++v) {
        // Of two with missing cells both look.
        if (v == u || differs_[v] != 0) continue;
        gain(u, v);
        if (missing_[v] == 0) gain(v, u);
      }
    }
  }

  std::uint64_t lacking() const {
    return static_cast<std::uint64_t>(
        std::ranges::count_if(matches_, [&](std::uint64_t size) { return size < table_.k; }));
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

 private:
  // What is alike to a combination but for some columns.
  struct Others {
    std::uint64_t records = 0;
    std::vector<std::size_t> units;  // where persons are told
  };

  // v matches u from now on, or no longer does.
  void gain(std::size_t u, std::size_t v) {
    if (!table_.persons.are_told()) {
      matches_[u] += table_.counts[v];
      return;
    }
    for (const std::uint32_t person : table_.persons.of(v)) {
      if (++matching_of_[u][person] == 1) ++matches_[u];
    }
  }
  void lose(std::size_t u, std::size_t v) {
    if (!table_.persons.are_told()) {
      matches_[u] -= table_.counts[v];
      return;
    }
    for (const std::uint32_t person : table_.persons.of(v)) {
      const auto at = matching_of_[u].find(person);
      if (--at->second > 0) continue;
      matching_of_[u].erase(at);
      --matches_[u];
    }
  }
  // What u would have without v, which matches it.
  std::uint64_t matches_without(std::size_t u, std::size_t v) const {
    if (!table_.persons.are_told()) return matches_[u] - table_.counts[v];
    const auto is_only_there = [&](std::uint32_t person) {
      return matching_of_[u].at(person) == 1;
    };
    return matches_[u] -
           static_cast<std::uint64_t>(std::ranges::count_if(table_.persons.of(v), is_only_there));
  }

  // Whether k match where these columns are empty.
  bool has_k(const std::map<ColumnSet, Others>& others, ColumnSet emptied) {
    std::uint64_t size = 0;
    ++looks_;
    for (const auto& [differs, alike] : others) {
      if ((differs & ~emptied) != 0) continue;
      size += alike.records;
      for (const std::size_t v : alike.units) {
        for (const std::uint32_t person : table_.persons.of(v)) {
          std::uint64_t& seen = seen_[person];
          if (seen != looks_) ++size;
          seen = looks_;
        }
        if (size >= table_.k) return true;
      }
    }
    return size >= table_.k;
  }

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
    std::map<ColumnSet, Others> others;  // by what differs, itself among them
    for (std::size_t v = 0; v < table_.size(); ++v) {
      Others& alike = others[differs_[v]];
      if (table_.persons.are_told()) {
        alike.units.push_back(v);
      } else {
        alike.records += table_.counts[v];
      }
      const bool matches = (differs_[v] & ~now) == 0;
      const bool relies = v != u && matches && matches_without(v, u) < table_.k;
      if (relies) needed |= differs_[v];
    }
    double least = cost_of(table_, now, missing_[u]) - kLess;
    ColumnSet best = now;
    bool found = !lacks;
    for (const ColumnSet pattern : patterns_) {
      const ColumnSet tried = pattern | needed;
      const double cost = cost_of(table_, tried, missing_[u]);
      if (found && cost >= least) continue;
      if (!has_k(others, tried)) continue;
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
      if (after) {
        gain(v, u);
        gain(u, v);
      } else {
        lose(v, u);
        lose(u, v);
      }
    }
    emptied_[u] = to;
  }

  const CellTable& table_;
  const std::vector<ColumnSet> patterns_;
  std::vector<ColumnSet> missing_, emptied_;  // by combination
  std::vector<std::uint64_t> matches_;        // records or persons, its own among them
  std::vector<ColumnSet> differs_;            // of compare()
  // By combination, then person: how many that match are theirs. Empty: persons are not told.
  std::vector<std::unordered_map<std::uint32_t, std::uint32_t>> matching_of_;
  std::unordered_map<std::uint32_t, std::uint64_t> seen_;  // by person: the last look
  std::uint64_t looks_ = 0;
};

// Of some whole combinations the cheapest that have `needed` records together, or persons, as if
// nobody were in two of them: best[r] for r of them.
std::vector<std::uint32_t> cheapest_whole(const CellTable& table,
                                          const std::vector<std::uint32_t>& some,
                                          std::uint64_t needed) {
  struct Best {
    double cost = 0;
    std::vector<std::uint32_t> units;
    bool is_known = false;
  };
  const ColumnSet all = (ColumnSet{1} << table.width) - 1;
  std::vector<Best> best(needed + 1);
  best[0].is_known = true;
  for (const std::uint32_t u : some) {
    const double cost =
        static_cast<double>(table.counts[u]) * cost_of(table, all, missing_cells(table, u));
    for (std::uint64_t size = needed; size > 0; --size) {
      const Best& before = best[size - std::min(size, table.size_of(u))];
      if (!before.is_known) continue;
      Best& here = best[size];
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
  std::vector<std::uint32_t> whole, others;
  std::uint64_t size = 0;
  for (std::uint32_t u = 0; u < table.size(); ++u) {
    const bool lacks_more = table.size_of(u) + given < table.k;
    (lacks_more ? whole : others).push_back(u);
    if (lacks_more) size += table.size_of(u);
  }
  if (size >= given) return whole;
  const std::vector<std::uint32_t> more = cheapest_whole(table, others, given - size);
  whole.insert(whole.end(), more.begin(), more.end());
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
  // A person may be among those who are given already: then one more is needed.
  for (std::uint64_t given = table.persons.are_told() ? table.k + 1 : table.k; given-- > 0;) {
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
