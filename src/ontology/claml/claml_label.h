// The text of a ClaML label, gathered from its elements.
//
//   <Label>Vitamin B<Term>12</Term> deficiency (<Reference>D51*</Reference>)</Label>
//   → "Vitamin B12 deficiency"
//
// Fragments, paragraphs, list items and cells are set apart by a blank, other elements are not.
// References are left out: they are codes of other classes, not words of this one; so are brackets
// that hold nothing else.
#pragma once

#include <string>
#include <string_view>

namespace semveil {

class ClamlLabel {
 public:
  void clear();
  // False: it grows too long.
  bool begin(std::string_view element);
  bool end(std::string_view element);
  bool add(std::string_view piece);
  std::string text() const;

 private:
  std::string raw_;
  unsigned in_reference_ = 0;
};

}  // namespace semveil
