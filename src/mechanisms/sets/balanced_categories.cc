// Categories of about equally many records, made of neighbours in the taxonomy.
//
// Definition.
//   row         the values that occur, in the order of a walk through the taxonomy: parents before
//               children, children ascending, a concept of several parents below the least-numbered
//   cut         `count` − 1 places in the row; what stands between two is a category
//   B           the least possible number of records of the greatest category, over all cuts
//   limit       max(B, ⌊1.25 · records / count⌋)
//   cost        the similarity 1 − sd of the two neighbours at each cut, summed up
// Wanted: the cut of least cost without a category beyond the limit; of several the leftmost one,
// that is with the first place leftmost, then the second, …
//
// Example. Records 5 5 5 1 1 8, count 2: B = 15 = limit. 5 5 | 5 1 1 8 and 5 5 5 | 1 1 8 are left,
// and kinship decides between them.
//
// B is found by bisection over whole numbers of records: a limit is possible if filling one
// category after the other up to it needs at most `count` of them (all counts are above 0 and there
// are at least `count` values, so fewer can always be parted further). The least cost is a dynamic
// programme over the row's ends,
//
//   cost(j, i) = min over k with Σ records(i … k−1) ≤ limit of similarity(k−1, k) + cost(j − 1, k)
//
// for j categories from place i on. The reach of k shrinks as i falls, so a queue of candidates
// that are not beaten by one further left holds every minimum. Similarities are whole multiples of
// 2^-30: sums are exact, and those that differ by rounding are tied.
//
// Cost: O(values · count) time and 4 bytes for each, (values − count) · count at most, refused
// above 1 GiB; a walk through the taxonomy.
#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <utility>

#include "base/stop.h"
#include "mechanisms/sets/categories.h"
#include "mechanisms/sets/category_parts.h"

namespace semveil {
namespace {

constexpr std::size_t kMostBytes = std::size_t{1} << 30U;
constexpr double kSimilarityUnit = 1073741824.0;  // 2^30

// The place of every concept in the walk. A subtree takes as many places as it has concepts;
// parents have smaller numbers than children, so sizes are summed up from the last and places dealt
// out from the first.
std::vector<std::uint32_t> walk_places(const Taxonomy& taxonomy) {
  const auto size = static_cast<ConceptId>(taxonomy.size());
  const auto parent = [&](ConceptId c) { return taxonomy.parents(c).front(); };
  std::vector<std::uint32_t> below(size, 1);
  for (ConceptId c = size; --c > 0;) below[parent(c)] += below[c];
  std::vector<std::uint32_t> place(size, 0);
  std::vector<std::uint32_t> free(size, 1);  // the next place below a concept
  for (ConceptId c = 1; c < size; ++c) {
    const ConceptId p = parent(c);
    place[c] = free[p];
    free[p] += below[c];
    free[c] = place[c] + 1;
  }
  return place;
}

// What best_cut() keeps: where the next category begins.
std::size_t bytes_of_cut(std::size_t values, std::size_t count) {
  return (count - 1) * (values - count + 1) * sizeof(std::uint32_t);
}

class Row {
 public:
  Row(const Attribute& attribute, std::vector<OccurringValue> values) : values_(std::move(values)) {
    const std::vector<std::uint32_t> place = walk_places(attribute.taxonomy());
    std::sort(values_.begin(), values_.end(),
              [&](const auto& a, const auto& b) { return place[a.value] < place[b.value]; });
    records_before_.push_back(0);
    for (std::size_t i = 0; i < values_.size(); ++i) {
      records_before_.push_back(records_before_.back() + values_[i].count);
      const double similarity =
          i == 0 ? 0 : 1 - attribute.distance(values_[i - 1].value, values_[i].value);
      similarity_.push_back(static_cast<std::uint64_t>(similarity * kSimilarityUnit + 0.5));
    }
  }

  std::size_t size() const { return values_.size(); }
  ConceptId value(std::size_t i) const { return values_[i].value; }
  std::uint64_t similarity(std::size_t i) const { return similarity_[i]; }  // to the one before
  std::uint64_t records(std::size_t from, std::size_t to) const {
    return records_before_[to] - records_before_[from];
  }

  std::uint64_t least_limit(std::size_t count) const {
    std::uint64_t low = 0;
    for (const OccurringValue& value : values_) low = std::max(low, value.count);
    std::uint64_t high = records(0, size());
    while (low < high) {
      check_stop();
      const std::uint64_t middle = low + (high - low) / 2;
      if (categories_within(middle) <= count) {
        high = middle;
      } else {
        low = middle + 1;
      }
    }
    return low;
  }

