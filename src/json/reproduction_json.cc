// Reproductions of published experiments.
#include "json/json.h"

namespace semveil {
namespace {

using json::Json;

Json reproduced(const ReproducedCell& cell) {
  if (const auto* number = std::get_if<double>(&cell)) return *number;
  if (const auto* text = std::get_if<std::string>(&cell)) return *text;
  return nullptr;
}

Json reproduced(const std::vector<ReproducedCell>& cells) {
  Json json = Json::array();
  for (const ReproducedCell& cell : cells) json.push_back(reproduced(cell));
  return json;
}

Json reproduced(const ReproducedRow& row) {
  Json json;
  json["name"] = row.name;
  json["theirs"] = row.theirs.empty() ? Json(nullptr) : reproduced(row.theirs);
  json["ours"] = reproduced(row.ours);
  json["tolerance"] = row.tolerance ? Json(*row.tolerance) : Json(nullptr);
  json["within"] = Json::array();
  for (const auto& within : row.within()) {
    json["within"].push_back(within ? Json(*within) : Json(nullptr));
  }
  return json;
}

Json reproduced(const ReproducedFigure& figure) {
  Json curves = Json::array();
  for (const ReproducedFigure::Curve& curve : figure.curves) {
    curves.push_back(
        {{"name", curve.name}, {"theirs", curve.theirs}, {"x", curve.x}, {"y", curve.y}});
  }
  return {{"title", figure.title},
          {"x", figure.x},
          {"y", figure.y},
          {"log_x", figure.log_x},
          {"curves", std::move(curves)}};
}

Json reproduced(const ReproducedPart& part) {
  Json json;
  json["title"] = part.title;
  json["notes"] = part.notes;
  json["tables"] = Json::array();
  for (const ReproducedTable& table : part.tables) {
    Json rows = Json::array();
    for (const ReproducedRow& row : table.rows) rows.push_back(reproduced(row));
    json["tables"].push_back({{"title", table.title}, {"columns", table.columns}, {"rows", rows}});
  }
  json["figures"] = Json::array();
  for (const ReproducedFigure& figure : part.figures) json["figures"].push_back(reproduced(figure));
  json["claims"] = Json::array();
  for (const ReproducedClaim& claim : part.claims) {
    json["claims"].push_back({{"about", claim.about},
                              {"claim", claim.text},
                              {"holds", claim.holds},
                              {"figures", claim.figures},
                              {"why", claim.why.empty() ? Json(nullptr) : Json(claim.why)}});
  }
  return json;
}

Json reproduced(const Reproduction& reproduction) {
  Json json;
  json["experiment"] = reproduction.experiment.name;
  json["paper"] = reproduction.experiment.paper;
  json["parts"] = Json::array();
  for (const ReproducedPart& part : reproduction.parts) json["parts"].push_back(reproduced(part));
  return json;
}

}  // namespace

std::string to_json(const std::vector<Reproduction>& reproductions) {
  if (reproductions.size() == 1) return json::written(reproduced(reproductions.front()));
  Json all = Json::array();
  for (const Reproduction& each : reproductions) all.push_back(reproduced(each));
  return json::written(Json{{"reproductions", std::move(all)}});
}

std::string to_json(std::span<const ExperimentInfo> experiments, const std::string& data_folder,
                    const std::vector<DataFileFacts>& data) {
  Json out;
  out["experiments"] = Json::array();
  for (const ExperimentInfo& info : experiments) {
    out["experiments"].push_back({{"name", info.name},
                                  {"paper", info.paper},
                                  {"what", info.what},
                                  {"parts", info.parts},
                                  {"needs", info.needs}});
  }
  out["data_folder"] = data_folder;
  out["data"] = Json::array();
  for (const DataFileFacts& file : data) {
    out["data"].push_back({{"path", file.path},
                           {"state", file.state},
                           {"published", file.published},
                           {"sha256", file.sha256}});
  }
  return json::written(out);
}

}  // namespace semveil
