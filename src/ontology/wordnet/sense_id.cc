#include "ontology/wordnet/sense_id.h"

#include <algorithm>

#include "base/text.h"

namespace semveil {

std::optional<SenseId> parse_sense_id(std::string_view text) {
  constexpr std::size_t kMostDigits = 4;
  const std::size_t dot = text.rfind('.');
  if (dot == text.npos || dot < 3 || text[dot - 2] != '.') return std::nullopt;
  const char part_of_speech = text[dot - 1];
  if (part_of_speech != 'n' && part_of_speech != 'N') return std::nullopt;
  const std::string_view number = text.substr(dot + 1);
  if (number.empty() || number.size() > kMostDigits || !all_digits(number)) return std::nullopt;
  SenseId id{std::string(text.substr(0, dot - 2)), 0};
  for (const char c : number) id.sense = id.sense * 10 + static_cast<unsigned>(c - '0');
  if (id.sense == 0) return std::nullopt;
  std::replace(id.lemma.begin(), id.lemma.end(), '_', ' ');
  return id;
}

}  // namespace semveil
