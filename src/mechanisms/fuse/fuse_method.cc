#include "mechanisms/fuse/fuse_method.h"

#include <array>

#include "base/choices.h"
#include "mechanisms/classes/lookup_method.h"
#include "semveil/fuse.h"

namespace semveil {
namespace {

constexpr Choices<FuseGuide, 4> kFuseGuides{{{"semantic", FuseGuide::kSemantic},
                                             {"discernibility", FuseGuide::kDiscernibility},
                                             {"random", FuseGuide::kRandom},
                                             {"random-record", FuseGuide::kRandomRecord}}};
constexpr auto kFuseGuideWords = words_of(kFuseGuides);

constexpr MethodKey kFuseGuide{
    .name = "guide",
    .type = KeyType::kChoice,
    .help = "what decides on the partner: meaning, the smallest group, chance",
    .choices = kFuseGuideWords,
    .usually = "semantic",
};
constexpr MethodKey kFuseHeuristics{
    .name = "heuristics",
    .type = KeyType::kWhole,
    .help = "how many of its three heuristics are used",
    .low = 0,
    .high = 3,
    .usually = std::uint64_t{3},
};
constexpr std::array<MethodKey, 4> kFuseKeys{kClassSizeKey, kFuseGuide, kFuseHeuristics,
                                             kPartialKey};

constexpr MethodDescription kFuse{
    .name = "fuse",
    .mechanism = kLookupName,
    .shape = MethodShape::kLooksUp,
    .forms_classes = true,
    .takes_numbers = true,
    .takes_dates = true,
    .takes_texts = true,
    .takes_several_ontologies = true,
    .keys = kFuseKeys,
    .searched = kClassSizeKey.name,
    .usual = kUsualKs,
    .counts_records = true,
    .rank = 3,
    .promise =
        "Every combination of quasi-identifiers has k records or more, and each is one "
        "that exists in the table.",
    .no_promise =
        "If all records of a combination share a sensitive value, that value is known, "
        "unless demand forbids it.",
};

class FuseMethod final : public LookupMethod {
 public:
  const MethodDescription& about() const override { return kFuse; }

  Result<std::unique_ptr<const Mechanism>> make(const MaskStep& mask,
                                                MechanismInputs inputs) const override {
    FuseOptions options;
    options.k = mask.k();
    options.guide = choice_named(kFuseGuides, setting_of<std::string>(mask, kFuseGuide));
    options.heuristics = static_cast<unsigned>(setting_of<std::uint64_t>(mask, kFuseHeuristics));
    options.threads = inputs.threads;
    options.most_hours = inputs.most_hours;
    options.traced = inputs.traced;
    return make_fuse(options);
  }

  std::vector<Trial> trials(std::size_t /*masked_columns*/) const override {
    return {{{"k", "3"}}, {{"k", "5"}}, {{"k", "10"}}, {{"k", "20"}}};
  }
};

}  // namespace

const Method& fuse_method() {
  static const FuseMethod kMethod;
  return kMethod;
}

}  // namespace semveil
