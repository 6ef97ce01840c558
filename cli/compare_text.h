// A comparison or a search as a table and a map, for people and as JSON.
#pragma once

#include "semveil/compare.h"
#include "verb.h"

namespace semveil::cli {

// One line for each, with its mark on the map, risks of every kind and losses of every kind.
std::string releases_table(const std::vector<ComparedRelease>& releases);
// Losses to the right, risks upwards; marks as in the table.
std::string risk_utility_map(const Comparison& comparison);

// mean | variance | correlation | distribution; means and distributions are understood, too.
KeepKind keep_named(std::string_view name);
RiskKind risk_named(std::string_view name);  // prosecutor | linkage | vulnerability

Json release_json(const ComparedRelease& release);

}  // namespace semveil::cli
