#include "mechanisms/microaggregate/group_merging.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "base/stop.h"

namespace semveil {
namespace {

// The distinct values of the centroids in one column, and how far one is from all.
class CentroidColumn {
 public:
  explicit CentroidColumn(const Attribute& attribute) : attribute_(attribute) {}

  Code place(const CentroidCell& cell) {
    if (cell.number) {
      const auto [at, is_new] =
          places_.try_emplace(cell.number->value, static_cast<Code>(numbers_.size()));
      if (is_new) numbers_.push_back(cell.number->value);
      return at->second;
    }
    if (cell.value == attribute_.missing_value()) return kMissing;
    const auto [at, is_new] = places_.try_emplace(cell.value, static_cast<Code>(values_.size()));
    if (is_new) values_.push_back(cell.value);
    return at->second;
  }

  // Squared distances from this one to all others.
  void look_from(Code place) {
    from_ = place;
    const std::size_t size = attribute_.is_numeric() ? numbers_.size() : values_.size();
    squares_.assign(size, 1);
    if (place == kMissing) return;
    if (attribute_.is_numeric()) {
      for (std::size_t v = 0; v < size; ++v) {
        const double apart =
            attribute_.unit > 0 ? std::abs(numbers_[v] - numbers_[place]) / attribute_.unit : 0.0;
        squares_[v] = apart * apart;
      }
    } else if (attribute_.is_nominal()) {
      attribute_.measure->rows(std::span(values_).subspan(place, 1), values_,
                               [&](std::size_t, std::span<const double> row) {
                                 for (std::size_t v = 0; v < size; ++v) {
                                   squares_[v] = row[v] * row[v];
                                 }
                               });
    } else {
      squares_[place] = 0;
    }
  }
  double squared(Code place) const {
    if (place == kMissing) return from_ == kMissing ? 0 : 1;
    return squares_[place];
  }

 private:
  const Attribute& attribute_;
  std::map<double, Code> places_;
  std::vector<double> numbers_;
  std::vector<ConceptId> values_;
  Code from_ = kMissing;
  std::vector<double> squares_;
};

class Merging {
 public:
  Merging(const ClassTable& table, const Demands& demands, const Centroids& centroids,
          GroupsWithCentroids& of)
      : table_(table), demands_(demands), centroids_(centroids), of_(of) {
    for (const auto& attribute : table.attributes) columns_.emplace_back(*attribute);
    for (std::size_t g = 0; g < of.groups.size(); ++g) {
      std::uint64_t records = 0;
      SensitiveCounts counts = demands.of(of.groups[g].front());
      for (const std::uint32_t t : of.groups[g]) {
        records += table.counts[t];
        if (t != of.groups[g].front()) Demands::merge(demands.of(t), counts);
      }
      records_.push_back(records);
      counts_.push_back(std::move(counts));
      for (std::size_t j = 0; j < table.width(); ++j) {
        places_.push_back(columns_[j].place(of.centroids[g * table.width() + j]));
      }
      if (!demands.met(counts_[g])) missing_.emplace(records, g);
    }
  }

  void run() {
    std::size_t left = of_.groups.size();
    for (; !missing_.empty() && left > 1; --left) {
      check_stop();
      const std::size_t poor = missing_.begin()->second;
      merge(poor, cheapest_partner(poor));
    }
    GroupsWithCentroids out;
    const std::size_t width = table_.width();
    for (std::size_t g = 0; g < of_.groups.size(); ++g) {
      if (of_.groups[g].empty()) continue;
      out.groups.push_back(std::move(of_.groups[g]));
      for (std::size_t j = 0; j < width; ++j) {
        out.centroids.push_back(std::move(of_.centroids[g * width + j]));
      }
    }
    of_ = std::move(out);
  }

 private:
  std::size_t cheapest_partner(std::size_t poor) {
    const std::size_t width = table_.width();
    for (std::size_t j = 0; j < width; ++j) columns_[j].look_from(places_[poor * width + j]);
    std::optional<std::size_t> best;
    double best_cost = 0;
    const auto a = static_cast<double>(records_[poor]);
    for (std::size_t g = 0; g < of_.groups.size(); ++g) {
      if (g == poor || of_.groups[g].empty()) continue;
      double squared = 0;
      for (std::size_t j = 0; j < width; ++j)
        squared += columns_[j].squared(places_[g * width + j]);
      const auto b = static_cast<double>(records_[g]);
      const double cost = a * b / (a + b) * squared;
      if (!best || cost < best_cost) {
        best = g;
        best_cost = cost;
      }
    }
    return *best;
  }

  // Groups stand in the order of their smallest tuples: the first of two takes the other in.
  void merge(std::size_t a, std::size_t b) {
    const std::size_t to = std::min(a, b);
    const std::size_t from = std::max(a, b);
    missing_.erase({records_[to], to});
    missing_.erase({records_[from], from});
    std::vector<std::uint32_t> both;
    std::ranges::merge(of_.groups[to], of_.groups[from], std::back_inserter(both));
    of_.groups[to] = std::move(both);
    of_.groups[from].clear();
    records_[to] += records_[from];
    Demands::merge(counts_[from], counts_[to]);
    counts_[from] = {};
    if (!demands_.met(counts_[to])) missing_.emplace(records_[to], to);
    const std::size_t width = table_.width();
    std::vector<CentroidCell> cells = centroids_.of({of_.groups[to]}, 1);
    for (std::size_t j = 0; j < width; ++j) {
      places_[to * width + j] = columns_[j].place(cells[j]);
      of_.centroids[to * width + j] = std::move(cells[j]);
    }
  }

  const ClassTable& table_;
  const Demands& demands_;
  const Centroids& centroids_;
  GroupsWithCentroids& of_;
  std::vector<CentroidColumn> columns_;
  std::vector<std::uint64_t> records_;  // by group; merged ones are empty
  std::vector<SensitiveCounts> counts_;
  std::vector<Code> places_;                                 // by group, then column
  std::set<std::pair<std::uint64_t, std::size_t>> missing_;  // records, group: that miss a demand
};

}  // namespace

void merge_until_met(const ClassTable& table, const Demands& demands, const Centroids& centroids,
                     GroupsWithCentroids& of) {
  Merging(table, demands, centroids, of).run();
}

}  // namespace semveil
