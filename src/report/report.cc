// The page of an audit, for who has to answer for a release: what was done, with which parameters,
// what it costs, what risk is left.
#include "semveil/report.h"

#include <fmt/format.h>

#include "report/sections.h"

namespace semveil {
namespace report {

Html what_was_done(Context& context) {
  const Audit& audit = context.audit;
  const ReportFacts& facts = context.facts;
  Html out;
  HtmlTable table({{"What", Align::kLeft}, {"How", Align::kLeft}});
  Html method = facts.method.empty() ? Html("not known") : value(facts.method);
  if (!facts.method.empty() && facts.seed == SeedState::kUnknown) {
    method << ", according to the plan";
  }
  table.add({Html("Method"), method});
  for (const auto& [key, setting] : facts.parameters) {
    const bool is_text = setting.size() > 1 && setting.starts_with('"') && setting.ends_with('"');
    const std::string_view shown = setting;
    table.add({value(key), value(is_text ? shown.substr(1, shown.size() - 2) : shown)});
  }
  if (!facts.method.empty()) table.add({Html("Seed"), seed_words(facts.seed)});
  Html records;
  records << number(audit.original_records) << " before, " << number(audit.masked_records)
          << " after";
  table.add({Html("Records"), records});
  Html paired;
  if (audit.paired == 0) {
    paired << "none: " << text(audit.unpaired_why.empty() ? "not known" : audit.unpaired_why);
  } else {
    paired << number(audit.paired) << ", by " << text(audit.pairing);
  }
  table.add({Html("Records whose counterpart is known"), paired});
  out << table.html();

  HtmlTable columns({{"Column", Align::kLeft}, {"Role", Align::kLeft}, {"Masked", Align::kLeft}});
  for (const AuditedColumn& column : audit.columns) {
    columns.add({value(column.name), text(to_string(column.role)),
                 column.is_masked ? Html("yes") : Html("<span class=\"soft\">no</span>")});
  }
  out << "<h3>Columns</h3>\n" << columns.html();
  return out;
}

}  // namespace report

std::string report_html(const Audit& audit, const ReportFacts& facts) {
  using namespace report;  // NOLINT(google-build-using-namespace): the words of a page
  Context context{audit, facts, {}};
  const Html top = head(context);
  std::vector<Section> sections{
      {"done", "What was done", what_was_done(context)},
      {"meanings", "What the columns mean", what_is_meant(context)},
      {"kept", "What was kept", what_was_kept(context)},
      {"together", "What goes together", goes_together(context)},
      {"groups", "Groups", groups(context)},
      {"risk", "What risk is left", what_risk_is_left(context)},
      {"repeat", "How to repeat it", how_to_repeat(facts)},
  };
  // Last, when all sections have said what they speak of.
  sections.push_back({"words", "What the figures mean", context.words.list()});
  const std::string name = facts.masked.name.empty() ? "a release" : facts.masked.name;
  return page(fmt::format("Audit of {}", name), top, sections, facts.version);
}

}  // namespace semveil
