// Methods of plans that release sets (method.h).
#pragma once

#include "semveil/method.h"

namespace semveil {

const Method& ean_method();
const Method& an_method();

}  // namespace semveil
