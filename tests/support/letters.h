// A column of the texts a, b and c.
#pragma once

#include <string>
#include <utility>

#include "semveil/frequency_table.h"

namespace semveil::test {

inline constexpr ConceptId kA = 0, kB = 1, kC = 2, kNoLetter = 3;

inline Attribute letters(std::string name) {
  return text_attribute(std::move(name), {"a", "b", "c"});
}

}  // namespace semveil::test
