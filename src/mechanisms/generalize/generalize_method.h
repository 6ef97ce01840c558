// Generalisation as a method of plans (method.h).
#pragma once

#include "semveil/method.h"

namespace semveil {

const Method& generalize_method();

}  // namespace semveil
