#include "support/slow_swap.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <set>

#include "semveil/ontology.h"

namespace semveil::test {
namespace {

using Records = std::vector<std::size_t>;

class SlowRun {
 public:
  SlowRun(const SlowSwapTable& table, const SwapOptions& options, Random& random, SwapMutant mutant)
      : table_(table), options_(options), random_(random), mutant_(mutant) {
    out_.records = table.records;
    out_.kept.assign(table.distances.size(), 0);
    for (const std::vector<Code>& record : table.records) {
      std::vector<bool> open;
      for (const Code cell : record) open.push_back(cell != kMissing);
      unswapped_.push_back(std::move(open));
    }
  }

  SlowSwapOutcome run() {
    std::vector<std::size_t> all(table_.distances.size());
    std::iota(all.begin(), all.end(), 0);
    if (options_.algorithm == SwapAlgorithm::kMultivariate) {
      dynamic(all);
      return out_;
    }
    for (const std::size_t j : all) {
      switch (options_.algorithm) {
        case SwapAlgorithm::kDynamic:
          dynamic({j});
          break;
        case SwapAlgorithm::kRandom:
          anybody(j);
          break;
        default:
          ranked(j);
      }
    }
    return out_;
  }

 private:
  Code cell(std::size_t i, std::size_t j) const { return table_.records[i][j]; }
  std::uint64_t sd(std::size_t i, std::size_t l, const std::vector<std::size_t>& attributes) const {
    std::uint64_t sum = 0;
    for (const std::size_t j : attributes) {
      const bool missing_i = cell(i, j) == kMissing;
      const bool missing_l = cell(l, j) == kMissing;
      if (missing_i || missing_l) {
        sum += missing_i != missing_l && mutant_ != SwapMutant::kMissingIsNear ? 1U << 24U : 0;
      } else {
        sum += table_.distances[j][cell(i, j)][cell(l, j)];
      }
    }
    return sum;
  }
  Records taking_part(const std::vector<std::size_t>& attributes) const {
    Records out;
    for (std::size_t i = 0; i < table_.records.size(); ++i) {
      if (std::ranges::any_of(attributes, [&](auto j) { return cell(i, j) != kMissing; })) {
        out.push_back(i);
      }
    }
    return out;
  }
  bool done(std::size_t i, const std::vector<std::size_t>& attributes) const {
    return std::ranges::none_of(attributes, [&](auto j) { return unswapped_[i][j]; });
  }
  std::size_t any_of(const Records& list) { return list[random_.below(list.size())]; }
  std::size_t any_value_of(const Records& list) {
    std::map<std::vector<Code>, Records> by_value;
    for (const std::size_t i : list) by_value[table_.records[i]].push_back(i);
    auto at = by_value.begin();
    std::advance(at, random_.below(by_value.size()));
    return any_of(at->second);
  }
  // Those of the list with the greatest figure.
  template <class Figure>
  static Records greatest(const Records& list, const Figure& figure) {
    Records out;
    for (const std::size_t i : list) {
      if (!out.empty() && figure(i) < figure(out[0])) continue;
      if (!out.empty() && figure(i) > figure(out[0])) out.clear();
      out.push_back(i);
    }
    return out;
  }

  void exchange(std::uint64_t step, std::size_t j, std::size_t i, std::size_t partner,
                std::size_t interval) {
    std::swap(out_.records[i][j], out_.records[partner][j]);
    unswapped_[i][j] = unswapped_[partner][j] = false;
    out_.trace.push_back({step, static_cast<std::uint32_t>(j), i, partner, interval, 0});
  }
  void keep(std::uint64_t step, std::size_t j, std::size_t i) {
    unswapped_[i][j] = false;
    ++out_.kept[j];
    out_.trace.push_back({step, static_cast<std::uint32_t>(j), i, std::nullopt, 0, 0});
  }

  // Eq 5, 10.
  std::size_t most_distant(const Records& all, const std::vector<std::size_t>& attributes) {
    if (mutant_ == SwapMutant::kFirstIsAny) return any_of(all);
    const bool nearest = mutant_ == SwapMutant::kRanksFromTheNearest;
    return any_of(greatest(all, [&](std::size_t i) {
      std::int64_t sum = 0;
      for (const std::size_t l : all) sum += static_cast<std::int64_t>(sd(i, l, attributes));
      return nearest ? -sum : sum;
    }));
  }

