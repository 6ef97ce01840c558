#include "findings.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "help.h"
#include "option_names.h"
#include "semveil/result.h"
#include "text_table.h"

namespace semveil::cli {
namespace {

std::string with_remedy(const Finding& finding, const MaskedBy& masked_by) {
  const std::string remedy = remedy_of(finding, masked_by);
  const std::string text = printable(finding.text);
  return naming_options(remedy.empty() ? text : fmt::format("{} {}", text, remedy));
}

std::string listed_under(std::string_view title, const std::vector<Finding>& findings,
                         Severity severity, const MaskedBy& masked_by) {
  std::string out;
  for (const Finding& finding : folded(findings)) {
    if (finding.severity == severity) out += wrapped("  - ", with_remedy(finding, masked_by));
  }
  return out.empty() ? out : fmt::format("\n{}\n{}", title, out);
}

}  // namespace

std::string findings_text(const std::vector<Finding>& findings) {
  std::string out;
  for (const Finding& finding : folded(findings)) {
    out +=
        wrapped("  ", fmt::format("{}: {}", to_string(finding.severity), printable(finding.text)));
  }
  return out;
}

std::string warnings_text(const std::vector<Finding>& findings, const MaskedBy& masked_by) {
  std::string out;
  for (const Finding& finding : findings) {
    const bool warns =
        finding.severity == Severity::kDanger || finding.severity == Severity::kWarning;
    if (!warns) continue;
    const bool is_danger = finding.severity == Severity::kDanger;
    out += wrapped(is_danger ? "DANGER   " : "WARNING  ", with_remedy(finding, masked_by));
  }
  return out.empty() ? out : out + "\n";
}

std::string left_out_text(const std::vector<LeftOut>& left_out) {
  std::string out;
  for (const LeftOut& one : left_out) {
    out += wrapped("  - ", naming_options(printable(fmt::format("{}: {}", one.method, one.why))));
  }
  return out.empty() ? out : "\nMethods left out\n" + out;
}

void add_fail_on_option(CLI::App& verb, std::optional<Severity>& fail_on, const std::string& then) {
  verb.add_option_function<std::string>(
          "--fail-on",
          [&fail_on](const std::string& word) {
            fail_on = word == "danger" ? Severity::kDanger : Severity::kWarning;
          },
          "End with exit code 3 where a finding of this severity or a worse one stands: danger or "
          "warning. " +
              then)
      ->check(CLI::IsMember({"danger", "warning"}).description(""))
      ->type_name("SEVERITY")
      ->group(kRunningGroup);
}

Status refuse_findings(const std::vector<Finding>& findings, std::optional<Severity> fail_on,
                       std::string_view what) {
  if (!fail_on) return {};
  std::vector<std::string_view> ids;
  for (const Finding& finding : findings) {
    const bool stands = finding.severity == Severity::kDanger ||
                        (finding.severity == Severity::kWarning && fail_on == Severity::kWarning);
    if (stands && std::ranges::find(ids, finding.id) == ids.end()) ids.emplace_back(finding.id);
  }
  if (ids.empty()) return {};
  return fail(Error{ErrorCode::kGuarantee,
                    fmt::format("{}: findings stand that --fail-on {} refuses: {}", what,
                                to_string(*fail_on), fmt::join(ids, ", ")),
                    {},
                    {},
                    {}});
}

std::string promises_text(const std::vector<Finding>& findings, const MaskedBy& masked_by) {
  return listed_under("Promised and verified", findings, Severity::kPromise, masked_by);
}

std::string notes_text(const std::vector<Finding>& findings, const MaskedBy& masked_by) {
  return listed_under("To be known", findings, Severity::kNote, masked_by);
}

}  // namespace semveil::cli
