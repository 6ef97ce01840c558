// Better classes from given ones: tuples move to where they and those they leave lose less.
//
//   move       a tuple that its class can spare joins the class where all lose least together
//   dissolve   a class all of whose tuples lose less elsewhere
//
// Every step lowers the loss of all records together. Classes are taken in the order of what their
// records lose, the most first, in a fixed number of sweeps.
//
// Cost:  a sweep is tuples × classes × columns.
#include <algorithm>
#include <numeric>

#include "base/stop.h"
#include "mechanisms/generalize/generalize_local.h"

namespace semveil {
namespace {

constexpr std::size_t kMostJoined = std::size_t{1} << 23U;      // values × nodes of one column
constexpr std::size_t kMostSweptPairs = std::size_t{1} << 28U;  // tuples × classes of a sweep

// What tuples would lose in classes, for all classes at once.
class Joining {
 public:
  Joining(const LocalTable& table, const LocalClasses& classes)
      : table_(table), classes_(classes), box_(table.width()) {
    for (std::size_t j = 0; j < table.width(); ++j) {
      joined_.push_back(joined_losses(j));
      box_[j].resize(classes.size());
    }
    records_.resize(classes.size());
    lost_.resize(classes.size());
    for (std::uint32_t c = 0; c < classes.size(); ++c) update(c);
    order_columns();
  }

  void update(std::uint32_t c) {
    const LocalClass& own = classes_[c];
    records_[c] = static_cast<double>(own.records);
    lost_[c] = own.loss * records_[c];
    if (own.records == 0) return;
    for (std::size_t j = 0; j < table_.width(); ++j) {
      box_[j][c] =
          table_.task().hierarchies[j].node(table_.value(own.tuples.front(), j), own.levels[j]);
    }
  }

  struct Best {
    std::uint32_t into = LocalClasses::kNone;
    double cost = 0;
  };
  // Where the tuple costs least and less than `limit`, its own class left out.
  Best best(std::uint32_t tuple, double limit) {
    check_stop();
    const auto count = static_cast<double>(table_.count(tuple));
    const std::uint32_t own = classes_.class_of(tuple);
    // Losses only grow from column to column: most classes are out of question after the first.
    left_.resize(records_.size());
    std::iota(left_.begin(), left_.end(), 0U);
    sums_.assign(records_.size(), 0);
    for (const std::size_t j : order_) {
      const double* joined = joined_[j].data() + std::size_t{table_.value(tuple, j)} *
                                                     table_.task().hierarchies[j].nodes();
      const Code* box = box_[j].data();
      std::size_t kept = 0;
      for (const std::uint32_t c : left_) {
        sums_[c] += joined[box[c]];
        left_[kept] = c;
        kept += sums_[c] * (records_[c] + count) - lost_[c] < limit ? 1 : 0;
      }
      left_.resize(kept);
    }
    Best out{LocalClasses::kNone, limit};
    for (const std::uint32_t c : left_) {
      const double cost = sums_[c] * (records_[c] + count) - lost_[c];
      if (cost < out.cost && c != own && records_[c] > 0) out = {c, cost};
    }
    return out;
  }

 private:
  // Those first in which a tuple loses most in a class that is not its own.
  void order_columns() {
    std::vector<double> losses;
    for (std::size_t j = 0; j < table_.width(); ++j) {
      const Hierarchy& hierarchy = table_.task().hierarchies[j];
      std::vector<std::uint64_t> values(hierarchy.values(), 0), nodes(hierarchy.nodes(), 0);
      for (std::uint32_t t = 0; t < table_.size(); ++t) ++values[table_.value(t, j)];
      for (const Code node : box_[j]) ++nodes[node];
      double sum = 0;
      for (std::size_t v = 0; v < values.size(); ++v) {
        for (std::size_t n = 0; n < nodes.size(); ++n) {
          sum += static_cast<double>(values[v] * nodes[n]) * joined_[j][v * nodes.size() + n];
        }
      }
      losses.push_back(sum);
      order_.push_back(j);
    }
    std::stable_sort(order_.begin(), order_.end(),
                     [&](std::size_t a, std::size_t b) { return losses[a] > losses[b]; });
  }
  // By value and node: what their least common generalisation loses.
  std::vector<double> joined_losses(std::size_t j) const {
    const Hierarchy& hierarchy = table_.task().hierarchies[j];
    std::vector<std::pair<Code, unsigned>> lowest(hierarchy.nodes());  // a value that it is of
    for (Code v = 0; v < hierarchy.values(); ++v) {
      for (unsigned level = hierarchy.levels(); level-- > 0;) {
        lowest[hierarchy.node(v, level)] = {v, level};
      }
    }
    std::vector<double> out;
    out.reserve(hierarchy.values() * hierarchy.nodes());
    for (Code v = 0; v < hierarchy.values(); ++v) {
      check_stop();
      for (const auto& [value, level] : lowest) {
        out.push_back(table_.loss(j, value, std::max(level, table_.meet(j, value, v))));
      }
    }
    return out;
  }

