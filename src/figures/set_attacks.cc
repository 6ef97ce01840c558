#include "figures/set_attacks.h"

#include <algorithm>

#include "base/share.h"
#include "mechanisms/sets/set_beliefs.h"

namespace semveil {
namespace {

__extension__ using Wide = unsigned __int128;

// Of who knows the weights and nothing else: no value is certain to be the true one.
auto beliefs_by(SetWeights weights) {
  return SetBeliefs(
      [weights](ConceptId v) { return v < weights.size() ? weights[v] : std::uint64_t{0}; },
      [](ConceptId) { return false; });
}

// One record's guess, and all of them.
class Guesses {
 public:
  // A thing that can be guessed, and whether it is the true one.
  void option(std::uint64_t weight, bool is_true) {
    if (weight > most_) {
      most_ = weight;
      equals_ = 0;
      true_is_one_ = false;
    }
    if (weight < most_) return;
    ++equals_;
    true_is_one_ = true_is_one_ || is_true;
  }
  void settle(std::uint64_t sum) {
    const double belief = share_of(most_, sum);
    beliefs_.add(belief);
    greatest_ = std::max(greatest_, belief);
    if (true_is_one_) right_.add(share_of(std::uint64_t{1}, equals_));
    ++records_;
    most_ = equals_ = 0;
    true_is_one_ = false;
  }
  SetGuess all() const {
    return {share_of(beliefs_.value(), records_), greatest_, share_of(right_.value(), records_)};
  }

 private:
  std::uint64_t most_ = 0, equals_ = 0;
  bool true_is_one_ = false;
  std::uint64_t records_ = 0;
  ExactSum beliefs_, right_;
  double greatest_ = 0;
};

// A value of no category has one of its own.
std::uint64_t category_of(std::span<const std::uint32_t> category, ConceptId v) {
  if (v < category.size() && category[v] != SetColumn::kNoCategory) return category[v];
  return (std::uint64_t{1} << 32U) + v;
}

}  // namespace

bool ReleasedSets::takes_part(std::size_t i) const {
  return l > 0 && truth[i] != kMissing && released[i * l] != kMissing;
}

AttributeDisclosure attribute_disclosure(const ReleasedSets& sets, SetWeights weights) {
  AttributeDisclosure out;
  auto beliefs = beliefs_by(weights);
  ExactSum posteriors;
  std::uint64_t above = 0;
  for (std::size_t i = 0; i < sets.size(); ++i) {
    if (!sets.takes_part(i)) continue;
    ++out.records;
    const auto set = sets.set(i);
    beliefs.look_at(set);
    // Whoever is misled by a set without the true value believes nothing of it.
    const bool is_there = std::ranges::find(set, sets.truth[i]) != set.end();
    const std::uint64_t weight = is_there ? beliefs.weight(sets.truth[i]) : 0;
    const double posterior = share_of(weight, beliefs.sum());
    posteriors.add(posterior);
    out.worst = std::max(out.worst, posterior);
    above += Wide{weight} * sets.l > beliefs.sum() ? 1 : 0;
  }
  out.mean = share_of(posteriors.value(), out.records);
  out.above = share_of(above, out.records);
  return out;
}

SetGuess skewness_attack(const ReleasedSets& sets, SetWeights weights) {
  auto beliefs = beliefs_by(weights);
  Guesses guesses;
  for (std::size_t i = 0; i < sets.size(); ++i) {
    if (!sets.takes_part(i)) continue;
    beliefs.look_at(sets.set(i));
    for (const ConceptId v : sets.set(i)) guesses.option(beliefs.weight(v), v == sets.truth[i]);
    guesses.settle(beliefs.sum());
  }
  return guesses.all();
}

SimilarityAttack similarity_attack(const ReleasedSets& sets,
                                   std::span<const std::uint32_t> category, SetWeights weights) {
  struct Member {
    std::uint64_t category, weight;
  };
  auto beliefs = beliefs_by(weights);
  Guesses counted;
  Guesses weighted;
  std::vector<Member> members(sets.l);
  for (std::size_t i = 0; i < sets.size(); ++i) {
    if (!sets.takes_part(i)) continue;
    const auto set = sets.set(i);
    beliefs.look_at(set);
    std::ranges::transform(set, members.begin(), [&](ConceptId v) {
      return Member{category_of(category, v), beliefs.weight(v)};
    });
    std::ranges::sort(members, {}, &Member::category);
    const std::uint64_t truth = category_of(category, sets.truth[i]);
    for (auto first = members.begin(); first != members.end();) {
      Member all{first->category, 0};
      std::uint64_t count = 0;
      for (; first != members.end() && first->category == all.category; ++first, ++count) {
        all.weight += first->weight;
      }
      counted.option(count, all.category == truth);
      weighted.option(all.weight, all.category == truth);
    }
    counted.settle(sets.l);
    weighted.settle(beliefs.sum());
  }
  return {counted.all(), weighted.all()};
}

RepeatedRelease repeated_release(const ReleasedSets& first, const ReleasedSets& second) {
  RepeatedRelease out;
  std::vector<ConceptId> sorted(first.l);
  std::uint64_t left = 0;
  std::uint64_t single = 0;
  std::uint64_t found = 0;
  for (std::size_t i = 0; i < std::min(first.size(), second.size()); ++i) {
    if (!first.takes_part(i) || !second.takes_part(i)) continue;
    ++out.records;
    std::ranges::copy(first.set(i), sorted.begin());
    std::ranges::sort(sorted);
    std::uint64_t both = 0;
    bool has_truth = false;
    for (const ConceptId v : second.set(i)) {
      if (!std::ranges::binary_search(sorted, v)) continue;
      ++both;
      has_truth = has_truth || v == first.truth[i];
    }
    left += both;
    single += both == 1 ? 1 : 0;
    found += both == 1 && has_truth ? 1 : 0;
  }
  out.mean_size = share_of(left, out.records);
  out.single = share_of(single, out.records);
  out.found = share_of(found, out.records);
  return out;
}

}  // namespace semveil
