// Experiments run again, as text: tables and figures, theirs beside ours, and claims.
#pragma once

#include "semveil/reproduce.h"
#include "verb.h"

namespace semveil::cli {

std::string to_text(const Reproduction& reproduction);

}  // namespace semveil::cli
