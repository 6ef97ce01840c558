// Saved plans of sets: categories and counts by id, tuples by the places of their values.
#include <algorithm>
#include <stdexcept>

#include "mechanisms/common/saved.h"
#include "mechanisms/sets/set_column.h"
#include "mechanisms/sets/set_plan.h"

namespace semveil {
namespace {

using Attributes = SetPlan::Attributes;

Json saved_ids(const Attribute& attribute, const std::vector<ConceptId>& values) {
  Json out = Json::array();
  for (const ConceptId value : values) out.push_back(saved_id(attribute, value));
  return out;
}

std::vector<ConceptId> with_records(const SetColumn& column) {
  std::vector<ConceptId> out;
  for (ConceptId v = 0; v < column.counts.size(); ++v) {
    if (column.counts[v] > 0) out.push_back(v);
  }
  return out;
}

Json saved_column(const Attribute& attribute, const SetColumn& column) {
  const std::vector<ConceptId> values = with_records(column);
  Json categories = Json::array(), counts = Json::array();
  for (const Categories::Category& category : column.categories.list) {
    categories.push_back(
        {{"name", category.name}, {"values", saved_ids(attribute, category.values)}});
  }
  for (const ConceptId value : values) counts.push_back(column.counts[value]);
  return {{"l", column.l},
          {"categories", std::move(categories)},
          {"values", saved_ids(attribute, values)},
          {"counts", std::move(counts)}};
}

SetColumn read_column(const Json& json, const Attribute& attribute, bool by_category,
                      SetDraw draw) {
  const SavedIds ids(attribute);
  const auto read_values = [&](const Json& list) {
    std::vector<ConceptId> values;
    demand(list.is_array());
    for (const Json& id : list) values.push_back(ids.concept_of(id));
    demand(are_values(attribute, values));
    return values;
  };
  SetColumn column;
  column.l = json.at("l").get<unsigned>();
  demand(column.l > 0 && json.at("l") == column.l && json.at("categories").is_array());
  for (const Json& category : json.at("categories")) {
    column.categories.list.push_back(
        {category.at("name").get<std::string>(), read_values(category.at("values"))});
  }
  const std::vector<ConceptId> values = read_values(json.at("values"));
  const auto counts = json.at("counts").get<std::vector<std::uint64_t>>();
  demand(values.size() == counts.size());
  column.counts.resize(attribute.size());
  for (std::size_t i = 0; i < values.size(); ++i) {
    demand(values[i] < attribute.size() && counts[i] > 0);
    column.counts[values[i]] = counts[i];
  }
  demand(finish_set_column(attribute, by_category, draw, column).has_value());
  return column;
}

SetJoint read_joint(const Json& json, const std::vector<SetColumn>& columns) {
  auto tuples = json.at("tuples").get<std::vector<Code>>();
  auto counts = json.at("tuple_counts").get<std::vector<std::uint64_t>>();
  const std::size_t width = columns.size();
  demand(tuples.size() == counts.size() * width);
  for (std::size_t t = 0; t < counts.size(); ++t) {
    demand(counts[t] > 0 && counts[t] <= kMostWeight);
    const auto tuple = [&](std::size_t at) { return std::span(tuples).subspan(at * width, width); };
    demand(t == 0 || std::ranges::lexicographical_compare(tuple(t - 1), tuple(t)));
  }
  for (std::size_t j = 0; j < width; ++j) {
    const std::vector<ConceptId> values = with_records(columns[j]);
    for (std::size_t t = 0; t < counts.size(); ++t) {
      Code& place = tuples[t * width + j];
      demand(place < values.size());
      place = values[place];
    }
  }
  return {columns, std::move(tuples), std::move(counts)};
}

}  // namespace

std::string SetPlan::save() const {
  Json json{{"draw", to_string(fit_.draw)},
            {"by_person", by_person_},
            {"columns", Json::array()},
            {"tuples", Json::array()},
            {"tuple_counts", Json::array()}};
  std::vector<std::vector<Code>> places;
  for (std::size_t j = 0; j < attributes_.size(); ++j) {
    json["columns"].push_back(saved_column(*attributes_[j], fit_.columns[j]));
    Code next = 0;
    std::vector<Code>& of = places.emplace_back(attributes_[j]->size());
    for (const ConceptId value : with_records(fit_.columns[j])) of[value] = next++;
  }
  if (joint_) {
    for (std::size_t i = 0; i < joint_->tuples().size(); ++i) {
      json["tuples"].push_back(places[i % places.size()][joint_->tuples()[i]]);
    }
    json["tuple_counts"] = joint_->counts();
  }
  return json.dump();
}

Result<std::unique_ptr<const FittedMethod>> load_sets(std::string_view saved, bool by_category,
                                                      Attributes attributes, const Key& key) {
  return read_saved([&]() -> std::unique_ptr<const FittedMethod> {
    const Json json = Json::parse(saved);
    SetFit fit{.by_category = by_category, .draw = SetDraw::kUniform, .columns = {}};
    const auto draw = json.at("draw").get<std::string>();
    if (draw == to_string(SetDraw::kFrequency)) fit.draw = SetDraw::kFrequency;
    demand(draw == to_string(fit.draw));
    demand(!attributes.empty() && json.at("columns").size() == attributes.size());
    for (std::size_t j = 0; j < attributes.size(); ++j) {
      fit.columns.push_back(
          read_column(json.at("columns").at(j), *attributes[j], by_category, fit.draw));
    }
    std::optional<SetJoint> joint;
    if (attributes.size() > 1) joint = read_joint(json, fit.columns);
    return std::make_unique<const SetPlan>(std::move(attributes), std::move(fit), std::move(joint),
                                           json.at("by_person").get<bool>(), key);
  });
}

}  // namespace semveil
