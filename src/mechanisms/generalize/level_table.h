// The levels of a VGH in the numbers of a domain.
#pragma once

#include <memory>
#include <string>

#include "ontology/hierarchies/vgh_levels.h"
#include "semveil/frequency_table.h"

namespace semveil {

// `names` are those of the ontology that was read from the file. What lies outside the domain
// becomes the domain's root. An error if the file no longer has the ontology's concepts.
Result<std::shared_ptr<const LevelTable>> level_table(const VghLevels& levels, const Names& names,
                                                      const Domain& domain);
// The same, reading the file at `vgh_path`.
Result<std::shared_ptr<const LevelTable>> read_levels(const std::string& vgh_path,
                                                      const Names& names, const Domain& domain);

}  // namespace semveil
