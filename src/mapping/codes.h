// ICD codes as people write them.
//
//   written                       is the code
//   e11.9  E119  " E11.9 "        E11.9      case, dot and blanks around it
//   E11.-  E11.  E11–             E11        what stands for "and all below"
//   E10.30†  A00.0+  H36.0*  B95!            the marks of ICD-10 and its German modification
//   42.  1.1  8.5                 042, 001.1, 008.5    zeros in front that a spreadsheet took away
//   11                            011 and 001.1        the same without a dot: both may be meant
//
// A dot must stand behind the category, the first three characters (ICD-9's E codes: four); else
// the text is no code: 2500.0 is not 250.00. Zeros are put in front only where the text as it is
// fits no code, and only before digits: no code of ICD-10 begins with one.
//
// Zeros lost at the end are not put back: 250, 250.0 and 250.00 are three codes, and which of them
// a number was cannot be told. guesses() offers such codes to a person.
//
// Written, a code has one form: with or without a dot behind its category, in capitals or small
// letters. Which one a column has is told by most of its cells (release/id_form.h).
//
// Cost:    built once, O(codes log codes), 16 bytes a code; a text costs a few binary searches, and
//          one that is no code is turned away at its first character that codes do not have.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "semveil/names.h"

namespace semveil {

// Capitals, without dots, suffix marks and blanks around: "e10.30†" → "E1030". Empty for a text
// that is no code: with other characters than letters, digits and one dot, without a digit, or of
// more than eight characters.
std::string plain_code(std::string_view text);

// Whether a plain code is built like a code of ICD: a letter or digit, then a digit. Headings that
// a file numbers (CH01) are not.
bool has_digit_second(std::string_view plain);
// Whether a text is a way to write this code: its own plain form, or that without zeros in front.
bool is_written_for(std::string_view text, std::string_view code);

class CodeIndex {  // immutable, thread-safe
 public:
  explicit CodeIndex(const Names& names);

  // The concepts whose code this text may be, by id; empty where it is none.
  std::vector<ConceptId> find(std::string_view text) const;
  // For a text that find() does not know: codes that lost zeros at their end, then the longest
  // code that it begins with. How many characters each differs by.
  struct Guess {
    ConceptId concept_id;
    unsigned edits;
    bool operator==(const Guess&) const = default;
  };
  std::vector<Guess> guesses(std::string_view text) const;
  // How many characters of a plain code stand before its dot.
  std::size_t category_size(std::string_view plain) const;

 private:
  struct Entry {
    std::uint64_t code;  // its characters, the first in the highest byte
    std::uint32_t row;   // place of the id among all ids
    ConceptId concept_id;
    auto operator<=>(const Entry&) const = default;
  };
  // Plain codes that a text may stand for: with zeros in front, each length by itself.
  std::vector<std::string> readings(std::string_view text) const;
  void append(std::string_view plain, std::vector<Entry>& found) const;

  std::vector<Entry> entries_;  // ascending
  // Whether categories under E may have three characters, as in ICD-10, and four, as in ICD-9. A
  // part of an ontology may leave it open.
  bool short_e_codes_ = true, long_e_codes_ = true;
};

}  // namespace semveil
