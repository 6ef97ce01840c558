// NLTK's names of WordNet's senses: `dog.n.01`.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace semveil {

struct SenseId {
  std::string lemma;  // with blanks
  unsigned sense;     // from 1
};

// Of nouns; nothing for any other text.
std::optional<SenseId> parse_sense_id(std::string_view text);

}  // namespace semveil
