#include "support/slow_fuse.h"

#include <algorithm>
#include <cmath>
#include <map>

namespace semveil::test {
namespace {

constexpr double kTie = 1e-9;

using Tuple = std::vector<Code>;
using Tuples = std::vector<Tuple>;  // ascending
using Groups = std::map<Tuple, std::vector<std::size_t>>;

Groups groups_of(const std::vector<Tuple>& records) {
  Groups out;
  for (std::size_t i = 0; i < records.size(); ++i) out[records[i]].push_back(i);
  return out;
}

double sum_of_distances(const SlowFuseTable& table, const Tuple& a, const Tuple& b) {
  double sum = 0;
  for (std::size_t j = 0; j < a.size(); ++j) sum += table.distances[j][a[j]][b[j]];
  return sum;
}

double mean_similarity(const SlowFuseTable& table, const Tuple& a, const Tuple& b) {
  double sum = 0;
  for (std::size_t j = 0; j < a.size(); ++j) sum += 1 - table.distances[j][a[j]][b[j]];
  return sum / static_cast<double>(a.size());
}

// Those of the list within `tie` of the least figure.
template <class Figure>
Tuples least(const Tuples& list, double tie, const Figure& figure) {
  double best = INFINITY;
  for (const Tuple& tuple : list) best = std::min(best, figure(tuple));
  Tuples out;
  for (const Tuple& tuple : list) {
    if (figure(tuple) <= best + tie) out.push_back(tuple);
  }
  return out;
}

class SlowFusion {
 public:
  SlowFusion(const SlowFuseTable& table, const FuseOptions& options, const Choose& choose,
             FuseMutant mutant)
      : table_(table),
        options_(options),
        choose_(choose),
        mutant_(mutant),
        first_(groups_of(table.records)) {
    out_.records = table.records;
    k_ = options.k;
    if (mutant == FuseMutant::kOneMoreThanK) ++k_;
    if (mutant == FuseMutant::kOneLessThanK && k_ > 1) --k_;
    tie_ = mutant == FuseMutant::kTiesExact ? 0 : kTie;
  }

  SlowFuseOutcome run() {
    for (;;) {
      groups_ = groups_of(out_.records);
      Tuples lacking;
      for (const auto& [tuple, records] : groups_) {
        if (lacks(records)) lacking.push_back(tuple);
      }
      if (lacking.empty() || groups_.size() == 1) return out_;
      const Tuple from = pick(lacking);
      const Tuple to = partner_of(from);
      out_.steps.push_back({from, to, size(from), size(to), mean_similarity(table_, from, to)});
      const bool reversed = mutant_ == FuseMutant::kPartnerTakesTuple;
      for (const std::size_t i : groups_[reversed ? to : from]) {
        out_.records[i] = reversed ? from : to;
      }
    }
  }

 private:
  bool lacks(const std::vector<std::size_t>& records) const {
    if (records.size() < k_) return true;
    return table_.met && mutant_ != FuseMutant::kDemandsForgotten && !table_.met(records);
  }
  std::size_t size(const Tuple& tuple) const { return groups_.at(tuple).size(); }
  // As H3 and ties see it.
  double seen_size(const Tuple& tuple) const {
    const Groups& groups = mutant_ == FuseMutant::kStaleSizes ? first_ : groups_;
    return static_cast<double>(groups.at(tuple).size());
  }
  const Tuple& any(const Tuples& list) {
    return list[list.size() == 1 || mutant_ == FuseMutant::kFirstOfS3 ? 0 : choose_(list.size())];
  }
  Tuples others(const Tuple& tuple) const {
    Tuples out;
    for (const auto& [other, records] : groups_) {
      if (other != tuple) out.push_back(other);
    }
    return out;
  }
  // The partners that reach the best quality (eq 19).
  Tuples best_partners(const Tuple& tuple) const {
    Tuples all = others(tuple);
    if (mutant_ == FuseMutant::kOnlyAnonymous) {
      const auto is_small = [&](const Tuple& other) { return size(other) < k_; };
      if (!std::ranges::all_of(all, is_small)) std::erase_if(all, is_small);
    }
    return least(all, tie_,
                 [&](const Tuple& other) { return sum_of_distances(table_, tuple, other); });
  }
  double best_distance(const Tuple& tuple) const {
    double best = INFINITY;
    for (const auto& [other, records] : mutant_ == FuseMutant::kStaleQuality ? first_ : groups_) {
      if (other != tuple) best = std::min(best, sum_of_distances(table_, tuple, other));
    }
    return best;
  }
  double smallest_fusion(const Tuple& tuple) const {
    Tuples partners = best_partners(tuple);
    if (mutant_ == FuseMutant::kH3OfFirstPartner) partners.resize(1);
    double smallest = INFINITY;
    for (const Tuple& partner : partners) {
      smallest = std::min(smallest, static_cast<double>(size(tuple)) + seen_size(partner));
    }
    return smallest;
  }

  // Column by column as it is read; equal texts by the codes.
  Tuples in_alphabetical_order(Tuples list) const {
    const auto read = [&](const Tuple& tuple) {
      std::vector<std::string> texts;
      for (std::size_t j = 0; j < tuple.size(); ++j) texts.push_back(table_.texts[j][tuple[j]]);
      return std::pair(texts, tuple);
    };
    std::ranges::sort(list, [&](const Tuple& a, const Tuple& b) { return read(a) < read(b); });
    return list;
  }

