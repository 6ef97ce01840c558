// Which descriptions of an RF2 release are names, and which of them is preferred.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ontology/rf2/rf2_rows.h"
#include "semveil/result.h"

namespace semveil {

struct NameChoice {
  // Names are the active descriptions of this language; without it, those that the language
  // reference set accepts.
  std::optional<std::uint8_t> language;
  std::vector<Acceptance> acceptance;  // by description, in the language reference set
  std::string said;                    // what was chosen, in words

  bool is_name(std::size_t description, const DescriptionRow& row) const {
    return language ? row.language == *language : acceptance[description] != Acceptance::kNone;
  }
};

// `wanted`: as load_rf2 takes it; `path` stands for the release in errors.
Result<NameChoice> choose_names(const Rf2Tables& tables, const std::string& wanted,
                                const std::string& path);

}  // namespace semveil
