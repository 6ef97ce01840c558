// What an error's message says to do about it, for programs that show it apart.
#pragma once

#include <string>

#include "semveil/result.h"

namespace [[gnu::visibility("default")]] semveil {

// Messages say what is wrong and then, behind a colon, a semicolon or a full stop, what to do: "the
// root has no frequency in this file; add a line for it" gives "add a line for it". Empty where the
// message says nothing of it. Never holds a cell's text.
std::string remedy_of(const Error& error);

}  // namespace semveil
