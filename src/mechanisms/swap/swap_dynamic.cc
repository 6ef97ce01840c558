// Swapping within intervals made anew around every reference, at opposite ends of the data.
//
//   reference := a record of the item most distant from all
//   until every record is done:
//     each attribute of the reference that is unswapped changes places with a random record of the
//       reference's interval whose attribute is unswapped, or stays if there is none
//     reference := a record not yet done, farthest from the reference
//
// Paper:   Algorithms 2 (one attribute) and 3; eq 5-7 and 9-12.
// Random:  the interval is never laid out. With u unswapped records inside and e at its edge, of
//          which it has room for r, the partner is one of the u + min(r, e): if one of the edge,
//          any of the e is as likely. With several attributes all pick from the same records of
//          the edge, so those are drawn, once a reference and only if there is no room for all.
// Cost:    a reference: the items of its interval, and its farthest items. Both are kept for items
//          that will be reference again. Kept farthest items go stale as records are done: one is
//          drawn by its old count and drawn again if that record is gone; after some misses the
//          counts are renewed.
#include <algorithm>
#include <memory>
#include <numeric>

#include "base/stop.h"
#include "mechanisms/swap/swap_pool.h"
#include "mechanisms/swap/swap_surroundings.h"

namespace semveil {
namespace {

constexpr std::size_t kKeptBudget = std::size_t{128} << 20U;
constexpr int kMostMisses = 8;

// Items with their records not yet done, as they were when it was made.
struct FarGroup {
  std::vector<std::uint32_t> items;
  std::vector<std::uint64_t> upto;  // running sums
};

struct Surroundings {
  SwapInterval interval;
  FarGroup far;
  std::size_t counted = 0;  // bytes, when last looked at
  // By sizes: how much more a vector takes differs between libraries, and what is kept has a say in
  // how many random words are read.
  std::size_t bytes() const {
    return sizeof(*this) +
           2 * (4 * (interval.inside.size() + interval.edge.size()) + 12 * far.items.size());
  }
};

class DynamicRun {
 public:
  DynamicRun(const SwapItems& items, const SwapOptions& options, RandomChoices& random,
             SwapRecorder& recorder)
      : items_(items),
        options_(options),
        random_(random),
        recorder_(recorder),
        distances_(items),
        item_of_(items.records()),
        kept_(items.size()),
        unfinished_(items.records()) {
    std::vector<std::uint32_t> counts(items.size());
    for (std::uint32_t i = 0; i < items.size(); ++i) {
      counts[i] = items.count(i);
      std::fill_n(item_of_.begin() + items.offsets[i], counts[i], i);
    }
    for (std::size_t a = 0; a < items.attributes(); ++a) {
      std::vector<std::uint32_t> with(counts);
      for (std::uint32_t i = 0; i < items.size(); ++i) {
        if (!items.has(a, i)) with[i] = 0;
      }
      unswapped_.emplace_back(items, with);
    }
    if (items.attributes() > 1) {
      several_.emplace_back(items, counts);
      missing_or_swapped_.assign(items.records(), 0);
      for (std::size_t a = 0; a < items.attributes(); ++a) {
        for (std::uint32_t i = 0; i < items.size(); ++i) {
          if (items.has(a, i)) continue;
          for (std::uint32_t r = items.offsets[i]; r < items.offsets[i + 1]; ++r) {
            ++missing_or_swapped_[r];
          }
        }
      }
      drawn_.assign(items.records(), 0);
    }
    if (options.k >= items.records() - 1) {
      // One interval for all: everybody.
      everybody_ = std::make_unique<SwapInterval>();
      everybody_->inside.resize(items.size());
      std::iota(everybody_->inside.begin(), everybody_->inside.end(), 0U);
    }
  }

