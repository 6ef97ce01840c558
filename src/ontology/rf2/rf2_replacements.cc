// From an inactive concept to the active ones that stand for it (replacements.h).
//
// Of a concept's associations those of the closest kind alone count (SAME AS before REPLACED BY,
// and so on: rf2_tables.cc), of these all. What they lead to is an active concept, or an inactive
// one that is followed in the same way.
#include "ontology/rf2/rf2_replacements.h"

#include <algorithm>
#include <tuple>

namespace semveil {
namespace {

struct Step {
  std::uint32_t from, to;  // rows
  std::uint8_t preference;
  auto operator<=>(const Step& other) const {
    return std::tie(from, preference, to) <=> std::tie(other.from, other.preference, other.to);
  }
  bool operator==(const Step&) const = default;
};

// By `from`; of each the closest kind alone.
std::vector<ReplacementStep> steps_of(const Rf2Tables& tables) {
  const auto& concepts = tables.concepts;
  std::vector<Step> steps;
  for (const AssociationRow& row : tables.associations.rows()) {
    if (!row.active) continue;
    const std::uint32_t from = concepts.find(row.from);
    const std::uint32_t to = concepts.find(row.to);
    if (from == concepts.kNone || to == concepts.kNone || concepts[from].active) continue;
    steps.push_back({from, to, row.preference});
  }
  std::ranges::sort(steps);
  std::vector<ReplacementStep> closest;
  std::uint8_t preference = 0;  // of the last one
  for (std::size_t i = 0; i < steps.size(); ++i) {
    const Step& step = steps[i];
    if (i > 0 && steps[i - 1] == step) continue;
    if (!closest.empty() && closest.back().from == step.from && preference != step.preference) {
      continue;
    }
    preference = step.preference;
    closest.push_back({step.from, step.to});
  }
  return closest;
}

}  // namespace

Replacements find_replacements(const Rf2Tables& tables) {
  return follow_replacements(steps_of(tables),
                             [&](std::uint32_t row) { return tables.concepts[row].active; });
}

}  // namespace semveil
