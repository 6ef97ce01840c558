#include "mechanisms/noise/noise_method.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/choices.h"
#include "mechanisms/common/saved.h"
#include "mechanisms/common/shared_keys.h"
#include "mechanisms/noise/noise_model.h"

namespace semveil {
namespace {

constexpr Choices<NoiseReference, 3> kNoiseReferences{{{"mean", NoiseReference::kMean},
                                                       {"pair", NoiseReference::kPair},
                                                       {"root", NoiseReference::kRoot}}};
constexpr Choices<NoiseDistribution, 2> kNoiseDistributions{
    {{"normal", NoiseDistribution::kNormal}, {"laplace", NoiseDistribution::kLaplace}}};
constexpr Choices<TieRule, 2> kNoiseTies{
    {{"random", TieRule::kRandom}, {"first", TieRule::kFirst}}};
constexpr Choices<NoiseRange, 2> kNoiseRanges{
    {{"reflect", NoiseRange::kReflect}, {"free", NoiseRange::kFree}}};
constexpr auto kNoiseRangeWords = words_of(kNoiseRanges);
constexpr auto kNoiseReferenceWords = words_of(kNoiseReferences);
constexpr auto kNoiseDistributionWords = words_of(kNoiseDistributions);
constexpr auto kNoiseTieWords = words_of(kNoiseTies);

bool is_digest(std::string_view text) {
  constexpr std::size_t kDigits = 64;
  return text.size() == kDigits &&
         text.find_first_not_of("0123456789abcdefABCDEF") == std::string_view::npos;
}

constexpr MethodKey kNoiseAlpha{
    .name = "alpha",
    .type = KeyType::kNumber,
    .help = "variance of the errors, as a share of the column's",
    .low = 0,
    .above = true,
    .usual = "0.1 to 0.5",
    .needed = "how much of the column's variance the errors have",
};
constexpr MethodKey kNoiseCorrelated{
    .name = "correlated",
    .type = KeyType::kFlag,
    .help = "draw errors that are correlated as the columns are",
    .usually = false,
};
constexpr MethodKey kNoiseReference{
    .name = "reference",
    .type = KeyType::kChoice,
    .help = "which way an error's sign points",
    .choices = kNoiseReferenceWords,
    .usually = "mean",
};
constexpr MethodKey kNoiseDistribution{
    .name = "distribution",
    .type = KeyType::kChoice,
    .help = "how the errors are distributed; laplace only uncorrelated",
    .choices = kNoiseDistributionWords,
    .usually = "normal",
};
constexpr MethodKey kNoiseTiesKey{
    .name = "ties",
    .type = KeyType::kChoice,
    .help = "which of equally near replacements is taken",
    .choices = kNoiseTieWords,
    .usually = "random",
};
constexpr MethodKey kNoiseRangeKey{
    .name = "range",
    .type = KeyType::kChoice,
    .help = "of numbers: what goes beyond the column's ends is folded back, or stays",
    .choices = kNoiseRangeWords,
    .usually = "reflect",
    .told = Told::kIfSaid,
};
constexpr MethodKey kNoisePairs{
    .name = "pairs",
    .type = KeyType::kPairs,
    .help = "with reference pair: which columns go together",
    .told = Told::kNever,
};
constexpr MethodKey kNoiseCovariance{
    .name = "covariance",
    .type = KeyType::kRows,
    .help = "covariances of the masked columns, in the place of a table",
    .told = Told::kNever,
    .option = kNoOption,
};
constexpr MethodKey kNoiseDigest{
    .name = "digest",
    .type = KeyType::kText,
    .help = "digest of the table that declared statistics stand for",
    .form = "64 hexadecimal digits, as a fit tells them",
    .fits = is_digest,
    .told = Told::kNever,
    .option = kNoOption,
};

constexpr std::array<MethodKey, 10> kNoiseKeys{
    kNoiseAlpha,    kNoiseCorrelated, kNoiseReference,  kNoiseDistribution, kNoiseTiesKey,
    kNoiseRangeKey, kNoisePairs,      kNoiseCovariance, kNoiseDigest,       kAllowUnmaskedKey};
constexpr std::array<double, 11> kNoiseAlphas{0.05, 0.1, 0.2, 0.3, 0.5, 0.7, 1, 1.5, 2, 3, 5};

constexpr std::array<MethodRemedy, 4> kNoiseRemedies{
    {{"noise-moves-mean", kAnotherMethod, "reference", "\"mean\""},
     {"correlation-moved", kTogetherAlready, "correlated", "true"},
     {"correlation-moved", kTogetherAlready, "reference", "\"pair\""},
     {"correlation-moved",
      "Mask the columns together (correlated = true), or choose another method."}}};

constexpr MethodDescription kNoise{
    .name = "noise",
    .mechanism = kNoiseName,
    .shape = MethodShape::kDrawsPerCell,
    .invents_concepts = true,
    .chooses_candidates = true,
    .keeps_correlations = true,
    .aims_at_variance = true,
    .fits_statistics = true,
    .takes_numbers = true,
    .keys = kNoiseKeys,
    .searched = "alpha",
    .usual = kNoiseAlphas,
    .rank = 1,
    .promise =
        "Every value is replaced by one about as far away in meaning as a random error "
        "asks, every number is moved by such an error; with correlated, columns that go together "
        "get errors that go together.",
    .no_promise =
        "It makes no two records alike, and someone who knows how often each value "
        "occurs may still guess the original.",
    .remedies = kNoiseRemedies,
};

class NoiseMethod final : public Method {
 public:
  const MethodDescription& about() const override { return kNoise; }

