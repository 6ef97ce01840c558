#include "findings.h"

#include <fmt/format.h>

#include "semveil/result.h"
#include "text_table.h"

namespace semveil::cli {

Json to_json(const std::vector<Finding>& findings) {
  Json out = Json::array();
  for (const Finding& finding : findings) {
    out.push_back({{"id", finding.id},
                   {"severity", to_string(finding.severity)},
                   {"columns", finding.columns},
                   {"figures", finding.figures},
                   {"text", finding.text}});
  }
  return out;
}

std::string findings_text(const std::vector<Finding>& findings) {
  std::string out;
  for (const Finding& finding : findings) {
    out +=
        wrapped("  ", fmt::format("{}: {}", to_string(finding.severity), printable(finding.text)));
  }
  return out;
}

}  // namespace semveil::cli
