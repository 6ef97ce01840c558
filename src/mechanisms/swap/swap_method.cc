#include "mechanisms/swap/swap_method.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "base/choices.h"
#include "mechanisms/common/saved.h"
#include "mechanisms/common/shared_keys.h"
#include "mechanisms/swap/swap_saved.h"

namespace semveil {
namespace {

constexpr Choices<SwapAlgorithm, 3> kSwapAlgorithms{
    {{"fixed", SwapAlgorithm::kFixed},
     {"dynamic", SwapAlgorithm::kDynamic},
     {"multivariate", SwapAlgorithm::kMultivariate}}};
constexpr Choices<Exhausted, 2> kSwapExhausted{
    {{"keep", Exhausted::kKeep}, {"extend", Exhausted::kExtend}}};
constexpr auto kSwapAlgorithmWords = words_of(kSwapAlgorithms);
constexpr auto kSwapExhaustedWords = words_of(kSwapExhausted);
constexpr std::array<std::string_view, 1> kSwapDemands{"probabilistic-k"};

constexpr MethodKey k_of(std::string_view instead, std::string_view instead_help) {
  return {
      .name = "k",
      .type = KeyType::kWhole,
      .help = "a value moves to one of the k records closest to its own",
      .low = 1,
      .high = kMostK,
      .usual = "5 to 50",
      .needed = "among how many of the nearest records a value may find its new place",
      .instead = instead,
      .instead_help = instead_help,
  };
}
constexpr MethodKey kSwapK = k_of("p", "a percentage of the records");
constexpr MethodKey kSwapP{
    .name = "p",
    .type = KeyType::kNumber,
    .help = "in place of k, a percentage of the records; rounded to the nearest, at least 1",
    .low = 0,
    .high = 100,
    .above = true,
    .told = Told::kIfSaid,
};
constexpr MethodKey kSwapAlgorithm{
    .name = "algorithm",
    .type = KeyType::kChoice,
    .help = "one ranking for all, column by column, or whole records",
    .choices = kSwapAlgorithmWords,
    .usually = "multivariate",
};
constexpr MethodKey kSwapExhaustedKey{
    .name = "exhausted",
    .type = KeyType::kChoice,
    .help = "a value that finds no partner among the k stays, or takes the nearest beyond",
    .choices = kSwapExhaustedWords,
    .usually = "keep",
};
constexpr MethodKey kSwapDemand{
    .name = "demand",
    .type = KeyType::kChoice,
    .help = "checked on the result: no match is the person's own record with a chance above 1/k",
    .choices = kSwapDemands,
    .told = Told::kIfSaid,
    .draws = false,
};

constexpr std::array<MethodKey, 5> kSwapKeys{kSwapK, kSwapP, kSwapAlgorithm, kSwapExhaustedKey,
                                             kSwapDemand};
constexpr std::array<MethodKey, 1> kDistributionalKeys{k_of("", "")};

constexpr std::array<MethodRemedy, 2> kSwapRemedies{
    {{"correlation-moved", kTogetherAlready, "algorithm", "\"multivariate\""},
     {"correlation-moved",
      "Mask the columns together (algorithm = \"multivariate\"), or choose another method."}}};
constexpr std::array<MethodRemedy, 1> kBaselineRemedies{{{"correlation-moved", kAnotherMethod}}};

// What all of them are.
constexpr MethodDescription described(std::string_view name) {
  return {.name = name,
          .mechanism = kSwapName,
          .shape = MethodShape::kDeals,
          .keeps_correlations = true,
          .takes_numbers = true,
          .takes_dates = true,
          .takes_several_ontologies = true,
          .remedies = kBaselineRemedies};
}
constexpr MethodDescription kSwap = [] {
  MethodDescription out = described("swap");
  out.keys = kSwapKeys;
  out.remedies = kSwapRemedies;
  out.searched = kSwapK.name;
  out.usual = kUsualKs;
  out.counts_records = true;
  out.rank = 2;
  out.promise =
      "Values only change places with similar ones, so every column keeps exactly its values and "
      "how often each occurs.";
  out.no_promise =
      "Some records come out as they were, so the chance of finding a person may be above 1/k.";
  return out;
}();
constexpr MethodDescription kRandomSwap = [] {
  MethodDescription out = described("random-swap");
  out.is_independent = true;
  out.rank = 9;
  out.promise =
      "Values change places with any other: every column keeps exactly its values, and how often "
      "each occurs.";
  out.no_promise = "What went together no longer does. It is what swap is compared with.";
  return out;
}();
constexpr MethodDescription kDistributionalSwap = [] {
  MethodDescription out = described("distributional-swap");
  out.keys = kDistributionalKeys;
  out.searched = kSwapK.name;
  out.usual = kUsualKs;
  out.counts_records = true;
  out.rank = 10;
  out.promise =
      "Values change places with one of the k that are next in frequency: every column keeps "
      "exactly its values, and how often each occurs.";
  out.no_promise =
      "Meaning plays no part, and the chance to find somebody may stay above 1/k. It is what swap "
      "is compared with.";
  return out;
}();

class SwapMethod final : public Method {
 public:
  // `algorithm`: that of a baseline; nothing: what the plan says.
  SwapMethod(const MethodDescription& about, std::optional<SwapAlgorithm> algorithm)
      : about_(about), algorithm_(algorithm) {}
  const MethodDescription& about() const override { return about_; }

