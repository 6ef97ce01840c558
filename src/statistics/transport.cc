// Successive shortest paths over the few sources alone.
//
// Sinks are served one after the other. A sink takes from the source that is cheapest for it; a
// source that has nothing left hands one of the sinks it serves to another source, and so on until
// a source with something left is reached:
//
//   label(i)    c_ij, the sink j served by source i
//   step(i, k)  min over the sinks s that i serves of c_ks − c_is
//
// The cheapest such chain is a shortest path over the sources. What each sink takes along shortest
// paths keeps the whole flow the cheapest of its size, so it is the cheapest when all are served.
// With potentials steps are not negative, and Dijkstra's algorithm finds the path. The potential of
// a source with something left is 0, and no potential ever rises.
//
// Sinks that cost the same from every source are one: in a taxonomy all values below a branch
// that no source is in, which leaves a few hundred of thousands.
//
// Amounts are records of one side times all of the other: both sides then have the same total.
//
// Method: Edmonds & Karp 1972 (potentials), here with the sinks folded into the steps.
// Cost:   O(sources · sinks) for what is one; then each path O(sources²) at most, and about as many
//         paths as sinks that are left and sources together.
#include "statistics/transport.h"

#include <algorithm>
#include <limits>
#include <numeric>
#include <vector>

#include "base/stop.h"

namespace semveil {
namespace {

constexpr std::int64_t kFar = std::numeric_limits<std::int64_t>::max() / 4;
constexpr std::uint32_t kNone = 0xFFFFFFFF;

using Amount = WideCost;

class Transport {
 public:
  Transport(std::vector<Amount> supply, std::size_t sinks,
            std::span<const std::int64_t* const> rows)
      : rows_(rows),
        size_(supply.size()),
        left_(std::move(supply)),
        potential_(size_, 0),
        label_(size_),
        before_(size_),
        settled_(size_),
        step_(size_ * size_, kFar),
        via_(size_ * size_, kNone),
        serves_(size_),
        served_(sinks) {}

  // False: the steps did not do.
  bool serve(std::uint32_t sink, Amount amount, std::uint64_t& steps) {
    while (amount > 0) {
      const std::uint32_t end = shortest(sink);
      const std::uint64_t took = size_ * searched_;
      if (took > steps) return false;
      steps -= took;
      amount -= push(sink, end, amount);
    }
    return true;
  }

  WideCost cost() const {
    WideCost cost = 0;
    for (std::size_t j = 0; j < served_.size(); ++j) {
      for (const Flow& flow : served_[j]) cost += flow.amount * rows_[flow.source][j];
    }
    return cost;
  }

 private:
  struct Flow {
    std::uint32_t source;
    Amount amount;
  };

  // The source with something left at which the cheapest chain ends; `before_` leads back.
  std::uint32_t shortest(std::uint32_t sink) {
    check_stop();
    for (std::uint32_t i = 0; i < size_; ++i) {
      label_[i] = rows_[i][sink] - potential_[i];
      before_[i] = kNone;
      settled_[i] = 0;
    }
    std::uint32_t end = kNone;
    searched_ = 0;
    while (end == kNone) {
      ++searched_;
      std::uint32_t next = kNone;
      for (std::uint32_t i = 0; i < size_; ++i) {
        if (settled_[i] == 0 && (next == kNone || label_[i] < label_[next])) next = i;
      }
      settled_[next] = 1;
      if (left_[next] > 0) {
        end = next;
        break;
      }
      const std::int64_t* step = &step_[next * size_];
      const std::int64_t here = label_[next] + potential_[next];
      for (std::uint32_t k = 0; k < size_; ++k) {
        if (step[k] == kFar || settled_[k] != 0) continue;
        const std::int64_t there = here + step[k] - potential_[k];
        if (there >= label_[k]) continue;
        label_[k] = there;
        before_[k] = next;
      }
    }
    for (std::uint32_t i = 0; i < size_; ++i) {
      if (settled_[i] != 0) potential_[i] -= label_[end] - label_[i];
    }
    return end;
  }

  // Moves what fits along the chain that ends at `end`.
  Amount push(std::uint32_t sink, std::uint32_t end, Amount most) {
    most = std::min(most, left_[end]);
    for (std::uint32_t k = end; before_[k] != kNone; k = before_[k]) {
      most = std::min(most, flow(before_[k], via_[before_[k] * size_ + k])->amount);
    }
    left_[end] -= most;
    std::uint32_t k = end;
    while (before_[k] != kNone) {  // first all that is added: a step must not lose its sink early
      const std::uint32_t i = before_[k];
      const std::uint32_t handed = via_[i * size_ + k];
      chain_.emplace_back(i, handed);
      add(k, handed, most);
      k = i;
    }
    add(k, sink, most);
    for (const auto& [i, handed] : chain_) take(i, handed, most);
    chain_.clear();
    return most;
  }

  Flow* flow(std::uint32_t source, std::uint32_t sink) {
    const auto found = std::find_if(served_[sink].begin(), served_[sink].end(),
                                    [&](const Flow& f) { return f.source == source; });
    return found == served_[sink].end() ? nullptr : &*found;
  }

  void add(std::uint32_t source, std::uint32_t sink, Amount amount) {
    if (Flow* known = flow(source, sink)) {
      known->amount += amount;
      return;
    }
    served_[sink].push_back({source, amount});
    serves_[source].push_back(sink);
    for (std::uint32_t k = 0; k < size_; ++k) consider(source, k, sink);
  }

