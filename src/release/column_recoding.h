// The recodings of one column (semveil/recoding.h), as they were made of the texts they found.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "semveil/recoding.h"

namespace semveil {

struct ModelColumn;

struct ColumnRecoding {
  std::string method;
  std::map<std::string, std::string> parameters;  // as TOML values
  std::shared_ptr<const Recoding> recoding;
  std::shared_ptr<const ModelColumn> meaning;  // of one that works on concepts; else null
  std::size_t step = 0;                        // place among the plan's recodings
};

// What a cell becomes by all of them, one after the other.
struct RecodedText {
  std::optional<std::string> text;  // nothing: missing
  std::vector<bool> changed;        // by recoding
};
// What tells one recoding from another, added to what a digest is made of.
void add_recodings(const std::vector<ColumnRecoding>& recodings, std::vector<std::string>& parts);
// `person`: where one of them needs it.
Result<RecodedText> recoded(const std::vector<ColumnRecoding>& recodings, std::string_view cell,
                            std::string_view person = {});
// Whether one of them draws.
bool any_draws(const std::vector<ColumnRecoding>& recodings);
bool any_needs_person(const std::vector<ColumnRecoding>& recodings);

}  // namespace semveil