  // Eq 6, 11.
  Records interval(const Records& all, std::size_t ref,
                   const std::vector<std::size_t>& attributes) {
    Records ranked = all;
    random_.shuffle(ranked);
    std::erase(ranked, ref);
    if (mutant_ == SwapMutant::kIntervalOfUnswapped) {
      std::erase_if(ranked, [&](std::size_t i) { return done(i, attributes); });
    }
    std::ranges::stable_sort(ranked, {}, [&](std::size_t i) {
      const bool late = mutant_ != SwapMutant::kEdgeInAnyOrder && done(i, attributes);
      return std::pair(sd(i, ref, attributes), late);
    });
    const std::size_t k = options_.k - (mutant_ == SwapMutant::kIntervalWithReference ? 1 : 0);
    ranked.resize(std::min<std::size_t>(ranked.size(), k));
    return ranked;
  }

  void dynamic(const std::vector<std::size_t>& attributes) {
    const Records all = taking_part(attributes);
    if (all.empty()) return;
    std::size_t ref = most_distant(all, attributes);
    for (std::uint64_t step = 0;; ++step) {
      Records members = interval(all, ref, attributes);
      for (const std::size_t j : attributes) {
        if (!unswapped_[ref][j]) continue;
        if (mutant_ == SwapMutant::kEdgeByAttribute) members = interval(all, ref, attributes);
        swap_value(step, ref, j, members, all, attributes);
      }
      Records left = all;
      std::erase_if(left, [&](std::size_t i) { return done(i, attributes); });
      if (left.empty()) return;
      // Eq 7, 12.
      const Records farthest = greatest(left, [&](std::size_t i) {
        const auto distance = static_cast<std::int64_t>(sd(i, ref, attributes));
        return mutant_ == SwapMutant::kNextIsNearest ? -distance : distance;
      });
      ref = mutant_ == SwapMutant::kTiesByValue ? any_value_of(farthest) : any_of(farthest);
    }
  }

  void swap_value(std::uint64_t step, std::size_t ref, std::size_t j, Records members,
                  const Records& all, const std::vector<std::size_t>& attributes) {
    std::erase_if(members, [&](std::size_t i) { return !unswapped_[i][j]; });
    if (members.empty() && options_.exhausted == Exhausted::kExtend) {
      members = all;
      std::erase_if(members, [&](std::size_t i) { return i == ref || !unswapped_[i][j]; });
      if (mutant_ != SwapMutant::kExtendsToAny) {
        members = greatest(members, [&](std::size_t i) {
          return -static_cast<std::int64_t>(sd(i, ref, attributes));
        });
      }
    }
    if (members.empty()) return keep(step, j, ref);
    exchange(step, j, ref,
             mutant_ == SwapMutant::kPartnerByValue ? any_value_of(members) : any_of(members),
             members.size());
  }

  void ranked(std::size_t j) {
    Records list = taking_part({j});
    if (list.empty()) return;
    const std::size_t ref =
        options_.algorithm == SwapAlgorithm::kFixed ? most_distant(list, {j}) : list[0];
    if (mutant_ != SwapMutant::kTiesInOrder) random_.shuffle(list);
    const Records all = list;
    std::ranges::stable_sort(list, {}, [&](std::size_t i) -> std::uint64_t {
      if (options_.algorithm == SwapAlgorithm::kFixed) return sd(i, ref, {j});
      return static_cast<std::uint64_t>(
          std::ranges::count_if(all, [&](std::size_t l) { return cell(l, j) == cell(i, j); }));
    });
    const std::size_t k = options_.k - (mutant_ == SwapMutant::kIntervalWithReference ? 1 : 0);
    std::uint64_t step = 0;
    for (std::size_t i = 0; i < list.size(); ++i) {
      if (!unswapped_[list[i]][j]) continue;
      const std::size_t end = std::min(list.size(), i + k + 1);
      Records members;
      for (std::size_t l = i + 1; l < end; ++l) {
        if (unswapped_[list[l]][j]) members.push_back(list[l]);
      }
      if (members.empty() && options_.exhausted == Exhausted::kExtend) {
        for (std::size_t l = end; l < list.size() && members.empty(); ++l) {
          if (unswapped_[list[l]][j]) members.push_back(list[l]);
        }
      }
      if (members.empty()) {
        keep(step++, j, list[i]);
      } else {
        exchange(step++, j, list[i], any_of(members), members.size());
      }
    }
  }