  void run() {
    const std::vector<std::uint32_t> first = items_.most_distant(options_.threads);
    const RecordPool& open = unfinished();
    std::uint32_t reference = open.record_in(first, random_.below(open.left_in(first)));
    for (step_ = 0;; ++step_) {
      check_stop();
      const std::uint32_t item = item_of_[reference];
      Surroundings passing;
      Surroundings& around = surroundings(item, passing);
      swap(reference, item, everybody_ ? *everybody_ : around.interval);
      if (unfinished_ == 0) return;
      reference = next(item, around.far);
      keep(item, std::move(passing));
    }
  }

 private:
  RecordPool& unfinished() { return several_.empty() ? unswapped_[0] : several_[0]; }

  Surroundings& surroundings(std::uint32_t item, Surroundings& passing) {
    if (kept_[item]) return *kept_[item];
    if (!everybody_) passing.interval = distances_.interval(item, options_.k);
    return passing;
  }

  // What lies around an item that will be reference again stays, while there is room.
  void keep(std::uint32_t item, Surroundings&& passing) {
    if (!kept_[item]) kept_[item] = std::make_unique<Surroundings>(std::move(passing));
    Surroundings& around = *kept_[item];
    kept_bytes_ -= around.counted;
    around.counted = std::max(around.counted, around.bytes());
    kept_bytes_ += around.counted;
    if (unfinished().left(item) > 0 && kept_bytes_ <= kKeptBudget) return;
    kept_bytes_ -= around.counted;
    kept_[item].reset();
  }

  void mark(std::size_t a, std::uint32_t item, std::uint32_t record) {
    unswapped_[a].remove(item, record);
    if (several_.empty()) {
      --unfinished_;
    } else if (++missing_or_swapped_[record] == items_.attributes()) {
      several_[0].remove(item, record);
      --unfinished_;
    }
  }

  void swap(std::uint32_t reference, std::uint32_t item, SwapInterval& interval) {
    // The reference leaves first: it is no member of its interval, and done after this.
    open_.clear();
    for (std::size_t a = 0; a < items_.attributes(); ++a) {
      if (!items_.has(a, item) || !unswapped_[a].has(item, reference)) continue;
      open_.push_back(a);
      mark(a, item, reference);
    }
    const auto finished = [&](std::uint32_t i) { return unfinished().left(i) == 0; };
    std::erase_if(interval.inside, finished);
    std::erase_if(interval.edge, finished);
    const bool drawn = !several_.empty() && draw_edge(interval);
    for (const std::size_t a : open_) {
      const RecordPool& pool = unswapped_[a];
      const std::uint64_t inside = pool.left_in(interval.inside);
      std::uint64_t edge = 0;
      if (drawn) {
        at_edge_.clear();
        for (const std::uint32_t record : edge_) {
          if (pool.has(item_of_[record], record)) at_edge_.push_back(record);
        }
        edge = at_edge_.size();
      } else {
        edge = pool.left_in(interval.edge);
      }
      const std::uint64_t choices = inside + std::min(edge, interval.places);
      if (choices == 0) {
        swap_beyond(a, reference, item);
        continue;
      }
      const std::uint64_t at = random_.below(choices);
      const std::uint32_t partner = at < inside ? pool.record_in(interval.inside, at)
                                    : drawn     ? at_edge_[at - inside]
                                            : pool.record_in(interval.edge, random_.below(edge));
      exchange(a, reference, partner, choices);
    }
  }

  void exchange(std::size_t a, std::uint32_t reference, std::uint32_t partner,
                std::uint64_t choices) {
    recorder_.exchange(step_, a, reference, partner, choices);
    mark(a, item_of_[partner], partner);
  }

  void swap_beyond(std::size_t a, std::uint32_t reference, std::uint32_t item) {
    if (options_.exhausted == Exhausted::kKeep) return recorder_.keep(step_, a, reference);
    const RecordPool& pool = unswapped_[a];
    const std::vector<std::uint32_t> closest = distances_.closest(item, pool.left());
    if (closest.empty()) return recorder_.keep(step_, a, reference);
    const std::uint64_t choices = pool.left_in(closest);
    exchange(a, reference, pool.record_in(closest, random_.below(choices)), choices);
  }

