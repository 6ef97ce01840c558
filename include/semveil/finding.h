// What a person must know before a release is signed, as data: an id that never changes, what it is
// about, and a sentence made of these alone.
#pragma once

#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <vector>

namespace [[gnu::visibility("default")]] semveil {

enum class Severity : std::uint8_t {
  kDanger,   // stands against signing
  kWarning,  // must be weighed
  kNote,     // explains a figure
  kPromise,  // was verified on the release
};
std::string_view to_string(Severity severity);

struct Finding {
  std::string id;  // in words: column-changed
  Severity severity = Severity::kNote;
  std::vector<std::string> columns;
  std::map<std::string, double> figures;
  std::string text;  // no cell of a table
};

// The most severe first; findings of one severity stay in their order.
void rank(std::vector<Finding>& findings);

}  // namespace semveil
