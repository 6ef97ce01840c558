// Swapping within a ranking that is made once, and swapping with anybody.
//
// Paper:   Algorithm 1. A record swaps with a random unswapped one of the k after it in the ranking
//          by distance from the column's most distant value (eq 4-5); the baselines rank by
//          frequency, or not at all.
// Choice:  tied records stand in random order, those of different values mixed. A record whose k
//          next are all swapped takes the first beyond them, if asked to: nobody was there before.
// Cost:    O(n). The unswapped ones among the k next are kept in a bag: who is passed or picked
//          leaves it, one enters at each step, and a random one is at a random place.
#include <algorithm>
#include <numeric>

#include "base/stop.h"
#include "mechanisms/swap/swap_parts.h"

namespace semveil {
namespace {

// Places in the ranking, none twice.
class Bag {
 public:
  explicit Bag(std::size_t places) : at_(places, 0) {}
  std::size_t size() const { return list_.size(); }
  std::uint32_t operator[](std::size_t i) const { return list_[i]; }
  void add(std::uint32_t place) {
    at_[place] = static_cast<std::uint32_t>(list_.size());
    list_.push_back(place);
  }
  void remove(std::uint32_t place) {
    const std::uint32_t last = list_.back();
    list_[at_[place]] = last;
    at_[last] = at_[place];
    list_.pop_back();
  }

 private:
  std::vector<std::uint32_t> list_;
  std::vector<std::uint32_t> at_;
};

std::uint32_t first_reference(const SwapItems& items, unsigned threads, RandomChoices& random) {
  const std::vector<std::uint32_t> tied = items.most_distant(threads);
  std::uint64_t records = 0;
  for (const std::uint32_t item : tied) records += items.count(item);
  std::uint64_t at = random.below(records);
  for (const std::uint32_t item : tied) {
    if (at < items.count(item)) return item;
    at -= items.count(item);
  }
  return tied.back();
}

// Records by ascending rank of their item.
std::vector<std::uint32_t> ranking(const SwapItems& items, std::span<const std::uint32_t> rank,
                                   RandomChoices& random) {
  std::vector<std::uint32_t> order(items.size());
  std::iota(order.begin(), order.end(), 0U);
  std::ranges::stable_sort(order, {}, [&](std::uint32_t item) { return rank[item]; });
  std::vector<std::uint32_t> ranked;
  ranked.reserve(items.records());
  std::size_t begin = 0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    for (std::uint32_t r = items.offsets[order[i]]; r < items.offsets[order[i] + 1]; ++r) {
      ranked.push_back(r);
    }
    if (i + 1 < order.size() && rank[order[i + 1]] == rank[order[i]]) continue;
    random.shuffle(std::span(ranked).subspan(begin));
    begin = ranked.size();
  }
  return ranked;
}

std::vector<std::uint32_t> ranks(const SwapItems& items, const SwapOptions& options,
                                 RandomChoices& random) {
  std::vector<std::uint32_t> rank(items.size());
  if (options.algorithm == SwapAlgorithm::kDistributional) {
    for (std::size_t i = 0; i < items.size(); ++i) rank[i] = items.count(i);
    return rank;
  }
  const std::uint32_t reference = first_reference(items, options.threads, random);
  SwapRows::Scratch scratch;
  const std::uint32_t* const row = items.rows[0]->row(items.codes[0][reference], scratch);
  for (std::size_t i = 0; i < items.size(); ++i) rank[i] = row[items.codes[0][i]];
  return rank;
}

}  // namespace

void swap_ranked(const SwapItems& items, const SwapOptions& options, RandomChoices& random,
                 SwapRecorder& recorder) {
  const std::uint32_t n = items.records();
  if (n == 0) return;
  const std::vector<std::uint32_t> ranked = ranking(items, ranks(items, options, random), random);
  const std::uint64_t k = std::min<std::uint64_t>(options.k, n);
  std::vector<bool> swapped(n, false);
  Bag bag(n);
  std::uint32_t entering = 1;
  std::uint64_t step = 0;
  StopCheck check;
  for (std::uint32_t i = 0; i < n; ++i) {
    check();
    for (; entering < n && entering <= i + k; ++entering) {
      if (!swapped[entering]) bag.add(entering);
    }
    if (swapped[i]) continue;
    if (i > 0) bag.remove(i);
    if (bag.size() > 0) {
      const std::uint64_t interval = bag.size();
      const std::uint32_t partner = bag[random.below(interval)];
      bag.remove(partner);
      swapped[partner] = true;
      recorder.exchange(step, 0, ranked[i], ranked[partner], interval);
    } else if (std::uint32_t beyond = entering; options.exhausted == Exhausted::kExtend) {
      while (beyond < n && swapped[beyond]) ++beyond;
      if (beyond < n) {
        swapped[beyond] = true;
        recorder.exchange(step, 0, ranked[i], ranked[beyond], 1);
      } else {
        recorder.keep(step, 0, ranked[i]);
      }
    } else {
      recorder.keep(step, 0, ranked[i]);
    }
    swapped[i] = true;
    ++step;
  }
}

void swap_random(const SwapItems& items, RandomChoices& random, SwapRecorder& recorder) {
  std::vector<std::uint32_t> order(items.records());
  std::iota(order.begin(), order.end(), 0U);
  random.shuffle(std::span(order));
  std::uint64_t step = 0;
  StopCheck check;
  for (std::size_t i = 0; i + 1 < order.size(); i += 2, ++step) {
    check();
    recorder.exchange(step, 0, order[i], order[i + 1], order.size() - i - 1);
  }
  if (order.size() % 2 == 1) recorder.keep(step, 0, order.back());
}

}  // namespace semveil
