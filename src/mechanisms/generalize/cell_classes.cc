// Local suppression where an empty cell is a value of its own (cell_suppression.h).
//
// A class is a set of emptied columns and the values of the others. The search goes over all sets,
// cheap ones first, and all values: whoever is emptied more than that class asks for would gain by
// joining it. Some may have to stay, because those they leave behind would be fewer than k; and
// some who lose by it may have to join, because the class would be. If all together gain, they
// move.
#include <algorithm>
#include <numeric>
#include <optional>
#include <span>
#include <utility>

#include "base/stop.h"
#include "mechanisms/generalize/cell_suppression.h"

namespace semveil {
namespace {

constexpr double kGain = 1e-9;  // less is rounding
constexpr unsigned kMostSweeps = 20;

using Unit = std::uint32_t;  // a combination

class CellClasses {
 public:
  explicit CellClasses(const CellTable& table) : table_(table) {
    for (std::size_t u = 0; u < table.size(); ++u) {
      missing_.push_back(missing_cells(table, u));
      emptied_.push_back(missing_.back());
    }
    empty_whole_records();
  }

  // Until nothing gains. `patterns` says what is tried first.
  void improve(const std::vector<ColumnSet>& patterns) {
    for (unsigned sweep = 0; sweep < kMostSweeps; ++sweep) {
      bool gained = false;
      for (const ColumnSet pattern : patterns) gained = try_pattern(pattern) || gained;
      if (!gained) return;
    }
  }

  const std::vector<ColumnSet>& emptied() const { return emptied_; }

 private:
  struct Class {
    std::vector<Unit> members;
    std::uint64_t records = 0;
  };
  struct Move {
    Unit unit;
    ColumnSet to;
  };
  // What happens together, and what it costs.
  struct Moves {
    std::vector<Unit> join;       // the class in question
    std::vector<Move> elsewhere;  // those who are left behind
    std::uint64_t records = 0;    // that join
    double cost = 0;
  };

  double cost(Unit u, ColumnSet emptied) const {
    return static_cast<double>(table_.counts[u]) * cost_of(table_, emptied, missing_[u]);
  }
  double change(Unit u, ColumnSet to) const { return cost(u, to) - cost(u, emptied_[u]); }
  bool is_kept(ColumnSet pattern, std::size_t j) const { return (pattern >> j & 1U) == 0; }

  int compare(Unit a, Unit b, ColumnSet pattern) const {
    for (std::size_t j = 0; j < table_.width; ++j) {
      if (!is_kept(pattern, j) || table_.cell(a, j) == table_.cell(b, j)) continue;
      return table_.cell(a, j) < table_.cell(b, j) ? -1 : 1;
    }
    return 0;
  }
  bool fits(Unit u, ColumnSet pattern) const { return (missing_[u] & ~pattern) == 0; }

  // ---- Classes ----------------------------------------------------------------------------------

  // Those who share a pattern and the values that it keeps, as of now.
  void number_classes() {
    std::vector<Unit> order(table_.size());
    std::iota(order.begin(), order.end(), Unit{0});
    std::ranges::sort(order, [&](Unit a, Unit b) {
      if (emptied_[a] != emptied_[b]) return emptied_[a] < emptied_[b];
      const int way = compare(a, b, emptied_[a]);
      return way != 0 ? way < 0 : a < b;
    });
    classes_.clear();
    class_of_.assign(table_.size(), 0);
    for (std::size_t i = 0; i < order.size(); ++i) {
      const bool is_new = i == 0 || emptied_[order[i]] != emptied_[order[i - 1]] ||
                          compare(order[i], order[i - 1], emptied_[order[i]]) != 0;
      if (is_new) classes_.emplace_back();
      class_of_[order[i]] = static_cast<std::uint32_t>(classes_.size() - 1);
      classes_.back().members.push_back(order[i]);
      classes_.back().records += table_.counts[order[i]];
    }
  }

  // Classes that are too small are emptied; if these are too few together, the smallest of the
  // others with them.
  void empty_whole_records() {
    const ColumnSet all = (ColumnSet{1} << table_.width) - 1;
    number_classes();
    std::vector<const Class*> large;
    std::uint64_t emptied = 0;
    const auto empty = [&](const Class& one) {
      for (const Unit u : one.members) emptied_[u] = all;
      emptied += one.records;
    };
    for (const Class& one : classes_) {
      const bool is_empty = emptied_[one.members.front()] == all;
      if (one.records < table_.k || is_empty) {
        empty(one);
      } else {
        large.push_back(&one);
      }
    }
    const auto loss = [&](const Class* one) {
      double sum = 0;
      for (const Unit u : one->members) sum += change(u, all);
      return sum;
    };
    std::ranges::stable_sort(large, {}, loss);
    for (const Class* one : large) {
      if (emptied == 0 || emptied >= table_.k) break;
      empty(*one);
    }
    number_classes();
  }

  void leave(Unit u) {
    Class& from = classes_[class_of_[u]];
    std::erase(from.members, u);
    from.records -= table_.counts[u];
  }
  void enter(Unit u, std::uint32_t c) {
    class_of_[u] = c;
    classes_[c].members.push_back(u);
    classes_[c].records += table_.counts[u];
  }

