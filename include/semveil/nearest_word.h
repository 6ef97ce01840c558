// What somebody may have meant who wrote a word that is none of a list.
#pragma once

#include <span>
#include <string_view>

namespace [[gnu::visibility("default")]] semveil {

// The word within the fewest typing errors, a word that is only begun counting as one; of several
// the first. `words` must not be empty.
std::string_view nearest(std::string_view word, std::span<const std::string_view> words);

}  // namespace semveil
