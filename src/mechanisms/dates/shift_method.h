// Dates moved by a number of days of their person (date_shift.h), as a cell recoding.
#pragma once

#include "base/date_text.h"
#include "mechanisms/cells/recoding_method.h"

namespace semveil {

const Method& shift_method();

// How the dates are written that a recoding shifts; null: it is another one.
const DateForm* shifted_form(const Recoding& recoding);

}  // namespace semveil