  Tuple pick(const Tuples& lacking) {
    if (options_.guide == FuseGuide::kRandomRecord) return in_alphabetical_order(lacking).front();
    const bool random = options_.guide == FuseGuide::kRandom;
    const bool meaning = options_.guide == FuseGuide::kSemantic;
    if (random || (meaning && options_.heuristics == 0)) return any(lacking);
    Tuples s1 = lacking;
    if (mutant_ == FuseMutant::kH1OverAllClasses) s1 = others({});
    if (mutant_ == FuseMutant::kH3BeforeH2) {
      s1 = least(s1, 0, [&](const Tuple& t) { return static_cast<double>(size(t)); });
      s1 = least(s1, 0, [&](const Tuple& t) { return smallest_fusion(t); });
    } else if (mutant_ != FuseMutant::kNoH1) {
      const double sign = mutant_ == FuseMutant::kGreatestFirst ? -1 : 1;
      s1 = least(s1, 0, [&](const Tuple& t) { return sign * static_cast<double>(size(t)); });  // 4
    }
    if (!meaning || options_.heuristics == 1) return any(s1);
    Tuples s2 = s1;
    if (mutant_ != FuseMutant::kNoH2) {
      const double sign = mutant_ == FuseMutant::kH2LeastSimilar ? -1 : 1;
      s2 = least(s1, tie_, [&](const Tuple& t) { return sign * best_distance(t); });  // 5
    }
    if (options_.heuristics == 2 || mutant_ == FuseMutant::kNoH3) return any(s2);
    const double sign = mutant_ == FuseMutant::kH3Largest ? -1 : 1;
    return any(least(s2, 0, [&](const Tuple& t) { return sign * smallest_fusion(t); }));  // 6-7
  }

  Tuple partner_of(const Tuple& tuple) {
    const Tuples all = others(tuple);
    if (options_.guide == FuseGuide::kDiscernibility) {
      const double sign = mutant_ == FuseMutant::kPartnerLargest ? -1 : 1;
      // What Σ|g|² becomes.
      return any(least(all, 0, [&](const Tuple& other) {
        double sum = 0;
        for (const auto& [group, records] : groups_) {
          double records_then = static_cast<double>(records.size());
          if (group == tuple) records_then = 0;
          if (group == other) records_then += static_cast<double>(size(tuple));
          sum += records_then * records_then;
        }
        return sign * sum;
      }));
    }
    if (options_.guide == FuseGuide::kRandomRecord) {
      Tuples records;  // a tuple as often as it has records
      for (const Tuple& other : in_alphabetical_order(all)) {
        records.insert(records.end(), size(other), other);
      }
      return any(records);
    }
    if (options_.guide == FuseGuide::kRandom || options_.heuristics < 2) return any(all);
    Tuples best = best_partners(tuple);  // 8
    if (mutant_ != FuseMutant::kPartnerOfAnySize) {
      const double sign = mutant_ == FuseMutant::kPartnerLargest ? -1 : 1;
      best = least(best, 0, [&](const Tuple& other) { return sign * seen_size(other); });
    }
    return mutant_ == FuseMutant::kPartnerFirst ? best.front() : any(best);
  }

  const SlowFuseTable& table_;
  const FuseOptions& options_;
  const Choose& choose_;
  FuseMutant mutant_;
  Groups first_, groups_;
  std::size_t k_;
  double tie_;
  SlowFuseOutcome out_;
};

}  // namespace

SlowFuseOutcome slow_fuse(const SlowFuseTable& table, const FuseOptions& options,
                          const Choose& choose, FuseMutant mutant) {
  return SlowFusion(table, options, choose, mutant).run();
}

SlowFuseOutcome slow_recode(const SlowFuseTable& table, const RecodeOptions& options,
                            const Choose& choose, RecodeMutant mutant) {
  SlowFuseOutcome out;
  out.records = table.records;
  const std::size_t k = options.k + (mutant == RecodeMutant::kOneMoreThanK ? 1 : 0);
  const bool anonymous =
      (options.target == RecodeTarget::kAnonymous) != (mutant == RecodeMutant::kOtherTarget);
  for (bool changes = true; changes;) {
    changes = false;
    for (std::size_t turn = 0; turn < out.records.size(); ++turn) {
      const std::size_t i =
          mutant == RecodeMutant::kFromTheLast ? out.records.size() - 1 - turn : turn;
      if (mutant == RecodeMutant::kValuesOnce && out.records[i] != table.records[i]) continue;
      const Groups groups = groups_of(out.records);
      const Tuple from = out.records[i];
      if (groups.at(from).size() >= k || groups.size() == 1) continue;
      Tuples all;
      for (const auto& [other, records] : groups) {
        if (other != from) all.push_back(other);
      }
      const auto is_small = [&](const Tuple& other) { return groups.at(other).size() < k; };
      if (anonymous && !std::ranges::all_of(all, is_small)) std::erase_if(all, is_small);
      const double sign = mutant == RecodeMutant::kPartnerLargest ? -1 : 1;
      const Tuples best = least(
          least(all, kTie,
                [&](const Tuple& other) { return sum_of_distances(table, from, other); }),
          0,
          [&](const Tuple& other) { return sign * static_cast<double>(groups.at(other).size()); });
      const bool first = best.size() == 1 || mutant == RecodeMutant::kPartnerFirst;
      const Tuple to = best[first ? 0 : choose(best.size())];
      out.steps.push_back({from, to, groups.at(from).size(), groups.at(to).size(),
                           mean_similarity(table, from, to)});
      for (const std::size_t p : groups.at(from)) out.records[p] = to;
      changes = true;
    }
    if (mutant == RecodeMutant::kValuesOnce && changes) mutant = RecodeMutant::kNone;
  }
  return out;
}

}  // namespace semveil::test
