// Text of a marked-up file on one line: runs of blanks, tabs and line ends become one blank, and
// none is left at either end. "\n  Body\n  Regions " → "Body Regions".
//
// An element's text comes in pieces, and other elements may stand among them: it is gathered with
// append_text(), which keeps it from growing without end.
#pragma once

#include <algorithm>
#include <string>
#include <string_view>

namespace semveil {

inline std::string one_line(std::string_view text) {
  constexpr std::string_view kBlanks = " \t\r\n";
  std::string line;
  line.reserve(text.size());
  for (std::size_t at = text.find_first_not_of(kBlanks); at != text.npos;) {
    const std::size_t end = std::min(text.find_first_of(kBlanks, at), text.size());
    if (!line.empty()) line += ' ';
    line += text.substr(at, end - at);
    at = text.find_first_not_of(kBlanks, end);
  }
  return line;
}

inline constexpr std::size_t kLongestText = std::size_t{1} << 20;
inline constexpr const char* kTextTooLong =
    "a name or note of more than a million bytes: is this the right file?";

// False where the text would grow too long.
inline bool append_text(std::string& text, std::string_view piece) {
  if (piece.size() > kLongestText - text.size()) return false;
  text += piece;
  return true;
}

}  // namespace semveil
