// What a table says, as JSON and for people.
#pragma once

#include "semveil/release.h"
#include "verb.h"

namespace semveil::cli {

std::string measures_text(const Description& description);  // by column where they differ

std::string parameters_text(const std::map<std::string, std::string>& parameters);  // alpha 0.3, …

// `verbose`: where there are many columns, also their domains and every pair of them.
std::string to_text(const Description& description, const std::vector<Finding>& findings,
                    const std::string& table, bool verbose);
// "keep: missing cells stay missing and take no part".
std::string missing_text(MissingRule rule);
std::string concept_text(const NamedConcept& named, std::size_t columns);

}  // namespace semveil::cli
