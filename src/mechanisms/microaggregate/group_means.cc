#include "mechanisms/microaggregate/group_means.h"

#include <algorithm>
#include <limits>
#include <map>
#include <optional>

#include "base/parallel.h"
#include "statistics/mean_candidates.h"
#include "statistics/rows_in_blocks.h"

namespace semveil {
namespace {

constexpr std::size_t kDistinctGroupsOfAPiece = 256;

std::uint64_t count_of(const ValueCounts& group, ConceptId c) {
  const auto found = std::ranges::lower_bound(group.values, c);
  if (found == group.values.end() || *found != c) return 0;
  return group.counts[static_cast<std::size_t>(found - group.values.begin())];
}

// The concept with the least sum, ties as those of semantic_mean.
class Best {
 public:
  Best(const Taxonomy& taxonomy, const ValueCounts& group) : taxonomy_(taxonomy), group_(group) {}

  // What is given must live until the choice.
  void look_at(std::span<const ConceptId> candidates, std::span<const double> sums) {
    lists_.emplace_back(candidates, sums);
    for (const double sum : sums) least_ = std::min(least_, sum);
  }
  ConceptId choose() const {
    const double tied = least_ + kTiePerRecord * static_cast<double>(group_.total());
    std::optional<ConceptId> found;
    for (const auto& [candidates, sums] : lists_) {
      for (std::size_t j = 0; j < candidates.size(); ++j) {
        if (sums[j] <= tied && (!found || wins(candidates[j], *found))) found = candidates[j];
      }
    }
    return *found;
  }

 private:
  bool wins(ConceptId a, ConceptId b) const {
    const std::uint64_t count_a = count_of(group_, a);
    const std::uint64_t count_b = count_of(group_, b);
    if (count_a != count_b) return count_a > count_b;
    if (taxonomy_.depth(a) != taxonomy_.depth(b)) return taxonomy_.depth(a) < taxonomy_.depth(b);
    return taxonomy_.id_rank(a) < taxonomy_.id_rank(b);
  }

  const Taxonomy& taxonomy_;
  const ValueCounts& group_;
  double least_ = std::numeric_limits<double>::infinity();
  std::vector<std::pair<std::span<const ConceptId>, std::span<const double>>> lists_;
};

}  // namespace

GroupMeans::GroupMeans(std::shared_ptr<const Attribute> attribute)
    : attribute_(std::move(attribute)) {
  const Taxonomy& taxonomy = attribute_->taxonomy();
  for (ConceptId c = 0; c < taxonomy.size(); ++c) {
    if (taxonomy.is_virtual(c)) continue;
    const auto parents = taxonomy.parents(c);
    const bool beaten_by_parent = parents.size() == 1 && !taxonomy.is_virtual(parents[0]) &&
                                  attribute_->measure->step_down(c).least_loss >= 0;
    if (!beaten_by_parent) everywhere_.push_back(c);
  }
}

std::vector<ConceptId> GroupMeans::of(std::span<const ValueCounts> groups, unsigned threads) const {
  struct Order {
    bool operator()(const ValueCounts* a, const ValueCounts* b) const {
      return a->values != b->values ? a->values < b->values : a->counts < b->counts;
    }
  };
  std::map<const ValueCounts*, std::size_t, Order> place;
  std::vector<const ValueCounts*> distinct;
  std::vector<std::size_t> which;
  for (const ValueCounts& group : groups) {
    const auto [at, is_new] = place.try_emplace(&group, distinct.size());
    if (is_new) distinct.push_back(&group);
    which.push_back(at->second);
  }
  std::vector<ConceptId> means(distinct.size());
  const std::size_t pieces =
      (distinct.size() + kDistinctGroupsOfAPiece - 1) / kDistinctGroupsOfAPiece;
  in_parallel(threads, pieces, [&](std::size_t piece) {
    const std::size_t first = piece * kDistinctGroupsOfAPiece;
    const std::size_t some = std::min(kDistinctGroupsOfAPiece, distinct.size() - first);
    find(std::span(distinct).subspan(first, some), std::span(means).subspan(first, some));
  });
  std::vector<ConceptId> out;
  out.reserve(groups.size());
  for (const std::size_t i : which) out.push_back(means[i]);
  return out;
}

void GroupMeans::find(std::span<const ValueCounts* const> groups, std::span<ConceptId> out) const {
  // Missing ones are equally far from all concepts.
  std::vector<ValueCounts> several;  // groups of several values
  std::vector<std::size_t> places;   // of each in `out`
  for (std::size_t g = 0; g < groups.size(); ++g) {
    ValueCounts present = *groups[g];
    if (!present.values.empty() && present.values.back() == attribute_->missing_value()) {
      present.values.pop_back();
      present.counts.pop_back();
    }
    if (present.values.empty()) {
      out[g] = attribute_->missing_value();
    } else if (present.values.size() == 1) {  // the only value is its own mean
      out[g] = allowed(present.values.front(), present);
    } else {
      several.push_back(std::move(present));
      places.push_back(g);
    }
  }
  // All in one call: what lies above the targets is found once.
  std::vector<ConceptId> sources;
  for (const ValueCounts& group : several) {
    sources.insert(sources.end(), group.values.begin(), group.values.end());
  }
  std::size_t group = 0;
  std::size_t value = 0;
  std::vector<double> sums(everywhere_.size(), 0.0);
  attribute_->measure->rows(sources, everywhere_, [&](std::size_t, std::span<const double> row) {
    const auto weight = static_cast<double>(several[group].counts[value]);
    for (std::size_t j = 0; j < row.size(); ++j) sums[j] += weight * row[j];
    if (++value < several[group].values.size()) return;
    out[places[group]] = allowed(mean(several[group], sums), several[group]);
    std::ranges::fill(sums, 0.0);
    value = 0;
    ++group;
  });
}

ConceptId GroupMeans::mean(const ValueCounts& present, std::span<const double> sums) const {
  std::vector<ConceptId> above;
  for (const ConceptId value : present.values) {
    for (const Ancestor& ancestor : attribute_->taxonomy().ancestors(value)) {
      above.push_back(ancestor.concept_id);
    }
  }
  std::ranges::sort(above);
  above.erase(std::unique(above.begin(), above.end()), above.end());
  std::erase_if(above, [&](ConceptId c) {
    return attribute_->taxonomy().is_virtual(c) || std::ranges::binary_search(everywhere_, c);
  });
  std::vector<double> sums_above;
  for (const ConceptId c : above)
    sums_above.push_back(marginality(*attribute_->measure, c, present));
  Best best(attribute_->taxonomy(), present);
  best.look_at(everywhere_, sums);
  best.look_at(above, sums_above);
  return best.choose();
}

ConceptId GroupMeans::allowed(ConceptId mean, const ValueCounts& present) const {
  if (attribute_->candidates->contains(mean)) return mean;
  std::vector<ConceptId> list;
  list.reserve(attribute_->candidates->count());
  for (ConceptId c = 0; c < attribute_->taxonomy().size(); ++c) {
    if (attribute_->candidates->contains(c)) list.push_back(c);
  }
  const std::vector<double> sums =
      weighted_distances(*attribute_->measure, present.values, present.counts, list, 1);
  Best best(attribute_->taxonomy(), present);
  best.look_at(list, sums);
  return best.choose();
}

}  // namespace semveil
