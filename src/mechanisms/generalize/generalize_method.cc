#include "mechanisms/generalize/generalize_method.h"

#include <fmt/format.h>

#include <array>
#include <cmath>

#include "base/choices.h"
#include "mechanisms/classes/lookup_method.h"
#include "semveil/generalize.h"

namespace semveil {
namespace {

constexpr Choices<GeneralizeScope, 2> kGeneralizeScopes{
    {{"local", GeneralizeScope::kLocal}, {"full-domain", GeneralizeScope::kFullDomain}}};
constexpr Choices<GeneralizeSuppress, 2> kGeneralizeSuppresses{
    {{"records", GeneralizeSuppress::kRecords}, {"cells", GeneralizeSuppress::kCells}}};
constexpr Choices<GeneralizeLoss, 4> kGeneralizeLosses{
    {{"lm", GeneralizeLoss::kLm},
     {"lm-geometric", GeneralizeLoss::kLmGeometric},
     {"ncp", GeneralizeLoss::kNcp},
     {"discernibility", GeneralizeLoss::kDiscernibility}}};
constexpr auto kGeneralizeScopeWords = words_of(kGeneralizeScopes);
constexpr auto kGeneralizeSuppressWords = words_of(kGeneralizeSuppresses);
constexpr auto kGeneralizeLossWords = words_of(kGeneralizeLosses);

constexpr MethodKey kGeneralizeScope{
    .name = "scope",
    .type = KeyType::kChoice,
    .help = "each class carries what its records have in common, or one level for each column",
    .choices = kGeneralizeScopeWords,
    .usually = "local",
};
constexpr MethodKey kGeneralizeLoss{
    .name = "loss",
    .type = KeyType::kChoice,
    .help = "which loss is to be least",
    .choices = kGeneralizeLossWords,
    .usually = "lm",
};
constexpr MethodKey kGeneralizeSuppression{
    .name = "suppression",
    .type = KeyType::kNumber,
    .help = "the share of the records that may be suppressed",
    .low = 0,
    .high = 1,
    .usually = 0.0,
};
constexpr MethodKey kGeneralizeLevel{
    .name = kGeneralizeLevelKey.name,
    .type = kGeneralizeLevelKey.type,
    .help = kGeneralizeLevelKey.help,
    .low = kGeneralizeLevelKey.low,
    .high = kGeneralizeLevelKey.high,
    .told = Told::kNever,
};
constexpr MethodKey kGeneralizeSuppress{
    .name = "suppress",
    .type = KeyType::kChoice,
    .help = "whole records, or single cells on fixed levels, as few as can be found",
    .choices = kGeneralizeSuppressWords,
    .usually = "records",
    .told = Told::kIfSaid,
};
constexpr MethodKey kGeneralizeLevels{
    .name = "levels",
    .type = KeyType::kByColumn,
    .help = "the level of each column before cells are emptied; 0 where none is said",
    .low = 0,
    .high = 65535,
    .told = Told::kIfSaid,
};
constexpr MethodKey kGeneralizeWeights{
    .name = "weights",
    .type = KeyType::kByColumn,
    .help = "what emptying a cell of each column costs; 1 where none is said, more to keep it",
    .low = 0,
    .above = true,
    .told = Told::kIfSaid,
};
constexpr std::array<MethodKey, 9> kGeneralizeKeys{
    kClassSizeKey,          kGeneralizeScope,    kGeneralizeLoss,
    kGeneralizeSuppression, kGeneralizeSuppress, kGeneralizeLevels,
    kGeneralizeWeights,     kPartialKey,         kGeneralizeLevel};

constexpr MethodDescription kGeneralize{
    .name = "generalize",
    .mechanism = kLookupName,
    .shape = MethodShape::kLooksUp,
    .forms_classes = true,
    .invents_concepts = true,
    .releases_ancestors = true,
    .draws = false,
    .keys = kGeneralizeKeys,
    .searched = kClassSizeKey.name,
    .usual = kUsualKs,
    .counts_records = true,
    .rank = 4,
    .promise =
        "Every combination has k records or more, and a released value is the original or "
        "a broader term for it (or empty, if you allow suppression of records or cells).",
    .no_promise =
        "Broad terms say little. Where empty cells match everything (missing = \"wildcard\"), a "
        "record may still be alone as it is written.",
};

class GeneralizeMethod final : public LookupMethod {
 public:
  const MethodDescription& about() const override { return kGeneralize; }

  const Method* meant_by(const MethodSettings& settings) const override {
    return settings.has(kGeneralizeLevel.name) ? &level_method() : nullptr;
  }

  Result<std::unique_ptr<const Mechanism>> make(const MaskStep& mask,
                                                MechanismInputs inputs) const override {
    GeneralizeOptions options;
    options.k = mask.k();
    options.scope =
        choice_named(kGeneralizeScopes, setting_of<std::string>(mask, kGeneralizeScope));
    options.loss = choice_named(kGeneralizeLosses, setting_of<std::string>(mask, kGeneralizeLoss));
    options.suppression = setting_of<double>(mask, kGeneralizeSuppression);
    options.threads = inputs.threads;
    options.suppress =
        choice_named(kGeneralizeSuppresses, setting_of<std::string>(mask, kGeneralizeSuppress));
    options.empty_matches_all = inputs.missing == MissingRule::kWildcard;
    const auto levels = setting_of<ColumnNumbers>(mask, kGeneralizeLevels);
    const auto weights = setting_of<ColumnNumbers>(mask, kGeneralizeWeights);
    for (const std::string& column : inputs.columns) {
      const auto level = levels.find(column), weight = weights.find(column);
      options.levels.push_back(level == levels.end() ? 0 : static_cast<unsigned>(level->second));
      options.weights.push_back(weight == weights.end() ? 1 : weight->second);
    }
    return make_generalize(options);
  }

  void check(PlanCheck& check) const override {
    LookupMethod::check(check);
    const MaskStep& mask = check.mask;
    const bool cells = setting_of<std::string>(mask, kGeneralizeSuppress) == "cells";
    for (const MethodKey* const key : {&kGeneralizeLevels, &kGeneralizeWeights}) {
      if (cells || !mask.settings.has(key->name)) continue;
      check.wrong(key->name, fmt::format("{} needs suppress = \"cells\"", key->name));
    }
    if (!cells) return;
    for (const MethodKey* const key :
         {&kGeneralizeScope, &kGeneralizeLoss, &kGeneralizeSuppression}) {
      if (!mask.settings.has(key->name)) continue;
      check.wrong(key->name,
                  fmt::format("{} has no say where single cells are emptied; leave it out, or "
                              "suppress = \"cells\"",
                              key->name));
    }
    for (const auto& [column, level] : setting_of<ColumnNumbers>(mask, kGeneralizeLevels)) {
      if (level == std::floor(level)) continue;
      check.wrong(kGeneralizeLevels.name, "levels: expected whole numbers, as {age = 1}");
    }
    if (check.plan.missing != MissingRule::kWildcard) return;
    for (const ColumnSettings& column : check.plan.columns) {
      if (!column.demand) continue;
      check.wrong(kGeneralizeSuppress.name,
                  fmt::format("suppress = \"cells\" with missing = \"wildcard\" forms no classes: "
                              "nothing can be demanded of column {}; leave the demand out, or "
                              "missing = \"keep\"",
                              column.name));
    }
  }

  std::vector<Trial> trials(std::size_t /*masked_columns*/) const override {
    return {{{"k", "5"}}, {{"k", "10"}}};
  }
};

}  // namespace

const Method& generalize_method() {
  static const GeneralizeMethod kMethod;
  return kMethod;
}

}  // namespace semveil
