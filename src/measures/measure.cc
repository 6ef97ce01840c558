#include "semveil/measure.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <numeric>

#include "base/stop.h"
#include "measures/concept_features.h"
#include "measures/edge_measure.h"
#include "measures/gloss_measure.h"
#include "measures/ic_measure.h"
#include "measures/set_measure.h"

namespace semveil {
namespace {
constexpr auto kNames = std::to_array<std::string_view>(
    {"wu-palmer", "wu-palmer-edges", "path", "leacock-chodorow", "resnik", "lin", "jiang-conrath",
     "sanchez", "tversky", "rodriguez-egenhofer", "x-similarity", "gloss-vector"});
constexpr auto kOnContent = std::to_array<std::string_view>({"resnik", "lin", "jiang-conrath"});
constexpr auto kOnFeatures = std::to_array<std::string_view>(
    {"tversky", "rodriguez-egenhofer", "x-similarity", "gloss-vector"});

bool is_one_of(std::string_view name, std::span<const std::string_view> list) {
  return std::ranges::find(list, name) != list.end();
}

Result<std::shared_ptr<const InformationContent>> choose_content(const std::string& ic,
                                                                 const Domain& domain,
                                                                 const Names& names) {
  using Shared = std::shared_ptr<const InformationContent>;
  if (ic == "seco") return Shared();
  if (ic == "sanchez") {
    return std::make_shared<const InformationContent>(
        InformationContent::sanchez(*domain.taxonomy()));
  }
  if (ic == kDataIc) {
    return fail(
        usage_error("ic = \"data\" counts the records of a masked column, and there is none "
                    "here; choose seco, sanchez, corpus:FILE or a file of frequencies"));
  }
  if (ic.starts_with(kCorpusIc)) {
    return fail(usage_error("the text of ic = \"corpus:FILE\" has not been counted"));
  }
  Result<InformationContent> read = InformationContent::from_file(ic, domain, names);
  if (!read) return fail(read.error());
  return std::make_shared<const InformationContent>(*std::move(read));
}
}  // namespace

Result<FeatureWeights> feature_weights(std::span<const double> w_u_v) {
  constexpr double kTolerance = 1e-6;
  const bool in_range = std::ranges::all_of(w_u_v, [](double x) { return x >= 0 && x <= 1; });
  const double sum = std::accumulate(w_u_v.begin(), w_u_v.end(), 0.0);
  if (w_u_v.size() != 3 || !in_range || std::abs(sum - 1) > kTolerance) {
    return fail(
        usage_error("expected three numbers from 0 to 1 whose sum is 1: the weights of "
                    "names, features and neighbourhood"));
  }
  return FeatureWeights{w_u_v[0] / sum, w_u_v[1] / sum, w_u_v[2] / sum};
}

std::span<const std::string_view> measure_names() { return kNames; }
bool uses_information_content(std::string_view measure) { return is_one_of(measure, kOnContent); }

DistanceMatrix::DistanceMatrix(std::size_t size)
    : size_(size), values_(std::make_unique_for_overwrite<double[]>(size * size)) {}

void Measure::levels(std::span<const ConceptId> sources,
                     const std::function<void(std::size_t, const Levels&)>& visit) const {
  std::vector<double> distances(taxonomy().size());
  std::vector<ConceptId> order(taxonomy().size());
  std::vector<std::uint32_t> level(taxonomy().size());
  std::vector<double> values;
  for (std::size_t i = 0; i < sources.size(); ++i) {
    check_stop();
    from(sources[i], distances);
    std::iota(order.begin(), order.end(), ConceptId{0});
    std::sort(order.begin(), order.end(), [&](ConceptId a, ConceptId b) {
      return distances[a] != distances[b] ? distances[a] < distances[b] : a < b;
    });
    values.clear();
    double last = 0;
    for (const ConceptId c : order) {
      // Ties are chains: each is within tie() of the one before it.
      if (values.empty() || distances[c] > last + tie()) values.push_back(distances[c]);
      last = distances[c];
      level[c] = static_cast<std::uint32_t>(values.size() - 1);
    }
    visit(i, {level, values});
  }
}

double Measure::level_steps() const {
  constexpr double kDistanceAndSort = 100;
  return kDistanceAndSort * static_cast<double>(taxonomy().size());
}

DistanceMatrix Measure::among(std::span<const ConceptId> list) const {
  DistanceMatrix matrix(list.size());
  rows(list, [&](std::size_t i, std::span<const double> row) {
    std::copy(row.begin(), row.end(), matrix.row(i).begin());
  });
  return matrix;
}

Result<MeasureOptions> choose_measure(const MeasureChoice& choice, const Domain& domain,
                                      const Names& names,
                                      std::shared_ptr<const InformationContent> ic) {
  MeasureOptions options;
  options.name = choice.name;
  options.lcs = choice.lcs == "mica" ? LcsRule::kMica : LcsRule::kDeepest;
  options.ic = std::move(ic);
  options.weights = choice.weights;
  if (!options.ic) {
    Result<std::shared_ptr<const InformationContent>> chosen =
        choose_content(choice.ic, domain, names);
    if (!chosen) return fail(chosen.error());
    options.ic = *std::move(chosen);
  }
  if (is_one_of(choice.name, kOnFeatures)) {
    options.features = std::make_shared<const ConceptFeatures>(ConceptFeatures::of(domain, names));
  }
  return options;
}

Result<std::unique_ptr<const Measure>> make_measure(std::shared_ptr<const Taxonomy> taxonomy,
                                                    const MeasureOptions& options) {
  if (options.ic && options.ic->of.size() != taxonomy->size()) {
    return fail(usage_error("the information content was computed for another taxonomy"));
  }
  if (options.lcs == LcsRule::kMica && is_one_of(options.name, kNames) &&
      !uses_information_content(options.name)) {
    return fail(usage_error(fmt::format(
        "lcs = \"mica\" needs a measure on information content (resnik, lin, jiang-conrath), "
        "{} is none",
        options.name)));
  }
  if (options.weights != FeatureWeights{} && options.name != "rodriguez-egenhofer") {
    return fail(usage_error(
        fmt::format("weights belong to rodriguez-egenhofer; {} has none", options.name)));
  }
  if (is_one_of(options.name, kOnFeatures)) {
    if (!options.features) {
      return fail(usage_error(fmt::format(
          "{} compares names and definitions, which choose_measure() collects", options.name)));
    }
    if (options.features->names.concepts() != taxonomy->size()) {
      return fail(usage_error("names and definitions were collected for another taxonomy"));
    }
  }
  if (auto edge = make_edge_measure(taxonomy, options.name)) return edge;
  if (auto ic = make_ic_measure(taxonomy, options)) return ic;
  if (auto sets = make_set_measure(taxonomy, options)) return sets;
  if (options.name == "gloss-vector") {
    return make_gloss_measure(std::move(taxonomy), *options.features);
  }
  return fail(usage_error(fmt::format("there is no measure '{}'; choose one of {}", options.name,
                                      fmt::join(kNames, ", "))));
}

}  // namespace semveil
