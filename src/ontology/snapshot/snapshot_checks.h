// Whether arrays from a file may be used without reading or writing outside them, or running
// forever. Checksums guard against accidents; this guards the engine against files that someone
// wrote by hand: these may still be wrong (names that belong to another concept), not dangerous.
// Cost: one pass, mostly in vector instructions: what lies on the way to the first distance.
#pragma once

#include "semveil/names.h"
#include "semveil/taxonomy.h"

namespace semveil {

bool is_sound(const Taxonomy::Arrays& arrays);
bool is_sound(const Names::Arrays& arrays);

}  // namespace semveil
