// Fusion and recoding as methods of plans (method.h).
#pragma once

#include "semveil/method.h"

namespace semveil {

const Method& fuse_method();
const Method& recode_method();

}  // namespace semveil
