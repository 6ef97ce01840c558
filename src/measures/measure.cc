#include "semveil/measure.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <numeric>

#include "measures/edge_measure.h"
#include "measures/ic_measure.h"

namespace semveil {
namespace {
constexpr std::array<std::string_view, 7> kNames{
    "wu-palmer", "wu-palmer-edges", "path", "leacock-chodorow", "resnik", "lin", "jiang-conrath"};
}  // namespace

std::span<const std::string_view> measure_names() { return kNames; }

DistanceMatrix::DistanceMatrix(std::size_t size)
    : size_(size), values_(std::make_unique_for_overwrite<double[]>(size * size)) {}

void Measure::levels(std::span<const ConceptId> sources,
                     const std::function<void(std::size_t, const Levels&)>& visit) const {
  std::vector<double> distances(taxonomy().size());
  std::vector<ConceptId> order(taxonomy().size());
  std::vector<std::uint32_t> level(taxonomy().size());
  std::vector<double> values;
  for (std::size_t i = 0; i < sources.size(); ++i) {
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

DistanceMatrix Measure::among(std::span<const ConceptId> list) const {
  DistanceMatrix matrix(list.size());
  rows(list, [&](std::size_t i, std::span<const double> row) {
    std::copy(row.begin(), row.end(), matrix.row(i).begin());
  });
  return matrix;
}

Result<MeasureOptions> choose_measure(const MeasureChoice& choice, const Domain& domain,
                                      const Names& names) {
  MeasureOptions options;
  options.name = choice.name;
  options.lcs = choice.lcs == "mica" ? LcsRule::kMica : LcsRule::kDeepest;
  if (choice.ic == "sanchez") {
    options.ic =
        std::make_shared<const InformationContent>(InformationContent::sanchez(*domain.taxonomy()));
  } else if (choice.ic != "seco") {
    Result<InformationContent> ic = InformationContent::from_file(choice.ic, domain, names);
    if (!ic) return fail(ic.error());
    options.ic = std::make_shared<const InformationContent>(*std::move(ic));
  }
  return options;
}

Result<std::unique_ptr<const Measure>> make_measure(std::shared_ptr<const Taxonomy> taxonomy,
                                                    const MeasureOptions& options) {
  if (options.ic && options.ic->of.size() != taxonomy->size()) {
    return fail(usage_error("the information content was computed for another taxonomy"));
  }
  if (auto edge = make_edge_measure(taxonomy, options.name)) {
    if (options.lcs == LcsRule::kMica) {
      return fail(usage_error(fmt::format(
          "lcs = \"mica\" needs a measure on information content (resnik, lin, jiang-conrath), "
          "{} counts links",
          options.name)));
    }
    return edge;
  }
  if (auto ic = make_ic_measure(std::move(taxonomy), options)) return ic;
  return fail(usage_error(fmt::format("there is no measure '{}'; choose one of {}", options.name,
                                      fmt::join(kNames, ", "))));
}

}  // namespace semveil