  // ---- One pattern ------------------------------------------------------------------------------

  bool try_pattern(ColumnSet pattern) {
    check_stop();
    std::vector<Unit> units;
    bool somebody_gains = false;
    for (Unit u = 0; u < table_.size(); ++u) {
      if (!fits(u, pattern)) continue;
      units.push_back(u);
      somebody_gains = somebody_gains || change(u, pattern) < -kGain;
    }
    if (!somebody_gains) return false;
    std::ranges::sort(units, [&](Unit a, Unit b) {
      const int way = compare(a, b, pattern);
      return way != 0 ? way < 0 : a < b;
    });
    bool gained = false;
    for (std::size_t i = 0; i < units.size();) {
      std::size_t end = i + 1;
      while (end < units.size() && compare(units[i], units[end], pattern) == 0) ++end;
      gained = try_class({units.data() + i, end - i}, pattern) || gained;
      i = end;
    }
    return gained;
  }

  bool try_class(std::span<const Unit> units, ColumnSet pattern) {
    std::uint64_t records = 0;
    std::optional<std::uint32_t> own;
    std::vector<Unit> joiners;
    for (const Unit u : units) {
      if (emptied_[u] == pattern) {
        own = class_of_[u];
        records = classes_[*own].records;
      } else if (change(u, pattern) < -kGain) {
        joiners.push_back(u);
      }
    }
    if (joiners.empty()) return false;
    Moves moves = those_who_may_leave(joiners, pattern);
    if (records + moves.records < table_.k) {
      fill_up(units, pattern, table_.k - records - moves.records, moves);
    }
    if (records + moves.records < table_.k || moves.cost > -kGain) return false;
    return make(moves, own, pattern);
  }

  // False where classes that change together would be too small: then nothing moves.
  bool make(const Moves& moves, std::optional<std::uint32_t> own, ColumnSet pattern) {
    struct Step {
      Unit unit;
      ColumnSet from;
      std::uint32_t left, entered;
    };
    std::vector<Step> steps;
    for (const Move& move : moves.elsewhere) {  // found before classes change
      steps.push_back({move.unit, move.to, class_of_[move.unit], *class_for(move)});
    }
    if (!own) {
      own = static_cast<std::uint32_t>(classes_.size());
      classes_.emplace_back();
    }
    for (const Unit u : moves.join) steps.push_back({u, pattern, class_of_[u], *own});
    for (Step& step : steps) {
      leave(step.unit);
      std::swap(step.from, emptied_[step.unit]);
      enter(step.unit, step.entered);
    }
    const auto is_whole = [&](std::uint32_t c) {
      return classes_[c].records == 0 || classes_[c].records >= table_.k;
    };
    const bool sound = std::ranges::all_of(
        steps, [&](const Step& step) { return is_whole(step.left) && is_whole(step.entered); });
    for (const Step& step : steps) {
      if (sound) break;
      leave(step.unit);
      emptied_[step.unit] = step.from;
      enter(step.unit, step.left);
    }
    return sound;
  }

  // ---- Who may leave ----------------------------------------------------------------------------

  // Class by class: all who gain, where the others are still enough or can go elsewhere; else as
  // many as leave enough.
  Moves those_who_may_leave(std::vector<Unit>& joiners, ColumnSet pattern) const {
    std::ranges::stable_sort(joiners, {}, [&](Unit u) { return class_of_[u]; });
    Moves moves;
    for (std::size_t i = 0; i < joiners.size();) {
      const std::uint32_t c = class_of_[joiners[i]];
      std::size_t end = i;
      while (end < joiners.size() && class_of_[joiners[end]] == c) ++end;
      leave_class(c, {joiners.data() + i, end - i}, pattern, moves);
      i = end;
    }
    return moves;
  }

  void join(Unit u, ColumnSet pattern, Moves& moves) const {
    moves.join.push_back(u);
    moves.records += table_.counts[u];
    moves.cost += change(u, pattern);
  }

  void leave_class(std::uint32_t c, std::span<const Unit> leaving, ColumnSet pattern,
                   Moves& moves) const {
    std::uint64_t left = classes_[c].records;
    double gain = 0;
    for (const Unit u : leaving) {
      left -= table_.counts[u];
      gain += change(u, pattern);
    }
    if (left > 0 && left < table_.k) {
      const std::optional<Moves> all = with_the_rest(c, leaving, pattern);
      if (!all || gain + all->cost > -kGain) return leave_enough(c, leaving, pattern, moves);
      for (const Unit u : all->join) join(u, pattern, moves);
      for (const Move& move : all->elsewhere) {
        moves.elsewhere.push_back(move);
        moves.cost += change(move.unit, move.to);
      }
    }
    for (const Unit u : leaving) join(u, pattern, moves);
  }

