// What a comparison, proposals and a search say: the same as verdict() does in words.
#include <algorithm>
#include <array>

#include "compare/compare_figures.h"
#include "compare/passing.h"
#include "semveil/finding_guide.h"
#include "semveil/release_findings.h"

namespace semveil {
namespace {

Finding verdict_below(const Comparison& comparison, double most) {
  const std::vector<ComparedRelease>& all = comparison.releases;
  const auto row = [](std::size_t at) { return static_cast<double>(at + 1); };
  if (comparison.best) {
    const ComparedRelease& best = all[*comparison.best];
    const auto within = std::ranges::count_if(
        all, [&](const ComparedRelease& release) { return keeps_to(release, most); });
    return make_finding("best-within-limit", Severity::kNote, {},
                        {{"row", row(*comparison.best)},
                         {"max_risk", most},
                         {"within", static_cast<double>(within)},
                         {"risk", *best.risk},
                         {"loss", *best.loss}});
  }
  const std::optional<std::size_t> least = row_of_least_risk(all);
  if (!least)
    return make_finding("none-within-limit", Severity::kWarning, {}, {{"max_risk", most}});
  const double risk = *all[*least].risk;
  if (in_billionths(risk) <= in_billionths(most)) {
    return make_finding("found-for-certain", Severity::kWarning, {}, {{"max_risk", most}});
  }
  return make_finding("none-within-limit", Severity::kWarning, {},
                      {{"max_risk", most}, {"row", row(*least)}, {"risk", risk}});
}

Finding verdict_unlimited(const Comparison& comparison) {
  const auto rows = std::ranges::count_if(
      comparison.releases, [](const ComparedRelease& release) { return release.not_dominated; });
  if (rows == 0) return make_finding("nothing-is-safer", Severity::kWarning);
  return make_finding("no-limit-given", Severity::kNote, {},
                      {{"not_dominated", static_cast<double>(rows)}});
}

// Classes by which a sensitive value is told, or that miss what the plan demands of it: the risk of
// a row is of who is found, and does not count them.
bool gives_secrets_away(const Finding& finding) {
  constexpr std::array<std::string_view, 6> kIds{"secret-shared",         "secret-nearly-shared",
                                                 "diversity-missed",      "closeness-missed",
                                                 "class-shares-category", "class-shares-level"};
  return std::ranges::find(kIds, finding.id) != kIds.end();
}

void find_secrets(const std::vector<const ComparedRelease*>& rows, std::vector<Finding>& out) {
  std::vector<std::string> columns;
  double telling = 0;
  for (const ComparedRelease* const row : rows) {
    if (!row->audit) continue;
    bool tells = false;
    for (const Finding& finding : row->audit->findings) {
      if (!gives_secrets_away(finding)) continue;
      tells = true;
      for (const std::string& name : finding.columns) {
        if (std::ranges::find(columns, name) == columns.end()) columns.push_back(name);
      }
    }
    telling += tells ? 1 : 0;
  }
  if (telling == 0) return;
  out.push_back(make_finding("secrets-not-in-risk", Severity::kWarning, std::move(columns),
                             {{"rows", telling}, {"tried", static_cast<double>(rows.size())}}));
}

template <class Rows>
std::vector<const ComparedRelease*> pointers_to(const Rows& rows) {
  std::vector<const ComparedRelease*> out;
  for (const ComparedRelease& row : rows) out.push_back(&row);
  return out;
}

}  // namespace

std::vector<Finding> findings_of(const Comparison& comparison) {
  std::vector<Finding> out{comparison.most ? verdict_below(comparison, *comparison.most)
                                           : verdict_unlimited(comparison)};
  const auto failed = std::ranges::count_if(
      comparison.releases, [](const ComparedRelease& release) { return !release.failure.empty(); });
  if (failed > 0) {
    out.push_back(make_finding("configurations-failed", Severity::kWarning, {},
                               {{"failed", static_cast<double>(failed)},
                                {"tried", static_cast<double>(comparison.releases.size())}}));
  }
  find_secrets(pointers_to(comparison.releases), out);
  find_passing(comparison.passing, out);
  rank(out);
  return out;
}

std::vector<Finding> findings_of(const Proposals& proposals) {
  std::vector<Finding> out;
  const auto add = [&](std::string_view id, Severity severity, std::vector<std::string> columns,
                       std::map<std::string, double> figures) {
    out.push_back(make_finding(id, severity, std::move(columns), std::move(figures)));
  };
  if (proposals.proposed.empty()) {
    add("nothing-proposed", Severity::kWarning, {},
        {{"passed_over", static_cast<double>(proposals.passed_over.size())}});
  } else if (!proposals.proposed[0].unmasked.empty()) {
    add("proposal-leaves-columns", Severity::kWarning, proposals.proposed[0].unmasked, {});
  }
  const auto untried = std::ranges::count_if(
      proposals.proposed, [](const Proposal& one) { return !one.trial || !one.trial->audit; });
  if (untried > 0) {
    add("proposal-not-tried", Severity::kNote, {}, {{"proposals", static_cast<double>(untried)}});
  }
  if (!proposals.quasi_identifiers.empty()) {
    std::map<std::string, double> figures{{"uniques", static_cast<double>(proposals.uniques)},
                                          {"records", static_cast<double>(proposals.records)}};
    if (proposals.persons) figures["persons"] = static_cast<double>(*proposals.persons);
    add("uniques-in-table", Severity::kNote, proposals.quasi_identifiers, std::move(figures));
  }
  if (proposals.tried_on > 0 && proposals.tried_on < proposals.records) {
    add("tried-on-some-records", Severity::kNote, {},
        {{"tried_on", static_cast<double>(proposals.tried_on)},
         {"records", static_cast<double>(proposals.records)}});
  }
  std::vector<const ComparedRelease*> trials;
  for (const Proposal& one : proposals.proposed) {
    if (one.trial) trials.push_back(&*one.trial);
  }
  find_secrets(trials, out);
  find_passing(proposals.passing, out);
  rank(out);
  return out;
}

std::vector<Finding> findings_of(const Search& search) {
  std::vector<Finding> out;
  std::map<std::string, double> figures{{"max_risk", search.most}};
  if (search.found) {
    const ComparedRelease& found = search.tried[*search.found];
    figures["risk"] = found.risk.value_or(0);
    figures["loss"] = found.loss.value_or(0);
    figures["tried"] = static_cast<double>(search.tried.size());
    out.push_back(make_finding("parameters-found", Severity::kNote, {}, std::move(figures)));
    find_secrets({&found}, out);
  } else {
    if (const auto least = row_of_least_risk(search.tried))
      figures["risk"] = *search.tried[*least].risk;
    out.push_back(make_finding("no-parameters-found", Severity::kWarning, {}, std::move(figures)));
  }
  find_passing(search.passing, out);
  rank(out);
  return out;
}

}  // namespace semveil
