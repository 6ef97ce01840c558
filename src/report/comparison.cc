// The page of a comparison: the map of risk and loss, and a line for every release.
#include <fmt/format.h>

#include "report/plot.h"
#include "report/public_edition.h"
#include "report/sections.h"

namespace semveil {
namespace report {
namespace {

Markup sentence_of(RiskKind kind) {
  switch (kind) {
    case RiskKind::kGreatest:
      return "Risk is the greatest of the figures that apply to the method, which the table names: "
             "of groups one by the smallest and the surest link; of swaps finding oneself, linkage "
             "by meaning and by window; of errors guessing all columns and linkage by "
             "meaning; of sets the best guess.";
    case RiskKind::kProsecutor:
      return "Risk is one by the smallest group of records that look alike; of errors and swaps "
             "the "
             "greatest chance of finding oneself.";
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
      return "Loss is half the mean RMSE of the masked columns "
             "and half the greatest shift of a column’s typical value.";
    case KeepKind::kVariance:
      return "Loss is half the mean RMSE of the masked columns "
             "and half the greatest relative change of a column’s spread, at most 1.";
    case KeepKind::kCorrelation:
      return "Loss is half the mean RMSE of the masked columns "
             "and half the greatest change of a correlation between two columns.";
    case KeepKind::kDistribution:
      return "Loss is half the mean RMSE of the masked columns "
             "and half the greatest change of a column’s frequencies (total variation).";
  }
  return "";
}

Html figure_of(const std::map<std::string, double>& figures, std::string_view name) {
  const auto found = figures.find(std::string(name));
  return found == figures.end() ? text("–") : number(found->second);
}

// A point is told by its row, which stands before its name wherever a name is cut.
std::string name_of_row(std::size_t row, const ComparedRelease& release) {
  return fmt::format("{} {}", row, release.label);
}

// What doing nothing would mean, as this edition may show it: of the original alone, three digits.
ComparedRelease unchanged_shown(const Comparison& comparison, const ReportFacts& facts) {
  ComparedRelease shown = comparison.unchanged;
  if (facts.edition == Edition::kSteward) return shown;
  make_unchanged_public(shown);
  return shown;
}

Html map_section(const Comparison& comparison, const ComparedRelease& unchanged) {
  std::vector<MapPoint> points;
  const auto add = [&](std::size_t row, const ComparedRelease& release) {
    if (!release.risk || !release.loss) return;
    points.push_back(
        {name_of_row(row, release), *release.risk, *release.loss, release.not_dominated});
  };
  add(0, unchanged);
  for (std::size_t i = 0; i < comparison.releases.size(); ++i) add(i + 1, comparison.releases[i]);
  const std::string risk = fmt::format("risk ({})", to_string(comparison.risk));
  const std::string loss = fmt::format("loss (RMSE and {})", to_string(comparison.keep));
  Html words;
  words << sentence_of(comparison.risk) << " " << sentence_of(comparison.keep)
        << " Low and to the left is good. A release is dominated where another "
           "has less of one and not more of the other, or where it is no safer than doing nothing; "
           "those that are not are joined by a line.";
  Html out;
  Html said;
  said << "<strong>" << text(verdict(comparison)) << ".</strong>";
  out << paragraph(said) << paragraph(words) << "<div class=\"plots\">"
      << figure("Risk and loss", map_plot("Risk-utility map", risk, loss, points), {},
                Html("Orange squares: not dominated. Grey circles: dominated, and doing nothing "
                     "(0). Numbers are rows of the table."))
      << "</div>\n";
  return out;
}

Html releases_section(const Comparison& comparison, const ComparedRelease& unchanged) {
  HtmlTable table({{"Row"},
                   {"Release", Align::kLeft},
                   {"Risk"},
                   {"which is", Align::kLeft},
                   {"Loss"},
                   {"RMSE"},
                   {"Kept"},
                   {"Unique records"},
                   {"Verdict", Align::kLeft}});
  HtmlTable figures({{"Row"},
                     {"Prosecutor"},
                     {"Linkage"},
                     {"Vulnerability"},
                     {"Mean"},
                     {"Variance"},
                     {"Correlation"},
                     {"Distribution"}});
  const auto add = [&](std::size_t row, const ComparedRelease& release) {
    if (!release.audit && !release.risk && !release.loss) return;
    const bool is_best = comparison.best && row == *comparison.best + 1;
    table.add({number(std::uint64_t{row}), value(release.label), number(release.risk),
               text(release.risk_name), number(release.loss), number(release.rmse),
               number(release.keep_loss), release.uniques ? number(*release.uniques) : text("–"),
               is_best                 ? Html("<span class=\"yes\">best within the limit</span>")
               : release.not_dominated ? Html("not dominated")
                                       : Html("")});
    figures.add({number(std::uint64_t{row}),
                 figure_of(release.risks, to_string(RiskKind::kProsecutor)),
                 figure_of(release.risks, to_string(RiskKind::kLinkage)),
                 figure_of(release.risks, to_string(RiskKind::kVulnerability)),
                 figure_of(release.losses, to_string(KeepKind::kMean)),
                 figure_of(release.losses, to_string(KeepKind::kVariance)),
                 figure_of(release.losses, to_string(KeepKind::kCorrelation)),
                 figure_of(release.losses, to_string(KeepKind::kDistribution))});
  };
  add(0, unchanged);
  for (std::size_t i = 0; i < comparison.releases.size(); ++i) add(i + 1, comparison.releases[i]);
  Html out = table.html();
  out << "<h3>Every risk and every loss</h3>\n" << figures.html();
  return out;
}

// With records set aside: who is attacked with more success for having been released.
Html attacks_section(const Comparison& comparison) {
  HtmlTable table({{"Row"},
                   {"Release", Align::kLeft},
                   {"Attack", Align::kLeft},
                   {"Rate"},
                   {"Rate of the control"},
                   {"Risk"}});
  if (comparison.held_out == 0) return table.html();
  for (std::size_t i = 0; i < comparison.releases.size(); ++i) {
    const ComparedRelease& release = comparison.releases[i];
    if (!release.audit) continue;
    for (const Attack& attack : release.audit->attacks) {
      Html name = text(attack.name);
      if (!attack.about.empty()) name << " of " << value(attack.about);
      table.add({number(std::uint64_t{i + 1}), value(release.label), name, number(attack.rate),
                 number(attack.control), number(attack.risk)});
    }
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
    if (!release.not_dominated || release.plan.empty()) continue;
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
  using namespace report;  // NOLINT(google-build-using-namespace): the words of a page
  const std::string name = facts.original.name.empty() ? "a table" : facts.original.name;
  const ComparedRelease unchanged = unchanged_shown(comparison, facts);
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
              {{"map", "Risk and loss", map_section(comparison, unchanged)},
               {"releases", "All releases", releases_section(comparison, unchanged)},
               {"attacks", "Attacks, beside records set aside", attacks_section(comparison)},
               {"failures", "What could not be done", failures_section(comparison)},
               {"plans", "Plans of those that are not dominated", plans_section(comparison, facts)},
               {"repeat", "How to repeat it", repeat}},
              facts.version);
}

}  // namespace semveil
