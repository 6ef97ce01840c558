// An audit for people.
#pragma once

#include "semveil/audit.h"
#include "verb.h"

namespace semveil::cli {

std::string to_text(const Audit& audit, const std::string& original, const std::string& masked);

}  // namespace semveil::cli
