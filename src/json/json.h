// Pieces that several of the JSON writers use (semveil/json.h).
#pragma once

#include <nlohmann/json.hpp>

#include "semveil/json.h"

namespace semveil::json {

using Json = nlohmann::ordered_json;

template <class T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

std::string written(const Json& json);

Json json_of(const NamedConcept& named);
Json json_of(const NumericSummary& numbers);
Json json_of(const std::vector<Finding>& findings);
Json json_of(const std::vector<SensitiveDescription>& sensitive);  // by column
Json json_of(const Description& description);
Json json_of(const std::vector<Counted>& counted);
// {"TITLE": [{"column": "CODE", "records": 0.97}]}
Json json_of(const std::vector<Survey::PassedThrough>& telling);
Json privacy_of(const Description& description);
// TOML values as JSON values; a value that JSON writes differently stays a text.
Json parameters_of(const std::map<std::string, std::string>& parameters);

Json step_of(const StepFacts& step);

// Takes out of a verb's JSON what is secret or not declared, and rounds what has three digits. What
// is pooled, or told as a figure beside it, has to be so already: public_edition() sees to that.
void keep_public(std::string_view verb, Json& json);

// The parts of a summary that speak of sets and of classes.
Json set_column_of(const MaskedColumn& column, const MaskResult& result);
void add_sets(const MaskResult& result, Json& json);
void add_classes(const MaskResult::Classes& classes, const ReleaseFacts& facts, Json& json);

}  // namespace semveil::json