  SwapOptions options(const MaskStep& mask) const {
    SwapOptions out;
    out.algorithm =
        algorithm_ ? *algorithm_
                   : choice_named(kSwapAlgorithms, setting_of<std::string>(mask, kSwapAlgorithm));
    out.k = std::max<std::uint64_t>(setting_of<std::uint64_t>(mask, kSwapK), 1);
    out.exhausted = choice_named(kSwapExhausted, setting_of<std::string>(mask, kSwapExhaustedKey));
    out.demands_risk = mask.settings.has(kSwapDemand.name);
    return out;
  }

  void check(PlanCheck& check) const override {
    if (!check.mask.settings.has(kSwapP.name) || !check.mask.settings.has(kSwapK.name)) return;
    check.wrong(kSwapP.name, "p is k as a percentage of the records: write k or p, not both");
  }

  Status check_settings(const MaskStep& mask) const override {
    if (const Status status = Method::check_settings(mask); !status) return status;
    if (options(mask).demands_risk && mask.k() == 1) {
      return fail(
          data_error("demand = \"probabilistic-k\" says nothing with k = 1: choose a greater k"));
    }
    return {};
  }

  // What swapping cannot do, or not promise.
  Status check_table(const TableCheck& check) const override {
    const auto place = [&](const ColumnSettings& column) {
      return Place{check.plan.path, column.line, column.name};
    };
    for (const TableCheck::Column& column : check.columns) {
      const bool is_value = check.plan.missing == MissingRule::kCategory && column.missing > 0;
      if (column.has_concepts || !is_value) continue;
      return fail(data_error("missing = \"category\" makes no value of missing numbers: write "
                             "missing = \"keep\" or \"drop-record\"")
                      .at(place(*column.plan)));
    }
    if (!options(check.mask).demands_risk) return {};
    const auto refused = [](std::string why) {
      return Error{ErrorCode::kGuarantee,
                   "demand = \"probabilistic-k\" cannot be met: " + std::move(why),
                   {},
                   {},
                   {}};
    };
    for (const ColumnSettings& column : check.plan.columns) {
      if (column.role != Role::kQuasiIdentifier || check.is_masked(column)) continue;
      return fail(refused("the quasi-identifier is not swapped, and tells records apart; add it to "
                          "columns, or drop the demand")
                      .at(place(column)));
    }
    for (const TableCheck::Column& column : check.columns) {
      if (!column.keeps_unmapped) continue;
      return fail(refused("values that mean no concept are kept as they are; map or suppress them, "
                          "or drop the demand")
                      .at(place(*column.plan)));
    }
    return {};
  }

  // Where p is given, k = p n / 100 of a table of n records (rank swapping paper, section 3.3),
  // rounded to the nearest whole number, halves up, and at least 1.
  void settle(std::uint64_t records, MaskStep& mask) const override {
    const double p = setting_of<double>(mask, kSwapP);
    if (p <= 0) return;
    const double k = std::floor(p * static_cast<double>(records) / 100 + 0.5);
    mask.settings.set(kSwapK.name, static_cast<std::uint64_t>(std::clamp(k, 1.0, kMostK)));
  }

  Result<std::unique_ptr<const Mechanism>> make(const MaskStep& mask,
                                                MechanismInputs inputs) const override {
    SwapOptions chosen = options(mask);
    chosen.threads = inputs.threads;
    chosen.traced = inputs.traced;
    return make_swap(chosen);
  }

  Result<std::unique_ptr<const FittedMethod>> load(
      std::string_view saved, std::vector<std::shared_ptr<const Attribute>> attributes,
      const Key& key) const override {
    if (const Status status = refuse_kinds(attributes, {Attribute::Kind::kText}); !status) {
      return fail(status.error());
    }
    return load_swap(saved, std::move(attributes), key);
  }

  std::vector<Trial> trials(std::size_t /*masked_columns*/) const override {
    if (algorithm_ == SwapAlgorithm::kRandom) return {{}};
    if (algorithm_) return {{{"k", "10"}}};
    return {{{"k", "5"}}, {{"k", "10"}}, {{"k", "20"}}, {{"k", "50"}}};
  }

 private:
  const MethodDescription& about_;
  std::optional<SwapAlgorithm> algorithm_;
};

}  // namespace

const Method& swap_method() {
  static const SwapMethod kMethod(kSwap, std::nullopt);
  return kMethod;
}

const Method& random_swap_method() {
  static const SwapMethod kMethod(kRandomSwap, SwapAlgorithm::kRandom);
  return kMethod;
}

const Method& distributional_swap_method() {
  static const SwapMethod kMethod(kDistributionalSwap, SwapAlgorithm::kDistributional);
  return kMethod;
}

std::optional<SwapOptions> swap_options(const MaskStep& mask) {
  const auto* const swap = dynamic_cast<const SwapMethod*>(mask.method);
  return swap == nullptr ? std::nullopt : std::optional(swap->options(mask));
}

}  // namespace semveil
