#include "mechanisms/generalize/generalize_method.h"

#include <array>

#include "base/choices.h"
#include "mechanisms/classes/lookup_method.h"
#include "semveil/generalize.h"

namespace semveil {
namespace {

constexpr Choices<GeneralizeScope, 2> kScopes{
    {{"local", GeneralizeScope::kLocal}, {"full-domain", GeneralizeScope::kFullDomain}}};
constexpr Choices<GeneralizeLoss, 4> kLosses{{{"lm", GeneralizeLoss::kLm},
                                              {"lm-geometric", GeneralizeLoss::kLmGeometric},
                                              {"ncp", GeneralizeLoss::kNcp},
                                              {"discernibility", GeneralizeLoss::kDiscernibility}}};
constexpr auto kScopeWords = words_of(kScopes);
constexpr auto kLossWords = words_of(kLosses);

constexpr MethodKey kScope{
    .name = "scope",
    .type = KeyType::kChoice,
    .help = "each class carries what its records have in common, or one level for each column",
    .choices = kScopeWords,
    .usually = "local",
};
constexpr MethodKey kLoss{
    .name = "loss",
    .type = KeyType::kChoice,
    .help = "what is to be least",
    .choices = kLossWords,
    .usually = "lm",
};
constexpr MethodKey kSuppression{
    .name = "suppression",
    .type = KeyType::kNumber,
    .help = "the share of the records that may be suppressed",
    .low = 0,
    .high = 1,
    .usually = 0.0,
};
constexpr std::array<MethodKey, 5> kKeys{kClassSizeKey, kScope, kLoss, kSuppression, kPartialKey};

constexpr MethodDescription kGeneralize{
    .name = "generalize",
    .mechanism = kLookupName,
    .shape = MethodShape::kLooksUp,
    .forms_classes = true,
    .invents_concepts = true,
    .releases_ancestors = true,
    .draws = false,
    .keys = kKeys,
    .searched = kClassSizeKey.name,
    .ladder = kUsualKs,
    .counts_records = true,
    .rank = 4,
    .promise = "Every combination of the masked columns has at least k records, and every released "
               "value is true: the original, or what it is a kind of.",
    .no_promise = kClassesPromiseNothingOfSecrets,
};

class GeneralizeMethod final : public LookupMethod {
 public:
  const MethodDescription& about() const override { return kGeneralize; }

  Result<std::unique_ptr<const Mechanism>> make(const MaskPlan& mask,
                                                MechanismInputs inputs) const override {
    GeneralizeOptions options;
    options.k = mask.k();
    options.scope = choice_named(kScopes, setting_of<std::string>(mask, kScope));
    options.loss = choice_named(kLosses, setting_of<std::string>(mask, kLoss));
    options.suppression = setting_of<double>(mask, kSuppression);
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
