// The declarations, by object of the JSON: `*` stands for the names of columns and other keys that
// a table brings, `[]` for the entries of a list. `mask` stands for `apply`, too.
#include "report/public_figures.h"

#include <algorithm>
#include <array>

namespace semveil::report {
namespace {

struct Declared {
  std::string_view object;
  Shown shown;
  std::string_view keys;  // a blank between two
};

constexpr auto kDeclared = std::to_array<Declared>({
    // ---- audit ----
    {"audit", Shown::kBeside,
     "records_original persons paired unpaired_why discernibility lm ncp journalist"},
    {"audit", Shown::kAsIs,
     "records_masked pairing missing_rule notes[] semantic_quality c_avg "
     "information_loss partition_distance category_diversity control unmasked[] "
     "identifiers[] edition"},
    {"audit.findings[]", Shown::kAsIs, "id severity columns[]"},
    {"audit.findings[]", Shown::kBeside, "figures.* text"},
    {"audit.columns.*", Shown::kAsIs,
     "role masked left_unmapped rmse mean_distance semantic_quality information_loss"},
    {"audit.columns.*", Shown::kRounded,
     "distinct_original missing_original unmapped_original number_mean_original "
     "variance_original variance_expected variance_drawn target_rmse"},
    {"audit.columns.*", Shown::kBeside,
     "distinct_masked missing_masked unmapped_masked number_mean_masked mean_shift "
     "variance_masked unchanged total_variation distances[]"},
    {"audit.columns.*.mean_original", Shown::kPooled, "id label"},
    {"audit.columns.*.mean_masked", Shown::kAsIs, "id label"},
    {"audit.columns.*", Shown::kPooled, "hellinger ic_loss"},
    {"audit.columns.*.numeric_original", Shown::kAsIs, "dates"},
    {"audit.columns.*.numeric_original", Shown::kRounded, "mean deviation"},
    {"audit.columns.*.numeric_original", Shown::kSecret, "min max"},
    {"audit.columns.*.numeric_original.quantiles", Shown::kSecret, "0.05 0.25 0.5 0.75 0.95"},
    {"audit.columns.*.numeric_masked", Shown::kAsIs, "dates"},
    {"audit.columns.*.numeric_masked", Shown::kBeside, "mean deviation"},
    {"audit.columns.*.numeric_masked", Shown::kAsIs, "min max"},
    {"audit.columns.*.numeric_masked.quantiles", Shown::kAsIs, "0.05 0.25 0.5 0.75 0.95"},
    {"audit.columns.*.distribution[]", Shown::kPooled, "label original masked pooled values"},
    {"audit.pairs[]", Shown::kAsIs, "a b"},
    {"audit.pairs[]", Shown::kRounded,
     "correlation_original covariance_original covariance_expected covariance_error"},
    {"audit.pairs[]", Shown::kBeside, "correlation_masked covariance_masked sampled"},
    {"audit", Shown::kRounded,
     "discernibility_original lm_original ncp_original one_origin "
     "one_origin_shuffled"},
    {"audit.clusters", Shown::kAsIs, "count"},
    {"audit.clusters", Shown::kBeside, "sampled"},
    {"audit.clusters.original[]", Shown::kPooled, "height records left right label"},
    {"audit.clusters.masked[]", Shown::kAsIs, "height records left right label"},
    {"audit.downstream", Shown::kAsIs, "target"},
    {"audit.downstream", Shown::kRounded, "original majority tested"},
    {"audit.downstream", Shown::kBeside, "masked"},
    {"audit.classes", Shown::kBeside, "count smallest uniques suppressed prosecutor marketer"},
    {"audit.classes.records", Shown::kBeside, "smallest uniques"},
    {"audit.classes_original", Shown::kRounded,
     "count smallest uniques suppressed prosecutor marketer"},
    {"audit.classes_original.records", Shown::kRounded, "smallest uniques"},
    {"audit.privacy", Shown::kBeside, "k uniques"},
    {"audit.privacy.sensitive.*", Shown::kBeside, "l entropy_l recursive_c t most_common"},
    {"audit.privacy_original", Shown::kRounded, "k uniques"},
    {"audit.privacy_original.sensitive.*", Shown::kRounded,
     "l entropy_l recursive_c t most_common"},
    {"audit.linkage", Shown::kBeside,
     "equality semantic window own_among_alike own_among_alike_mean worst baseline"},
    {"audit.attacks[]", Shown::kAsIs, "name about columns"},
    {"audit.attacks[]", Shown::kBeside,
     "tried rate interval[] control risk risk_interval[] guesses"},
    {"audit.attacks[]", Shown::kRounded, "baseline pointed_at"},
    {"audit.attacks[].by_columns[]", Shown::kAsIs, "name about columns"},
    {"audit.attacks[].by_columns[]", Shown::kBeside,
     "tried rate interval[] control risk risk_interval[] guesses"},
    {"audit.attacks[].by_columns[]", Shown::kRounded, "baseline pointed_at"},
    {"audit.disclosures[]", Shown::kAsIs, "name about fewest protects"},
    {"audit.disclosures[]", Shown::kRounded, "average worst baseline baseline_worst in control"},
    {"audit.contributions[]", Shown::kAsIs, "column uniques_without"},
    {"audit.contributions[]", Shown::kBeside, "linkage_without"},
    {"audit.channels[]", Shown::kAsIs, "columns[] how half_width"},
    {"audit.channels[]", Shown::kRounded, "prior vulnerability leakage expected worst unchanged"},
    {"audit.channels[].released[]", Shown::kSecret, "label records"},
    {"audit.channels[].released[].origins[]", Shown::kSecret, "label posterior"},
    {"audit.channels[].values[]", Shown::kSecret, "label records expected worst unchanged"},
    {"audit.risky_values[]", Shown::kSecret, "column label records linked"},
    {"audit.changed[]", Shown::kAsIs, "column"},
    {"audit.changed[]", Shown::kRounded, "share"},
    // ---- compare ----
    {"compare", Shown::kSecret, "table"},
    {"compare", Shown::kRounded, "records held_out"},
    {"compare", Shown::kAsIs, "risk keep max_risk best verdict"},
    {"compare.left_out[]", Shown::kAsIs, "method why"},
    {"compare.findings[]", Shown::kAsIs, "id severity columns[]"},
    {"compare.findings[]", Shown::kBeside, "figures.* text"},
    {"compare.do_nothing", Shown::kAsIs,
     "row label configuration.* risk_name not_dominated failure best"},
    {"compare.do_nothing", Shown::kRounded, "risk loss uniques risks.* greatest_of.* losses.*"},
    {"compare.do_nothing.loss_parts", Shown::kRounded, "rmse keep"},
    {"compare.do_nothing.attacks[]", Shown::kAsIs, "name about"},
    {"compare.do_nothing.attacks[]", Shown::kRounded, "rate control risk"},
    {"compare.releases[]", Shown::kAsIs,
     "row label configuration.* risk_name not_dominated failure best"},
    {"compare.releases[]", Shown::kRounded, "risk loss uniques risks.* greatest_of.* losses.*"},
    {"compare.releases[].loss_parts", Shown::kRounded, "rmse keep"},
    {"compare.releases[].attacks[]", Shown::kAsIs, "name about"},
    {"compare.releases[].attacks[]", Shown::kRounded, "rate control risk"},
    {"compare.exported", Shown::kAsIs, "row why"},
    {"compare.exported", Shown::kSecret, "file"},
    // ---- describe ----
    {"describe", Shown::kRounded, "records persons"},
    {"describe", Shown::kAsIs, "missing_rule"},
    {"describe.columns.*", Shown::kAsIs, "role"},
    {"describe.columns.*", Shown::kRounded,
     "distinct missing unmapped variance distance_variance sampled"},
    {"describe.columns.*.mean", Shown::kSecret, "id label"},
    {"describe.columns.*.domain.root", Shown::kAsIs, "id label"},
    {"describe.columns.*.domain", Shown::kAsIs,
     "concepts max_depth measure symmetrised candidates headings"},
    {"describe.columns.*.numeric", Shown::kAsIs, "dates"},
    {"describe.columns.*.numeric", Shown::kRounded, "mean deviation"},
    {"describe.columns.*.numeric", Shown::kSecret, "min max"},
    {"describe.columns.*.numeric.quantiles", Shown::kSecret, "0.05 0.25 0.5 0.75 0.95"},
    {"describe.pairs[]", Shown::kAsIs, "a b"},
    {"describe.pairs[]", Shown::kRounded,
     "distance_covariance distance_correlation clamped sampled"},
    {"describe.classes", Shown::kRounded, "count smallest uniques"},
    {"describe.classes.records", Shown::kRounded, "smallest uniques"},
    {"describe.privacy", Shown::kRounded, "k uniques"},
    {"describe.privacy.sensitive.*", Shown::kRounded, "l entropy_l recursive_c t most_common"},
    {"describe.findings[]", Shown::kAsIs, "id severity columns[]"},
    {"describe.findings[]", Shown::kBeside, "figures.* text"},
    // ---- mask ----
    {"mask", Shown::kAsIs,
     "records missing_rule method parameters.* changed truncated seconds "
     "single_origin suppressed information_loss reread kept unmasked[] dropped[]"},
    {"mask.columns.*", Shown::kAsIs,
     "role distinct missing unmapped variance distance_variance sampled rmse "
     "mean_distance cells changed truncated no_partner rules.* l categories "
     "information_loss"},
    {"mask.recoded[]", Shown::kAsIs, "column method cells"},
    {"mask.recoded[]", Shown::kRounded, "changed"},
    {"mask.steps[]", Shown::kAsIs, "method parameters columns[]"},
    {"mask.shifted", Shown::kAsIs, "columns[] links_rows"},
    {"mask.shifted", Shown::kRounded, "persons alone"},
    {"mask.shifted.tells[]", Shown::kAsIs, "column shifted told"},
    {"mask.columns.*.hierarchy", Shown::kAsIs, "rule by_weeks chosen"},
    {"mask.columns.*.mean", Shown::kAsIs, "id label"},
    {"mask.columns.*.domain.root", Shown::kAsIs, "id label"},
    {"mask.columns.*.domain", Shown::kAsIs,
     "concepts max_depth measure symmetrised candidates headings"},
    {"mask.columns.*.numeric", Shown::kAsIs, "dates"},
    {"mask.columns.*.numeric", Shown::kAsIs, "mean deviation min max"},
    {"mask.columns.*.numeric.quantiles", Shown::kAsIs, "0.05 0.25 0.5 0.75 0.95"},
    {"mask.columns.*.numeric_original", Shown::kAsIs, "dates"},
    {"mask.columns.*.numeric_original", Shown::kRounded, "mean deviation"},
    {"mask.columns.*.numeric_original", Shown::kSecret, "min max"},
    {"mask.columns.*.numeric_original.quantiles", Shown::kSecret, "0.05 0.25 0.5 0.75 0.95"},
    {"mask.columns.*", Shown::kRounded,
     "target_rmse mean_error variance_expected variance_drawn category_shares[] "
     "unused revealed_by_two"},
    {"mask.columns.*.unmapped_cells", Shown::kAsIs, "suppressed generalized kept"},
    {"mask.columns.*.posterior", Shown::kRounded, "mean worst likeliest"},
    {"mask.pairs[]", Shown::kAsIs, "a b distance_covariance distance_correlation clamped sampled"},
    {"mask.pairs[]", Shown::kRounded, "covariance_expected covariance_error"},
    {"mask", Shown::kRounded, "persons"},
    {"mask.classes", Shown::kAsIs, "count smallest uniques"},
    {"mask.classes.records", Shown::kAsIs, "smallest uniques"},
    {"mask.privacy", Shown::kAsIs, "k uniques"},
    {"mask.privacy.sensitive.*", Shown::kAsIs, "l entropy_l recursive_c t most_common"},
    {"mask.generalize", Shown::kAsIs, "levels.* suppressed loss"},
    {"mask.joint", Shown::kAsIs, "records"},
    {"mask.joint", Shown::kRounded, "mean worst"},
    {"mask.joint.columns.*", Shown::kRounded, "mean worst"},
    {"mask", Shown::kRounded, "uniques_before unchanged_uniques risk dropped_records"},
    {"mask.tells.*[]", Shown::kAsIs, "column"},
    {"mask.tells.*[]", Shown::kRounded, "records"},
    {"mask.findings[]", Shown::kAsIs, "id severity columns[]"},
    {"mask.findings[]", Shown::kBeside, "figures.* text"},
});

// Of findings: what whoever has the release can count, or nobody can count at all.
constexpr std::string_view kOpenFigures =
    "again belief candidates categories cells classes combinations concepts date failed headings "
    "intervals joined k l linked_rows max_risk method_given not_dominated of_persons passed_over "
    "prefix "
    "promised proposals recoded records row rows sets shifted told tried values within "
    "within_rows";
constexpr std::string_view kRoundedFigures =
    "after averaged before chance columns deviation different error guess linked loss mean_shift "
    "most_frequent of "
    "alone looks_1 looks_2 looks_5 looks_most most_rows width of_one_person people persons prior "
    "rate repeated risk rmse sampled share shuffled target_rmse "
    "tried_on unchanged unchanged_uniques uniques unused variance variance_expected "
    "variance_masked "
    "without";

template <class Do>
void for_each_word(std::string_view words, Do&& act) {
  while (!words.empty()) {
    const std::size_t end = std::min(words.find(' '), words.size());
    act(words.substr(0, end));
    words.remove_prefix(std::min(end + 1, words.size()));
  }
}

bool has_word(std::string_view words, std::string_view word) {
  bool found = false;
  for_each_word(words, [&](std::string_view each) { found = found || each == word; });
  return found;
}

}  // namespace

const std::map<std::string, Shown, std::less<>>& public_figures() {
  static const std::map<std::string, Shown, std::less<>> all = [] {
    std::map<std::string, Shown, std::less<>> out;
    for (const Declared& declared : kDeclared) {
      for_each_word(declared.keys, [&](std::string_view key) {
        out[std::string(declared.object) + "." + std::string(key)] = declared.shown;
      });
    }
    return out;
  }();
  return all;
}

Shown shown_in_finding(std::string_view figure) {
  if (has_word(kOpenFigures, figure)) return Shown::kAsIs;
  const bool is_share_of_a_column = figure.starts_with("share.");
  if (is_share_of_a_column || has_word(kRoundedFigures, figure)) return Shown::kRounded;
  return Shown::kSecret;
}

}  // namespace semveil::report
