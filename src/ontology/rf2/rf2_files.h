// Which files of an RF2 release are read.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "semveil/result.h"

namespace semveil {

enum class Rf2Kind : std::uint8_t {
  kConcept,
  kRelationship,
  kDescription,  // text definitions too: they have the same columns
  kLanguage,
  kAssociation,
};
inline constexpr std::size_t kRf2Kinds = 5;

struct Rf2File {
  std::string name;  // path inside the release
  Rf2Kind kind;
  bool is_full;      // every state of a component; else the newest alone
  std::string date;  // of the release, 20260131; empty where the name has none
};

// Of all the names in a release; `path` stands for it in errors. Ascending by name.
Result<std::vector<Rf2File>> choose_rf2_files(std::span<const std::string> names,
                                              const std::string& path);

}  // namespace semveil
