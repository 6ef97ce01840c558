#include "mechanisms/generalize/level_table.h"

#include <unordered_map>

namespace semveil {

Result<std::shared_ptr<const LevelTable>> level_table(const VghLevels& levels, const Names& names,
                                                      const Domain& domain) {
  const auto changed = [] {
    return fail(
        data_error("the file does not have the concepts that the ontology was read with: it has "
                   "changed since; start again"));
  };
  std::unordered_map<std::string_view, std::uint32_t> place;
  for (std::uint32_t i = 0; i < levels.ids.size(); ++i) place.emplace(levels.ids[i], i);

  const Taxonomy& taxonomy = *domain.taxonomy();
  std::vector<ConceptId> in_domain(levels.ids.size(), Taxonomy::root());
  std::vector<std::uint32_t> place_of(taxonomy.size(), 0);
  for (ConceptId c = 0; c < taxonomy.size(); ++c) {
    if (taxonomy.is_virtual(c)) continue;
    const auto found = place.find(names.id(domain.in_ontology(c)));
    if (found == place.end()) return changed();
    place_of[c] = found->second;
    in_domain[found->second] = c;
  }
  auto table = std::make_shared<LevelTable>();
  table->levels = levels.levels;
  for (ConceptId c = 0; c < taxonomy.size(); ++c) {
    for (unsigned level = 0; level < levels.levels; ++level) {
      const std::uint32_t there = levels.of[place_of[c] * levels.levels + level];
      table->of.push_back(taxonomy.is_virtual(c) ? c : in_domain[there]);
    }
  }
  return table;
}

Result<std::shared_ptr<const LevelTable>> read_levels(const std::string& vgh_path,
                                                      const Names& names, const Domain& domain) {
  const auto levels = load_vgh_levels(vgh_path);
  if (!levels) return fail(levels.error());
  auto table = level_table(*levels, names, domain);
  if (!table) return fail(std::move(table).error().at(vgh_path));
  return table;
}

}  // namespace semveil
