#include "ontology/claml/claml_label.h"

#include <algorithm>
#include <array>

#include "base/one_line.h"

namespace semveil {
namespace {

constexpr char kReference = '\x01';  // no character of XML

bool stands_apart(std::string_view element) {
  constexpr std::array<std::string_view, 8> kApart{"Fragment", "Para", "List", "ListItem",
                                                   "Table",    "Row",  "Cell", "Caption"};
  return std::ranges::find(kApart, element) != kApart.end();
}

// Whether what lies between two brackets is references and what joins them.
bool is_references(std::string_view inside) {
  return inside.find(kReference) != inside.npos &&
         inside.find_first_not_of("\x01 \t\n,;-") == inside.npos;
}

}  // namespace

void ClamlLabel::clear() {
  raw_.clear();
  in_reference_ = 0;
}

bool ClamlLabel::begin(std::string_view element) {
  if (in_reference_ > 0 || element == "Reference") {
    return in_reference_++ > 0 || append_text(raw_, {&kReference, 1});
  }
  return !stands_apart(element) || append_text(raw_, " ");
}

bool ClamlLabel::end(std::string_view element) {
  if (in_reference_ > 0) {
    --in_reference_;
    return true;
  }
  return !stands_apart(element) || append_text(raw_, " ");
}

bool ClamlLabel::add(std::string_view piece) {
  return in_reference_ > 0 || append_text(raw_, piece);
}

std::string ClamlLabel::text() const {
  std::string text;
  text.reserve(raw_.size());
  std::size_t open = std::string::npos;  // the last bracket that was opened and not closed
  for (const char c : raw_) {
    if (c == '(' || c == '[') open = text.size();
    if ((c == ')' || c == ']') && open != std::string::npos) {
      const bool drop = is_references(std::string_view(text).substr(open + 1));
      if (drop) text.resize(open);
      open = std::string::npos;
      if (drop) continue;
    }
    text += c;
  }
  std::erase(text, kReference);
  return one_line(text);
}

}  // namespace semveil
