// Names near a text that nothing matches, for a person to choose from.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "mapping/name_texts.h"
#include "semveil/mapping.h"

namespace semveil {

// The most edits a suggestion may be away: 1 below 5 code points, 2 below 9, else 3.
unsigned suggestion_limit(std::size_t code_points);

class Suggester {  // immutable, thread-safe
 public:
  explicit Suggester(const NameTexts& texts);

  struct Hit {
    std::uint32_t name;  // place in the NameTexts
    unsigned edits;
    bool operator==(const Hit&) const = default;
  };
  // Every name within suggestion_limit() of a normalised text, in no particular but fixed order.
  std::vector<Hit> near(std::string_view normalised, const NameTexts& texts) const;

 private:
  std::vector<std::uint32_t> names_;         // by length in code points
  std::vector<std::uint64_t> bags_;          // beside names_
  std::vector<std::uint32_t> length_begin_;  // greatest length + 2
};

// The `most` nearest, one per text: fewest edits; then those with the same first
// letter; then by the bytes of the normalised text; then by id.
std::vector<Suggestion> nearest(std::vector<Suggester::Hit> hits, std::string_view normalised,
                                std::size_t most, const NameTexts& texts, const Names& names,
                                const Taxonomy& taxonomy, const Domain* domain);

}  // namespace semveil