  // Where categories begin, and the row's end.
  std::vector<std::size_t> best_cut(std::size_t count, std::uint64_t limit) const;

 private:
  std::size_t categories_within(std::uint64_t limit) const {
    std::size_t categories = 1;
    std::uint64_t filled = 0;
    for (const OccurringValue& value : values_) {
      if (filled + value.count > limit) {
        ++categories;
        filled = 0;
      }
      filled += value.count;
    }
    return categories;
  }

  std::vector<OccurringValue> values_;
  std::vector<std::uint64_t> records_before_;  // size + 1
  std::vector<std::uint64_t> similarity_;
};

std::vector<std::size_t> Row::best_cut(std::size_t count, std::uint64_t limit) const {
  constexpr std::uint64_t kImpossible = std::numeric_limits<std::uint64_t>::max();
  const std::size_t n = size();
  // The first of j categories to come leaves j − 1 values for the others and `count` − j before it.
  const std::size_t width = n - count + 1;
  std::vector<std::uint64_t> cost(n + 1, kImpossible);  // of j categories from i on
  for (std::size_t i = count - 1; i < n; ++i) {
    if (records(i, n) <= limit) cost[i] = 0;
  }
  std::vector<std::uint32_t> next((count - 1) * width);  // by j − 2, then i − (count − j)
  std::vector<std::uint64_t> fewer;                      // of j − 1 categories, with the cut there
  std::vector<std::size_t> queue(n + 1);                 // costs ascend, places descend
  for (std::size_t j = 2; j <= count; ++j) {
    check_stop();
    fewer.swap(cost);
    cost.assign(n + 1, kImpossible);
    const std::size_t first = count - j;
    std::size_t head = 0;
    std::size_t tail = 0;
    for (std::size_t i = first + width; i-- > first;) {
      const std::size_t entering = i + 1;
      if (fewer[entering] != kImpossible) {
        fewer[entering] += similarity_[entering];
        while (tail > head && fewer[queue[tail - 1]] >= fewer[entering]) --tail;
        queue[tail++] = entering;
      }
      while (head < tail && records(i, queue[head]) > limit) ++head;
      if (head == tail) continue;
      cost[i] = fewer[queue[head]];
      next[(j - 2) * width + (i - first)] = static_cast<std::uint32_t>(queue[head]);
    }
  }
  std::vector<std::size_t> begins{0};
  for (std::size_t j = count; j >= 2; --j) {
    begins.push_back(next[(j - 2) * width + (begins.back() - (count - j))]);
  }
  begins.push_back(n);
  return begins;
}

std::string name_of(const Attribute& attribute, std::span<const ConceptId> values) {
  if (values.size() == 1) return std::string(label_of(attribute, values[0]));
  const ConceptId subsumer = attribute.taxonomy().lcs(values);
  if (subsumer != Taxonomy::root()) return std::string(label_of(attribute, subsumer));
  return fmt::format("{} … {}", label_of(attribute, values.front()),
                     label_of(attribute, values.back()));
}

}  // namespace

Result<Categories> balanced_categories(unsigned count, const FrequencyColumn& column) {
  const Attribute& attribute = *column.attribute;
  if (Status nominal = needs_taxonomy(attribute); !nominal) return fail(nominal.error());
  std::vector<OccurringValue> values = occurring_values(column);
  if (count == 0) {
    return fail(column_error(attribute, "no categories are wanted: choose at least 2"));
  }
  if (values.size() < count) {
    return fail(column_error(
        attribute, fmt::format("{} categories are wanted of a column with {} value{}: choose at "
                               "most as many categories as there are values",
                               count, values.size(), values.size() == 1 ? "" : "s")));
  }
  if (bytes_of_cut(values.size(), count) > kMostBytes) {
    return fail(column_error(
        attribute, fmt::format("{} categories of {} values take more than 1 GiB to balance: choose "
                               "fewer categories, or list them in a file",
                               count, values.size())));
  }
  const Row row(attribute, std::move(values));
  const std::uint64_t records = row.records(0, row.size());
  const std::uint64_t limit =
      std::max(row.least_limit(count), records * 5 / (std::uint64_t{4} * count));
  const std::vector<std::size_t> begins = row.best_cut(count, limit);
  Categories categories;
  for (std::size_t i = 0; i < count; ++i) {
    std::vector<ConceptId> members;
    for (std::size_t v = begins[i]; v < begins[i + 1]; ++v) members.push_back(row.value(v));
    std::string name = name_of(attribute, members);
    std::sort(members.begin(), members.end());
    categories.list.push_back({std::move(name), std::move(members)});
  }
  return categories;
}

}  // namespace semveil