  void anybody(std::size_t j) {
    Records left = taking_part({j});
    for (std::uint64_t step = 0; !left.empty(); ++step) {
      const std::size_t i = any_of(left);
      std::erase(left, i);
      if (left.empty()) return keep(step, j, i);
      const std::size_t partner = any_of(left);
      exchange(step, j, i, partner, left.size());
      std::erase(left, partner);
    }
  }

  const SlowSwapTable& table_;
  const SwapOptions& options_;
  Random& random_;
  SwapMutant mutant_;
  SlowSwapOutcome out_;
  std::vector<std::vector<bool>> unswapped_;  // by record, then column
};

}  // namespace

SlowSwapOutcome slow_swap(const SlowSwapTable& table, const SwapOptions& options, Random& random,
                          SwapMutant mutant) {
  return SlowRun(table, options, random, mutant).run();
}

SwapCase with_records(SwapCase from, std::vector<std::vector<Code>> records) {
  SwapCase out = std::move(from);
  std::ranges::sort(records);
  out.input.tuples.clear();
  out.input.counts.clear();
  out.tuple.clear();
  for (std::size_t i = 0; i < records.size(); ++i) {
    if (i == 0 || records[i] != records[i - 1]) {
      out.input.tuples.insert(out.input.tuples.end(), records[i].begin(), records[i].end());
      out.input.counts.push_back(0);
    }
    ++out.input.counts.back();
    out.tuple.push_back(out.input.counts.size() - 1);
  }
  out.slow.records = std::move(records);
  return out;
}

SwapCase make_swap_case(const SwapCaseShape& shape, std::uint64_t seed) {
  Random random(seed);
  SwapCase out;
  for (std::size_t j = 0; j < shape.columns; ++j) {
    if (j + shape.numeric >= shape.columns) {
      std::set<double> numbers;
      for (std::size_t v = 0; v < shape.distinct; ++v) {
        numbers.insert(static_cast<double>(random.below(3 * shape.distinct)));
      }
      const double range = *numbers.rbegin() - *numbers.begin();
      out.spaces.push_back(std::make_unique<const SwapSpace>(
          SwapSpace::numeric({numbers.begin(), numbers.end()}, range)));
    } else {
      const Ontology ontology =
          to_ontology(generate(shape.shape, 3 * shape.distinct + 4, random.next()));
      const std::shared_ptr<const Taxonomy> taxonomy = *ontology.taxonomy();
      std::set<ConceptId> values;
      for (std::size_t v = 0; v < 4 * shape.distinct && values.size() < shape.distinct; ++v) {
        values.insert(static_cast<ConceptId>(random.below(taxonomy->size())));
      }
      out.spaces.push_back(std::make_unique<const SwapSpace>(
          SwapSpace::nominal(*make_measure(taxonomy), {values.begin(), values.end()})));
    }
    const SwapSpace& space = *out.spaces.back();
    out.input.columns.push_back({"column " + std::to_string(j), &space});
    auto& distances = out.slow.distances.emplace_back();
    for (Code v = 0; v < space.size(); ++v) {
      auto& row = distances.emplace_back();
      for (Code w = 0; w < space.size(); ++w) {
        row.push_back(static_cast<std::uint64_t>(std::llround(space.distance(v, w) * (1 << 24))));
      }
    }
  }
  std::vector<std::vector<Code>> records;
  for (std::size_t i = 0; i < shape.records; ++i) {
    std::vector<Code>& record = records.emplace_back();
    for (const auto& space : out.spaces) {
      const std::size_t value = std::min(random.below(space->size()), random.below(space->size()));
      const bool missing = shape.missing_one_in > 0 && random.one_in(shape.missing_one_in);
      record.push_back(missing ? kMissing : static_cast<Code>(value));
    }
  }
  return with_records(std::move(out), std::move(records));
}

}  // namespace semveil::test
