// Comparisons, proposals and searches.
#include <fmt/format.h>

#include "json/json.h"

namespace semveil {
namespace {

using json::Json;
using json::json_of;
using json::or_null;
using json::parameters_of;

Json figures_by_name(const std::map<std::string, double>& values) {
  Json json = Json::object();
  for (const auto& [name, value] : values) json[name] = value;
  return json;
}

Json release_of(const ComparedRelease& release) {
  Json json{{"label", release.label},
            {"configuration", parameters_of(release.configuration)},
            {"risk", or_null(release.risk)},
            {"risk_name", release.risk_name},
            {"loss", or_null(release.loss)},
            {"loss_parts", {{"rmse", or_null(release.rmse)}, {"keep", or_null(release.keep_loss)}}},
            {"uniques", or_null(release.uniques)},
            {"not_dominated", release.not_dominated},
            {"risks", figures_by_name(release.risks)},
            {"greatest_of", Json::object()},
            {"losses", figures_by_name(release.losses)}};
  for (const NamedRisk& risk : release.attacks) json["greatest_of"][risk.name] = risk.value;
  if (!release.failure.empty()) json["failure"] = release.failure;
  return json;
}

Json row_of(const Comparison& comparison, std::size_t row, const ComparedRelease& release) {
  Json json{{"row", row}};
  json.update(release_of(release));
  json["best"] = comparison.best && row == *comparison.best + 1;
  if (comparison.held_out == 0 || !release.audit) return json;
  json["attacks"] = Json::array();
  for (const Attack& attack : release.audit->attacks) {
    json["attacks"].push_back({{"name", attack.name},
                               {"about", attack.about},
                               {"rate", or_null(attack.rate)},
                               {"control", or_null(attack.control)},
                               {"risk", or_null(attack.risk)}});
  }
  return json;
}

Json json_of(const std::vector<LeftOut>& left_out) {
  Json json = Json::array();
  for (const LeftOut& one : left_out) json.push_back({{"method", one.method}, {"why", one.why}});
  return json;
}

std::map<std::string, std::string> without_method(const Advice& advice) {
  std::map<std::string, std::string> parameters = advice.parameters;
  parameters.erase("method");
  return parameters;
}

Json proposal_of(const Proposal& proposal) {
  Json json{{"method", proposal.advice.method},
            {"parameters", parameters_of(without_method(proposal.advice))},
            {"why", proposal.advice.why},
            {"mask", mask_block(proposal.advice)},
            {"unmasked_quasi_identifiers", proposal.unmasked}};
  json["trial"] = proposal.trial ? release_of(*proposal.trial) : Json(nullptr);
  if (!proposal.why_not.empty()) json["why_not"] = proposal.why_not;
  return json;
}

}  // namespace

std::string mask_block(const Advice& advice) {
  std::string out = fmt::format("[mask]\nmethod = \"{}\"\n", advice.method);
  for (const auto& [key, value] : without_method(advice)) {
    out += fmt::format("{} = {}\n", key, value);
  }
  return out;
}

std::string to_json(const Comparison& comparison, const std::string& table,
                    const std::optional<ExportedPlan>& exported) {
  Json json{{"table", table},
            {"records", comparison.records},
            {"held_out", comparison.held_out},
            {"risk", to_string(comparison.risk)},
            {"keep", to_string(comparison.keep)},
            {"max_risk", or_null(comparison.most)},
            {"best", comparison.best ? Json(*comparison.best + 1) : Json(nullptr)},
            {"verdict", verdict(comparison)},
            {"findings", json_of(findings_of(comparison))},
            {"left_out", json_of(comparison.left_out)},
            {"do_nothing", row_of(comparison, 0, comparison.unchanged)},
            {"releases", Json::array()}};
  for (std::size_t i = 0; i < comparison.releases.size(); ++i) {
    json["releases"].push_back(row_of(comparison, i + 1, comparison.releases[i]));
  }
  if (exported) {
    json["exported"] = {
        {"row", exported->row + 1}, {"file", exported->file}, {"why", exported->why}};
  }
  return semveil::json::written(json);
}

std::string to_json(const Proposals& proposals, std::string_view keep) {
  Json json{{"keep", keep},
            {"records", proposals.records},
            {"tried_on", proposals.tried_on},
            {"quasi_identifiers", proposals.quasi_identifiers},
            {"uniques", proposals.uniques},
            {"findings", json_of(findings_of(proposals))},
            {"left_out", json_of(proposals.left_out)},
            {"advice", Json::array()},
            {"passed_over", Json::array()}};
  for (const Proposal& one : proposals.proposed) json["advice"].push_back(proposal_of(one));
  for (const Proposal& one : proposals.passed_over) json["passed_over"].push_back(proposal_of(one));
  return semveil::json::written(json);
}

std::string to_json(const Search& search, const std::optional<Advice>& found) {
  Json json{{"max_risk", search.most},
            {"risk", to_string(search.risk)},
            {"keep", to_string(search.keep)},
            {"found", search.found ? Json(*search.found + 1) : Json(nullptr)},
            {"mask", found ? Json(mask_block(*found)) : Json(nullptr)},
            {"findings", json_of(findings_of(search))},
            {"left_out", json_of(search.left_out)},
            {"tried", Json::array()}};
  for (const ComparedRelease& release : search.tried) json["tried"].push_back(release_of(release));
  return semveil::json::written(json);
}

}  // namespace semveil
