#include <fmt/format.h>

#include <array>

#include "base/choices.h"
#include "mechanisms/classes/lookup_method.h"
#include "mechanisms/fuse/fuse_method.h"
#include "semveil/fuse.h"

namespace semveil {
namespace {

constexpr Choices<RecodeAlgorithm, 2> kRecodeAlgorithms{
    {{"heuristic", RecodeAlgorithm::kHeuristic}, {"recoding", RecodeAlgorithm::kRecoding}}};
constexpr Choices<RecodeTarget, 2> kRecodeTargets{
    {{"anonymous", RecodeTarget::kAnonymous}, {"any", RecodeTarget::kAny}}};
constexpr auto kRecodeAlgorithmWords = words_of(kRecodeAlgorithms);
constexpr auto kRecodeTargetWords = words_of(kRecodeTargets);

constexpr MethodKey kRecodeK = [] {
  MethodKey key = kClassSizeKey;
  key.help = "every value of each masked column has k records";
  key.needed = "how many records must share each value";
  return key;
}();
constexpr MethodKey kRecodeAlgorithm{
    .name = "algorithm",
    .type = KeyType::kChoice,
    .help = "as fuse, on one column; or every value below k takes the most similar one",
    .choices = kRecodeAlgorithmWords,
    .usually = "heuristic",
};
constexpr MethodKey kRecodeTarget{
    .name = "target",
    .type = KeyType::kChoice,
    .help = "with algorithm recoding: only values that have k, or any",
    .choices = kRecodeTargetWords,
    .usually = "anonymous",
};
constexpr std::array<MethodKey, 3> kRecodeKeys{kRecodeK, kRecodeAlgorithm, kRecodeTarget};

constexpr MethodDescription kRecode{
    .name = "recode",
    .mechanism = kLookupName,
    .shape = MethodShape::kLooksUp,
    .takes_several_ontologies = true,
    .keys = kRecodeKeys,
    .searched = kClassSizeKey.name,
    .usual = kUsualKs,
    .counts_records = true,
    .rank = 6,
    .promise = "Every value of each masked column has k records or more.",
    .no_promise = "Combinations of columns may still be unique.",
};

RecodeOptions recode_options(const MaskStep& mask) {
  RecodeOptions options;
  options.k = mask.k();
  options.algorithm =
      choice_named(kRecodeAlgorithms, setting_of<std::string>(mask, kRecodeAlgorithm));
  options.target = choice_named(kRecodeTargets, setting_of<std::string>(mask, kRecodeTarget));
  return options;
}

class RecodeMethod final : public LookupMethod {
 public:
  const MethodDescription& about() const override { return kRecode; }

  void check(PlanCheck& check) const override {
    const bool is_recoding = recode_options(check.mask).algorithm == RecodeAlgorithm::kRecoding;
    if (check.mask.settings.has(kRecodeTarget.name) && !is_recoding) {
      check.wrong(kRecodeTarget.name, "target needs algorithm = \"recoding\"");
    }
    for (const ColumnSettings& column : check.plan.columns) {
      if (!column.demand || forms_classes(check.plan)) continue;
      check.wrong(kMethodKey,
                  fmt::format("recode masks each column on its own and cannot promise what "
                              "column {} demands; use fuse, generalize or microaggregate, or "
                              "leave the demand out",
                              column.name));
    }
    LookupMethod::check(check);
  }

  std::map<std::string, std::string> parameters(const MaskStep& mask) const override {
    auto out = LookupMethod::parameters(mask);
    if (recode_options(mask).algorithm != RecodeAlgorithm::kRecoding) {
      out.erase(std::string(kRecodeTarget.name));
    }
    return out;
  }

  Result<std::unique_ptr<const Mechanism>> make(const MaskStep& mask,
                                                MechanismInputs inputs) const override {
    RecodeOptions options = recode_options(mask);
    options.threads = inputs.threads;
    options.most_hours = inputs.most_hours;
    options.traced = inputs.traced;
    return make_recode(options);
  }

  std::vector<Trial> trials(std::size_t /*masked_columns*/) const override {
    return {{{"k", "5"}}};
  }
};

}  // namespace

const Method& recode_method() {
  static const RecodeMethod kMethod;
  return kMethod;
}

}  // namespace semveil
