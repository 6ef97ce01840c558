#include "support/slow_attacks.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <tuple>

#include "support/slow_figures.h"

namespace semveil::test {
namespace {

using Tuple = std::vector<ConceptId>;
using Columns = std::vector<std::size_t>;

double distance(const Paired& pairs, const Tuple& a, const Tuple& b, const Columns& columns) {
  double sum = 0;
  for (const std::size_t j : columns) sum += pairs.attributes[j]->distance(a[j], b[j]);
  return sum;
}

// As swapping has it.
double swap_distance(const Paired& pairs, const Tuple& a, const Tuple& b, const Columns& columns) {
  double sum = 0;
  for (const std::size_t j : columns) {
    sum += std::floor(pairs.attributes[j]->distance(a[j], b[j]) * (1 << 24) + 0.5);
  }
  return sum;
}

Columns all_columns(const Paired& pairs) {
  Columns out;
  for (std::size_t j = 0; j < pairs.width(); ++j) out.push_back(j);
  return out;
}

std::set<std::size_t> nearest(const Paired& pairs, const Tuple& from, const SlowRecords& to,
                              const Columns& columns, Ties ties) {
  double least = std::numeric_limits<double>::infinity();
  for (const Tuple& tuple : to) least = std::min(least, distance(pairs, from, tuple, columns));
  std::set<std::size_t> out;
  for (std::size_t i = 0; i < to.size(); ++i) {
    if (distance(pairs, from, to[i], columns) > least + 1e-9) continue;
    if (ties == Ties::kAll || out.empty()) out.insert(i);
  }
  return out;
}

SlowRecords side_of(const Paired& pairs, Side side) {
  SlowRecords out;
  for (const SlowPair& record : slow_pairs(pairs)) {
    out.push_back(side == Side::kBefore ? record.before : record.after);
  }
  return out;
}

bool takes_part(const Attribute& attribute, ConceptId value) {
  return value < attribute.size() ||
         (value == attribute.missing_value() && attribute.missing_is_value);
}

// The distance of the k-th record closest to a tuple, one that is the same left out.
double radius(const Paired& pairs, const Tuple& of, const SlowRecords& records,
              const Columns& columns, std::uint64_t k) {
  std::vector<double> distances;
  for (const Tuple& other : records) distances.push_back(swap_distance(pairs, of, other, columns));
  std::ranges::sort(distances);
  const bool is_there = std::ranges::any_of(records, [&](const Tuple& other) {
    return std::ranges::all_of(columns, [&](std::size_t j) { return other[j] == of[j]; });
  });
  const std::size_t at = k - 1 + (is_there ? 1 : 0);
  return at < distances.size() ? distances[at] : std::numeric_limits<double>::infinity();
}

bool reaches_alone(const Paired& pairs, std::size_t column, SwapAlgorithm algorithm,
                   std::uint64_t k, const SlowRecords& all, const Tuple& x, const Tuple& z) {
  const Attribute& attribute = *pairs.attributes[column];
  if (x[column] == z[column]) return true;
  if (!takes_part(attribute, x[column]) || !takes_part(attribute, z[column])) return false;
  SlowRecords records;
  for (const Tuple& record : all) {
    if (takes_part(attribute, record[column])) records.push_back(record);
  }
  const Columns one = {column};
  if (algorithm == SwapAlgorithm::kRandom) return true;
  const auto within = [&](const auto& rank) {
    const double low = std::min(rank(x), rank(z)), high = std::max(rank(x), rank(z));
    if (low == high) return true;
    const auto between = std::ranges::count_if(
        records, [&](const Tuple& t) { return low < rank(t) && rank(t) < high; });
    return static_cast<std::uint64_t>(between) + 1 <= k;
  };
  if (algorithm == SwapAlgorithm::kDistributional) {
    const auto frequency = [&](const Tuple& t) {
      return static_cast<double>(std::ranges::count_if(
          records, [&](const Tuple& other) { return other[column] == t[column]; }));
    };
    return frequency(x) > 0 && frequency(z) > 0 && within(frequency);
  }
  if (algorithm == SwapAlgorithm::kDynamic) {
    return swap_distance(pairs, x, z, one) <=
           std::max(radius(pairs, x, records, one, k), radius(pairs, z, records, one, k));
  }
  // Fixed: by distance from each of the records most distant from all.
  double greatest = -1;
  std::vector<double> sums;
  for (const Tuple& record : records) {
    double sum = 0;
    for (const Tuple& other : records) sum += swap_distance(pairs, record, other, one);
    sums.push_back(sum);
    greatest = std::max(greatest, sum);
  }
  for (std::size_t i = 0; i < records.size(); ++i) {
    if (sums[i] != greatest) continue;
    if (within([&](const Tuple& t) { return swap_distance(pairs, records[i], t, one); })) {
      return true;
    }
  }
  return false;
}

}  // namespace

double mean_of(const std::vector<double>& list) {
  double sum = 0;
  for (const double x : list) sum += x;
  return sum / static_cast<double>(list.size());
}

std::vector<double> slow_meaning(const Paired& pairs, Ties ties) {
  const SlowRecords before = side_of(pairs, Side::kBefore), after = side_of(pairs, Side::kAfter);
  std::vector<double> out;
  for (std::size_t i = 0; i < after.size(); ++i) {
    const auto linked = nearest(pairs, after[i], before, all_columns(pairs), ties);
    out.push_back(linked.contains(i) ? 1 / static_cast<double>(linked.size()) : 0);
  }
  return out;
}

std::vector<double> slow_window(const Paired& pairs, SwapAlgorithm algorithm, std::uint64_t k,
                                const std::vector<std::size_t>& swapped) {
  const SlowRecords before = side_of(pairs, Side::kBefore), after = side_of(pairs, Side::kAfter);
  const bool together = algorithm == SwapAlgorithm::kMultivariate;
  std::vector<double> reach;
  for (const Tuple& record : before) {
    reach.push_back(together ? radius(pairs, record, before, swapped, k) : 0);
  }
  const auto reaches_together = [&](std::size_t o, std::size_t column, ConceptId z) {
    const Attribute& attribute = *pairs.attributes[column];
    if (before[o][column] == z) return true;
    if (!takes_part(attribute, before[o][column]) || !takes_part(attribute, z)) return false;
    for (std::size_t y = 0; y < before.size(); ++y) {
      if (before[y][column] == z &&
          swap_distance(pairs, before[o], before[y], swapped) <= std::max(reach[o], reach[y])) {
        return true;
      }
    }
    return false;
  };
  // Columns alone: the same two values are asked for again and again.
  std::map<std::tuple<std::size_t, ConceptId, ConceptId>, bool> known;
  const auto reaches = [&](std::size_t o, std::size_t column, const Tuple& released) {
    if (together) return reaches_together(o, column, released[column]);
    const auto [at, is_new] = known.try_emplace({column, before[o][column], released[column]});
    if (is_new) {
      at->second = reaches_alone(pairs, column, algorithm, k, before, before[o], released);
    }
    return at->second;
  };
  std::vector<double> out;
  for (std::size_t i = 0; i < after.size(); ++i) {
    const auto is_candidate = [&](std::size_t o) {
      for (std::size_t j = 0; j < pairs.width(); ++j) {
        bool possible = before[o][j] == after[i][j];
        if (std::ranges::find(swapped, j) != swapped.end()) {
          possible = reaches(o, j, after[i]);
        }
        if (!possible) return false;
      }
      return true;
    };
    double candidates = 0;
    for (std::size_t o = 0; o < before.size(); ++o) candidates += is_candidate(o) ? 1 : 0;
    out.push_back(is_candidate(i) ? 1 / candidates : 0);
  }
  return out;
}

double slow_surest(const Paired& pairs, Side from) {
  SlowRecords held, looked_up;  // of records that were not suppressed
  SlowRecords all;              // who may be found
  const auto is_empty = [&](const Tuple& tuple) {
    for (std::size_t j = 0; j < tuple.size(); ++j) {
      if (tuple[j] != pairs.attributes[j]->missing_value()) return false;
    }
    return true;
  };
  for (const SlowPair& record : slow_pairs(pairs)) {
    const bool suppressed = is_empty(record.after) && !is_empty(record.before);
    if (from == Side::kAfter || !suppressed) {
      all.push_back(from == Side::kAfter ? record.before : record.after);
    }
    if (suppressed) continue;
    held.push_back(from == Side::kAfter ? record.after : record.before);
    looked_up.push_back(from == Side::kAfter ? record.before : record.after);
  }
  double greatest = 0;
  for (const Tuple& combination : held) {
    const auto near = nearest(pairs, combination, all, all_columns(pairs), Ties::kAll);
    double sum = 0, records = 0;
    for (std::size_t i = 0; i < held.size(); ++i) {
      if (held[i] != combination) continue;
      ++records;
      const bool found =
          std::ranges::any_of(near, [&](std::size_t at) { return all[at] == looked_up[i]; });
      sum += found ? 1 / static_cast<double>(near.size()) : 0;
    }
    greatest = std::max(greatest, sum / records);
  }
  return greatest;
}

SlowRecords slow_records(const Classes& classes) {
  SlowRecords out;
  for (std::size_t c = 0; c < classes.size(); ++c) {
    out.insert(out.end(), classes.counts[c],
               Tuple(classes.tuple(c).begin(), classes.tuple(c).end()));
  }
  return out;
}

SlowGuesses slow_singling_out(const Paired& tables, const SlowRecords& original,
                              const SlowRecords& released, const Columns& columns, bool wildcard) {
  const auto who_fit = [&](const SlowRecords& records, const Tuple& guess) {
    std::vector<std::size_t> out;
    for (std::size_t i = 0; i < records.size(); ++i) {
      const bool fits = std::ranges::all_of(columns, [&](std::size_t j) {
        return slow_fits(*tables.attributes[j], records[i][j], guess[j], wildcard);
      });
      if (fits) out.push_back(i);
    }
    return out;
  };
  SlowGuesses out;
  for (const Tuple& guess : released) {
    if (who_fit(released, guess).size() != 1) continue;
    ++out.guesses;
    const std::vector<std::size_t> people = who_fit(original, guess);
    if (people.size() != 1) continue;
    ++out.right;
    out.pointed_at.insert(people.front());
  }
  return out;
}

double slow_linkability(const Paired& pairs, const SlowRecords& targets, Ties ties) {
  const SlowRecords before = side_of(pairs, Side::kBefore), after = side_of(pairs, Side::kAfter);
  Columns a, b;
  for (std::size_t j = 0; j < pairs.width(); ++j) (j % 2 == 0 ? a : b).push_back(j);
  double sum = 0;
  for (const Tuple& target : targets) {
    const auto in_a = nearest(pairs, target, after, a, ties);
    const auto in_b = nearest(pairs, target, after, b, ties);
    double both = 0, like = 0, own = 0;
    for (std::size_t i = 0; i < after.size(); ++i) {
      const bool linked = in_a.contains(i) && in_b.contains(i);
      both += linked ? 1 : 0;
      like += before[i] == target ? 1 : 0;
      own += linked && before[i] == target ? 1 : 0;
    }
    sum += own > 0 ? own / like / both : 0;
  }
  return sum / static_cast<double>(targets.size());
}

double slow_inference(const Paired& pairs, const SlowRecords& targets) {
  const SlowRecords after = side_of(pairs, Side::kAfter);
  Columns known = all_columns(pairs);
  known.pop_back();
  double sum = 0;
  for (const Tuple& target : targets) {
    const auto linked = nearest(pairs, target, after, known, Ties::kAll);
    double right = 0;
    for (const std::size_t i : linked) right += after[i].back() == target.back() ? 1 : 0;
    sum += right / static_cast<double>(linked.size());
  }
  return sum / static_cast<double>(targets.size());
}

}  // namespace semveil::test