  const LocalTable& table_;
  const LocalClasses& classes_;
  std::vector<std::vector<double>> joined_;  // by column, value, node
  std::vector<std::vector<Code>> box_;       // by column, class
  std::vector<double> records_, lost_, sums_;
  std::vector<std::size_t> order_;  // columns
  std::vector<std::uint32_t> left_;
};

class Improving {
 public:
  Improving(const LocalTable& table, LocalClasses& classes)
      : table_(table), classes_(classes), joining_(table, classes) {}

  // Returns whether anything changed.
  bool sweep() {
    std::vector<std::uint32_t> order;
    for (std::uint32_t c = 0; c < classes_.size(); ++c) {
      if (classes_[c].loss > 0) order.push_back(c);
    }
    std::sort(order.begin(), order.end(), [this](std::uint32_t a, std::uint32_t b) {
      return std::pair(-classes_[a].loss, a) < std::pair(-classes_[b].loss, b);
    });
    bool changed = false;
    for (const std::uint32_t c : order) {
      const std::vector<std::uint32_t> tuples = classes_[c].tuples;
      for (const std::uint32_t tuple : tuples) changed = move(tuple) || changed;
      changed = dissolve(c) || changed;
    }
    return changed;
  }

 private:
  double lost(std::uint32_t c) const {
    return classes_[c].loss * static_cast<double>(classes_[c].records);
  }
  bool move(std::uint32_t tuple) {
    const std::uint32_t from = classes_.class_of(tuple);
    if (!table_.has_k(classes_[from].tuples, tuple)) return false;
    const double saved = lost(from) - classes_.lost_without(tuple);
    if (saved <= 0) return false;
    const Joining::Best best = joining_.best(tuple, saved - kLeastGain);
    if (best.into == LocalClasses::kNone) return false;
    classes_.join(tuple, best.into);
    joining_.update(from);
    joining_.update(best.into);
    return true;
  }
  bool dissolve(std::uint32_t c) {
    if (classes_[c].records == 0) return false;
    const double saved = lost(c);
    double cost = 0;
    std::vector<Joining::Best> best;
    for (const std::uint32_t tuple : classes_[c].tuples) {
      best.push_back(joining_.best(tuple, saved - kLeastGain - cost));
      if (best.back().into == LocalClasses::kNone) return false;
      cost += best.back().cost;
    }
    // Two that join one class may cost more together.
    const std::vector<std::uint32_t> tuples = classes_[c].tuples;
    double together = 0;
    std::size_t moved = 0;
    for (; moved < tuples.size() && together < saved - kLeastGain; ++moved) {
      together += classes_.cost_of_joining(tuples[moved], best[moved].into);
      classes_.join(tuples[moved], best[moved].into);
    }
    const bool worth = together < saved - kLeastGain;
    if (!worth) {
      for (std::size_t i = 0; i < moved; ++i) classes_.join(tuples[i], c);
    }
    for (std::size_t i = 0; i < moved; ++i) joining_.update(best[i].into);
    joining_.update(c);
    return worth;
  }

  static constexpr double kLeastGain = 1e-9;
  const LocalTable& table_;
  LocalClasses& classes_;
  Joining joining_;
};

}  // namespace

void improve_classes(const LocalTable& table, LocalClasses& classes, unsigned sweeps) {
  for (const Hierarchy& hierarchy : table.task().hierarchies) {
    if (hierarchy.values() > kMostJoined / hierarchy.nodes()) return;
  }
  if (table.size() > kMostSweptPairs / std::max<std::size_t>(1, classes.size())) return;
  Improving improving(table, classes);
  while (sweeps-- > 0 && improving.sweep()) {
  }
}

}  // namespace semveil
