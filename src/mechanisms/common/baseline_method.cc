#include "mechanisms/common/baseline_method.h"

#include <array>

#include "mechanisms/common/baseline.h"
#include "mechanisms/common/saved.h"
#include "mechanisms/common/shared_keys.h"

namespace semveil {
namespace {

constexpr std::array<MethodKey, 1> kBaselineKeys{kAllowUnmaskedKey};

constexpr MethodDescription kNaive{
    .name = "naive",
    .mechanism = kNaiveName,
    .shape = MethodShape::kDrawsPerCell,
    .is_independent = true,
    .keys = kBaselineKeys,
    .rank = 7,
    .promise = "Every cell takes any of the column's values, each alike, whatever it was.",
    .no_promise =
        "Nothing of the table stays of use: frequencies go, and what went together no "
        "longer does. It is what noise is compared with.",
};
constexpr MethodDescription kProbabilistic{
    .name = "probabilistic",
    .mechanism = kProbabilisticName,
    .shape = MethodShape::kDrawsPerCell,
    .is_independent = true,
    .keys = kBaselineKeys,
    .rank = 8,
    .promise =
        "Every cell takes one of the column's values, as often as each occurs, whatever it "
        "was: frequencies stay about the same.",
    .no_promise = "What went together no longer does. It is what noise is compared with.",
};

class BaselineMethod final : public Method {
 public:
  BaselineMethod(const MethodDescription& about, Baseline baseline)
      : about_(about), baseline_(baseline) {}
  const MethodDescription& about() const override { return about_; }

  Result<std::unique_ptr<const Mechanism>> make(const MaskStep& mask,
                                                MechanismInputs /*inputs*/) const override {
    return make_baseline(baseline_, !mask.draw_by.empty());
  }

  Result<std::unique_ptr<const FittedMethod>> load(
      std::string_view saved, std::vector<std::shared_ptr<const Attribute>> attributes,
      const Key& key) const override {
    using enum Attribute::Kind;
    if (const Status status = refuse_kinds(attributes, {kText, kNumeric}); !status) {
      return fail(status.error());
    }
    return load_baseline(saved, std::move(attributes), key);
  }

  std::vector<Trial> trials(std::size_t /*masked_columns*/) const override { return {{}}; }

 private:
  const MethodDescription& about_;
  Baseline baseline_;
};

}  // namespace

const Method& naive_method() {
  static const BaselineMethod kMethod(kNaive, Baseline::kNaive);
  return kMethod;
}

const Method& probabilistic_method() {
  static const BaselineMethod kMethod(kProbabilistic, Baseline::kProbabilistic);
  return kMethod;
}

}  // namespace semveil
