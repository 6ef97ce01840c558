#include "support/generated_table.h"

#include <algorithm>
#include <map>

namespace semveil::test {

TwinDomain::TwinDomain(const GeneratedTaxonomy& taxonomy)
    : twins(taxonomy), domain(std::make_shared<const Domain>(Domain::whole(twins.fast))) {}

std::unique_ptr<const TwinDomain> TwinDomain::part_of(const GeneratedTaxonomy& taxonomy) {
  const Twins all(taxonomy);
  ConceptId root = 1;
  for (ConceptId c = 1; c < all.fast->size(); ++c) {
    if (all.fast->descendants(c).size() > all.fast->descendants(root).size()) root = c;
  }
  auto domain = std::make_shared<const Domain>(Domain::subtree(all.fast, root));
  Twins twins(*domain, *all.names, all.slow.subtree(all.node[root]));
  twins.names = all.names;
  return std::unique_ptr<const TwinDomain>(new TwinDomain(std::move(twins), std::move(domain)));
}

std::shared_ptr<const Attribute> make_attribute(const std::string& name, const TwinDomain& domain,
                                                const MeasureCase& measure,
                                                const SlowCandidateRules& rules,
                                                bool missing_is_value) {
  CandidateRules engine_rules;
  for (const std::string& id : rules.deny) {
    engine_rules.deny.push_back(domain.twins.concept_id[domain.twins.slow.node(id)]);
  }
  engine_rules.leaves_only = rules.leaves_only;
  engine_rules.min_depth = rules.min_depth;
  Attribute out;
  out.name = name;
  out.domain = domain.domain;
  out.names = domain.twins.names;
  out.measure = engine_measure(domain.twins.fast, measure);
  out.candidates = std::make_shared<const Candidates>(
      value_or_throw(Candidates::of(*domain.twins.fast, engine_rules)));
  out.missing_is_value = missing_is_value;
  return std::make_shared<const Attribute>(std::move(out));
}

FrequencyTable GeneratedTable::frequencies() const {
  FrequencyTable out;
  out.records = rows();
  std::vector<std::map<ConceptId, Code>> place(columns.size());
  for (std::size_t j = 0; j < columns.size(); ++j) {
    const Attribute& attribute = *columns[j].attribute;
    FrequencyColumn column{columns[j].attribute, {}, 0};
    std::map<ConceptId, std::uint64_t> counts;
    for (const ConceptId cell : columns[j].cells) {
      if (cell != kMissing) {
        ++counts[cell];
      } else if (attribute.missing_is_value) {
        ++counts[attribute.missing_value()];
      } else {
        ++column.missing;
      }
    }
    for (const auto& [value, count] : counts) {
      place[j][value] = static_cast<Code>(column.values.values.size());
      column.values.values.push_back(value);
      column.values.counts.push_back(count);
    }
    out.columns.push_back(std::move(column));
  }
  if (columns.size() < 2) return out;
  std::map<std::vector<Code>, std::uint64_t> tuples;
  for (std::size_t i = 0; i < rows(); ++i) {
    std::vector<Code> tuple;
    for (std::size_t j = 0; j < columns.size(); ++j) {
      const Attribute& attribute = *columns[j].attribute;
      ConceptId cell = columns[j].cells[i];
      if (cell == kMissing && attribute.missing_is_value) cell = attribute.missing_value();
      tuple.push_back(cell == kMissing ? kMissing : place[j].at(cell));
    }
    ++tuples[tuple];
  }
  for (const auto& [tuple, count] : tuples) {
    out.tuples.insert(out.tuples.end(), tuple.begin(), tuple.end());
    out.tuple_counts.push_back(count);
  }
  return out;
}

RecordBatch GeneratedTable::whole(std::uint64_t offset) const {
  RecordBatch out;
  out.first_row = offset;
  out.rows = rows();
  for (const TableColumn& column : columns) out.columns.emplace_back(column.cells);
  out.persons.assign(persons.begin(), persons.end());
  std::map<std::vector<ConceptId>, std::uint64_t> seen;
  for (std::size_t i = 0; i < rows(); ++i) {
    std::vector<ConceptId> cells;
    for (const TableColumn& column : columns) cells.push_back(column.cells[i]);
    out.occurrences.push_back(seen[cells]++);
  }
  return out;
}

RecordBatch GeneratedTable::batch(std::size_t first, std::size_t count,
                                  std::uint64_t offset) const {
  return part_of(whole(offset), first, count);
}

RecordBatch part_of(const RecordBatch& whole, std::size_t first, std::size_t rows) {
  const auto cut = [&](const auto& list) {
    const auto begin = list.begin() + static_cast<std::ptrdiff_t>(first);
    return std::remove_cvref_t<decltype(list)>(begin, begin + static_cast<std::ptrdiff_t>(rows));
  };
  RecordBatch out;
  out.first_row = whole.first_row + first;
  out.rows = rows;
  for (const auto& column : whole.columns) out.columns.push_back(column.subspan(first, rows));
  if (!whole.persons.empty()) out.persons = cut(whole.persons);
  out.occurrences = cut(whole.occurrences);
  return out;
}

std::vector<ConceptId> draw_cells(const Taxonomy& taxonomy, std::size_t rows, std::size_t distinct,
                                  std::size_t missing_one_in, Random& random) {
  std::vector<ConceptId> pool;
  for (ConceptId c = 0; c < taxonomy.size(); ++c) {
    if (!taxonomy.is_virtual(c)) pool.push_back(c);
  }
  random.shuffle(pool);
  pool.resize(std::min(pool.size(), distinct));
  std::vector<ConceptId> cells;
  for (std::size_t i = 0; i < rows; ++i) {
    // The lower of two draws: the first of the pool are the most frequent.
    const std::size_t at = std::min(random.below(pool.size()), random.below(pool.size()));
    cells.push_back(missing_one_in > 0 && random.one_in(missing_one_in) ? kMissing : pool[at]);
  }
  return cells;
}

std::vector<ConceptId> draw_related_cells(const Taxonomy& taxonomy,
                                          const std::vector<ConceptId>& other,
                                          std::size_t missing_one_in, Random& random) {
  std::vector<ConceptId> cells = draw_cells(taxonomy, other.size(), 8, missing_one_in, random);
  for (std::size_t i = 0; i < cells.size(); ++i) {
    if (cells[i] == kMissing || other[i] == kMissing) continue;
    const std::size_t choice = random.below(3);
    if (choice == 0) cells[i] = other[i];
    if (choice == 1 && other[i] + 1 < taxonomy.size()) cells[i] = other[i] + 1;
  }
  return cells;
}

std::vector<ConceptId> draw_numbers(std::size_t numbers, std::size_t rows,
                                    std::size_t missing_one_in, Random& random) {
  std::vector<ConceptId> cells;
  for (std::size_t i = 0; i < rows; ++i) {
    const auto at = static_cast<ConceptId>(random.below(numbers));
    cells.push_back(missing_one_in > 0 && random.one_in(missing_one_in) ? kMissing : at);
  }
  return cells;
}

}  // namespace semveil::test
