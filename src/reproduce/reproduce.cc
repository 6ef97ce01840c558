// The list of experiments. One line and one function each.
#include "semveil/reproduce.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "reproduce/claims.h"
#include "reproduce/experiment.h"

namespace semveil {
namespace {

struct Experiment {
  ExperimentInfo info;
  Result<std::vector<ReproducedPart>> (*run)(const ReproduceOptions&) = nullptr;
};
constexpr std::array kInfo{
    ExperimentInfo{.name = "noise-adult",
                   .paper = "semantic noise Tables I-IV, framework Tables 2-8 and figures 6-8",
                   .what = "semantic noise on Adult occupations, and on correlated columns",
                   .parts = 2,
                   .needs = "WordNet; part 2 also the public data sets adult, animal-naming, "
                            "arx-hierarchies, doid, synthea"},
    ExperimentInfo{
        .name = "swap",
        .paper = "rank swapping Tables 2-6 and figures 5-7",
        .what = "rank swapping of two columns (part 1), of three (2), of frequent records (3)",
        .parts = 3,
        .needs = "WordNet and the public data sets adult, animal-naming, doid, synthea"},
    ExperimentInfo{
        .name = "fuse",
        .paper = "thesis figures 2-8, 10-15 and Table 6; IPMU figures 1-2, MDAI figures 1-4",
        .what =
            "k-anonymous fusion of a survey by measure (part 1), by heuristic (2), against "
            "discernibility (3), record linkage (4), clusters (5); its rivals on Adult (6); the "
            "forerunners IPMU (7) and MDAI (8); time by k (9); dendrograms (10)",
        .parts = 10,
        .needs = "WordNet; part 6 also the public data sets adult, arx-hierarchies"},
    ExperimentInfo{
        .name = "ean",
        .paper = "enhanced additive noise figures 2-4, Table I",
        .what =
            "sets of l values: information loss (part 1), time (2), attacks on Adult (3); which "
            "model protects from which attack (4)",
        .parts = 4,
        .needs = "parts 2 to 4: the public data sets adult, arx-hierarchies"},
    ExperimentInfo{.name = "similarity",
                   .paper = "thesis Table 4",
                   .what = "how well the measures agree with people's ratings of pairs of words",
                   .parts = 1,
                   .needs = "WordNet and the public data set word-similarity"}};
constexpr std::array kExperiments{
    Experiment{kInfo[0], reproduction::noise_adult}, Experiment{kInfo[1], reproduction::swap},
    Experiment{kInfo[2], reproduction::fuse}, Experiment{kInfo[3], reproduction::ean},
    Experiment{kInfo[4], reproduction::similarity}};

constexpr double kRounding = 1e-9;

}  // namespace

std::span<const ExperimentInfo> experiments() { return kInfo; }

std::vector<std::optional<bool>> ReproducedRow::within() const {
  std::vector<std::optional<bool>> out(ours.size());
  for (std::size_t i = 0; i < std::min(ours.size(), theirs.size()); ++i) {
    const auto* a = std::get_if<double>(&theirs[i]);
    const auto* b = std::get_if<double>(&ours[i]);
    if (tolerance && a != nullptr && b != nullptr) {
      out[i] = std::abs(*a - *b) <= *tolerance + reproduction::kHalfDigit + kRounding;
    }
  }
  return out;
}

Result<Reproduction> reproduce(std::string_view name, const ReproduceOptions& options) {
  std::string known;
  for (const Experiment& experiment : kExperiments) {
    known += (known.empty() ? "" : ", ") + std::string(experiment.info.name);
    if (experiment.info.name != name) continue;
    if (options.part && (*options.part == 0 || *options.part > experiment.info.parts)) {
      return fail(usage_error(
          fmt::format("{} has the parts 1 to {}", experiment.info.name, experiment.info.parts)));
    }
    auto parts = experiment.run(options);
    if (!parts) return fail(parts.error());
    return Reproduction{experiment.info, *std::move(parts)};
  }
  return fail(
      usage_error("there is no such experiment; known are: " + known).quoting(std::string(name)));
}

}  // namespace semveil
