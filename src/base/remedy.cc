#include "semveil/remedy.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace semveil {
namespace {

// What messages ask of people begins with one of these.
constexpr auto kAsking = std::to_array<std::string_view>(
    {"add",     "allow",   "audit", "bring",   "check", "choose", "commit", "complete",
     "convert", "correct", "count", "declare", "drop",  "export", "fetch",  "fit",
     "give",    "install", "keep",  "leave",   "load",  "make",   "mask",   "mend",
     "merge",   "move",    "name",  "open",    "put",   "raise",  "read",   "register",
     "remove",  "rename",  "run",   "save",    "say",   "see",    "set",    "split",
     "start",   "take",    "try",   "unpack",  "use",   "write"});

bool asks(std::string_view clause) {
  std::string word(clause.substr(0, clause.find_first_of(" ,:;")));
  if (word.empty()) return false;
  if (word.front() >= 'A' && word.front() <= 'Z') word.front() += 'a' - 'A';
  return std::ranges::find(kAsking, word) != kAsking.end();
}

}  // namespace

std::string remedy_of(const Error& error) {
  const std::string_view message = error.message;
  for (std::size_t at = message.find_first_of(":;."); at != message.npos;
       at = message.find_first_of(":;.", at + 1)) {
    if (message.substr(at + 1, 1) != " ") continue;
    const std::string_view clause = message.substr(at + 2);
    if (asks(clause)) return std::string(clause);
  }
  return "";
}

}  // namespace semveil
