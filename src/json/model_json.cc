// What `fit` learned.
#include "json/json.h"

namespace semveil {
namespace {

using json::Json;
using json::json_of;
using json::or_null;

// What a plan may declare to fit the same model without the table.
Json statistics_of(const Model& model) {
  const std::optional<Model::Statistics> statistics = model.statistics();
  if (!statistics) return nullptr;
  Json columns = Json::object();
  for (const Model::Statistics::Column& column : statistics->columns) {
    columns[column.name] = {{"mean", column.mean}, {"variance", column.variance}};
  }
  Json covariance = nullptr;
  if (!statistics->covariance.empty()) {
    covariance = Json::array();
    const std::size_t width = statistics->columns.size();
    for (std::size_t a = 0; a < width; ++a) {
      const auto row = statistics->covariance.begin() + static_cast<std::ptrdiff_t>(a * width);
      covariance.push_back(std::vector<double>(row, row + static_cast<std::ptrdiff_t>(width)));
    }
  }
  return {{"columns", std::move(columns)},
          {"covariance", std::move(covariance)},
          {"digest", statistics->digest}};
}

}  // namespace

namespace json {

Json step_of(const StepFacts& step) {
  return {{"method", step.method},
          {"parameters", parameters_of(step.parameters)},
          {"columns", step.columns}};
}

}  // namespace json

std::string to_json(const Model& model, const FittedModel& file) {
  Json out({{"model", file.path},
            {"bytes", file.bytes},
            {"records", or_null(file.records)},
            {"method", model.method()},
            {"parameters", json::parameters_of(model.parameters())},
            {"columns", model.masked_columns()},
            {"statistics", statistics_of(model)},
            {"holds_key", file.facts.holds_key},
            {"tells", json_of(file.telling)},
            {"findings", json_of(findings_of(file.telling, file.facts))}});
  const std::vector<StepFacts> steps = model.steps();
  if (steps.size() > 1) {
    out["steps"] = Json::array();
    for (const StepFacts& step : steps) out["steps"].push_back(json::step_of(step));
  }
  return json::written(out);
}

}  // namespace semveil
