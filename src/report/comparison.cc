// The page of a comparison: the map of risk and loss, and a line for every release.
#include <fmt/format.h>

#include "report/plot.h"
#include "report/sections.h"

namespace semveil {
namespace report {
namespace {

Markup sentence_of(RiskKind kind) {
  switch (kind) {
    case RiskKind::kProsecutor:
      return "Risk is one by the smallest group of records that look alike.";
    case RiskKind::kLinkage:
      return "Risk is the share of records that are found again by semantic linkage.";
    case RiskKind::kVulnerability:
      return "Risk is how often the best guess of an original value is right, in the column where "
             "that is easiest.";
  }
  return "";
}

Markup sentence_of(KeepKind kind) {
  switch (kind) {
    case KeepKind::kMean:
      return "Loss is the greatest shift of a column’s typical value.";
    case KeepKind::kVariance:
      return "Loss is the greatest relative change of a column’s spread.";
    case KeepKind::kCorrelation:
      return "Loss is the greatest change of a correlation between two columns.";
    case KeepKind::kDistribution:
      return "Loss is the greatest change of a column’s frequencies (total variation).";
  }
  return "";
}

Html figure_of(const std::map<std::string, double>& figures, std::string_view name) {
  const auto found = figures.find(std::string(name));
  return found == figures.end() ? text("–") : number(found->second);
}

Html map_section(const Comparison& comparison) {
  std::vector<MapPoint> points;
  for (const ComparedRelease& release : comparison.releases) {
    if (!release.risk || !release.loss) continue;
    points.push_back({release.label, *release.risk, *release.loss, release.is_best});
  }
  const std::string risk = fmt::format("risk ({})", to_string(comparison.risk));
  const std::string loss = fmt::format("loss ({})", to_string(comparison.keep));
  Html words;
  words << sentence_of(comparison.risk) << " " << sentence_of(comparison.keep)
        << " The best lie low and to the left: no other release has less of one without more of "
           "the other. They are joined by a line.";
  Html out;
  out << paragraph(words) << "<div class=\"plots\">"
      << figure("Risk and loss", map_plot("Risk-utility map", risk, loss, points), {},
                Html("Orange squares: none is better. Grey circles: another is better in both."))
      << "</div>\n";
  return out;
}

Html releases_section(const Comparison& comparison) {
  HtmlTable table({{"Release", Align::kLeft},
                   {"Risk"},
                   {"Loss"},
                   {"Best", Align::kLeft},
                   {"Prosecutor"},
                   {"Linkage"},
                   {"Vulnerability"},
                   {"Mean"},
                   {"Variance"},
                   {"Correlation"},
                   {"Distribution"}});
  for (const ComparedRelease& release : comparison.releases) {
    if (!release.audit && !release.risk && !release.loss) continue;
    table.add({value(release.label), number(release.risk), number(release.loss),
               release.is_best ? Html("<span class=\"yes\">yes</span>") : Html(""),
               figure_of(release.risks, to_string(RiskKind::kProsecutor)),
               figure_of(release.risks, to_string(RiskKind::kLinkage)),
               figure_of(release.risks, to_string(RiskKind::kVulnerability)),
               figure_of(release.losses, to_string(KeepKind::kMean)),
               figure_of(release.losses, to_string(KeepKind::kVariance)),
               figure_of(release.losses, to_string(KeepKind::kCorrelation)),
               figure_of(release.losses, to_string(KeepKind::kDistribution))});
  }
  return table.html();
}

Html failures_section(const Comparison& comparison) {
  HtmlTable table({{"Release", Align::kLeft}, {"Why there is none", Align::kLeft}});
  for (const ComparedRelease& release : comparison.releases) {
    if (!release.failure.empty()) table.add({value(release.label), text(release.failure)});
  }
  return table.html();
}

// Plans can name values; they are the steward's.
Html plans_section(const Comparison& comparison, const ReportFacts& facts) {
  Html out;
  if (facts.edition != Edition::kSteward) return out;
  for (const ComparedRelease& release : comparison.releases) {
    if (!release.is_best || release.plan.empty()) continue;
    // Line breaks are what text() takes out of everything else.
    out << "<details><summary>" << value(release.label) << "</summary><pre><code>";
    for (std::size_t at = 0; at < release.plan.size();) {
      const std::size_t end = std::min(release.plan.find('\n', at), release.plan.size());
      out << text(std::string_view(release.plan).substr(at, end - at)) << "\n";
      at = end + 1;
    }
    out << "</code></pre></details>\n";
  }
  return out;
}

}  // namespace
}  // namespace report

std::string comparison_html(const Comparison& comparison, const ReportFacts& facts) {
  using namespace report;
  const std::string name = facts.original.name.empty() ? "a table" : facts.original.name;
  Html head;
  head << "<header><p class=\"edition\">"
       << (facts.edition == Edition::kSteward ? Html("Steward’s edition · confidential")
                                              : Html("Public edition"))
       << "</p><h1>Ways to mask " << value(name) << "</h1>\n";
  Html what;
  what << number(std::uint64_t{comparison.releases.size()}) << " configurations, each masked and "
       << "measured on " << number(comparison.records) << " records";
  if (comparison.held_out > 0) {
    what << "; " << number(comparison.held_out) << " more were set aside as a control group";
  }
  what << ".";
  head << paragraph(what) << "</header>\n";
  Html repeat = how_to_repeat(facts);
  if (facts.seed != SeedState::kUnknown) {
    Html seed;
    seed << "Seed: " << seed_words(facts.seed) << ".";
    repeat << paragraph(seed);
  }
  return page(fmt::format("Ways to mask {}", name), head,
              {{"map", "Risk and loss", map_section(comparison)},
               {"releases", "All releases", releases_section(comparison)},
               {"failures", "What could not be done", failures_section(comparison)},
               {"plans", "Plans of the best", plans_section(comparison, facts)},
               {"repeat", "How to repeat it", repeat}},
              facts.version);
}

}  // namespace semveil
