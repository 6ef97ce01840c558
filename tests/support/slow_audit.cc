#include "support/slow_audit.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

namespace semveil::test {
bool lies_below(const Taxonomy& taxonomy, ConceptId c, ConceptId top) {
  if (c == top) return true;
  for (const ConceptId parent : taxonomy.parents(c)) {
    if (lies_below(taxonomy, parent, top)) return true;
  }
  return false;
}

namespace {

using Tuple = std::vector<ConceptId>;

std::map<Tuple, std::uint64_t> released(const Paired& pairs) {
  std::map<Tuple, std::uint64_t> out;
  for (const SlowPair& record : slow_pairs(pairs)) ++out[record.after];
  return out;
}

double leaves(const Taxonomy& taxonomy, ConceptId top) {
  double out = 0;
  for (ConceptId c = 0; c < taxonomy.size(); ++c) {
    out += taxonomy.children(c).empty() && lies_below(taxonomy, c, top) ? 1 : 0;
  }
  return out;
}

double mean_of_cells(const Paired& pairs,
                     const std::function<double(const Attribute&, ConceptId)>& of) {
  double sum_of_columns = 0, columns = 0;
  for (std::size_t j = 0; j < pairs.width(); ++j) {
    const Attribute& attribute = *pairs.attributes[j];
    double sum = 0, cells = 0;
    for (const SlowPair& record : slow_pairs(pairs)) {
      if (record.before[j] == attribute.missing_value()) continue;
      sum += record.after[j] == attribute.missing_value() ? 1 : of(attribute, record.after[j]);
      ++cells;
    }
    if (cells == 0) continue;
    sum_of_columns += sum / cells;
    ++columns;
  }
  return columns == 0 ? 0 : sum_of_columns / columns;
}

double information(const std::map<std::vector<std::size_t>, double>& parts, double all) {
  double out = 0;
  for (const auto& [part, count] : parts) out -= count / all * std::log2(count / all);
  return out;
}

}  // namespace

std::vector<SlowPair> slow_pairs(const Paired& pairs) {
  std::vector<SlowPair> out;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const auto before = pairs.tuple(i, Side::kBefore);
    const auto after = pairs.tuple(i, Side::kAfter);
    for (std::uint64_t n = 0; n < pairs.counts[i]; ++n) {
      out.push_back({{before.begin(), before.end()}, {after.begin(), after.end()}});
    }
  }
  return out;
}

double slow_quality(const Paired& pairs) {
  double sum = 0;
  double cells = 0;
  for (const SlowPair& record : slow_pairs(pairs)) {
    for (std::size_t j = 0; j < pairs.width(); ++j) {
      sum += 1 - pairs.attributes[j]->distance(record.before[j], record.after[j]);
      ++cells;
    }
  }
  return sum / cells;
}

std::uint64_t slow_discernibility(const Paired& pairs) {
  std::uint64_t sum = 0;  // a record is indiscernible from all of its class
  const auto classes = released(pairs);
  for (const SlowPair& record : slow_pairs(pairs)) sum += classes.at(record.after);
  return sum;
}

double slow_c_avg(const Paired& pairs, std::uint64_t k) {
  return static_cast<double>(slow_pairs(pairs).size()) /
         static_cast<double>(released(pairs).size() * k);
}

double slow_lm(const Paired& pairs) {
  return mean_of_cells(pairs, [](const Attribute& attribute, ConceptId value) {
    const double all = leaves(attribute.taxonomy(), Taxonomy::root());
    return all == 1 ? 0 : (leaves(attribute.taxonomy(), value) - 1) / (all - 1);
  });
}

double slow_ncp(const Paired& pairs) {
  return mean_of_cells(pairs, [](const Attribute& attribute, ConceptId value) {
    const double own = leaves(attribute.taxonomy(), value);
    return own == 1 ? 0 : own / leaves(attribute.taxonomy(), Taxonomy::root());
  });
}

