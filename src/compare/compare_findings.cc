// What a comparison, proposals and a search say: the same as verdict() does in words.
#include <algorithm>

#include "semveil/finding_guide.h"
#include "semveil/release_findings.h"

namespace semveil {
namespace {

// The row with the least risk; nothing where none has one.
std::optional<std::size_t> row_of_least_risk(const std::vector<ComparedRelease>& releases) {
  std::optional<std::size_t> least;
  for (std::size_t i = 0; i < releases.size(); ++i) {
    if (!releases[i].risk || !releases[i].loss) continue;
    if (!least || *releases[i].risk < *releases[*least].risk) least = i;
  }
  return least;
}

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
  if (risk <= most) {
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
    add("uniques-in-table", Severity::kNote, proposals.quasi_identifiers,
        {{"uniques", static_cast<double>(proposals.uniques)},
         {"records", static_cast<double>(proposals.records)}});
  }
  if (proposals.tried_on > 0 && proposals.tried_on < proposals.records) {
    add("tried-on-some-records", Severity::kNote, {},
        {{"tried_on", static_cast<double>(proposals.tried_on)},
         {"records", static_cast<double>(proposals.records)}});
  }
  rank(out);
  return out;
}

std::vector<Finding> findings_of(const Search& search) {
  std::map<std::string, double> figures{{"max_risk", search.most}};
  if (search.found) {
    const ComparedRelease& found = search.tried[*search.found];
    figures["risk"] = found.risk.value_or(0);
    figures["loss"] = found.loss.value_or(0);
    figures["tried"] = static_cast<double>(search.tried.size());
    return {make_finding("parameters-found", Severity::kNote, {}, std::move(figures))};
  }
  if (const auto least = row_of_least_risk(search.tried))
    figures["risk"] = *search.tried[*least].risk;
  return {make_finding("no-parameters-found", Severity::kWarning, {}, std::move(figures))};
}

}  // namespace semveil
