#include "mechanisms/swap/swap_saved.h"

#include <algorithm>
#include <stdexcept>

#include "mechanisms/common/saved.h"

namespace semveil {
namespace {

void check(const SwapCounts& saved, std::size_t width) {
  const std::size_t tuples = saved.counts.size();
  demand(saved.tuples.size() == tuples * width);
  const auto tuple = [&](std::size_t t) {
    return std::span(saved.tuples).subspan(t * width, width);
  };
  std::uint64_t slots = 0;
  for (std::size_t t = 0; t < tuples; ++t) {
    constexpr std::uint64_t kMost = 0xFFFFFFFF;
    demand(saved.counts[t] > 0 && saved.counts[t] <= kMost);
    slots += saved.counts[t];
    demand(slots <= kMost);
    demand(t == 0 || std::ranges::lexicographical_compare(tuple(t - 1), tuple(t)));
    bool has_cell = false;
    for (std::size_t j = 0; j < width; ++j) {
      const Code place = tuple(t)[j];
      demand(place == kMissing || place < saved.values[j].size());
      has_cell |= place != kMissing;
    }
    demand(has_cell);
  }
}

}  // namespace

std::string save_swap(const SwapOptions& options, const SwapCounts& counts,
                      const Attributes& attributes) {
  Json json{{"algorithm", options.algorithm}, {"k", options.k},
            {"exhausted", options.exhausted}, {"demands_risk", options.demands_risk},
            {"columns", Json::array()},       {"tuples", counts.tuples},
            {"counts", counts.counts}};
  for (std::size_t j = 0; j < attributes.size(); ++j) {
    Json values = Json::array();
    for (const ConceptId c : counts.values[j]) values.push_back(saved_id(*attributes[j], c));
    json["columns"].push_back(std::move(values));
  }
  return json.dump();
}

Result<std::unique_ptr<const FittedMethod>> load_swap(std::string_view saved, Attributes attributes,
                                                      const Key& key) {
  SwapOptions options;
  Result<SwapCounts> counts = read_saved([&] {
    const Json json = Json::parse(saved);
    SwapCounts read;
    options.algorithm = json.at("algorithm");
    options.k = json.at("k");
    options.exhausted = json.at("exhausted");
    options.demands_risk = json.at("demands_risk");
    demand(options.algorithm <= SwapAlgorithm::kDistributional && options.k > 0 &&
           options.exhausted <= Exhausted::kExtend);
    demand(json.at("columns").size() == attributes.size());
    for (std::size_t j = 0; j < attributes.size(); ++j) {
      const SavedIds ids(*attributes[j]);
      std::vector<ConceptId>& values = read.values.emplace_back();
      for (const Json& id : json.at("columns").at(j)) values.push_back(ids.concept_of(id));
      demand(are_values(*attributes[j], values));
    }
    read.tuples = json.at("tuples").get<std::vector<Code>>();
    read.counts = json.at("counts").get<std::vector<std::uint64_t>>();
    check(read, attributes.size());
    return read;
  });
  if (!counts) return fail(counts.error());
  return make_swap_plan(options, *std::move(counts), std::move(attributes), key);
}

}  // namespace semveil
