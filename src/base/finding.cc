#include "semveil/finding.h"

#include <algorithm>

namespace semveil {

std::string_view to_string(Severity severity) {
  switch (severity) {
    case Severity::kDanger:
      return "danger";
    case Severity::kWarning:
      return "warning";
    case Severity::kNote:
      return "note";
    case Severity::kPromise:
      return "promise";
  }
  return "";
}

void rank(std::vector<Finding>& findings) {
  std::ranges::stable_sort(findings, {}, &Finding::severity);
}

}  // namespace semveil
