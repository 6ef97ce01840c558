// Local suppression where an empty cell is a value of its own (cell_suppression.h).
//
// A class is a set of emptied columns and the values of the others. The search goes over all sets,
// cheap ones first, and all values: whoever is emptied more than that class asks for would gain by
// joining it. Some may have to stay, because those they leave behind would be fewer than k; and
// some who lose by it may have to join, because the class would be. If all together gain, they
// move. A class that misses a demand is like one that is too small (cell_tally.h).
#include <algorithm>
#include <numeric>
#include <optional>
#include <span>
#include <utility>

#include "base/stop.h"
#include "mechanisms/generalize/cell_suppression.h"
#include "mechanisms/generalize/cell_tally.h"

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
    CellTally tally;
  };
  struct Move {
    Unit unit;
    ColumnSet to;
  };
  // What happens together, and what it costs.
  struct Moves {
    std::vector<Unit> join;       // the class in question
    std::vector<Move> elsewhere;  // those who are left behind
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
      if (is_new) classes_.push_back({{}, CellTally(table_)});
      class_of_[order[i]] = static_cast<std::uint32_t>(classes_.size() - 1);
      classes_.back().members.push_back(order[i]);
      classes_.back().tally.add(order[i]);
    }
  }

  // Classes that are too small are emptied; if these are too few together, some of the others with
  // them.
  void empty_whole_records() {
    const ColumnSet all = (ColumnSet{1} << table_.width) - 1;
    number_classes();
    std::vector<const Class*> gone, whole;
    CellTally together(table_);
    for (const Class& one : classes_) {
      const bool is_whole = one.tally.holds() && emptied_[one.members.front()] != all;
      (is_whole ? whole : gone).push_back(&one);
      if (!is_whole) add(one, together);
    }
    if (!gone.empty() && !together.holds()) {
      const std::vector<const Class*> needed = needed_of(std::move(whole), all, together);
      gone.insert(gone.end(), needed.begin(), needed.end());
    }
    for (const Class* one : gone) {
      for (const Unit u : one->members) emptied_[u] = all;
    }
    number_classes();
  }

  static void add(const Class& one, CellTally& to) {
    for (const Unit u : one.members) to.add(u);
  }
  static void remove(const Class& one, CellTally& from) {
    for (const Unit u : one.members) from.remove(u);
  }

  // The cheapest that is enough by itself for those who are emptied; where none is, the cheapest
  // together, but for those that are not needed.
  std::vector<const Class*> needed_of(std::vector<const Class*> whole, ColumnSet all,
                                      CellTally& together) const {
    const auto loss = [&](const Class* one) {
      double sum = 0;
      for (const Unit u : one->members) sum += change(u, all);
      return sum;
    };
    std::ranges::stable_sort(whole, {}, loss);
    for (const Class* one : whole) {
      add(*one, together);
      if (together.holds()) return {one};
      remove(*one, together);
    }
    std::vector<const Class*> needed;
    for (const Class* one : whole) {
      if (together.holds()) break;
      add(*one, together);
      needed.push_back(one);
    }
    for (std::size_t i = needed.size(); i-- > 0;) {
      remove(*needed[i], together);
      if (together.holds()) {
        needed.erase(needed.begin() + static_cast<std::ptrdiff_t>(i));
      } else {
        add(*needed[i], together);
      }
    }
    return needed;
  }

  void leave(Unit u) {
    Class& from = classes_[class_of_[u]];
    std::erase(from.members, u);
    from.tally.remove(u);
  }
  void enter(Unit u, std::uint32_t c) {
    class_of_[u] = c;
    classes_[c].members.push_back(u);
    classes_[c].tally.add(u);
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
    std::optional<std::uint32_t> own;
    std::vector<Unit> joiners;
    for (const Unit u : units) {
      if (emptied_[u] == pattern) {
        own = class_of_[u];
      } else if (change(u, pattern) < -kGain) {
        joiners.push_back(u);
      }
    }
    if (joiners.empty()) return false;
    Moves moves = those_who_may_leave(joiners, pattern);
    CellTally after = own ? classes_[*own].tally : CellTally(table_);
    for (const Unit u : moves.join) after.add(u);
    if (!after.holds()) fill_up(units, pattern, after, moves);
    if (!after.holds() || moves.cost > -kGain) return false;
    return make(moves, own, pattern);
  }

  // False where classes that change together would miss something: then nothing moves.
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
      classes_.push_back({{}, CellTally(table_)});
    }
    for (const Unit u : moves.join) steps.push_back({u, pattern, class_of_[u], *own});
    for (Step& step : steps) {
      leave(step.unit);
      std::swap(step.from, emptied_[step.unit]);
      enter(step.unit, step.entered);
    }
    std::vector<std::uint32_t> changed;
    for (const Step& step : steps) changed.insert(changed.end(), {step.left, step.entered});
    std::ranges::sort(changed);
    changed.erase(std::unique(changed.begin(), changed.end()), changed.end());
    const bool sound = std::ranges::all_of(changed, [&](std::uint32_t c) {
      return classes_[c].tally.is_none() || classes_[c].tally.holds();
    });
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
  Moves those_who_may_leave(std::vector<Unit>& joiners, ColumnSet pattern) {
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
    moves.cost += change(u, pattern);
  }

  // Whether a class holds without some of its members, or nobody is left.
  bool can_do_without(std::uint32_t c, std::span<const Unit> gone) {
    CellTally& tally = classes_[c].tally;
    for (const Unit u : gone) tally.remove(u);
    const bool can = tally.is_none() || tally.holds();
    for (const Unit u : gone) tally.add(u);
    return can;
  }

  void leave_class(std::uint32_t c, std::span<const Unit> leaving, ColumnSet pattern,
                   Moves& moves) {
    double gain = 0;
    for (const Unit u : leaving) gain += change(u, pattern);
    if (!can_do_without(c, leaving)) {
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
                    Moves& moves) {
    CellTally& left = classes_[c].tally;
    std::vector<Unit> gone;
    for (const Unit u : leaving) {
      left.remove(u);
      if (left.holds()) {
        gone.push_back(u);
      } else {
        left.add(u);
      }
    }
    for (const Unit u : gone) {
      left.add(u);
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
      if (c == but || classes_[c].members.empty()) continue;
      const Unit first = classes_[c].members.front();
      const ColumnSet pattern = emptied_[first];
      if (!fits(u, pattern) || compare(u, first, pattern) != 0) continue;
      if (!best || change(u, pattern) < change(u, best->to)) best = Move{u, pattern};
    }
    return best;
  }

  // ---- Who must join ----------------------------------------------------------------------------

  // Others of the same values, cheapest first, whose classes can spare them. `after`: the class as
  // it would be.
  void fill_up(std::span<const Unit> units, ColumnSet pattern, CellTally& after, Moves& moves) {
    std::vector<Unit> others;
    for (const Unit u : units) {
      const bool moves_already =
          std::ranges::find(moves.join, u) != moves.join.end() ||
          std::ranges::any_of(moves.elsewhere, [&](const Move& m) { return m.unit == u; });
      if (emptied_[u] != pattern && !moves_already && can_spare(u, moves)) others.push_back(u);
    }
    const auto by_size = [&](Unit u) {
      return change(u, pattern) / static_cast<double>(table_.size_of(u));
    };
    std::ranges::stable_sort(others, {}, by_size);
    std::vector<Unit> taken;
    double cost = 0;
    for (const Unit u : others) {
      if (after.holds()) break;
      if (!can_spare(u, moves, taken)) continue;
      taken.push_back(u);
      after.add(u);
    }
    bool is_found = after.holds();
    if (is_found) give_back(taken, moves, after);
    for (const Unit u : taken) {
      after.remove(u);
      cost += change(u, pattern);
    }
    for (const Unit u : others) {  // one alone may be cheaper
      if (is_found && change(u, pattern) >= cost) continue;
      after.add(u);
      const bool is_enough = after.holds();
      after.remove(u);
      if (!is_enough) continue;
      taken = {u};
      cost = change(u, pattern);
      is_found = true;
    }
    if (!is_found) return;
    for (const Unit u : taken) {
      after.add(u);
      join(u, pattern, moves);
    }
  }

  // Those that are not needed, because later ones brought what they did: the dearest first.
  void give_back(std::vector<Unit>& taken, const Moves& moves, CellTally& after) {
    for (std::size_t i = taken.size(); i-- > 0;) {
      const Unit u = taken[i];
      after.remove(u);
      std::vector<Unit> others = taken;
      others.erase(others.begin() + static_cast<std::ptrdiff_t>(i));
      const bool is_needed = !after.holds() || !can_stay(u, moves, others);
      if (is_needed) {
        after.add(u);
      } else {
        taken = std::move(others);
      }
    }
  }

  // Of the class of u: who leaves it by now.
  std::vector<Unit> leaving_with(Unit u, const Moves& moves, std::span<const Unit> taken) const {
    const std::uint32_t c = class_of_[u];
    std::vector<Unit> gone;
    const auto see = [&](Unit other) {
      if (class_of_[other] == c) gone.push_back(other);
    };
    std::ranges::for_each(moves.join, see);
    std::ranges::for_each(taken, see);
    for (const Move& move : moves.elsewhere) see(move.unit);
    return gone;
  }
  bool can_spare(Unit u, const Moves& moves, std::span<const Unit> taken = {}) {
    std::vector<Unit> gone = leaving_with(u, moves, taken);
    gone.push_back(u);
    return can_do_without(class_of_[u], gone);
  }
  bool can_stay(Unit u, const Moves& moves, std::span<const Unit> taken) {
    return can_do_without(class_of_[u], leaving_with(u, moves, taken));
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
