// An audit for people and for machines.
#pragma once

#include "semveil/audit.h"
#include "verb.h"

namespace semveil::cli {

Json to_json(const Audit& audit);
std::string to_text(const Audit& audit, const std::string& original, const std::string& masked);

}  // namespace semveil::cli
