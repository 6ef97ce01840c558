// The words of a definition that say something.
//
//   "a motor vehicle with four wheels"  →  motor, vehicle, four, wheels
//
// Choice: English function words and single letters are left out; words are compared as they stand,
// without stems. Other languages keep their function words: very frequent words are left out of
// vectors by their frequency anyway (gloss_measure.h).
#pragma once

#include <string_view>
#include <vector>

namespace semveil {

// Of a text in normalised form (base/text.h), in order, with repetitions; they point into it.
std::vector<std::string_view> content_words(std::string_view normalised);

}  // namespace semveil
