// The saved form of a fit of noise (docs/formats/model.md).
#include <algorithm>
#include <cstdlib>

#include "mechanisms/common/saved.h"
#include "mechanisms/noise/noise_model.h"

namespace semveil {

std::string save_noise(const NoiseModel& model, const Attributes& attributes) {
  const NoiseOptions& options = model.options;
  Json json{{"alpha", options.alpha},         {"correlated", options.correlated},
            {"reference", options.reference}, {"distribution", options.distribution},
            {"ties", options.ties},           {"allow_unmasked", options.allow_unmasked},
            {"by_person", options.by_person}, {"pairs", options.pairs},
            {"partner", model.partner},       {"covariance", model.covariance},
            {"psd_shift", model.psd_shift},   {"root", model.root},
            {"columns", Json::array()}};
  const bool has_numbers = std::ranges::any_of(
      model.columns, [](const NoiseLearned& learned) { return learned.numbers.has_value(); });
  if (has_numbers) json["range"] = options.range;  // models of words alone say nothing of it
  for (std::size_t j = 0; j < attributes.size(); ++j) {
    const NoiseLearned& learned = model.columns[j];
    Json values = Json::array();
    for (const ConceptId c : learned.values) values.push_back(saved_id(*attributes[j], c));
    Json partners = Json::array();
    for (const auto& [x, partner] : learned.partners) {
      partners.push_back(
          Json::array({saved_id(*attributes[j], x), saved_id(*attributes[j], partner)}));
    }
    json["columns"].push_back({{"mean", saved_id(*attributes[j], learned.statistics.mean)},
                               {"variance", learned.statistics.variance},
                               {"deviation", learned.statistics.deviation},
                               {"values", std::move(values)},
                               {"partners", std::move(partners)}});
    if (learned.numbers) {
      const NoiseLearned::Numbers& numbers = *learned.numbers;
      json["columns"].back()["numbers"] = {{"average", *learned.statistics.average},
                                           {"low", numbers.low},
                                           {"high", numbers.high},
                                           {"decimals", numbers.grid.decimals},
                                           {"first", numbers.grid.first},
                                           {"count", numbers.grid.count}};
    }
  }
  return json.dump();
}

namespace {

void read_numbers(const Json& json, const Attribute& attribute, NoiseLearned& learned) {
  learned.statistics.average = json.at("average");
  learned.statistics.per_unit = attribute.unit > 0 ? 1 / attribute.unit : 0;
  NoiseLearned::Numbers& numbers = learned.numbers.emplace();
  numbers.low = json.at("low");
  numbers.high = json.at("high");
  numbers.grid.decimals = json.at("decimals");
  numbers.grid.first = json.at("first");
  numbers.grid.count = json.at("count");
  constexpr std::int64_t kMostSteps = 10'000'000'000'000'000;
  constexpr int kMostDigits = 30, kMostZeros = 320;  // beyond those of any double
  demand(numbers.low <= numbers.high && numbers.grid.count > 0 &&
         numbers.grid.count <= NumberGrid::kMost && std::abs(numbers.grid.first) <= kMostSteps &&
         numbers.grid.decimals <= kMostDigits && -numbers.grid.decimals <= kMostZeros);
}

}  // namespace

Result<NoiseModel> load_noise(std::string_view saved, const Attributes& attributes) {
  return read_saved([&] {
    const Json json = Json::parse(saved);
    const std::size_t width = attributes.size();
    const auto check = [](bool holds) {
      if (!holds) throw std::out_of_range("saved noise");
    };
    NoiseModel model;
    NoiseOptions& options = model.options;
    options.alpha = json.at("alpha");
    options.correlated = json.at("correlated");
    options.reference = json.at("reference");
    options.distribution = json.at("distribution");
    options.ties = json.at("ties");
    options.allow_unmasked = json.at("allow_unmasked");
    options.by_person = json.at("by_person");
    options.pairs = json.at("pairs").get<decltype(options.pairs)>();
    check(options.reference <= NoiseReference::kRoot &&
          options.distribution <= NoiseDistribution::kLaplace && options.ties <= TieRule::kFirst);
    if (json.contains("range")) options.range = json.at("range");
    check(options.range <= NoiseRange::kFree);
    model.partner = json.at("partner").get<std::vector<std::size_t>>();
    model.covariance = json.at("covariance").get<std::vector<double>>();
    model.psd_shift = json.at("psd_shift");
    model.root = json.at("root").get<std::vector<double>>();
    check(model.root.size() == width * width && json.at("columns").size() == width);
    check(model.partner.size() ==
          (options.reference == NoiseReference::kPair ? width : std::size_t{0}));
    for (std::size_t j = 0; j < model.partner.size(); ++j) {
      check(model.partner[j] < width && same_domain(*attributes[j], *attributes[model.partner[j]]));
    }
    for (std::size_t j = 0; j < width; ++j) {
      const SavedIds ids(*attributes[j]);
      const Json& column = json.at("columns").at(j);
      NoiseLearned learned;
      learned.statistics.mean = ids.concept_of(column.at("mean"));
      check(learned.statistics.mean < attributes[j]->size());
      check(column.contains("numbers") == attributes[j]->is_numeric());
      if (attributes[j]->is_numeric()) read_numbers(column.at("numbers"), *attributes[j], learned);
      learned.statistics.variance = column.at("variance");
      learned.statistics.deviation = column.at("deviation");
      for (const Json& id : column.at("values")) learned.values.push_back(ids.concept_of(id));
      check(are_values(*attributes[j], learned.values));
      for (const Json& pair : column.at("partners")) {
        const ConceptId partner = pair.at(1).is_null() ? kMissing : ids.concept_of(pair.at(1));
        learned.partners.emplace_back(ids.concept_of(pair.at(0)), partner);
        check(std::binary_search(learned.values.begin(), learned.values.end(),
                                 learned.partners.back().first));
      }
      check(std::is_sorted(learned.partners.begin(), learned.partners.end()));
      model.columns.push_back(std::move(learned));
    }
    return model;
  });
}

}  // namespace semveil
