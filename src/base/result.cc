#include "semveil/result.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"

namespace semveil {

std::string describe(const Error& error, Quote values) {
  std::string text;
  if (!error.place.file.empty()) {
    text += error.place.file == "-" ? "standard input" : printable(error.place.file);
    if (error.place.line != 0) text += fmt::format(":{}", error.place.line);
    text += ": ";
  }
  if (!error.place.column.empty()) {
    text += fmt::format("column '{}': ", printable(error.place.column));
  }
  const bool show = values == Quote::kShow;
  if (show && !error.value.empty()) text += fmt::format("\"{}\": ", printable(error.value));
  text += printable_lines(error.message);
  if (show && !error.hint.empty()) {
    text += (error.hint.starts_with('\n') ? ":" : "; ") + printable_lines(error.hint);
  }
  return text;
}

std::string printable_lines(std::string_view text) {
  std::string out;
  for (;;) {
    const std::size_t end = std::min(text.find('\n'), text.size());
    out += printable(text.substr(0, end));
    if (end == text.size()) return out;
    out += '\n';
    text.remove_prefix(end + 1);
  }
}

std::string printable(std::string_view text) {
  std::string out;
  for (std::size_t at = 0; at < text.size();) {
    const std::size_t begin = at;
    const std::int32_t c = next_code_point(text, at);
    const bool control = c < 0x20 || (c >= 0x7f && c < 0xa0) || c == 0x2028 || c == 0x2029;
    const bool direction =
        c == 0x200e || c == 0x200f || (c >= 0x202a && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069);
    for (const char byte : text.substr(begin, at - begin)) {
      if (control || direction) {
        out += fmt::format("\\x{:02x}", static_cast<unsigned char>(byte));
      } else {
        out += byte;
      }
    }
  }
  return out;
}

}  // namespace semveil
