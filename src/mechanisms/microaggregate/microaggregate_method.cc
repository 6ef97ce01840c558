#include "mechanisms/microaggregate/microaggregate_method.h"

#include <array>

#include "mechanisms/classes/lookup_method.h"
#include "semveil/microaggregate.h"

namespace semveil {
namespace {

constexpr std::array<MethodKey, 2> kMicroaggregateKeys{kClassSizeKey, kPartialKey};

constexpr MethodDescription kMicroaggregate{
    .name = "microaggregate",
    .mechanism = kLookupName,
    .shape = MethodShape::kLooksUp,
    .forms_classes = true,
    .invents_concepts = true,
    .chooses_candidates = true,
    .draws = false,
    .takes_numbers = true,
    .takes_dates = true,
    .takes_texts = true,
    .scale = NumericScale::kDeviation,
    .keys = kMicroaggregateKeys,
    .searched = kClassSizeKey.name,
    .usual = kUsualKs,
    .counts_records = true,
    .rank = 5,
    .promise =
        "Every combination has k records or more: groups of k to 2k − 1 similar records, "
        "compared by words and numbers together, get the values of their centre.",
    .no_promise = "The centre need not be a value that anybody had.",
};

class MicroaggregateMethod final : public LookupMethod {
 public:
  const MethodDescription& about() const override { return kMicroaggregate; }

  Result<std::unique_ptr<const Mechanism>> make(const MaskStep& mask,
                                                MechanismInputs inputs) const override {
    return make_microaggregate(
        {.k = mask.k(), .threads = inputs.threads, .most_hours = inputs.most_hours});
  }

  std::vector<Trial> trials(std::size_t /*masked_columns*/) const override {
    return {{{"k", "3"}}, {{"k", "5"}}, {{"k", "10"}}};
  }
};

}  // namespace

const Method& microaggregate_method() {
  static const MicroaggregateMethod kMethod;
  return kMethod;
}

}  // namespace semveil
