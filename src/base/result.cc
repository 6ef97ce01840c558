#include "semveil/result.h"

#include <fmt/format.h>

namespace semveil {

std::string describe(const Error& error, Quote values) {
  std::string text;
  if (!error.place.file.empty()) {
    text += error.place.file;
    if (error.place.line != 0) text += fmt::format(":{}", error.place.line);
    text += ": ";
  }
  if (!error.place.column.empty()) text += fmt::format("column '{}': ", error.place.column);
  if (!error.value.empty() && values == Quote::kShow) text += fmt::format("\"{}\": ", error.value);
  return text + error.message;
}

}  // namespace semveil
