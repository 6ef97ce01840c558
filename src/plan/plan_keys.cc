#include "plan/plan_keys.h"

#include <array>

namespace semveil {
namespace {

using Word = std::string_view;

constexpr std::array<Word, 10> kTopKeys{"seed",    "missing",       "release", "undeclared",
                                        "shuffle", "ontology",      "column",  "mask",
                                        "csv",     "missing_values"};
constexpr std::array<Word, 1> kOntology{"source"};
constexpr std::array<Word, 2> kCsv{"separator", "quote"};
constexpr std::array<Word, 25> kColumn{
    "categories", "role",     "ontology", "root",    "measure",     "senses",    "mapping",
    "via",        "unmapped", "write",    "type",    "scale",       "decimals",  "demand",
    "domain",     "ic",       "lcs",      "deny",    "leaves_only", "min_depth", "candidates",
    "levels",     "weights",  "mean",     "variance"};
constexpr std::array<Word, 5> kDemand{"l", "p", "kind", "c", "t"};
constexpr std::array<Word, 4> kCategories{"ontology", "roots", "count", "depth"};

constexpr std::array<Word, 13> kMethods{
    "noise", "swap",  "fuse",          "recode",      "microaggregate",      "generalize", "ean",
    "dp",    "naive", "probabilistic", "random-swap", "distributional-swap", "an"};
constexpr std::array<Word, 12> kAvailable{
    "noise", "swap",  "fuse",          "recode",      "microaggregate",      "generalize",
    "ean",   "naive", "probabilistic", "random-swap", "distributional-swap", "an"};

// Sets of methods.
constexpr std::array<Word, 0> kEvery{};
constexpr std::array<Word, 1> kNoise{"noise"};
constexpr std::array<Word, 4> kMayLeaveUnmasked{"noise", "naive", "probabilistic", "dp"};
constexpr std::array<Word, 6> kDrawPerCell{"noise", "naive", "probabilistic", "ean", "an", "dp"};
constexpr std::array<Word, 6> kSized{"swap",           "fuse",       "recode",
                                     "microaggregate", "generalize", "distributional-swap"};
constexpr std::array<Word, 1> kSwap{"swap"};
constexpr std::array<Word, 2> kSwapRecode{"swap", "recode"};
constexpr std::array<Word, 1> kFuse{"fuse"};
constexpr std::array<Word, 1> kRecode{"recode"};
constexpr std::array<Word, 1> kGeneralize{"generalize"};
constexpr std::array<Word, 3> kClassing{"fuse", "generalize", "microaggregate"};
constexpr std::array<Word, 2> kSets{"ean", "an"};
constexpr std::array<Word, 1> kEan{"ean"};
constexpr std::array<Word, 1> kDp{"dp"};

struct MaskKey {
  Word name;
  std::span<const Word> methods;
};
constexpr std::array<MaskKey, 30> kMaskKeys{{
    {"method", kEvery},
    {"columns", kEvery},
    {"draw_by", kDrawPerCell},
    {"alpha", kNoise},
    {"correlated", kNoise},
    {"reference", kNoise},
    {"distribution", kNoise},
    {"ties", kNoise},
    {"pairs", kNoise},
    {"covariance", kNoise},
    {"digest", kNoise},
    {"allow_unmasked", kMayLeaveUnmasked},
    {"k", kSized},
    {"p", kSwap},
    {"algorithm", kSwapRecode},
    {"exhausted", kSwap},
    {"demand", kSwap},
    {"guide", kFuse},
    {"heuristics", kFuse},
    {"target", kRecode},
    {"scope", kGeneralize},
    {"loss", kGeneralize},
    {"suppression", kGeneralize},
    {"partial", kClassing},
    {"categories", kSets},
    {"l", kSets},
    {"output", kSets},
    {"separator", kSets},
    {"draw", kEan},
    {"epsilon", kDp},
}};

constexpr std::array<Word, kMaskKeys.size()> kMask = [] {
  std::array<Word, kMaskKeys.size()> names;
  for (std::size_t i = 0; i < names.size(); ++i) names[i] = kMaskKeys[i].name;
  return names;
}();

// In the order in which a misplaced key looks for its home.
constexpr std::array<PlanSection, 7> kSections{{{"[column.NAME]", kColumn},
                                                {"[csv]", kCsv},
                                                {"demand", kDemand},
                                                {"categories", kCategories},
                                                {"[mask]", kMask},
                                                {"[ontology.NAME]", kOntology},
                                                {"", kTopKeys}}};

}  // namespace

std::span<const PlanSection> plan_sections() { return kSections; }

std::span<const std::string_view> plan_keys(std::string_view title) {
  for (const PlanSection& section : kSections) {
    if (section.title == title) return section.keys;
  }
  return {};
}

std::span<const std::string_view> method_names() { return kMethods; }
std::span<const std::string_view> available_methods() { return kAvailable; }

std::span<const std::string_view> methods_taking(std::string_view mask_key) {
  for (const MaskKey& key : kMaskKeys) {
    if (key.name == mask_key) return key.methods;
  }
  return {};
}

}  // namespace semveil