  // Draws the records of the edge that belong to the interval, if there is no room for all.
  bool draw_edge(const SwapInterval& interval) {
    const RecordPool& pool = several_[0];
    upto_.clear();
    std::uint64_t all = 0;
    for (const std::uint32_t item : interval.edge) upto_.push_back(all += pool.left(item));
    if (all <= interval.places) return false;
    edge_.clear();
    // Marks the fewer of the two: those in it or those left out. drawn_ holds the step after this
    // one, so that nothing has to be wiped.
    const bool mark_out = interval.places > all / 2;
    const auto marked = static_cast<std::uint32_t>(step_ + 1);
    for (std::uint64_t left = mark_out ? all - interval.places : interval.places; left > 0;) {
      const std::uint64_t at = random_.below(all);
      const auto i = static_cast<std::size_t>(std::ranges::upper_bound(upto_, at) - upto_.begin());
      const std::uint32_t record = pool.record(interval.edge[i], at - (i > 0 ? upto_[i - 1] : 0));
      if (drawn_[record] == marked) continue;
      drawn_[record] = marked;
      --left;
      if (!mark_out) edge_.push_back(record);
    }
    if (!mark_out) return true;
    for (const std::uint32_t item : interval.edge) {
      for (std::uint32_t i = 0; i < pool.left(item); ++i) {
        const std::uint32_t record = pool.record(item, i);
        if (drawn_[record] != marked) edge_.push_back(record);
      }
    }
    return true;
  }

  // A random record not yet done of those farthest from the item.
  std::uint32_t next(std::uint32_t item, FarGroup& far) {
    const RecordPool& pool = unfinished();
    for (int misses = 0;; ++misses) {
      if (misses == kMostMisses || far.upto.empty()) renew(item, far);
      const std::uint64_t at = random_.below(far.upto.back());
      const auto i =
          static_cast<std::size_t>(std::ranges::upper_bound(far.upto, at) - far.upto.begin());
      const std::uint64_t in_item = at - (i > 0 ? far.upto[i - 1] : 0);
      if (in_item < pool.left(far.items[i])) return pool.record(far.items[i], in_item);
    }
  }

  void renew(std::uint32_t item, FarGroup& far) {
    const RecordPool& pool = unfinished();
    std::erase_if(far.items, [&](std::uint32_t i) { return pool.left(i) == 0; });
    if (far.items.empty()) far.items = distances_.farthest(item, pool.left());
    far.upto.clear();
    std::uint64_t sum = 0;
    for (const std::uint32_t i : far.items) far.upto.push_back(sum += pool.left(i));
  }

  const SwapItems& items_;
  const SwapOptions& options_;
  RandomChoices& random_;
  SwapRecorder& recorder_;
  SwapDistances distances_;
  std::vector<std::uint32_t> item_of_;               // by record
  std::vector<std::unique_ptr<Surroundings>> kept_;  // by item
  std::size_t kept_bytes_ = 0;
  std::unique_ptr<SwapInterval> everybody_;
  std::vector<RecordPool> unswapped_;             // by attribute
  std::vector<RecordPool> several_;               // not done; with one attribute the same
  std::vector<std::uint8_t> missing_or_swapped_;  // attributes of each record
  std::uint64_t unfinished_;
  std::uint64_t step_ = 0;
  std::vector<std::size_t> open_;
  std::vector<std::uint64_t> upto_;
  std::vector<std::uint32_t> drawn_, edge_, at_edge_;
};

}  // namespace

void swap_dynamic(const SwapItems& items, const SwapOptions& options, RandomChoices& random,
                  SwapRecorder& recorder) {
  if (items.records() == 0) return;
  DynamicRun(items, options, random, recorder).run();
}

}  // namespace semveil
