// Released columns that tell masked ones, as findings.
#pragma once

#include "semveil/release.h"

namespace semveil {

void find_told(const std::vector<Survey::PassedThrough>& columns, std::vector<Finding>& out);

}  // namespace semveil
