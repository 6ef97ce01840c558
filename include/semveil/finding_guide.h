// What findings mean to whoever has to sign: the sentence of each, the figure behind
// it, and what can be done about it. docs/findings.md lists them with their causes.
#pragma once

#include <span>

#include "semveil/finding.h"

namespace [[gnu::visibility("default")]] semveil {

struct FindingGuide {
  std::string_view id;
  std::string_view figure;  // whose explanation says more (explain_figure); empty: none
  std::string_view remedy;  // empty: there is nothing to be done
  bool is_limit = false;    // says what is not promised, or was not looked at
};
std::span<const FindingGuide> finding_guides();
const FindingGuide* finding_guide(std::string_view id);  // null: there is none

// A sentence made of id, columns and figures alone; what the figures lack is left out of it. Empty
// where there is no guide.
std::string finding_text(const Finding& finding);
// A finding with its sentence.
Finding make_finding(std::string_view id, Severity severity, std::vector<std::string> columns = {},
                     std::map<std::string, double> figures = {});

}  // namespace semveil
