#include "figures/swap_windows.h"

#include <algorithm>
#include <atomic>
#include <limits>
#include <map>
#include <numeric>

#include "base/parallel.h"
#include "figures/tuple_distances.h"
#include "mechanisms/swap/swap_space.h"

namespace semveil {
namespace {

constexpr unsigned kSwapBits = 24;
constexpr std::size_t kRowsAtOnce = 64;
static_assert(kSwapUnit == 1U << kSwapBits);

bool takes_part(const Attribute& attribute, ConceptId value) {
  return value < attribute.size() ||
         (attribute.missing_is_value && value == attribute.missing_value());
}

// A column alone: the values that take part, ascending, and which of them reach each other.
class Windows {
 public:
  Windows(const Paired& pairs, std::size_t column, const WindowOptions& options)
      : attribute_(pairs.attributes[column]), options_(options) {
    std::map<ConceptId, std::uint64_t> counts;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      const ConceptId x = pairs.tuple(i, Side::kBefore)[column];
      const ConceptId z = pairs.tuple(i, Side::kAfter)[column];
      if (takes_part(*attribute_, x)) counts[x] += pairs.counts[i];
      if (takes_part(*attribute_, z)) counts[z] += 0;  // no value of the original: of no record
    }
    for (const auto& [value, count] : counts) {
      values_.push_back(value);
      counts_.push_back(count);
    }
    reach_.assign(size() * size(), false);
    switch (options.algorithm) {
      case SwapAlgorithm::kFixed:
        rank_by_distance();
        break;
      case SwapAlgorithm::kDistributional:
        rank(counts_);
        break;
      case SwapAlgorithm::kDynamic:
        draw_intervals();
        break;
      case SwapAlgorithm::kMultivariate:  // not a column alone
      case SwapAlgorithm::kRandom:
        reach_.assign(size() * size(), true);
    }
  }

  static constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();
  // Where a value stands among those that take part.
  std::size_t place(ConceptId value) const {
    if (!takes_part(*attribute_, value)) return kNone;
    return static_cast<std::size_t>(std::ranges::lower_bound(values_, value) - values_.begin());
  }
  bool reaches(std::size_t z, std::size_t x) const { return reach_[z * size() + x]; }

 private:
  std::size_t size() const { return values_.size(); }
  void link(std::size_t x, std::size_t z) {
    reach_[x * size() + z] = reach_[z * size() + x] = true;
  }

  // visit(x, row) with the distances of value x to all, in order.
  template <class Visit>
  void for_rows(const Visit& visit) const {
    const ValueDistances distances(attribute_, values_, values_, kSwapBits, options_.threads);
    ValueDistances::Rows rows;
    std::vector<std::uint32_t> some;
    for (std::uint32_t begin = 0; begin < size();
         begin += static_cast<std::uint32_t>(some.size())) {
      some.resize(std::min<std::size_t>(kRowsAtOnce, size() - begin));
      std::iota(some.begin(), some.end(), begin);
      distances.rows(some, rows);
      for (const std::uint32_t x : some) {
        check_stop();
        visit(x, std::span(rows.of[x], size()));
      }
    }
  }

  void draw_intervals() {
    std::vector<std::size_t> order(size());
    for_rows([&](std::size_t x, std::span<const std::uint64_t> row) {
      for (std::size_t i = 0; i < size(); ++i) order[i] = i;
      std::ranges::sort(order, {}, [&](std::size_t z) { return std::pair(row[z], z); });
      // The reference itself is no member.
      std::uint64_t records = 0, edge = 0;
      for (const std::size_t z : order) {
        if (records >= options_.k && row[z] > edge) break;
        edge = row[z];
        records += counts_[z] - (z == x && counts_[z] > 0 ? 1 : 0);
        link(x, z);
      }
    });
  }

  void rank_by_distance() {
    std::vector<std::uint64_t> sums(size(), 0);  // 2^40 records fit
    for_rows([&](std::size_t x, std::span<const std::uint64_t> row) {
      for (std::size_t z = 0; z < size(); ++z) {
        sums[x] += row[z] * counts_[z];
      }
    });
    std::uint64_t greatest = 0;
    for (std::size_t x = 0; x < size(); ++x) {
      if (counts_[x] > 0) greatest = std::max(greatest, sums[x]);
    }
    for_rows([&](std::size_t x, std::span<const std::uint64_t> row) {
      if (counts_[x] > 0 && sums[x] == greatest) rank({row.begin(), row.end()});
    });
  }

  // Records stand by ascending rank, tied ones in any order.
  void rank(const std::vector<std::uint64_t>& by) {
    struct Group {
      std::uint64_t begin, end;  // places of its records
      std::vector<std::size_t> values;
    };
    std::map<std::uint64_t, Group> groups;
    for (std::size_t x = 0; x < size(); ++x) {
      if (counts_[x] > 0) groups[by[x]].values.push_back(x);
    }
    std::uint64_t at = 0;
    for (auto& [rank, group] : groups) {
      group.begin = at;
      for (const std::size_t x : group.values) at += counts_[x];
      group.end = at;
    }
    for (auto g = groups.begin(); g != groups.end(); ++g) {
      check_stop();
      for (auto h = g; h != groups.end(); ++h) {
        if (h != g && h->second.begin - (g->second.end - 1) > options_.k) break;
        for (const std::size_t x : g->second.values) {
          for (const std::size_t z : h->second.values) link(x, z);
        }
      }
    }
  }

