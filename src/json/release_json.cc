// The summary of a release. Keys as docs/json/mask.schema.json lists them.
#include <algorithm>

#include "json/json.h"

namespace semveil {
namespace {

using json::add_classes;
using json::add_sets;
using json::Json;
using json::json_of;
using json::or_null;
using json::parameters_of;
using json::set_column_of;

void add_noise_pairs(const MaskResult& result, Json& pairs) {
  for (Json& pair : pairs) {
    pair["covariance_expected"] = nullptr;
    pair["covariance_error"] = nullptr;
    for (const NoisePair& noisy : result.noise_pairs) {
      if (pair["a"] != noisy.a || pair["b"] != noisy.b) continue;
      pair["covariance_expected"] = noisy.expected_covariance;
      pair["covariance_error"] = noisy.covariance_error;
    }
  }
}

void add_masked(const MaskedColumn& column, Json& json) {
  if (!json.contains("missing")) json["missing"] = column.missing;
  json["rmse"] = or_null(column.rmse);
  json["target_rmse"] = or_null(column.target_rmse);
  json["mean_distance"] = or_null(column.mean_distance);
  json["mean_error"] = or_null(column.mean_error);
  json["variance_expected"] = or_null(column.expected_variance);
  json["variance_drawn"] = or_null(column.drawn_variance);
  json["cells"] = column.cells;
  json["changed"] = column.changed;
  json["truncated"] = truncated_cells(column.rules);
  if (column.hierarchy) {
    json["hierarchy"] = {{"rule", hierarchy_text(*column.hierarchy)},
                         {"by_weeks", column.hierarchy->by_weeks},
                         {"chosen", column.hierarchy_was_chosen}};
  }
  if (column.without_partner) json["no_partner"] = *column.without_partner;
  json["rules"] = Json::object();
  for (std::size_t i = 0; i < kRules; ++i) {
    json["rules"][std::string(to_string(static_cast<Rule>(i)))] = column.rules[i];
  }
  json["unmapped_cells"] = {{"suppressed", column.suppressed},
                            {"generalized", column.generalized},
                            {"kept", column.kept}};
}

// Of a plan of several steps, or of recodings.
void add_steps(const MaskResult& result, const ReleaseFacts& facts, Json& json) {
  if (facts.steps.size() > 1) {
    json["steps"] = Json::array();
    for (const StepFacts& step : facts.steps) json["steps"].push_back(json::step_of(step));
  }
  if (result.shifted) {
    Json& shifted = json["shifted"];
    shifted = {{"columns", result.shifted->columns},
               {"links_rows", result.shifted->links_rows},
               {"persons", result.shifted->persons},
               {"alone", result.shifted->alone},
               {"tells", Json::array()}};
    for (const ShiftTold& told : result.shifted->tells) {
      shifted["tells"].push_back(
          {{"column", told.column}, {"shifted", told.shifted}, {"told", to_string(told.told)}});
    }
  }
  if (result.recoded.empty()) return;
  json["recoded"] = Json::array();
  for (const MaskResult::Recoded& recoded : result.recoded) {
    json["recoded"].push_back({{"column", recoded.column},
                               {"method", recoded.method},
                               {"cells", recoded.cells},
                               {"changed", recoded.changed}});
  }
}

// Of columns of numbers: what they were.
void add_numbers_before(const MaskResult& result, Json& columns) {
  if (!result.before) return;
  for (const ColumnDescription& before : result.before->columns) {
    if (!before.numeric || !columns.contains(before.name)) continue;
    columns[before.name]["numeric_original"] = json_of(*before.numeric);
  }
}

}  // namespace

std::string to_json(const MaskResult& result, const ReleaseFacts& facts) {
  Json json = result.after ? json_of(*result.after) : Json{{"records", result.records}};
  json["method"] = facts.method;
  json["parameters"] = parameters_of(facts.parameters);
  add_steps(result, facts, json);
  json["changed"] = result.changed;
  json["truncated"] = result.truncated;
  json["seconds"] = facts.seconds;
  if (result.recorded) json["recorded"] = *result.recorded;
  json["single_origin"] = or_null(result.single_origin);
  if (result.classes) add_classes(*result.classes, facts, json);
  if (result.sets) add_sets(result, json);
  if (result.swapped) {
    std::uint64_t kept = 0;
    for (const MaskedColumn& column : result.masked) kept += column.without_partner.value_or(0);
    json["kept"] = kept;
    json["uniques_before"] = result.swapped->uniques;
    json["unchanged_uniques"] = result.swapped->unchanged_uniques;
    json["risk"] = result.swapped->risk;
  }
  json["unmasked"] = Json::array();
  for (const Survey::PassedThrough& column : result.unmasked) {
    json["unmasked"].push_back(column.name);
  }
  const bool looked =
      result.unmasked.empty() ||
      std::ranges::any_of(result.unmasked, [](const auto& c) { return c.sampled > 0; });
  json["tells"] = looked ? json_of(result.unmasked) : Json(nullptr);
  json["findings"] = json_of(findings_of(result, facts));
  if (json.contains("pairs")) add_noise_pairs(result, json["pairs"]);
  json["dropped"] = result.dropped_columns;
  json["dropped_records"] = result.dropped_records;
  if (!json.contains("columns")) json["columns"] = Json::object();
  for (auto& [name, column] : json["columns"].items()) {
    column["rmse"] = nullptr;
    column["target_rmse"] = nullptr;
  }
  for (const MaskedColumn& column : result.masked) {
    if (column.set) {
      json["columns"][column.name] = set_column_of(column, result);
    } else {
      add_masked(column, json["columns"][column.name]);
    }
  }
  add_numbers_before(result, json["columns"]);
  return semveil::json::written(json);
}

}  // namespace semveil
