// What stands for the inactive concepts of an RF2 release.
#pragma once

#include "ontology/replacements.h"
#include "ontology/rf2/rf2_rows.h"

namespace semveil {

// The pairs are rows of Rf2Tables::concepts.
Replacements find_replacements(const Rf2Tables& tables);

}  // namespace semveil
