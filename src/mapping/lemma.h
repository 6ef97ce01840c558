// Base forms of nouns, as WordNet's morphy finds them.
#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <vector>

namespace semveil {

// What the rules ask about an ontology.
struct Lexicon {
  std::function<bool(std::string_view)> is_name;  // of a normalised text
  // The bases an exception list gives for a form, as the list spells both.
  std::function<std::vector<std::string_view>(std::string_view)> exceptions;
};

// The base forms of a normalised text that are names, the first found first; the text itself is
// not among them.
std::vector<std::string> base_forms(std::string_view normalised, const Lexicon& lexicon);

}  // namespace semveil
