#include "plan/plan_keys.h"

#include <algorithm>
#include <array>

#include "methods/builtin.h"

namespace semveil {
namespace {

using Word = std::string_view;

constexpr std::array<Word, 12> kTopKeys{
    "seed",   "missing", "release", "undeclared",     "shuffle", "ontology",
    "column", "mask",    "csv",     "missing_values", "person",  "allow_linked_rows"};
constexpr std::array<Word, 1> kOntology{"source"};
constexpr std::array<Word, 2> kCsv{"separator", "quote"};
constexpr std::array<Word, 30> kColumn{
    "categories",  "role",      "ontology",   "root",   "measure", "senses",
    "mapping",     "via",       "unmapped",   "write",  "type",    "scale",
    "decimals",    "demand",    "domain",     "ic",     "lcs",     "deny",
    "leaves_only", "min_depth", "candidates", "levels", "weights", "mean",
    "variance",    "hierarchy", "calendar",   "format", "length",  "across"};
constexpr std::array<Word, 5> kDemand{"l", "p", "kind", "c", "t"};
constexpr std::array<Word, 3> kHierarchy{"intervals", "cuts", "as"};
constexpr std::array<Word, 4> kCategories{"ontology", "roots", "count", "depth"};

// Of all methods, in the order in which they are described; made once.
struct MaskWords {
  std::vector<Word> keys{kMethodKey, kColumnsKey, kDrawByKey};
  std::vector<Word> available, names;

  MaskWords() {
    for (const Method* const method : methods()) {
      available.push_back(method->name());
      for (const MethodKey& key : method->about().keys) add(key.name);
    }
    names = available;
    for (const MethodToCome& method : methods_to_come()) {
      names.push_back(method.name);
      for (const Word key : method.keys) add(key);
    }
  }
  void add(Word key) {
    if (std::ranges::find(keys, key) == keys.end()) keys.push_back(key);
  }
};
const MaskWords& mask_words() {
  static const MaskWords kWords;
  return kWords;
}

}  // namespace

std::span<const PlanSection> plan_sections() {
  // In the order in which a misplaced key looks for its home.
  static const std::array<PlanSection, 8> kSections{{{"[column.NAME]", kColumn},
                                                     {"[csv]", kCsv},
                                                     {"demand", kDemand},
                                                     {"categories", kCategories},
                                                     {"hierarchy", kHierarchy},
                                                     {"[mask]", mask_words().keys},
                                                     {"[ontology.NAME]", kOntology},
                                                     {"", kTopKeys}}};
  return kSections;
}

std::span<const std::string_view> plan_keys(std::string_view title) {
  for (const PlanSection& section : plan_sections()) {
    if (section.title == title) return section.keys;
  }
  return {};
}

std::span<const std::string_view> method_names() { return mask_words().names; }
std::span<const std::string_view> available_methods() { return mask_words().available; }

std::vector<std::string_view> methods_taking(std::string_view mask_key) {
  if (mask_key == kMethodKey || mask_key == kColumnsKey) return {};
  std::vector<std::string_view> takers;
  for (const Method* const method : methods()) {
    if (method->about().takes(mask_key)) takers.push_back(method->name());
  }
  for (const MethodToCome& method : methods_to_come()) {
    const bool takes = std::ranges::find(method.keys, mask_key) != method.keys.end();
    if (takes) takers.push_back(method.name);
  }
  return takers;
}

const MethodKey* find_mask_key(std::string_view mask_key) {
  for (const Method* const method : methods()) {
    if (const MethodKey* key = method->about().key(mask_key)) return key;
  }
  return nullptr;
}

std::string option_named(std::string_view mask_key) {
  const MethodKey* const key = find_mask_key(mask_key);
  const std::string option = key == nullptr ? "" : option_of(*key);
  return option.empty() ? option_of({.name = mask_key}) : option;
}

}  // namespace semveil
