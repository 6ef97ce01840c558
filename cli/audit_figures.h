// An audit for people.
#pragma once

#include "semveil/audit.h"
#include "verb.h"

namespace semveil::cli {

// `verbose`: every pair of columns, also where there are many.
std::string to_text(const Audit& audit, const std::string& original, const std::string& masked,
                    bool verbose);

}  // namespace semveil::cli
