#include "support/slow_generalize.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <tuple>

namespace semveil::test {

SlowLevels slow_levels_by_depth(const Attribute& attribute, const std::vector<ConceptId>& values) {
  const Taxonomy& taxonomy = attribute.taxonomy();
  const ConceptId missing = attribute.missing_value();
  const auto depth = [&](ConceptId c) { return c == missing ? 2U : taxonomy.depth(c); };
  const auto parent = [&](ConceptId c) {
    if (c == missing) return Taxonomy::root();
    std::map<std::string, ConceptId> by_id;
    for (const ConceptId p : taxonomy.parents(c)) {
      if (taxonomy.depth(p) + 1 == taxonomy.depth(c)) by_id.emplace(attribute.id(p), p);
    }
    return by_id.begin()->second;
  };
  unsigned deepest = 1;
  for (const ConceptId v : values) deepest = std::max(deepest, depth(v));
  SlowLevels out;
  for (const ConceptId v : values) {
    std::vector<ConceptId>& own = out.emplace_back();
    for (unsigned level = 0; level < deepest; ++level) {
      ConceptId c = v;
      while (depth(c) > deepest - level) c = parent(c);
      own.push_back(c);
    }
  }
  return out;
}

SlowLevels slow_levels_by_rows(const Attribute& attribute, const std::vector<ConceptId>& values,
                               const std::vector<std::vector<std::string>>& rows) {
  std::map<std::string, ConceptId> concept_of;
  for (ConceptId c = 0; c < attribute.size(); ++c) concept_of.emplace(attribute.id(c), c);
  std::set<std::string> roots;
  for (const auto& row : rows) roots.insert(row.back());
  SlowLevels out;
  for (const ConceptId v : values) {
    std::vector<ConceptId>& own = out.emplace_back();
    if (v == attribute.missing_value()) {
      own.assign(rows.front().size(), v);
      if (roots.size() == 1) own.back() = Taxonomy::root();
      continue;
    }
    for (const auto& row : rows) {
      if (row.front() != attribute.id(v)) continue;
      for (const std::string& label : row) own.push_back(concept_of.at(label));
    }
  }
  return out;
}

std::set<ConceptId> slow_leaves(const Taxonomy& taxonomy, ConceptId c) {
  if (taxonomy.children(c).empty()) return {c};
  std::set<ConceptId> out;
  for (const ConceptId child : taxonomy.children(c)) out.merge(slow_leaves(taxonomy, child));
  return out;
}

double slow_cell_loss(const Attribute& attribute, ConceptId cell, GeneralizeLoss loss) {
  if (cell == attribute.missing_value()) return 0;
  const Taxonomy& taxonomy = attribute.taxonomy();
  const auto own = static_cast<double>(slow_leaves(taxonomy, cell).size());
  const auto all = static_cast<double>(slow_leaves(taxonomy, Taxonomy::root()).size());
  if (own == 1) return 0;
  return loss == GeneralizeLoss::kNcp ? own / all : (own - 1) / (all - 1);
}

double slow_loss(const ClassTable& table, const std::vector<std::vector<ConceptId>>& cells,
                 GeneralizeLoss loss) {
  const auto records = static_cast<double>(table.records());
  if (loss == GeneralizeLoss::kDiscernibility) {
    std::map<std::vector<ConceptId>, double> classes;
    double sum = 0;
    for (std::size_t t = 0; t < table.size(); ++t) {
      const auto count = static_cast<double>(table.counts[t]);
      if (cells[t].empty()) sum += count * records;
      if (!cells[t].empty()) classes[cells[t]] += count;
    }
    for (const auto& own : classes) sum += own.second * own.second;
    return sum;
  }
  double sum = 0;
  double product = 1;
  for (std::size_t j = 0; j < table.width(); ++j) {
    std::map<ConceptId, double> known;
    double column = 0;
    for (std::size_t t = 0; t < table.size(); ++t) {
      const auto count = static_cast<double>(table.counts[t]);
      if (cells[t].empty()) {
        column += count;
        continue;
      }
      const ConceptId cell = cells[t][j];
      if (!known.contains(cell)) known[cell] = slow_cell_loss(*table.attributes[j], cell, loss);
      column += count * known[cell];
    }
    sum += column / records;
    product *= 1 + column / records;
  }
  const auto width = static_cast<double>(table.width());
  return loss == GeneralizeLoss::kLmGeometric ? std::pow(product, 1 / width) - 1 : sum / width;
}

bool slow_meets(const ClassTable& table, const std::vector<std::size_t>& tuples, std::uint64_t k) {
  std::uint64_t records = 0;
  for (const std::size_t t : tuples) records += table.counts[t];
  if (records < k) return false;
  for (const SensitiveColumn& column : table.sensitive) {
    std::map<Code, double> counts;
    double total = 0;
    for (const std::size_t t : tuples) {
      for (const PlaceCount& place : column.of(t)) {
        counts[place.place] += static_cast<double>(place.count);
        total += static_cast<double>(place.count);
      }
    }
    if (total == 0) continue;
    std::vector<double> sorted;
    double entropy = 0;
    for (const auto& own : counts) {
      sorted.push_back(own.second);
      entropy -= own.second / total * std::log(own.second / total);
    }
    std::sort(sorted.rbegin(), sorted.rend());
    const Demand& demand = column.demand;
    if (demand.l) {
      const auto l = static_cast<std::size_t>(*demand.l);
      double tail = 0;
      for (std::size_t i = l - 1; i < sorted.size(); ++i) tail += sorted[i];
      const bool met = demand.kind == DiversityKind::kDistinct ? sorted.size() >= l
                       : demand.kind == DiversityKind::kEntropy
                           ? entropy >= std::log(*demand.l) - 1e-9
                           : sorted[0] < demand.c * tail;
      if (!met) return false;
    }
    if (demand.t) {
      double whole = 0;
      double variation = 0;
      for (const std::uint64_t n : column.whole) whole += static_cast<double>(n);
      for (Code place = 0; place < column.whole.size(); ++place) {
        const double there = static_cast<double>(column.whole[place]) / whole;
        variation += std::max(0.0, counts[place] / total - there);
      }
      if (variation > *demand.t + 1e-9) return false;
    }
  }
  return true;
}

std::optional<SlowGeneralized> slow_full_domain(const ClassTable& table,
                                                const std::vector<SlowLevels>& levels,
                                                const GeneralizeOptions& options,
                                                std::uint64_t limit) {
  std::vector<SlowGeneralized> all;
  std::vector<unsigned> at(table.width(), 0);
  for (bool more = true; more;) {
    std::vector<std::vector<ConceptId>> cells;
    std::map<std::vector<ConceptId>, std::vector<std::size_t>> classes;
    for (std::size_t t = 0; t < table.size(); ++t) {
      std::vector<ConceptId>& own = cells.emplace_back();
      for (std::size_t j = 0; j < table.width(); ++j) {
        own.push_back(levels[j][table.tuple(t)[j]][at[j]]);
      }
      classes[own].push_back(t);
    }
    SlowGeneralized found{at, 0, 0};
    for (const auto& own : classes) {
      if (slow_meets(table, own.second, options.k)) continue;
      for (const std::size_t t : own.second) {
        found.suppressed += table.counts[t];
        cells[t].clear();
      }
    }
    if (found.suppressed <= limit) {
      found.loss = slow_loss(table, cells, options.loss);
      all.push_back(found);
    }
    more = false;
    for (std::size_t j = 0; j < at.size() && !more; ++j) {
      more = at[j] + 1 < levels[j].front().size();
      at[j] = more ? at[j] + 1 : 0;
    }
  }
  if (all.empty()) return std::nullopt;
  double least = all.front().loss;
  for (const SlowGeneralized& found : all) least = std::min(least, found.loss);
  std::erase_if(all, [&](const SlowGeneralized& found) { return found.loss > least + 1e-9; });
  return *std::ranges::min_element(all, {}, [](const SlowGeneralized& found) {
    return std::tuple(found.suppressed,
                      std::accumulate(found.levels.begin(), found.levels.end(), 0U), found.levels);
  });
}

ClassTable class_table_of(const std::vector<std::shared_ptr<const Attribute>>& attributes,
                          const std::vector<std::vector<ConceptId>>& cells) {
  ClassTable out;
  out.attributes = attributes;
  for (const std::vector<ConceptId>& column : cells) {
    const std::set<ConceptId> values(column.begin(), column.end());
    out.values.emplace_back(values.begin(), values.end());
  }
  std::map<std::vector<Code>, std::uint64_t> counts;
  for (std::size_t i = 0; i < cells.front().size(); ++i) {
    std::vector<Code> tuple;
    for (std::size_t j = 0; j < cells.size(); ++j) {
      tuple.push_back(static_cast<Code>(std::ranges::lower_bound(out.values[j], cells[j][i]) -
                                        out.values[j].begin()));
    }
    ++counts[tuple];
  }
  for (const auto& [tuple, count] : counts) {
    out.tuples.insert(out.tuples.end(), tuple.begin(), tuple.end());
    out.counts.push_back(count);
  }
  return out;
}

void add_sensitive(ClassTable& table, const std::vector<std::vector<ConceptId>>& cells,
                   const std::vector<std::optional<Code>>& values, const Demand& demand) {
  std::vector<std::map<Code, std::uint64_t>> counts(table.size());
  SensitiveColumn column;
  column.name = "sensitive";
  column.demand = demand;
  for (std::size_t i = 0; i < values.size(); ++i) {
    if (!values[i]) continue;
    if (*values[i] >= column.whole.size()) column.whole.resize(*values[i] + 1, 0);
    ++column.whole[*values[i]];
    for (std::size_t t = 0; t < table.size(); ++t) {
      bool same = true;
      for (std::size_t j = 0; j < table.width(); ++j) same &= table.value(t, j) == cells[j][i];
      if (same) ++counts[t][*values[i]];
    }
  }
  column.values.assign(column.whole.size(), kMissing);
  column.begin.push_back(0);
  for (const auto& own : counts) {
    for (const auto& [place, count] : own) column.counts.push_back({place, count});
    column.begin.push_back(column.counts.size());
  }
  table.sensitive.push_back(std::move(column));
}

}  // namespace semveil::test