  std::shared_ptr<const Attribute> attribute_;
  const WindowOptions& options_;
  std::vector<ConceptId> values_;
  std::vector<std::uint64_t> counts_;
  std::vector<bool> reach_;  // by value, then value
};

void add_equal(const Classes& before, std::size_t column, Reach& reach) {
  for (std::size_t c = 0; c < before.size(); ++c) {
    if (const auto place = reach.place(before.tuple(c)[column])) reach.add(*place, c);
  }
}

void add_windows(const Windows& windows, const Classes& before, std::size_t column, Reach& reach) {
  std::vector<std::size_t> places;
  for (std::size_t c = 0; c < before.size(); ++c) {
    places.push_back(windows.place(before.tuple(c)[column]));
  }
  for (std::size_t r = 0; r < reach.released().size(); ++r) {
    check_stop();
    const std::size_t z = windows.place(reach.released()[r]);
    if (z == Windows::kNone) continue;
    for (std::size_t c = 0; c < before.size(); ++c) {
      if (places[c] != Windows::kNone && windows.reaches(z, places[c])) reach.add(r, c);
    }
  }
}

// Whole records: those of the swapped columns.
void add_intervals(const Paired& pairs, const Classes& before, const WindowOptions& options,
                   std::vector<Reach>& reach) {
  TupleDistances::Attributes attributes;
  for (const std::size_t j : options.swapped) attributes.push_back(pairs.attributes[j]);
  const Classes items = classes_over(before, pairs.attributes, options.swapped);
  std::map<std::vector<ConceptId>, std::uint32_t> item;
  for (std::uint32_t i = 0; i < items.size(); ++i) {
    item.emplace(std::vector(items.tuple(i).begin(), items.tuple(i).end()), i);
  }
  std::vector<std::vector<std::uint32_t>> classes(items.size());
  for (std::uint32_t c = 0; c < before.size(); ++c) {
    std::vector<ConceptId> key;
    for (const std::size_t j : options.swapped) key.push_back(before.tuple(c)[j]);
    classes[item.at(key)].push_back(c);
  }
  const auto reaches = [&](std::size_t x, std::size_t y) {
    for (std::size_t s = 0; s < options.swapped.size(); ++s) {
      const Attribute& attribute = *attributes[s];
      const ConceptId from = items.tuple(x)[s], to = items.tuple(y)[s];
      if (!takes_part(attribute, from) || !takes_part(attribute, to)) continue;
      Reach& column = reach[options.swapped[s]];
      const auto place = column.place(to);
      if (!place) continue;
      for (const std::uint32_t c : classes[x]) column.add(*place, c);
    }
  };
  const TupleDistances distances(attributes, items.tuples, items.size(), items.tuples, items.size(),
                                 {.bits = kSwapBits, .tied = 0, .threads = options.threads});
  distances.closest(options.k, items.counts,
                    [&](std::size_t x, std::span<const std::uint32_t> interval) {
                      for (const std::uint32_t y : interval) {
                        reaches(x, y);
                        reaches(y, x);
                      }
                    });
}

}  // namespace

std::optional<std::size_t> Reach::place(ConceptId value) const {
  const auto at = std::ranges::lower_bound(released_, value);
  if (at == released_.end() || *at != value) return std::nullopt;
  return static_cast<std::size_t>(at - released_.begin());
}

void Reach::add(std::size_t place, std::size_t original_class) {
  const std::atomic_ref<std::uint64_t> word(bits_[place * words_ + original_class / 64]);
  const std::uint64_t bit = std::uint64_t{1} << (original_class % 64);
  if ((word.load(std::memory_order_relaxed) & bit) == 0) {
    word.fetch_or(bit, std::memory_order_relaxed);
  }
}

std::vector<Reach> swap_windows(const Paired& pairs, const Classes& before,
                                const WindowOptions& options) {
  std::vector<Reach> out;
  for (std::size_t j = 0; j < pairs.width(); ++j) {
    std::vector<ConceptId> released;
    for (std::size_t i = 0; i < pairs.size(); ++i) {
      released.push_back(pairs.tuple(i, Side::kAfter)[j]);
    }
    std::ranges::sort(released);
    released.erase(std::unique(released.begin(), released.end()), released.end());
    out.emplace_back(std::move(released), before.size());
  }
  const bool together = options.algorithm == SwapAlgorithm::kMultivariate;
  in_parallel(options.threads, pairs.width(), [&](std::size_t j) {
    add_equal(before, j, out[j]);
    if (together || !std::ranges::binary_search(options.swapped, j)) return;
    WindowOptions alone = options;
    alone.threads = 1;
    add_windows(Windows(pairs, j, alone), before, j, out[j]);
  });
  if (together && !options.swapped.empty()) add_intervals(pairs, before, options, out);
  return out;
}

}  // namespace semveil
