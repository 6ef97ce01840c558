// What noise is compared with, as methods of plans (method.h).
#pragma once

#include "semveil/method.h"

namespace semveil {

const Method& naive_method();
const Method& probabilistic_method();

}  // namespace semveil
