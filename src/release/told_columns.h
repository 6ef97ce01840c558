// Released columns that tell masked ones, or how far dates were shifted, as findings.
#pragma once

#include "semveil/release.h"

namespace semveil {

void find_nearly_unique(const std::vector<Survey::PassedThrough>& columns,
                        std::vector<Finding>& out);
void find_told(const std::vector<Survey::PassedThrough>& columns, std::vector<Finding>& out);
void find_shifted(const MaskResult::Shifted& shifted, std::vector<Finding>& out);

}  // namespace semveil
