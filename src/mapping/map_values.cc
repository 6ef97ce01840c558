// Maps a column's distinct values and settles on one sense each (sense_choice.h). Same results for
// any number of threads.
#include <algorithm>

#include "base/parallel.h"
#include "mapping/sense_choice.h"
#include "semveil/mapping.h"

namespace semveil {
namespace {

std::vector<MappedValue> distinct(std::vector<std::pair<std::string, std::uint64_t>> counts) {
  std::sort(counts.begin(), counts.end());
  std::vector<MappedValue> values;
  values.reserve(counts.size());
  for (auto& [value, count] : counts) {
    if (values.empty() || values.back().value != value) {
      values.emplace_back().value = std::move(value);
    }
    values.back().count += count;
  }
  std::sort(values.begin(), values.end(), [](const auto& a, const auto& b) {
    return a.count != b.count ? a.count > b.count : a.value < b.value;
  });
  return values;
}

}  // namespace

Result<ColumnMapping> map_values(std::vector<std::pair<std::string, std::uint64_t>> counts,
                                 const Mapper& mapper, const Ontology& ontology,
                                 const MappingOptions& options) {
  const auto taxonomy = ontology.taxonomy();
  if (!taxonomy) return fail(taxonomy.error());
  if (options.root && *options.root >= (*taxonomy)->size()) {
    return fail(usage_error("the root of the domain is no concept of the ontology"));
  }
  const Domain domain =
      options.root ? Domain::subtree(*taxonomy, *options.root) : Domain::whole(*taxonomy);

  ColumnMapping mapping;
  mapping.values = distinct(std::move(counts));
  for (const MappedValue& value : mapping.values) mapping.records += value.count;
  in_parallel(options.threads, mapping.values.size(), [&](std::size_t i) {
    MappedValue& value = mapping.values[i];
    const Domain* const inside = options.root ? &domain : nullptr;
    value = match_value(value.value, value.count, mapper, inside);
    if (value.how == How::kUnmapped) {
      value.suggestions = mapper.suggest(value.value, options.suggestions, inside);
    }
  });

  bool several = false;
  for (MappedValue& value : mapping.values) {
    if (!is_mapped(value.how)) continue;
    value.concept_id = value.senses.front();
    several |= value.senses.size() > 1;
  }
  if (several && options.senses == Senses::kClosest) {
    auto measure = make_measure(domain.taxonomy(), options.measure);
    if (!measure) return fail(measure.error());
    auto names = ontology.names();
    if (!names) return fail(names.error());
    const SenseChoice choice(mapping.values, domain, *std::move(names), *std::move(measure));
    std::vector<MappedValue*> mapped;
    std::vector<std::span<const ConceptId>> words;
    for (MappedValue& value : mapping.values) {
      if (!is_mapped(value.how)) continue;
      mapped.push_back(&value);
      words.emplace_back(value.senses);
    }
    const std::vector<ConceptId> chosen = choice.of(words);
    for (std::size_t i = 0; i < mapped.size(); ++i) mapped[i]->concept_id = chosen[i];
  }
  return mapping;
}

}  // namespace semveil
