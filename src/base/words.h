// Texts cut into words.
#pragma once

#include <string_view>
#include <vector>

namespace semveil {

// The longest runs of letters and digits, in order: "St. John's wort" → St, John, s, wort. Bytes
// that are not valid UTF-8 separate words. The text must outlive the words.
std::vector<std::string_view> words_of(std::string_view text);

}  // namespace semveil
