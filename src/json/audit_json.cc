// Keys as docs/audit.md lists them. What is undefined is null.
#include <algorithm>

#include "json/json.h"

namespace semveil {
namespace {

using json::Json;
using json::json_of;
using json::or_null;

Json interval_json(const Interval& interval) { return Json::array({interval.low, interval.high}); }

Json audited_column(const AuditedColumn& column) {
  const auto concept_or_null = [](const std::optional<NamedConcept>& named) {
    return named ? json_of(*named) : Json(nullptr);
  };
  Json json{{"role", to_string(column.role)},
            {"masked", column.is_masked},
            {"distinct_original", column.original_distinct},
            {"distinct_masked", column.masked_distinct},
            {"missing_original", column.original_missing},
            {"missing_masked", column.masked_missing},
            {"unmapped_original", column.original_unmapped},
            {"unmapped_masked", column.masked_unmapped},
            {"left_unmapped", column.left_unmapped},
            {"mean_original", concept_or_null(column.mean_original)},
            {"mean_masked", concept_or_null(column.mean_masked)},
            {"number_mean_original", or_null(column.number_mean.original)},
            {"number_mean_masked", or_null(column.number_mean.masked)},
            {"mean_shift", or_null(column.mean_shift)},
            {"variance_original", or_null(column.variance.original)},
            {"variance_masked", or_null(column.variance.masked)},
            {"variance_expected", or_null(column.expected_variance)},
            {"variance_drawn", or_null(column.drawn_variance)},
            {"rmse", or_null(column.rmse)},
            {"target_rmse", or_null(column.target_rmse)},
            {"mean_distance", or_null(column.mean_distance)},
            {"unchanged", or_null(column.unchanged)},
            {"total_variation", or_null(column.total_variation)},
            {"hellinger", or_null(column.hellinger)},
            {"semantic_quality", or_null(column.semantic_quality)},
            {"ic_loss", or_null(column.ic_loss)},
            {"information_loss", or_null(column.information_loss)},
            {"distances", column.distances}};
  if (column.numeric_original) json["numeric_original"] = json_of(*column.numeric_original);
  if (column.numeric_masked) json["numeric_masked"] = json_of(*column.numeric_masked);
  json["distribution"] = Json::array();
  for (const ValueShare& share : column.distribution) {
    json["distribution"].push_back({{"label", share.label},
                                    {"original", share.original},
                                    {"masked", share.masked},
                                    {"pooled", share.pooled},
                                    {"values", share.values}});
  }
  return json;
}

Json tree_json(const std::vector<ClusterNode>& nodes) {
  Json json = Json::array();
  for (const ClusterNode& node : nodes) {
    Json entry{{"height", node.height}, {"records", node.records}};
    if (node.left != node.right) {
      entry["left"] = node.left;
      entry["right"] = node.right;
    } else {
      entry["label"] = node.label;
    }
    json.push_back(std::move(entry));
  }
  return json;
}

Json audited_classes(const std::optional<ClassRisk>& classes) {
  const auto of = [&](auto member) { return classes ? Json((*classes).*member) : Json(nullptr); };
  const auto risk = [&](auto member) {
    return classes ? or_null((*classes).*member) : Json(nullptr);
  };
  Json json{
      {"count", of(&ClassRisk::classes)},           {"smallest", of(&ClassRisk::smallest)},
      {"uniques", of(&ClassRisk::uniques)},         {"suppressed", of(&ClassRisk::suppressed)},
      {"prosecutor", risk(&ClassRisk::prosecutor)}, {"marketer", risk(&ClassRisk::marketer)}};
  if (classes && classes->records) {
    json["records"] = {{"smallest", classes->records->smallest},
                       {"uniques", classes->records->uniques}};
  }
  return json;
}

Json audited_privacy(const PrivacyFigures& privacy) {
  return {{"k", or_null(privacy.k)},
          {"uniques", privacy.is_known ? Json(privacy.uniques) : Json(nullptr)},
          {"sensitive", json_of(privacy.sensitive)}};
}

Json attack_json(const Attack& attack) {
  Json json{{"name", attack.name}};
  if (!attack.about.empty()) json["about"] = attack.about;
  if (attack.columns > 0) json["columns"] = attack.columns;
  json["tried"] = attack.tried;
  json["rate"] = or_null(attack.rate);
  json["interval"] = attack.rate ? interval_json(attack.interval) : Json(nullptr);
  json["control"] = or_null(attack.control);
  json["baseline"] = or_null(attack.baseline);
  json["risk"] = or_null(attack.risk);
  json["risk_interval"] = attack.risk ? interval_json(attack.risk_interval) : Json(nullptr);
  if (attack.name != "singling-out") return json;
  json["guesses"] = attack.tried;
  json["pointed_at"] = or_null(attack.pointed_at);
  if (attack.columns > 0) return json;
  json["by_columns"] = Json::array();
  for (const Attack& fewer : attack.by_columns) json["by_columns"].push_back(attack_json(fewer));
  return json;
}

Json disclosure_json(const Disclosure& disclosure) {
  Json json{{"name", disclosure.attack}};
  if (!disclosure.about.empty()) json["about"] = disclosure.about;
  json["average"] = disclosure.mean;
  json["worst"] = or_null(disclosure.worst);
  json["baseline"] = disclosure.baseline;
  json["baseline_worst"] = or_null(disclosure.baseline_worst);
  if (disclosure.in) json["in"] = *disclosure.in;
  if (disclosure.control) json["control"] = *disclosure.control;
  if (disclosure.fewest) json["fewest"] = *disclosure.fewest;
  json["protects"] = to_string(disclosure.protects);
  return json;
}

Json released_json(const std::vector<ChannelFigures::Released>& values) {
  Json json = Json::array();
  for (const ChannelFigures::Released& released : values) {
    Json entry{
        {"label", released.label}, {"records", released.records}, {"origins", Json::array()}};
    for (const ChannelFigures::Origin& origin : released.origins) {
      entry["origins"].push_back({{"label", origin.label}, {"posterior", origin.posterior}});
    }
    json.push_back(std::move(entry));
  }
  return json;
}

Json channel_json(const ChannelFigures& figures) {
  const ChannelRisk& risk = figures.risk;
  Json json{{"columns", risk.columns},
            {"how", to_string(risk.how)},
            {"prior", risk.prior},
            {"vulnerability", risk.vulnerability},
            {"leakage", risk.leakage},
            {"expected", risk.expected},
            {"worst", risk.worst},
            {"unchanged", risk.unchanged},
            {"half_width", or_null(risk.half_width)}};
  if (!figures.released.empty()) json["released"] = released_json(figures.released);
  if (figures.values.empty()) return json;
  json["values"] = Json::array();
  for (const ChannelFigures::Named& named : figures.values) {
    json["values"].push_back({{"label", named.label},
                              {"records", named.value.records},
                              {"expected", named.value.expected},
                              {"worst", named.value.worst},
                              {"unchanged", named.value.unchanged}});
  }
  return json;
}

void add_utility(const Audit& audit, Json& json) {
  json["columns"] = Json::object();
  for (const AuditedColumn& column : audit.columns) {
    json["columns"][column.name] = audited_column(column);
  }
  json["pairs"] = Json::array();
  for (const AuditedPair& pair : audit.pairs) {
    Json entry{{"a", pair.a},
               {"b", pair.b},
               {"correlation_original", or_null(pair.correlation.original)},
               {"correlation_masked", or_null(pair.correlation.masked)},
               {"covariance_original", or_null(pair.covariance.original)},
               {"covariance_masked", or_null(pair.covariance.masked)},
               {"covariance_expected", or_null(pair.expected_covariance)},
               {"covariance_error", or_null(pair.covariance_error)}};
    if (pair.sampled > 0) entry["sampled"] = pair.sampled;
    json["pairs"].push_back(std::move(entry));
  }
  json["semantic_quality"] = or_null(audit.semantic_quality);
  json["discernibility"] = or_null(audit.discernibility);
  json["discernibility_original"] = or_null(audit.discernibility_original);
  json["c_avg"] = or_null(audit.c_avg);
  json["lm"] = or_null(audit.lm);
  json["ncp"] = or_null(audit.ncp);
  json["lm_original"] = or_null(audit.lm_original);
  json["ncp_original"] = or_null(audit.ncp_original);
  json["information_loss"] = or_null(audit.information_loss);
  json["partition_distance"] = nullptr;
  json["clusters"] = nullptr;
  if (audit.clusters) {
    json["partition_distance"] = audit.clusters->partition_distance;
    json["clusters"] = {{"count", audit.clusters->count},
                        {"sampled", audit.clusters->sampled},
                        {"original", tree_json(audit.clusters->original)},
                        {"masked", tree_json(audit.clusters->masked)}};
  }
  json["downstream"] = nullptr;
  if (audit.downstream) {
    json["downstream"] = {{"target", audit.downstream->target},
                          {"original", audit.downstream->original},
                          {"masked", audit.downstream->masked},
                          {"majority", audit.downstream->majority},
                          {"tested", audit.downstream->tested}};
  }
}

void add_risk(const Audit& audit, Json& json) {
  json["classes"] = audited_classes(audit.classes);
  json["classes_original"] = audited_classes(audit.classes_original);
  json["journalist"] = or_null(audit.journalist);
  json["one_origin"] = audit.one_origin ? Json(audit.one_origin->share) : Json(nullptr);
  json["one_origin_shuffled"] =
      audit.one_origin ? or_null(audit.one_origin->shuffled) : Json(nullptr);
  const bool has_sensitive = std::ranges::any_of(
      audit.columns, [](const AuditedColumn& c) { return c.role == Role::kSensitive; });
  if (has_sensitive) {
    json["privacy"] = audited_privacy(audit.privacy);
    json["privacy_original"] = audited_privacy(audit.privacy_original);
  }
  json["category_diversity"] = or_null(audit.category_diversity);
  json["linkage"] = {{"equality", or_null(audit.linkage.equality)},
                     {"semantic", or_null(audit.linkage.semantic)},
                     {"window", or_null(audit.linkage.window)},
                     {"own_among_alike", or_null(audit.linkage.own_among_alike)},
                     {"own_among_alike_mean", or_null(audit.linkage.own_among_alike_mean)},
                     {"worst", or_null(audit.linkage.worst)},
                     {"baseline", or_null(audit.linkage.baseline)}};
  json["control"] = audit.has_control;
  json["attacks"] = Json::array();
  for (const Attack& attack : audit.attacks) json["attacks"].push_back(attack_json(attack));
  json["disclosures"] = Json::array();
  for (const Disclosure& disclosure : audit.disclosures) {
    json["disclosures"].push_back(disclosure_json(disclosure));
  }
  json["contributions"] = Json::array();
  for (const ColumnContribution& c : audit.contributions) {
    json["contributions"].push_back({{"column", c.column},
                                     {"linkage_without", c.linkage_without},
                                     {"uniques_without", c.uniques_without}});
  }
  json["channels"] = Json::array();
  for (const ChannelFigures& channel : audit.channels) {
    json["channels"].push_back(channel_json(channel));
  }
  if (!audit.risky_values.empty()) {
    json["risky_values"] = Json::array();
    for (const RiskyValue& value : audit.risky_values) {
      json["risky_values"].push_back({{"column", value.column},
                                      {"label", value.label},
                                      {"records", value.records},
                                      {"linked", value.linked}});
    }
  }
  json["unmasked"] = audit.unmasked;
  json["changed"] = Json::array();
  for (const Audit::Changed& changed : audit.changed) {
    json["changed"].push_back({{"column", changed.column}, {"share", changed.share}});
  }
  json["identifiers"] = audit.identifiers;
}

}  // namespace

std::string to_json(const Audit& audit, std::string_view edition) {
  // Whatever is not the steward's is for everybody.
  constexpr std::uint64_t kUsualPool = 5;
  if (edition != "steward" && !audit.is_rounded)
    return to_json(public_edition(audit, kUsualPool), "public");
  Json json{{"records_original", audit.original_records},
            {"records_masked", audit.masked_records},
            {"paired", audit.paired},
            {"pairing", audit.pairing}};
  if (audit.persons) json["persons"] = *audit.persons;
  if (!audit.unpaired_why.empty()) json["unpaired_why"] = audit.unpaired_why;
  json["missing_rule"] = to_string(audit.missing_rule);
  json["notes"] = audit.notes;
  json["findings"] = json_of(audit.findings);
  add_utility(audit, json);
  add_risk(audit, json);
  json["edition"] = edition;
  if (edition != "steward") semveil::json::keep_public("audit", json);
  return semveil::json::written(json);
}

std::string to_json(std::span<const FigureExplanation* const> figures) {
  Json all = Json::array();
  for (const FigureExplanation* const figure : figures) {
    all.push_back({{"name", figure->name},
                   {"title", figure->title},
                   {"plain", figure->plain},
                   {"formula", figure->formula},
                   {"range", figure->range},
                   {"source", figure->source}});
  }
  return json::written(Json{{"figures", std::move(all)}});
}

}  // namespace semveil
