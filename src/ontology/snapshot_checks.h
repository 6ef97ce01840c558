// Whether arrays from a file may be used: every index inside its array, every rule the engine
// relies on kept. Checksums guard against accidents; this guards the engine against files that
// someone wrote by hand. Cost: one pass.
#pragma once

#include "semveil/names.h"
#include "semveil/taxonomy.h"

namespace semveil {

bool is_sound(const Taxonomy::Arrays& arrays);
bool is_sound(const Names::Arrays& arrays, std::size_t concepts);

}  // namespace semveil
