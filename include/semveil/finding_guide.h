// What findings mean to whoever has to sign: the sentence of each, the figure behind
// it, and what can be done about it. docs/findings.md lists them with their causes.
#pragma once

#include <array>
#include <span>

#include "semveil/finding.h"

namespace [[gnu::visibility("default")]] semveil {

// What more masking would mend: then the method that masked says how (remedy_of).
enum class Lack : std::uint8_t {
  kNothing,
  kOfValues,  // they are guessed, or stay as they were
  kOfPeople,  // they are found
  kOfGroups,  // what one has in common is known
};

struct FindingGuide {
  std::string_view id;
  std::string_view figure;  // whose explanation says more (explain_figure); empty: none
  std::string_view remedy;  // empty: there is nothing to be done
  bool is_limit = false;    // says what is not promised, or was not looked at
  Lack lack = Lack::kNothing;
  // Keys of [mask] that the remedy sets: where the method does not take them all, no plan takes the
  // remedy, and `otherwise` stands in its place.
  std::array<std::string_view, 2> keys = {};
  std::string_view otherwise = {};
};
std::span<const FindingGuide> finding_guides();
const FindingGuide* finding_guide(std::string_view id);  // null: there is none

// A sentence made of id, columns and figures alone; what the figures lack is left out of it. Empty
// where there is no guide.
std::string finding_text(const Finding& finding);
// What such a finding says, with COLUMN, OTHER and N for what a table would tell.
std::string explained_text(std::string_view id);
// A finding with its sentence.
Finding make_finding(std::string_view id, Severity severity, std::vector<std::string> columns = {},
                     std::map<std::string, double> figures = {});

}  // namespace semveil
