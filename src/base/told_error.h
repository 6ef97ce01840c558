// What an error says where its file is known to whoever reads it: with the column, without a place.
#pragma once

#include <string>
#include <utility>

#include "semveil/result.h"

namespace semveil {

inline std::string told_error(Error error) {
  error.place.file.clear();
  return describe(error, Quote::kHide);
}

}  // namespace semveil
