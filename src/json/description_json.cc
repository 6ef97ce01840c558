#include "json/json.h"

namespace semveil {
namespace json {

std::string written(const Json& json) {
  // Names from files are checked when they are read; snapshots made by others might not be UTF-8.
  return json.dump(-1, ' ', false, Json::error_handler_t::replace);
}

Json json_of(const NamedConcept& named) {
  return {{"id", or_null(named.id)}, {"label", named.label}};
}

Json json_of(const NumericSummary& numbers) {
  Json json{{"mean", numbers.mean},
            {"deviation", or_null(numbers.deviation)},
            {"min", or_null(numbers.min)},
            {"max", or_null(numbers.max)},
            {"quantiles", nullptr}};
  for (std::size_t i = 0; i < numbers.quantiles.size(); ++i) {
    json["quantiles"][written(kQuantilePercents[i] / 100.0)] = numbers.quantiles[i];
  }
  if (numbers.dates) json["dates"] = true;
  return json;
}

Json json_of(const std::vector<Finding>& findings) {
  Json out = Json::array();
  for (const Finding& finding : findings) {
    out.push_back({{"id", finding.id},
                   {"severity", to_string(finding.severity)},
                   {"columns", finding.columns},
                   {"figures", finding.figures},
                   {"text", finding.text}});
  }
  return out;
}

Json json_of(const std::vector<SensitiveDescription>& sensitive) {
  Json json = Json::object();
  for (const SensitiveDescription& s : sensitive) {
    json[s.name] = {{"l", s.l},
                    {"entropy_l", s.entropy_l},
                    {"recursive_c", or_null(s.recursive_c)},
                    {"t", or_null(s.t)}};
    if (s.most_common) json[s.name]["most_common"] = *s.most_common;
  }
  return json;
}

Json json_of(const std::vector<Counted>& counted) {
  Json json = Json::array();
  for (const Counted& each : counted) {
    json.push_back({{"what", each.what}, {"count", each.count}});
  }
  return json;
}

Json json_of(const std::vector<Survey::PassedThrough>& telling) {
  Json json = Json::object();
  for (const Survey::PassedThrough& column : telling) {
    for (const Survey::PassedThrough::Told& told : column.tells) {
      json[column.name].push_back({{"column", told.column}, {"records", told.records}});
    }
  }
  return json;
}

Json privacy_of(const Description& description) {
  const auto& classes = description.classes;
  return {{"k", classes ? Json(classes->smallest) : Json(nullptr)},
          {"uniques", classes ? Json(classes->uniques) : Json(nullptr)},
          {"sensitive", json_of(description.sensitive)}};
}

Json parameters_of(const std::map<std::string, std::string>& parameters) {
  Json json = Json::object();
  for (const auto& [key, value] : parameters) {
    Json parsed = Json::parse(value, nullptr, false);
    json[key] = parsed.is_discarded() ? Json(value) : std::move(parsed);
  }
  return json;
}

namespace {

Json described_column(const ColumnDescription& column) {
  Json json;
  json["role"] = to_string(column.role);
  json["distinct"] = column.distinct;
  json["missing"] = column.missing;
  json["unmapped"] = or_null(column.unmapped);
  json["mean"] = column.mean ? json_of(*column.mean) : Json(nullptr);
  json["variance"] = or_null(column.variance);
  json["distance_variance"] = or_null(column.distance_variance);
  if (column.sampled > 0) json["sampled"] = column.sampled;
  json["domain"] = nullptr;
  if (column.domain) {
    json["domain"] = {{"root", json_of(column.domain->root)},
                      {"concepts", column.domain->concepts},
                      {"max_depth", column.domain->max_depth},
                      {"measure", column.domain->measure}};
    if (column.domain->symmetrised) json["domain"]["symmetrised"] = true;
    if (column.domain->candidates < column.domain->concepts) {
      json["domain"]["candidates"] = column.domain->candidates;
      json["domain"]["headings"] = column.domain->headings;
    }
  }
  if (column.numeric) json["numeric"] = json_of(*column.numeric);
  return json;
}

Json described_pair(const PairDescription& pair) {
  Json json{{"a", pair.a},
            {"b", pair.b},
            {"distance_covariance", pair.distance_covariance},
            {"distance_correlation", pair.distance_correlation}};
  if (pair.clamped) json["clamped"] = true;
  if (pair.sampled > 0) json["sampled"] = pair.sampled;
  return json;
}

}  // namespace

Json json_of(const Description& description) {
  Json json;
  json["records"] = description.records;
  if (description.persons) json["persons"] = *description.persons;
  json["missing_rule"] = to_string(description.missing_rule);
  json["columns"] = Json::object();
  for (const ColumnDescription& c : description.columns) {
    json["columns"][c.name] = described_column(c);
  }
  json["pairs"] = Json::array();
  for (const PairDescription& pair : description.pairs) {
    json["pairs"].push_back(described_pair(pair));
  }
  const auto& classes = description.classes;
  json["classes"] = {{"count", classes ? Json(classes->count) : Json(nullptr)},
                     {"smallest", classes ? Json(classes->smallest) : Json(nullptr)},
                     {"uniques", classes ? Json(classes->uniques) : Json(nullptr)}};
  if (classes && classes->records) {
    json["classes"]["records"] = {{"smallest", classes->records->smallest},
                                  {"uniques", classes->records->uniques}};
  }
  if (!description.sensitive.empty()) json["privacy"] = privacy_of(description);
  return json;
}

}  // namespace json

std::string to_json(const Description& description, const std::vector<Finding>& findings) {
  json::Json out = json::json_of(description);
  out["findings"] = json::json_of(findings);
  return json::written(out);
}

}  // namespace semveil
