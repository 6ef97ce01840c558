// Findings as a person is shown them: what can still be done, and one line for what is alike.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "semveil/finding.h"

namespace [[gnu::visibility("default")]] semveil {

// How the release was made; empty where nobody says.
struct MaskedBy {
  std::string method;
  std::map<std::string, std::string> parameters = {};  // as TOML values
  bool counts_persons = false;  // its classes: what joins a person's rows is refused beside them
};
MaskedBy masked_by(std::string method, std::map<std::string, std::string> parameters,
                   const std::vector<Finding>& findings);
// What can be done about a finding that has not been done already; empty: nothing. Without a method
// it is that of the guide (finding_guide.h).
std::string remedy_of(const Finding& finding, const MaskedBy& masked_by);

// Notes that say the same of one column each, as one that names all of them.
std::vector<Finding> folded(const std::vector<Finding>& findings);

}  // namespace semveil
