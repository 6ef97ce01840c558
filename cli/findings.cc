#include "findings.h"

#include <fmt/format.h>

#include "option_names.h"
#include "semveil/finding_guide.h"
#include "semveil/result.h"
#include "text_table.h"

namespace semveil::cli {
namespace {

std::string with_remedy(const Finding& finding) {
  const FindingGuide* const guide = finding_guide(finding.id);
  const bool can_be_mended = guide != nullptr && !guide->remedy.empty();
  const std::string text = printable(finding.text);
  return naming_options(can_be_mended ? fmt::format("{} {}", text, guide->remedy) : text);
}

std::string listed_under(std::string_view title, const std::vector<Finding>& findings,
                         Severity severity) {
  std::string out;
  for (const Finding& finding : findings) {
    if (finding.severity == severity) out += wrapped("  - ", with_remedy(finding));
  }
  return out.empty() ? out : fmt::format("\n{}\n{}", title, out);
}

}  // namespace

std::string findings_text(const std::vector<Finding>& findings) {
  std::string out;
  for (const Finding& finding : findings) {
    out +=
        wrapped("  ", fmt::format("{}: {}", to_string(finding.severity), printable(finding.text)));
  }
  return out;
}

std::string warnings_text(const std::vector<Finding>& findings) {
  std::string out;
  for (const Finding& finding : findings) {
    const bool warns =
        finding.severity == Severity::kDanger || finding.severity == Severity::kWarning;
    if (warns) out += wrapped("WARNING  ", with_remedy(finding));
  }
  return out.empty() ? out : out + "\n";
}

std::string promises_text(const std::vector<Finding>& findings) {
  return listed_under("Promised and verified", findings, Severity::kPromise);
}

std::string notes_text(const std::vector<Finding>& findings) {
  return listed_under("To be known", findings, Severity::kNote);
}

}  // namespace semveil::cli
