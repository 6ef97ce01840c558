// Every mechanism, in the configurations that the conformance suite runs over. A mechanism that is
// not listed here does not exist.
#pragma once

#include <algorithm>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "semveil/ean.h"
#include "semveil/fuse.h"
#include "semveil/generalize.h"
#include "semveil/microaggregate.h"
#include "semveil/noise.h"
#include "semveil/swap.h"
#include "support/generated_table.h"

namespace semveil::test {

struct MechanismCase {
  std::string name;  // letters and digits
  struct Choices {   // what a test varies and must not matter, or must
    unsigned threads = 1;
    bool by_person = false;
  };
  std::function<std::unique_ptr<const Mechanism>(Choices)> make;

  std::size_t columns = 2;
  bool one_domain = false;  // all columns in one
  MeasureCase measure = {"wu-palmer"};
  SlowCandidateRules rules;
  bool missing_is_value = false;
  bool last_is_numeric = false;  // the last column holds numbers
  bool last_is_date = false;     // and these are dates
  // The trace has a line for every cell that took part.
  bool traces = true;
  // Replacements are values of the column, not any candidate of the domain.
  bool from_the_data = false;
  // With draw_by: person and value alone decide. Where columns are joined (a partner's value, or
  // errors that depend on each other) it takes the person and all the values of the row.
  bool columns_apart = true;
  // What cannot hold for a mechanism, and why; empty: it holds. Plans that deal values out have
  // properties of their own instead (every_dealing_mechanism_test.cc).
  std::string asks_no_row;
  std::string masks_no_stranger;
  std::string draws_by_no_person;
  std::string learns_with_the_key;
  std::string draws_nothing;
  bool deals = false;
  bool sets = false;  // several values are released for a cell
  // Plans that look tuples up have properties of their own, too (every_classing_mechanism_test.cc).
  std::uint64_t k = 0;            // every class, or for recode every value, has so many
  bool by_column = false;         // recode
  bool reaches_the_root = false;  // also a virtual one
};
// GoogleTest prints a parameter it does not know as its bytes.
inline void PrintTo(const MechanismCase& c, std::ostream* out) { *out << c.name; }

inline MechanismCase noise_case(const std::string& name, const NoiseOptions& options,
                                std::size_t columns) {
  MechanismCase out;
  out.name = name;
  out.make = [options](MechanismCase::Choices choices) {
    NoiseOptions chosen = options;
    chosen.threads = choices.threads;
    chosen.by_person = choices.by_person;
    return make_noise(chosen);
  };
  out.columns = columns;
  out.one_domain = options.reference == NoiseReference::kPair;
  out.columns_apart = !options.correlated && options.reference != NoiseReference::kPair;
  return out;
}

inline MechanismCase baseline_case(const std::string& name, Baseline baseline) {
  MechanismCase out;
  out.name = name;
  out.make = [baseline](MechanismCase::Choices choices) {
    return make_baseline(baseline, choices.by_person);
  };
  out.traces = false;
  out.from_the_data = true;
  return out;
}

inline MechanismCase swap_case(const std::string& name, SwapAlgorithm algorithm, std::uint64_t k,
                               std::size_t columns, Exhausted exhausted = Exhausted::kKeep) {
  MechanismCase out;
  out.name = name;
  const SwapOptions options{.algorithm = algorithm, .k = k, .exhausted = exhausted};
  out.make = [options](MechanismCase::Choices choices) {
    SwapOptions chosen = options;
    chosen.threads = choices.threads;
    return make_swap(chosen);
  };
  out.columns = columns;
  out.traces = false;
  out.from_the_data = true;
  out.asks_no_row = "a record is known by its cells and how many before it have the same";
  out.masks_no_stranger = "values are dealt out to the fitted records: there are none for others";
  out.draws_by_no_person = "where a value goes is decided once for all records, not for a person";
  out.learns_with_the_key = "who gets what is drawn while fitting, and kept";
  out.deals = true;
  return out;
}

// Plans that look tuples up.
inline MechanismCase classing_case(
    const std::string& name, std::uint64_t k, std::size_t columns,
    std::function<std::unique_ptr<const Mechanism>(MechanismCase::Choices)> make) {
  MechanismCase out;
  out.name = name;
  out.make = std::move(make);
  out.k = k;
  out.columns = columns;
  out.missing_is_value = true;
  out.traces = false;
  out.asks_no_row = "a record is known by its cells";
  out.masks_no_stranger = "a tuple that was not fitted has no class";
  out.draws_by_no_person = "classes are made once for all records, not for a person";
  out.learns_with_the_key = "ties are drawn while fitting";
  out.draws_nothing = "at most ties are drawn";
  return out;
}

inline MechanismCase fuse_case(const std::string& name, const FuseOptions& options,
                               std::size_t columns) {
  MechanismCase out =
      classing_case(name, options.k, columns, [options](MechanismCase::Choices choices) {
        FuseOptions chosen = options;
        chosen.threads = choices.threads;
        return make_fuse(chosen);
      });
  out.from_the_data = true;
  const bool by_chance =
      options.guide == FuseGuide::kRandom || options.guide == FuseGuide::kRandomRecord;
  if (by_chance) out.draws_nothing.clear();
  return out;
}

inline MechanismCase recode_case(const std::string& name, const RecodeOptions& options) {
  MechanismCase out = classing_case(name, options.k, 2, [options](MechanismCase::Choices choices) {
    RecodeOptions chosen = options;
    chosen.threads = choices.threads;
    return make_recode(chosen);
  });
  out.from_the_data = true;
  out.by_column = true;
  return out;
}

inline MechanismCase generalize_case(const std::string& name, const GeneralizeOptions& options,
                                     std::size_t columns) {
  MechanismCase out =
      classing_case(name, options.k, columns, [options](MechanismCase::Choices choices) {
        GeneralizeOptions chosen = options;
        chosen.threads = choices.threads;
        return make_generalize(chosen);
      });
  out.reaches_the_root = true;
  out.learns_with_the_key.clear();
  return out;
}

inline MechanismCase microaggregate_case(const std::string& name, std::uint64_t k,
                                         std::size_t columns) {
  MechanismCase out = classing_case(name, k, columns, [k](MechanismCase::Choices choices) {
    return make_microaggregate({.k = k, .threads = choices.threads});
  });
  out.learns_with_the_key.clear();
  return out;
}

// `categories` of about equally many values of the column, and of the domain's others.
inline CategoryRule dealt_categories(std::size_t categories) {
  return [categories](const FrequencyColumn& column) -> Result<Categories> {
    Categories out;
    out.list.resize(categories);
    const Attribute& attribute = *column.attribute;
    const std::vector<ConceptId>& values = column.values.values;
    std::size_t next = 0;
    for (const ConceptId v : values) out.list[next++ % categories].values.push_back(v);
    const bool has_virtual = attribute.is_nominal() && attribute.taxonomy().has_virtual_root();
    for (ConceptId v = has_virtual ? 1 : 0; v < attribute.size(); ++v) {
      if (std::binary_search(values.begin(), values.end(), v)) continue;
      out.list[next++ % categories].values.push_back(v);
    }
    for (std::size_t c = 0; c < categories; ++c) out.list[c].name = "category " + std::to_string(c);
    return out;
  };
}

// 0 categories: `an` with the column's values.
inline MechanismCase set_case(const std::string& name, bool by_category, std::size_t categories,
                              unsigned l, std::size_t columns, SetDraw draw = SetDraw::kUniform) {
  MechanismCase out;
  out.name = name;
  SetOptions options{.categories = {}, .l = l, .draw = draw};
  if (categories > 0) options.categories.assign(columns, dealt_categories(categories));
  out.make = [options, by_category](MechanismCase::Choices choices) {
    SetOptions chosen = options;
    chosen.by_person = choices.by_person;
    return by_category ? make_ean(chosen) : make_an(chosen);
  };
  out.columns = columns;
  out.traces = false;
  out.sets = true;
  if (categories == 0) {
    out.from_the_data = true;
    out.masks_no_stranger = "a value that the column did not have is in no set";
  }
  return out;
}

inline std::vector<MechanismCase> every_mechanism() {
  std::vector<MechanismCase> all;
  const auto noise = [&](const std::string& name, const NoiseOptions& options,
                         std::size_t columns) -> MechanismCase& {
    return all.emplace_back(noise_case(name, options, columns));
  };
  NoiseOptions options;
  noise("NoiseOnOneColumn", options, 1);
  noise("NoiseByMean", options, 2);
  noise("NoiseWithMissingAsValue", options, 2).missing_is_value = true;
  noise("NoiseWithLeavesOnly", options, 2).rules.leaves_only = true;
  noise("NoiseMeasuredByLin", options, 2).measure = {"lin", IcModel::kSeco, LcsRule::kDeepest};

  options.correlated = true;
  noise("CorrelatedNoiseByMean", options, 3);
  options.reference = NoiseReference::kPair;
  noise("CorrelatedNoiseByPair", options, 2);
  options.pairs = {{0, 3}, {2, 1}};
  MechanismCase& deep = noise("CorrelatedNoiseByNamedPairs", options, 4);
  deep.rules.min_depth = 3;
  deep.missing_is_value = true;
  options.pairs.clear();
  options.reference = NoiseReference::kRoot;
  options.ties = TieRule::kFirst;
  noise("CorrelatedNoiseByRootWithFirstTies", options, 3);

  options = {};
  options.reference = NoiseReference::kPair;
  options.alpha = 2;
  noise("NoiseByPair", options, 2).measure = {"path"};
  options.reference = NoiseReference::kRoot;
  options.distribution = NoiseDistribution::kLaplace;
  noise("LaplaceNoiseByRoot", options, 2);

  options = {};
  const auto with_numbers = [&](const std::string& name, std::size_t columns) {
    noise(name, options, columns).last_is_numeric = true;
  };
  with_numbers("NoiseOfNumbers", 1);
  options.correlated = true;
  with_numbers("CorrelatedNoiseOfWordsAndNumbers", 3);
  options.reference = NoiseReference::kRoot;
  options.range = NoiseRange::kFree;
  with_numbers("CorrelatedNoiseByRootOfWordsAndFreeNumbers", 2);
  options = {};
  options.distribution = NoiseDistribution::kLaplace;
  with_numbers("LaplaceNoiseOfWordsAndNumbers", 2);

  all.push_back(baseline_case("Naive", Baseline::kNaive));
  all.push_back(baseline_case("Probabilistic", Baseline::kProbabilistic));
  all.emplace_back(baseline_case("NaiveWithMissingAsValue", Baseline::kNaive)).missing_is_value =
      true;

  all.push_back(set_case("EanOfOneColumn", true, 5, 0, 1));
  all.push_back(set_case("Ean", true, 4, 0, 2));
  all.push_back(set_case("EanOfFewerThanAllCategories", true, 6, 3, 2));
  all.push_back(set_case("EanOfManyCategories", true, 14, 0, 1));  // several draws a row
  all.push_back(set_case("EanByFrequency", true, 4, 0, 2, SetDraw::kFrequency));
  all.push_back(
      set_case("EanByFrequencyOfFewerThanAllCategories", true, 6, 3, 1, SetDraw::kFrequency));
  all.emplace_back(set_case("EanOfNumbers", true, 3, 0, 1)).last_is_numeric = true;
  all.back().masks_no_stranger = "a number that the column did not have is no value";
  all.push_back(set_case("AnOfOneColumn", false, 0, 3, 1));
  all.push_back(set_case("An", false, 0, 4, 2));
  all.push_back(set_case("AnOfCategories", false, 4, 5, 2));

  // Values of the generated columns are more frequent than a small k: they would find only their
  // like.
  using enum SwapAlgorithm;
  all.push_back(swap_case("SwapInAFixedRankingOfOneColumn", kFixed, 40, 1));
  all.push_back(swap_case("SwapInFixedRankings", kFixed, 25, 2, Exhausted::kExtend));
  all.push_back(swap_case("DynamicSwapOfOneColumn", kDynamic, 250, 1));
  all.push_back(swap_case("DynamicSwap", kDynamic, 250, 3, Exhausted::kExtend));
  all.push_back(swap_case("SwapOfRecordsOfOneColumn", kMultivariate, 250, 1));
  all.push_back(swap_case("SwapOfRecords", kMultivariate, 40, 2));
  all.push_back(
      swap_case("SwapOfRecordsBeyondTheInterval", kMultivariate, 40, 3, Exhausted::kExtend));
  all.emplace_back(swap_case("SwapOfRecordsWithMissingAsValue", kMultivariate, 60, 2))
      .missing_is_value = true;
  all.emplace_back(swap_case("SwapOfRecordsMeasuredByLin", kMultivariate, 40, 2)).measure = {
      "lin", IcModel::kSeco, LcsRule::kDeepest};
  all.emplace_back(swap_case("SwapOfRecordsWithANumber", kMultivariate, 40, 3)).last_is_numeric =
      true;
  all.emplace_back(swap_case("DynamicSwapOfNumbers", kDynamic, 150, 1)).last_is_numeric = true;
  all.emplace_back(swap_case("SwapInAFixedRankingOfNumbers", kFixed, 30, 1)).last_is_numeric = true;
  all.emplace_back(swap_case("SwapOfRecordsWithADate", kMultivariate, 40, 3)).last_is_date = true;
  all.emplace_back(swap_case("SwapInAFixedRankingOfDates", kFixed, 30, 1)).last_is_date = true;
  all.push_back(swap_case("RandomSwap", kRandom, 1, 2));
  all.emplace_back(swap_case("RandomSwapWithMissingAsValue", kRandom, 1, 1)).missing_is_value =
      true;
  all.push_back(swap_case("DistributionalSwap", kDistributional, 60, 3));
  all.emplace_back(swap_case("DistributionalSwapWithMissingAsValue", kDistributional, 60, 2))
      .missing_is_value = true;

  all.push_back(fuse_case("Fuse", {.k = 6}, 2));
  all.push_back(fuse_case("FuseOfOneColumn", {.k = 90}, 1));
  all.push_back(fuse_case("FuseBySize", {.k = 9, .guide = FuseGuide::kDiscernibility}, 3));
  all.push_back(fuse_case("FuseByChance", {.k = 40, .guide = FuseGuide::kRandom}, 2));
  all.push_back(fuse_case("FuseByRecord", {.k = 40, .guide = FuseGuide::kRandomRecord}, 2));
  all.push_back(fuse_case("FuseWithoutHeuristics", {.k = 5, .heuristics = 0}, 3));
  all.emplace_back(fuse_case("FuseMeasuredByLin", {.k = 6}, 2)).measure = {"lin", IcModel::kSeco,
                                                                           LcsRule::kDeepest};
  all.push_back(recode_case("Recode", {.k = 60}));
  all.push_back(
      recode_case("RecodeToTheAnonymous", {.k = 60, .algorithm = RecodeAlgorithm::kRecoding}));
  all.push_back(recode_case(
      "RecodeToAny",
      {.k = 60, .algorithm = RecodeAlgorithm::kRecoding, .target = RecodeTarget::kAny}));
  using enum GeneralizeScope;
  all.push_back(generalize_case("GeneralizeFullDomain", {.k = 5, .scope = kFullDomain}, 2));
  all.push_back(generalize_case(
      "GeneralizeFullDomainWithSuppression",
      {.k = 12, .scope = kFullDomain, .loss = GeneralizeLoss::kNcp, .suppression = 0.1}, 2));
  all.push_back(generalize_case("GeneralizeLocally", {.k = 8}, 3));
  all.push_back(generalize_case("GeneralizeOneColumnLocally", {.k = 40, .suppression = 0.05}, 1));
  using enum GeneralizeSuppress;
  all.push_back(generalize_case("SuppressCells", {.k = 5, .suppress = kCells}, 3));
  all.push_back(generalize_case("SuppressCellsOnLevels",
                                {.k = 8, .suppress = kCells, .levels = {1, 2}, .weights = {1, 2.5}},
                                2));
  all.push_back(microaggregate_case("Microaggregate", 5, 3));
  all.push_back(microaggregate_case("MicroaggregateOneColumn", 90, 1));
  all.emplace_back(microaggregate_case("MicroaggregateToLeaves", 7, 2)).rules.leaves_only = true;
  return all;
}

}  // namespace semveil::test