  void take(std::uint32_t source, std::uint32_t sink, Amount amount) {
    Flow* known = flow(source, sink);
    known->amount -= amount;
    if (known->amount > 0) return;
    served_[sink].erase(served_[sink].begin() + (known - served_[sink].data()));
    std::vector<std::uint32_t>& serves = serves_[source];
    serves.erase(std::find(serves.begin(), serves.end(), sink));
    for (std::uint32_t k = 0; k < size_; ++k) {
      if (via_[source * size_ + k] != sink) continue;
      step_[source * size_ + k] = kFar;
      via_[source * size_ + k] = kNone;
      for (const std::uint32_t other : serves) consider(source, k, other);
    }
  }

  void consider(std::uint32_t i, std::uint32_t k, std::uint32_t sink) {
    if (i == k) return;
    const std::int64_t step = rows_[k][sink] - rows_[i][sink];
    if (step >= step_[i * size_ + k]) return;
    step_[i * size_ + k] = step;
    via_[i * size_ + k] = sink;
  }

  std::span<const std::int64_t* const> rows_;
  std::size_t size_;
  std::vector<Amount> left_;    // by source
  std::uint64_t searched_ = 0;  // sources that the last search settled
  std::vector<std::int64_t> potential_, label_;
  std::vector<std::uint32_t> before_;
  std::vector<std::uint8_t> settled_;
  std::vector<std::int64_t> step_;  // by source, then source
  std::vector<std::uint32_t> via_;  // the sink that is handed over
  std::vector<std::vector<std::uint32_t>> serves_;
  std::vector<std::vector<Flow>> served_;  // by sink: few
  std::vector<std::pair<std::uint32_t, std::uint32_t>> chain_;
};

std::uint64_t total(std::span<const std::uint64_t> counts) {
  return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
}

// The sinks that differ in costs, each with all records of those that are one with it.
struct Sinks {
  std::vector<std::uint32_t> first;  // of each, in `to`
  std::vector<std::uint64_t> counts;
};

Sinks differing(std::span<const std::uint64_t> to, std::span<const std::int64_t* const> rows) {
  constexpr std::uint64_t kMix = 0x9E3779B97F4A7C15;
  std::vector<std::uint64_t> hash(to.size(), 0);
  for (const std::int64_t* row : rows) {
    for (std::size_t j = 0; j < to.size(); ++j) {
      hash[j] = (hash[j] ^ static_cast<std::uint64_t>(row[j])) * kMix;
      hash[j] ^= hash[j] >> 29U;
    }
  }
  const auto same = [&](std::uint32_t a, std::uint32_t b) {
    return hash[a] == hash[b] &&
           std::ranges::all_of(rows, [&](const std::int64_t* row) { return row[a] == row[b]; });
  };
  std::size_t slots = 16;
  while (slots < 2 * to.size()) slots *= 2;
  std::vector<std::uint32_t> table(slots, kNone);  // open addressing, at most half full
  Sinks sinks;
  for (std::uint32_t j = 0; j < to.size(); ++j) {
    if (to[j] == 0) continue;
    std::size_t at = hash[j] & (slots - 1);
    while (table[at] != kNone && !same(sinks.first[table[at]], j)) at = (at + 1) & (slots - 1);
    if (table[at] == kNone) {
      table[at] = static_cast<std::uint32_t>(sinks.first.size());
      sinks.first.push_back(j);
      sinks.counts.push_back(0);
    }
    sinks.counts[table[at]] += to[j];
  }
  return sinks;
}

}  // namespace

std::optional<WideCost> least_transport(std::span<const std::uint64_t> from,
                                        std::span<const std::uint64_t> to,
                                        std::span<const std::int64_t* const> rows,
                                        std::uint64_t& steps) {
  const Amount records_from = total(from);
  const Amount records_to = total(to);
  if (records_from == 0 || records_to == 0) return 0;
  if (from.size() * to.size() > steps) return std::nullopt;
  steps -= from.size() * to.size();
  if (from.size() == 1) {
    WideCost cost = 0;
    for (std::size_t j = 0; j < to.size(); ++j) cost += static_cast<WideCost>(to[j]) * rows[0][j];
    return cost * records_from;
  }
  const Sinks sinks = differing(to, rows);
  const std::size_t size = sinks.first.size();
  std::vector<std::int64_t> costs(from.size() * size);  // close together
  std::vector<const std::int64_t*> close;
  std::vector<Amount> supply;
  for (std::size_t i = 0; i < from.size(); ++i) {
    for (std::size_t j = 0; j < size; ++j) costs[i * size + j] = rows[i][sinks.first[j]];
    close.push_back(costs.data() + i * size);
    supply.push_back(from[i] * records_to);
  }
  Transport transport(std::move(supply), size, close);
  for (std::uint32_t j = 0; j < size; ++j) {
    if (!transport.serve(j, sinks.counts[j] * records_from, steps)) return std::nullopt;
  }
  return transport.cost();
}

double transport_cost(std::span<const std::uint64_t> from, std::span<const std::uint64_t> to,
                      std::span<const double> costs) {
  const double records = static_cast<double>(total(from)) * static_cast<double>(total(to));
  if (records == 0) return 0;
  std::vector<std::int64_t> whole(costs.size());
  std::transform(costs.begin(), costs.end(), whole.begin(), whole_cost);
  std::vector<const std::int64_t*> rows;
  for (std::size_t i = 0; i < from.size(); ++i) rows.push_back(whole.data() + i * to.size());
  std::uint64_t steps = kAnySteps;
  return static_cast<double>(*least_transport(from, to, rows, steps)) / records /
         static_cast<double>(kUnitCost);
}

}  // namespace semveil
