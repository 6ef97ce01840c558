// Texts made comparable.
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace semveil {

inline constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";  // of UTF-8

// Unicode NFKC, case-folded; runs of blanks, underscores and hyphens become one blank; trimmed.
// "  Ski-Trips" → "ski trips". Pure ASCII takes a short way without ICU.
std::string normalise(std::string_view text);
// The normalised text without its blanks: "skitrips".
std::string squeeze(std::string_view text);
void squeeze_into(std::string_view text, std::string& out);  // reuses out's memory
// The 32-bit hash the term index is sorted by; part of the snapshot format.
std::uint32_t squeezed_hash(std::string_view squeezed);

// The code point at `at`, which moves behind it; negative where the bytes are not valid UTF-8.
std::int32_t next_code_point(std::string_view text, std::size_t& at);
// Offset of the first byte that is not valid UTF-8, or npos.
std::size_t find_invalid_utf8(std::string_view text);

inline bool all_digits(std::string_view text) {
  return std::all_of(text.begin(), text.end(), [](char c) { return c >= '0' && c <= '9'; });
}
// The number a text says, if it says a finite one and nothing else. There is one zero.
std::optional<double> number_of(std::string_view text);

}  // namespace semveil