  void check(PlanCheck& check) const override {
    const NoiseSettings said = noise_settings(check.mask);
    if (said.options.distribution == NoiseDistribution::kLaplace && said.options.correlated) {
      check.wrong(kNoiseDistribution.name,
                  "laplace errors cannot be correlated; write distribution = \"normal\" or "
                  "correlated = false");
    }
    if (said.options.reference != NoiseReference::kPair) {
      if (!said.pairs.empty()) check.wrong(kNoisePairs.name, "pairs needs reference = \"pair\"");
      return;
    }
    for (const ColumnSettings& column : check.plan.columns) {
      if (!check.is_masked(column) || !is_on_a_line(column)) continue;
      return check.wrong(kNoiseReference.name,
                         fmt::format("reference = \"pair\" is for words, and column {} holds "
                                     "numbers; leave it out of columns, or write \"mean\" or "
                                     "\"root\"",
                                     column.name));
    }
    if (check.names_are_sound) check_pairing(said.pairs, check);
  }

  Result<std::unique_ptr<const Mechanism>> make(const MaskStep& mask,
                                                MechanismInputs inputs) const override {
    NoiseSettings said = noise_settings(mask);
    const auto place = [&](const std::string& name) {
      return static_cast<std::size_t>(std::ranges::find(inputs.columns, name) -
                                      inputs.columns.begin());
    };
    for (const auto& [a, b] : said.pairs) said.options.pairs.emplace_back(place(a), place(b));
    said.options.threads = inputs.threads;
    said.options.most_hours = inputs.most_hours;
    if (inputs.declared != nullptr) said.options.declared = *inputs.declared;
    return make_noise(std::move(said.options));
  }

  Result<std::unique_ptr<const FittedMethod>> load(
      std::string_view saved, std::vector<std::shared_ptr<const Attribute>> attributes,
      const Key& key) const override {
    using enum Attribute::Kind;
    if (const Status status = refuse_kinds(attributes, {kText}); !status) {
      return fail(status.error());
    }
    Result<NoiseModel> model = load_noise(saved, attributes);
    if (!model) return fail(model.error());
    return make_noise_plan(std::move(attributes), *std::move(model), key);
  }

  std::vector<Trial> trials(std::size_t masked_columns) const override {
    std::vector<Trial> all;
    for (const char* alpha : {"0.1", "0.3", "0.5", "1"}) all.push_back({{"alpha", alpha}});
    if (masked_columns < 2) return all;
    all.push_back({{"alpha", "0.3"}, {"correlated", "true"}});
    all.push_back({{"alpha", "0.3"}, {"correlated", "true"}, {"reference", "\"root\""}});
    return all;
  }

 private:
  // Every masked column in exactly one pair; without `pairs`, 1 with 2, 3 with 4, …
  static void check_pairing(const ColumnPairs& pairs, PlanCheck& check) {
    if (check.masked.size() % 2 != 0) {
      return check.wrong(kNoiseReference.name,
                         fmt::format("reference = \"pair\" needs an even number of columns, these "
                                     "are {}; leave one out of columns or add its partner",
                                     check.masked.size()));
    }
    if (pairs.empty()) return;
    std::vector<std::string> paired;
    for (const auto& [a, b] : pairs) paired.insert(paired.end(), {a, b});
    for (const std::string& name : paired) {
      if (std::ranges::find(check.masked, name) != check.masked.end()) continue;
      return check.wrong(kNoisePairs.name,
                         fmt::format("pairs: column {} is not masked; add it to columns", name));
    }
    for (const std::string& name : check.masked) {
      if (std::ranges::find(paired, name) != paired.end()) continue;
      return check.wrong(kNoisePairs.name,
                         fmt::format("pairs: column {} is masked and stands in no pair; "
                                     "pair it or list the others in columns",
                                     name));
    }
  }
};

}  // namespace

const Method& noise_method() {
  static const NoiseMethod kMethod;
  return kMethod;
}

NoiseSettings noise_settings(const MaskStep& mask) {
  NoiseSettings said;
  said.options.alpha = setting_of<double>(mask, kNoiseAlpha);
  said.options.correlated = setting_of<bool>(mask, kNoiseCorrelated);
  said.options.reference =
      choice_named(kNoiseReferences, setting_of<std::string>(mask, kNoiseReference));
  said.options.distribution =
      choice_named(kNoiseDistributions, setting_of<std::string>(mask, kNoiseDistribution));
  said.options.ties = choice_named(kNoiseTies, setting_of<std::string>(mask, kNoiseTiesKey));
  said.options.range = choice_named(kNoiseRanges, setting_of<std::string>(mask, kNoiseRangeKey));
  said.options.allow_unmasked = setting_of<bool>(mask, kAllowUnmaskedKey);
  said.options.by_person = !mask.draw_by.empty();
  said.pairs = setting_of<ColumnPairs>(mask, kNoisePairs);
  said.covariance = setting_of<NumberRows>(mask, kNoiseCovariance);
  said.digest = setting_of<std::string>(mask, kNoiseDigest);
  return said;
}

}  // namespace semveil
