// The parts of a summary that speak of sets and of classes.
#include <algorithm>

#include "json/json.h"
#include "semveil/method.h"

namespace semveil::json {
namespace {

std::optional<std::uint64_t> released_distinct(const MaskedColumn& column,
                                               const MaskResult& result) {
  if (!result.after) return std::nullopt;
  const auto at = std::ranges::find(result.after->columns, column.name, &ColumnDescription::name);
  return at == result.after->columns.end() ? std::nullopt : std::optional(at->distinct);
}

}  // namespace

Json set_column_of(const MaskedColumn& column, const MaskResult& result) {
  const SetRelease& set = *column.set;
  Json json;
  const auto distinct = released_distinct(column, result);
  json["distinct"] = distinct ? Json(*distinct) : Json(nullptr);
  json["missing"] = column.missing;
  json["l"] = set.l;
  json["categories"] = set.categories;
  json["category_shares"] = Json::array();
  for (const SetRelease::Category& category : set.each) {
    json["category_shares"].push_back(category.share);
  }
  json["unused"] = set.unused;
  json["information_loss"] = set.information_loss;
  json["posterior"] = nullptr;
  if (set.posterior) {
    json["posterior"] = {{"mean", set.posterior->mean},
                         {"worst", set.posterior->worst},
                         {"likeliest", set.posterior->likeliest}};
  }
  json["revealed_by_two"] = set.revealed_by_two ? Json(*set.revealed_by_two) : Json(nullptr);
  json["cells"] = column.cells;
  json["changed"] = column.changed;
  json["unmapped_cells"] = {{"suppressed", column.suppressed}};
  return json;
}

void add_sets(const MaskResult& result, Json& json) {
  const MaskResult::Sets& sets = *result.sets;
  json["information_loss"] = sets.information_loss ? Json(*sets.information_loss) : Json(nullptr);
  json["reread"] = sets.reread;
  json["joint"] = nullptr;
  if (sets.joint) {
    json["joint"] = {{"records", sets.joint->records},
                     {"mean", sets.joint->mean},
                     {"worst", sets.joint->worst},
                     {"columns", Json::object()}};
    std::vector<std::string> names;
    for (const MaskedColumn& column : result.masked) {
      if (column.set) names.push_back(column.name);
    }
    for (std::size_t j = 0; j < sets.joint->columns.size(); ++j) {
      json["joint"]["columns"][names[j]] = {{"mean", sets.joint->columns[j].mean},
                                            {"worst", sets.joint->columns[j].worst}};
    }
  }
  if (!result.after) return;
  // What a class tells of its sensitive values is a question of values, which sets are not.
  if (!json.contains("privacy")) json["privacy"] = privacy_of(*result.after);
  for (const MaskedColumn& column : result.masked) {
    if (!column.set) continue;
    json["privacy"]["sensitive"][column.name] = {
        {"l", nullptr}, {"entropy_l", nullptr}, {"recursive_c", nullptr}, {"t", nullptr}};
  }
}

void add_classes(const MaskResult::Classes& classes, const ReleaseFacts& facts, Json& json) {
  json["suppressed"] = classes.suppressed;
  if (!method_named(facts.method).releases_ancestors) return;
  Json levels = nullptr;
  for (const auto& [name, level] : classes.levels) levels[name] = level;
  json["generalize"] = {{"levels", std::move(levels)},
                        {"suppressed", classes.suppressed},
                        {"loss", classes.loss ? Json(*classes.loss) : Json(nullptr)}};
}

}  // namespace semveil::json
