// What anybody may see: of every key that the schemas have it is declared.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <fstream>
#include <nlohmann/json.hpp>
#include <set>

#include "report/public_figures.h"
#include "semveil/json.h"

namespace semveil {
namespace {

using Json = nlohmann::ordered_json;
using ::testing::IsEmpty;

bool has_parts(const Json& schema) {
  return schema.contains("properties") || schema.contains("items") ||
         (schema.contains("additionalProperties") && schema["additionalProperties"].is_object());
}

// The figures of a schema: keys, names that a table brings (*) and entries of lists ([]).
void add_paths(const Json& schema, const std::string& path, std::set<std::string>& out) {
  if (!has_parts(schema)) {
    out.insert(path);
    return;
  }
  if (schema.contains("properties")) {
    for (const auto& [key, value] : schema["properties"].items()) {
      add_paths(value, path + "." + key, out);
    }
  }
  if (schema.contains("items")) add_paths(schema["items"], path + "[]", out);
  if (schema.contains("additionalProperties") && schema["additionalProperties"].is_object()) {
    add_paths(schema["additionalProperties"], path + ".*", out);
  }
}

std::set<std::string> figures_of(const std::string& verb, const std::string& name) {
  std::ifstream file("docs/json/" + verb + ".schema.json");
  const Json schema = Json::parse(file);
  std::set<std::string> out;
  add_paths(schema.contains("oneOf") ? schema["oneOf"][0] : schema, name, out);
  return out;
}

TEST(PublicFigures, AreDeclaredOfEveryKeyAndOfNoOther) {
  std::set<std::string> keys, declared;
  for (const char* const verb : {"audit", "compare", "describe", "mask"}) {
    keys.merge(figures_of(verb, verb));
  }
  for (const auto& [path, shown] : report::public_figures()) declared.insert(path);
  std::vector<std::string> undeclared, gone;
  std::ranges::set_difference(keys, declared, std::back_inserter(undeclared));
  std::ranges::set_difference(declared, keys, std::back_inserter(gone));
  EXPECT_THAT(undeclared, IsEmpty());
  EXPECT_THAT(gone, IsEmpty());
  EXPECT_GT(keys.size(), 300U);
}

// But for what stands beside a model, which no reader of a release is told.
TEST(PublicFigures, OfApplyAreThoseOfMask) {
  std::set<std::string> figures = figures_of("mask", "mask");
  for (const auto& [path, shown] : report::public_figures()) EXPECT_NE(path, "mask.recorded");
  figures.insert("mask.recorded");
  EXPECT_EQ(figures_of("apply", "mask"), figures);
}

TEST(PublicJson, LeavesOutWhatIsSecretOrNotDeclared) {
  const std::string shown = public_json("describe", R"({"records":12345,"unheard_of":1,"columns":{
    "age":{"role":"sensitive","distinct":2345,"numeric":{"mean":41.2345,"deviation":null,"min":3,
    "max":97,"quantiles":{"0.5":40}}}}})");
  EXPECT_EQ(Json::parse(shown), Json::parse(R"({"records":12300,"columns":{"age":{
    "role":"sensitive","distinct":2350,"numeric":{"mean":41.2,"deviation":null,
    "quantiles":{}}}}})"));
}

TEST(PublicJson, MakesTheSentencesOfFindingsAgain) {
  const std::string shown = public_json("mask", R"({"findings":[{"id":"swap-risk-above-k",
    "severity":"warning","columns":[],"figures":{"k":3,"risk":0.123456,"unheard_of":1},
    "text":"0.123456"}]})");
  const Json finding = Json::parse(shown)["findings"][0];
  EXPECT_EQ(finding["figures"], Json::parse(R"({"k":3,"risk":0.123})"));
  EXPECT_THAT(finding["text"].get<std::string>(),
              ::testing::HasSubstr("the greatest chance is 0.123."));
}

}  // namespace
}  // namespace semveil
