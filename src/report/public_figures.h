// What of the program's figures anybody may see: a list of those that are declared. What is not on
// it is secret.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>

namespace semveil::report {

enum class Shown : std::uint8_t {
  kAsIs,     // whoever has the release can count it, or it tells nothing of the original
  kRounded,  // three digits
  kBeside,   // as the figure of the original that it stands beside, or is measured from
  kPooled,   // with others of its kind, or not at all (report/public_column.cc)
  kSecret,
};

// By path in the JSON of a verb: audit.columns.*.variance_original, mask.unmasked[].
const std::map<std::string, Shown, std::less<>>& public_figures();
// A figure of a finding, by its name.
Shown shown_in_finding(std::string_view figure);

}  // namespace semveil::report
