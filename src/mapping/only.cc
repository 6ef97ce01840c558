// One concept for a text that must mean exactly one; else an error a person can act on. The names
// of an ontology are public and may stand in the message; the text itself is quoted apart.
#include <fmt/format.h>

#include <algorithm>

#include "mapping/edit_distance.h"
#include "semveil/mapping.h"

namespace semveil {
namespace {

std::string shortened(std::string_view text, std::size_t most) {
  std::string_view rest = text;
  for (std::size_t i = 0; i < most && !rest.empty(); ++i) take_code_point(rest);
  if (rest.empty()) return std::string(text);
  return std::string(text.substr(0, text.size() - rest.size())) + "…";
}

}  // namespace

Result<ConceptId> Mapper::only(std::string_view text) const {
  constexpr std::size_t kMostListed = 40, kMostSuggested = 5, kDefinition = 60;
  const Match found = match_own(text);
  if (found.senses.size() == 1) return found.senses.front();
  if (found.senses.empty()) {
    std::string near;
    for (const Suggestion& s : suggest(text, kMostSuggested)) {
      near += fmt::format("\n  {} {}", names().id(s.concept_id), s.text);
    }
    if (!near.empty()) near = "near it are:" + near;
    return fail(data_error("no concept of the ontology has this id or name")
                    .quoting(std::string(text))
                    .hinting(std::move(near)));
  }
  std::string message = fmt::format("means {} concepts; use the id of one:", found.senses.size());
  for (std::size_t i = 0; i < std::min(found.senses.size(), kMostListed); ++i) {
    const ConceptId c = found.senses[i];
    message += fmt::format("\n  {} {}", names().id(c), names().label(c));
    const std::string definition = shortened(names().definition(c), kDefinition);
    if (!definition.empty()) message += ": " + definition;
  }
  if (found.senses.size() > kMostListed) {
    message += fmt::format("\n  … and {} more", found.senses.size() - kMostListed);
  }
  return fail(data_error(std::move(message)).quoting(std::string(text)));
}

}  // namespace semveil
