#include "release/method_choice.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "semveil/fuse.h"
#include "semveil/generalize.h"
#include "semveil/microaggregate.h"
#include "semveil/noise.h"
#include "semveil/swap.h"

namespace semveil {

SwapAlgorithm swap_algorithm(const MaskPlan& mask) {
  if (mask.method == "random-swap") return SwapAlgorithm::kRandom;
  if (mask.method == "distributional-swap") return SwapAlgorithm::kDistributional;
  if (mask.algorithm == "fixed") return SwapAlgorithm::kFixed;
  return mask.algorithm == "dynamic" ? SwapAlgorithm::kDynamic : SwapAlgorithm::kMultivariate;
}

MaskPlan with_k(MaskPlan mask, std::uint64_t records) {
  if (mask.p <= 0) return mask;
  const double k = std::floor(mask.p * static_cast<double>(records) / 100 + 0.5);
  mask.k = static_cast<unsigned>(std::clamp(k, 1.0, 4e9));
  return mask;
}

namespace {

Result<MethodChoice> choose_swap(const MaskPlan& mask, const WorkOptions& work) {
  SwapOptions options;
  options.algorithm = swap_algorithm(mask);
  options.k = mask.k;
  options.exhausted = mask.exhausted == "extend" ? Exhausted::kExtend : Exhausted::kKeep;
  options.demands_risk = mask.demand == "probabilistic-k";
  options.threads = work.threads;
  options.traced = work.traced;
  MethodChoice choice;
  if (mask.method != "random-swap") {
    if (mask.k == 0) {
      return fail(data_error(fmt::format(
          "{} needs k in [mask] (or --k): among how many of the nearest records a value may find "
          "its new place; usual are 5 to 50{}",
          mask.method, mask.method == "swap" ? " (or p, a percentage of the records)" : "")));
    }
    if (options.demands_risk && mask.k == 1) {
      return fail(
          data_error("demand = \"probabilistic-k\" says nothing with k = 1: choose a greater "
                     "k"));
    }
    choice.parameters["k"] = std::to_string(mask.k);
    if (mask.p > 0) choice.parameters["p"] = fmt::format("{}", mask.p);
  } else {
    options.k = 1;  // any record: there is no interval
  }
  if (mask.method == "swap") {
    choice.parameters["algorithm"] = toml_text(to_string(options.algorithm));
    choice.parameters["exhausted"] = toml_text(mask.exhausted);
    if (options.demands_risk) choice.parameters["demand"] = toml_text(mask.demand);
  }
  choice.mechanism = make_swap(options);
  return choice;
}

Result<MethodChoice> choose_noise(const MaskPlan& mask, const std::vector<std::string>& columns,
                                  const WorkOptions& work,
                                  std::optional<NoiseStatistics> declared) {
  MethodChoice choice;
  if (mask.alpha <= 0) {
    return fail(data_error(
        "noise needs alpha in [mask] (or --alpha): how much of the column's variance the errors "
        "have; usual are 0.1 to 0.5"));
  }
  NoiseOptions options;
  options.alpha = mask.alpha;
  options.correlated = mask.correlated;
  options.reference = mask.reference == "pair"   ? NoiseReference::kPair
                      : mask.reference == "root" ? NoiseReference::kRoot
                                                 : NoiseReference::kMean;
  options.distribution =
      mask.distribution == "laplace" ? NoiseDistribution::kLaplace : NoiseDistribution::kNormal;
  options.ties = mask.ties == "first" ? TieRule::kFirst : TieRule::kRandom;
  options.allow_unmasked = mask.allow_unmasked;
  options.by_person = !mask.draw_by.empty();
  options.threads = work.threads;
  options.declared = std::move(declared);
  for (const auto& [a, b] : mask.pairs) {
    const auto place = [&](const std::string& name) {
      return static_cast<std::size_t>(std::find(columns.begin(), columns.end(), name) -
                                      columns.begin());
    };
    options.pairs.emplace_back(place(a), place(b));
  }
  choice.parameters["alpha"] = fmt::format("{}", mask.alpha);
  choice.parameters["correlated"] = mask.correlated ? "true" : "false";
  choice.parameters["reference"] = toml_text(mask.reference);
  choice.parameters["distribution"] = toml_text(mask.distribution);
  choice.parameters["ties"] = toml_text(mask.ties);
  choice.mechanism = make_noise(std::move(options));
  choice.invents_concepts = true;
  return choice;
}

MethodChoice choose_baseline(const MaskPlan& mask) {
  MethodChoice choice;
  choice.mechanism = make_baseline(
      mask.method == "naive" ? Baseline::kNaive : Baseline::kProbabilistic, !mask.draw_by.empty());
  return choice;
}

// As it stands in a plan; of a file only its name, so that the folder does not matter.
std::string categories_text(const CategoriesPlan& plan) {
  if (!plan.file.empty()) return toml_text(std::filesystem::path(plan.file).filename().string());
  std::string how = plan.depth > 0 ? fmt::format("depth = {}", plan.depth)
                                   : fmt::format("count = {}", plan.count);
  if (!plan.roots.empty()) {
    std::vector<std::string> roots;
    for (const std::string& root : plan.roots) roots.push_back(toml_text(root));
    how = fmt::format("roots = [{}]", fmt::join(roots, ", "));
  }
  return fmt::format("{{ontology = {}, {}}}", toml_text(plan.ontology), how);
}

MethodChoice choose_sets(const MaskPlan& mask, std::vector<CategoryRule> categories) {
  SetOptions options;
  options.categories = std::move(categories);
  options.l = mask.l;
  options.draw = mask.draw == "frequency" ? SetDraw::kFrequency : SetDraw::kUniform;
  options.by_person = !mask.draw_by.empty();
  MethodChoice choice;
  if (mask.categories) choice.parameters["categories"] = categories_text(*mask.categories);
  if (mask.l > 0) choice.parameters["l"] = std::to_string(mask.l);
  if (mask.method == "ean") choice.parameters["draw"] = toml_text(mask.draw);
  choice.parameters["output"] = toml_text(mask.output);
  if (mask.output == "joined") choice.parameters["separator"] = toml_text(mask.separator);
  choice.mechanism =
      mask.method == "ean" ? make_ean(std::move(options)) : make_an(std::move(options));
  return choice;
}

// ---- Methods that form classes ------------------------------------------------------------------

MethodChoice choose_fuse(const MaskPlan& mask, const WorkOptions& work) {
  FuseOptions options;
  options.k = mask.k;
  options.guide = mask.guide == "discernibility"  ? FuseGuide::kDiscernibility
                  : mask.guide == "random"        ? FuseGuide::kRandom
                  : mask.guide == "random-record" ? FuseGuide::kRandomRecord
                                                  : FuseGuide::kSemantic;
  options.heuristics = mask.heuristics;
  options.threads = work.threads;
  options.traced = work.traced;
  MethodChoice choice;
  choice.parameters["guide"] = toml_text(mask.guide);
  choice.parameters["heuristics"] = std::to_string(mask.heuristics);
  choice.mechanism = make_fuse(options);
  return choice;
}

MethodChoice choose_recode(const MaskPlan& mask, const WorkOptions& work) {
  RecodeOptions options;
  options.k = mask.k;
  options.algorithm =
      mask.algorithm == "recoding" ? RecodeAlgorithm::kRecoding : RecodeAlgorithm::kHeuristic;
  options.target = mask.target == "any" ? RecodeTarget::kAny : RecodeTarget::kAnonymous;
  options.threads = work.threads;
  options.traced = work.traced;
  MethodChoice choice;
  choice.parameters["algorithm"] = toml_text(mask.algorithm);
  if (mask.algorithm == "recoding") choice.parameters["target"] = toml_text(mask.target);
  choice.mechanism = make_recode(options);
  return choice;
}

MethodChoice choose_generalize(const MaskPlan& mask, const WorkOptions& work) {
  GeneralizeOptions options;
  options.k = mask.k;
  options.scope =
      mask.scope == "full-domain" ? GeneralizeScope::kFullDomain : GeneralizeScope::kLocal;
  options.loss = mask.loss == "lm-geometric"     ? GeneralizeLoss::kLmGeometric
                 : mask.loss == "ncp"            ? GeneralizeLoss::kNcp
                 : mask.loss == "discernibility" ? GeneralizeLoss::kDiscernibility
                                                 : GeneralizeLoss::kLm;
  options.suppression = mask.suppression;
  options.threads = work.threads;
  MethodChoice choice;
  choice.parameters["scope"] = toml_text(mask.scope);
  choice.parameters["loss"] = toml_text(mask.loss);
  choice.parameters["suppression"] = fmt::format("{}", mask.suppression);
  choice.mechanism = make_generalize(options);
  choice.invents_concepts = true;
  return choice;
}

MethodChoice choose_microaggregate(const MaskPlan& mask, const WorkOptions& work) {
  MethodChoice choice;
  choice.mechanism = make_microaggregate({.k = mask.k, .threads = work.threads});
  choice.invents_concepts = true;
  return choice;
}

Result<MethodChoice> choose_classes(const MaskPlan& mask, const WorkOptions& work) {
  if (mask.k == 0) {
    return fail(data_error(fmt::format(
        "{} needs k in [mask] (or --k): how many records must share {}; usual are 3 to 20",
        mask.method, mask.method == "recode" ? "each value" : "their quasi-identifiers")));
  }
  MethodChoice choice = mask.method == "fuse"         ? choose_fuse(mask, work)
                        : mask.method == "recode"     ? choose_recode(mask, work)
                        : mask.method == "generalize" ? choose_generalize(mask, work)
                                                      : choose_microaggregate(mask, work);
  choice.parameters["k"] = std::to_string(mask.k);
  if (mask.partial) choice.parameters["partial"] = "true";
  return choice;
}

}  // namespace

Result<MethodChoice> choose_method(const MaskPlan& mask, const std::vector<std::string>& columns,
                                   std::vector<CategoryRule> categories, const WorkOptions& work,
                                   std::optional<NoiseStatistics> declared) {
  if (is_swap(mask.method)) return choose_swap(mask, work);
  if (looks_up(mask.method)) return choose_classes(mask, work);
  Result<MethodChoice> choice =
      mask.method == "noise"       ? choose_noise(mask, columns, work, std::move(declared))
      : releases_sets(mask.method) ? choose_sets(mask, std::move(categories))
                                   : choose_baseline(mask);
  if (choice && !mask.draw_by.empty()) choice->parameters["draw_by"] = toml_text(mask.draw_by);
  return choice;
}

}  // namespace semveil