double slow_linkage(const Paired& pairs) {
  const std::vector<SlowPair> records = slow_pairs(pairs);
  double sum = 0;
  for (const SlowPair& record : records) {
    double matching = 0;
    for (const SlowPair& other : records) matching += other.before == record.after ? 1 : 0;
    sum += record.before == record.after ? 1 / matching : 0;
  }
  return sum / static_cast<double>(records.size());
}

std::vector<std::size_t> slow_ward(std::size_t items,
                                   const std::function<double(std::size_t, std::size_t)>& distance,
                                   std::size_t clusters) {
  std::vector<std::vector<std::size_t>> parts;
  for (std::size_t i = 0; i < items; ++i) parts.push_back({i});
  const auto squares = [&](const std::vector<std::size_t>& part) {
    double sum = 0;
    for (const std::size_t x : part) {
      for (const std::size_t y : part) {
        if (x < y) sum += distance(x, y) * distance(x, y);
      }
    }
    return sum / static_cast<double>(part.size());
  };
  while (parts.size() > clusters) {
    double least = std::numeric_limits<double>::infinity();
    std::pair<std::size_t, std::size_t> best;
    for (std::size_t a = 0; a < parts.size(); ++a) {
      for (std::size_t b = a + 1; b < parts.size(); ++b) {
        std::vector<std::size_t> both = parts[a];
        both.insert(both.end(), parts[b].begin(), parts[b].end());
        const double added = squares(both) - squares(parts[a]) - squares(parts[b]);
        if (added < least) {
          least = added;
          best = {a, b};
        }
      }
    }
    auto& kept = parts[best.first];
    const auto& joined = parts[best.second];
    kept.insert(kept.end(), joined.begin(), joined.end());
    parts.erase(parts.begin() + static_cast<std::ptrdiff_t>(best.second));
  }
  std::vector<std::size_t> out(items);
  for (std::size_t p = 0; p < parts.size(); ++p) {
    for (const std::size_t item : parts[p]) out[item] = p;
  }
  return out;
}

std::size_t slow_best_cut(std::size_t items,
                          const std::function<double(std::size_t, std::size_t)>& distance,
                          std::size_t least, std::size_t most) {
  const auto within = [&](const std::vector<std::size_t>& cluster_of) {
    std::map<std::size_t, std::vector<std::size_t>> parts;
    for (std::size_t i = 0; i < items; ++i) parts[cluster_of[i]].push_back(i);
    double sum = 0;
    for (const auto& [cluster, part] : parts) {
      for (const std::size_t x : part) {
        for (const std::size_t y : part) {
          if (x < y) sum += distance(x, y) * distance(x, y) / static_cast<double>(part.size());
        }
      }
    }
    return sum;
  };
  const double all = within(std::vector<std::size_t>(items, 0));
  std::size_t chosen = least;
  double best = -1;
  for (std::size_t c = least; c <= most && c <= items; ++c) {
    const double inside = within(slow_ward(items, distance, c));
    if (inside < 1e-9 * all) continue;
    const double ratio =
        (all - inside) / static_cast<double>(c - 1) / (inside / static_cast<double>(items - c));
    if (ratio > best * (1 + 1e-9)) {
      best = ratio;
      chosen = c;
    }
  }
  return chosen;
}

double slow_partition_distance(const std::vector<std::size_t>& a,
                               const std::vector<std::size_t>& b) {
  std::map<std::vector<std::size_t>, double> of_a;
  std::map<std::vector<std::size_t>, double> of_b;
  std::map<std::vector<std::size_t>, double> of_both;
  for (std::size_t i = 0; i < a.size(); ++i) {
    ++of_a[{a[i]}];
    ++of_b[{b[i]}];
    ++of_both[{a[i], b[i]}];
  }
  const auto all = static_cast<double>(a.size());
  const double both = information(of_both, all);
  return both == 0 ? 0 : (2 * both - information(of_a, all) - information(of_b, all)) / both;
}

}  // namespace semveil::test
