// The slow twin of generalisation: the definitions of semveil/generalize.h word for word, and of
// full-domain generalisation every combination of levels. It shares no code with the engine.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <vector>

#include "mechanisms/classes/class_table.h"
#include "semveil/generalize.h"
#include "support/generate.h"

namespace semveil::test {

// By place of a value, then level: what it is there, missing_value() for missing.
using SlowLevels = std::vector<std::vector<ConceptId>>;
SlowLevels slow_levels_by_depth(const Attribute& attribute, const std::vector<ConceptId>& values);
// Of a VGH: its rows as texts, whose labels differ between levels and so are ids.
SlowLevels slow_levels_by_rows(const Attribute& attribute, const std::vector<ConceptId>& values,
                               const std::vector<std::vector<std::string>>& rows);

// Leaves at or below, as a set.
std::set<ConceptId> slow_leaves(const Taxonomy& taxonomy, ConceptId c);
double slow_cell_loss(const Attribute& attribute, ConceptId cell, GeneralizeLoss loss);
// Of cells by tuple; an empty list is a suppressed tuple.
double slow_loss(const ClassTable& table, const std::vector<std::vector<ConceptId>>& cells,
                 GeneralizeLoss loss);
// Whether the tuples together have k records and what is demanded; t over values at distance 1.
bool slow_meets(const ClassTable& table, const std::vector<std::size_t>& tuples, std::uint64_t k);

struct SlowGeneralized {
  std::vector<unsigned> levels;
  std::uint64_t suppressed = 0;
  double loss = 0;
};
// `limit`: records that may be suppressed. Nothing: no combination does.
std::optional<SlowGeneralized> slow_full_domain(const ClassTable& table,
                                                const std::vector<SlowLevels>& levels,
                                                const GeneralizeOptions& options,
                                                std::uint64_t limit);

// A class table of records: concepts by column, then record; missing_value() for missing.
ClassTable class_table_of(const std::vector<std::shared_ptr<const Attribute>>& attributes,
                          const std::vector<std::vector<ConceptId>>& cells);
// A sensitive column: a value for each record of class_table_of(), nothing for a missing one.
void add_sensitive(ClassTable& table, const std::vector<std::vector<ConceptId>>& cells,
                   const std::vector<std::optional<Code>>& values, const Demand& demand);

}  // namespace semveil::test
