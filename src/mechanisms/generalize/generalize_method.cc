#include "mechanisms/generalize/generalize_method.h"

#include <array>

#include "base/choices.h"
#include "mechanisms/classes/lookup_method.h"
#include "semveil/generalize.h"

namespace semveil {
namespace {

constexpr Choices<GeneralizeScope, 2> kGeneralizeScopes{
    {{"local", GeneralizeScope::kLocal}, {"full-domain", GeneralizeScope::kFullDomain}}};
constexpr Choices<GeneralizeLoss, 4> kGeneralizeLosses{
    {{"lm", GeneralizeLoss::kLm},
     {"lm-geometric", GeneralizeLoss::kLmGeometric},
     {"ncp", GeneralizeLoss::kNcp},
     {"discernibility", GeneralizeLoss::kDiscernibility}}};
constexpr auto kGeneralizeScopeWords = words_of(kGeneralizeScopes);
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
constexpr std::array<MethodKey, 6> kGeneralizeKeys{kClassSizeKey,   kGeneralizeScope,
                                                   kGeneralizeLoss, kGeneralizeSuppression,
                                                   kPartialKey,     kGeneralizeLevel};

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
        "a broader term for it (or empty, if you allow suppression).",
    .no_promise = "It needs a hierarchy for every quasi-identifier, and broad terms say little.",
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
    return make_generalize(options);
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