  // Those left behind, where each goes most cheaply; nothing: somebody has nowhere to go.
  std::optional<Moves> with_the_rest(std::uint32_t c, std::span<const Unit> leaving,
                                     ColumnSet pattern) const {
    constexpr std::size_t kMostLeft = 64;
    Moves rest;
    if (classes_[c].members.size() > leaving.size() + kMostLeft) return std::nullopt;
    for (const Unit u : classes_[c].members) {
      if (std::ranges::find(leaving, u) != leaving.end()) continue;
      const bool can_join = fits(u, pattern) && compare(u, leaving.front(), pattern) == 0;
      const std::optional<Move> other = cheapest_elsewhere(u, c);
      const bool joins = can_join && (!other || change(u, pattern) <= change(u, other->to));
      if (!joins && !other) return std::nullopt;
      rest.cost += joins ? change(u, pattern) : change(u, other->to);
      if (joins) {
        rest.join.push_back(u);
      } else {
        rest.elsewhere.push_back(*other);
      }
    }
    return rest;
  }

  void leave_enough(std::uint32_t c, std::span<const Unit> leaving, ColumnSet pattern,
                    Moves& moves) const {
    std::uint64_t left = classes_[c].records;
    for (const Unit u : leaving) {
      if (left < table_.k + table_.counts[u]) continue;
      left -= table_.counts[u];
      join(u, pattern, moves);
    }
  }

  // The class of a pattern that a combination would be in; nothing: there is none.
  std::optional<std::uint32_t> class_for(const Move& move) const {
    for (std::uint32_t c = 0; c < classes_.size(); ++c) {
      if (classes_[c].members.empty()) continue;
      const Unit first = classes_[c].members.front();
      if (emptied_[first] == move.to && compare(first, move.unit, move.to) == 0) return c;
    }
    return std::nullopt;
  }

  // Among classes that are there and stay: those of other combinations with fewer than few classes.
  std::optional<Move> cheapest_elsewhere(Unit u, std::uint32_t but) const {
    constexpr std::size_t kMostClasses = 4096;
    std::optional<Move> best;
    if (classes_.size() > kMostClasses) return best;
    for (std::uint32_t c = 0; c < classes_.size(); ++c) {
      if (c == but || classes_[c].records < table_.k) continue;
      const Unit first = classes_[c].members.front();
      const ColumnSet pattern = emptied_[first];
      if (!fits(u, pattern) || compare(u, first, pattern) != 0) continue;
      if (!best || change(u, pattern) < change(u, best->to)) best = Move{u, pattern};
    }
    return best;
  }

  // ---- Who must join ----------------------------------------------------------------------------

  // Others of the same values, cheapest first, whose classes can spare them.
  void fill_up(std::span<const Unit> units, ColumnSet pattern, std::uint64_t needed,
               Moves& moves) const {
    std::vector<Unit> others;
    for (const Unit u : units) {
      const bool moves_already =
          std::ranges::find(moves.join, u) != moves.join.end() ||
          std::ranges::any_of(moves.elsewhere, [&](const Move& m) { return m.unit == u; });
      if (emptied_[u] != pattern && !moves_already && can_spare(u, moves)) others.push_back(u);
    }
    const auto by_record = [&](Unit u) {
      return change(u, pattern) / static_cast<double>(table_.counts[u]);
    };
    std::ranges::stable_sort(others, {}, by_record);
    std::vector<Unit> taken;
    double cost = 0;
    std::uint64_t records = 0;
    for (const Unit u : others) {
      if (records >= needed) break;
      if (!can_spare(u, moves, taken)) continue;
      taken.push_back(u);
      records += table_.counts[u];
      cost += change(u, pattern);
    }
    for (const Unit u : others) {  // one alone may be cheaper
      if (table_.counts[u] < needed || (records >= needed && change(u, pattern) >= cost)) continue;
      taken = {u};
      records = table_.counts[u];
      cost = change(u, pattern);
    }
    if (records < needed) return;
    for (const Unit u : taken) join(u, pattern, moves);
  }

  bool can_spare(Unit u, const Moves& moves, std::span<const Unit> taken = {}) const {
    const std::uint32_t c = class_of_[u];
    std::uint64_t left = classes_[c].records - table_.counts[u];
    for (const Unit other : moves.join) left -= class_of_[other] == c ? table_.counts[other] : 0;
    for (const Unit other : taken) left -= class_of_[other] == c ? table_.counts[other] : 0;
    for (const Move& move : moves.elsewhere) {
      left -= class_of_[move.unit] == c ? table_.counts[move.unit] : 0;
    }
    return left == 0 || left >= table_.k;
  }

  const CellTable& table_;
  std::vector<ColumnSet> missing_, emptied_;  // by combination
  std::vector<Class> classes_;                // some may be empty
  std::vector<std::uint32_t> class_of_;       // by combination
};

}  // namespace

std::vector<ColumnSet> suppress_as_value(const CellTable& table) {
  const std::vector<ColumnSet> rising = patterns_of(table);
  const std::vector<ColumnSet> falling(rising.rbegin(), rising.rend());
  std::vector<ColumnSet> best;
  for (const std::vector<ColumnSet>* const order : {&rising, &falling}) {
    CellClasses classes(table);
    classes.improve(*order);
    const bool better =
        best.empty() || cost_of(table, classes.emptied()) < cost_of(table, best) - kGain;
    if (better) best = classes.emptied();
  }
  return best;
}

}  // namespace semveil
