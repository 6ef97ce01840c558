// The sentences of findings that are raised before anything is masked: by describe, map, compare
// and advise.
#include <array>

#include "figures/guide_entries.h"

namespace semveil::finding {
namespace {

std::string of_values(const Facts& f) {
  return fmt::format("{} of {} value{}", f.number("values"), f.number("of"),
                     f.is_one("of") ? "" : "s");
}
std::string_view is_or_are(const Facts& f) { return f.is_one("values") ? "is" : "are"; }

// ---- Describing ---------------------------------------------------------------------------------

std::string estimated(const Facts& f) {
  return fmt::format(
      "Figures marked ~ are estimated from a fixed sample of {}: the distinct values are too many "
      "for all of them.",
      f.counted("sampled", "record"));
}
std::string sum_clamped(const Facts& f) {
  return fmt::format(
      "In the correlation of {}, marked *, the sum under the root came out negative, which these "
      "distances allow, and counts as 0.",
      f.columns());
}

std::string columns_undeclared(const Facts& f) {
  return fmt::format("The plan does not declare {}: as it stands, masking leaves {} as {}.",
                     f.columns(), f.is_single_column() ? "it" : "them",
                     f.is_single_column() ? "it is" : "they are");
}
std::string columns_look_like_identifiers(const Facts& f) {
  return fmt::format(
      "More than half of the first values of {} are different, as numbers and names of people are.",
      f.columns());
}

// ---- Mapping ------------------------------------------------------------------------------------

std::string values_unmapped(const Facts& f) {
  return fmt::format("{} of {} in {} {} nothing to the ontology.", f.counted("values", "value"),
                     f.columns(), f.counted("records", "record"),
                     f.is_one("values") ? "means" : "mean");
}
std::string values_outside(const Facts& f) {
  return fmt::format(
      "{} {} known to the ontology, but not at or below the root: leave the root of the domain "
      "out, or name a concept above",
      of_values(f), is_or_are(f));
}
std::string values_of_references(const Facts& f) {
  return fmt::format(
      "{} {} code{} of other ontologies that this one refers to: map them by its cross-references",
      of_values(f), f.is_one("values") ? "is a" : "are", f.is_one("values") ? "" : "s");
}
std::string codes_unknown(const Facts& f) {
  return fmt::format(
      "{} {} built like codes, and this ontology has no such codes: name the one "
      "they are of",
      of_values(f), is_or_are(f));
}
std::string codes_of_another(const Facts& f) {
  return fmt::format(
      "{} {} built like codes, and this classification has none of them: is it the "
      "right one?",
      of_values(f), is_or_are(f));
}

// ---- Comparing ----------------------------------------------------------------------------------

std::string best_within_limit(const Facts& f) {
  return fmt::format(
      "Row {} has the least loss ({}) of the {} that keep to a risk of at most {}; its risk is {}.",
      f.number("row"), f.number("loss"), f.number("within"), f.number("max_risk"),
      f.number("risk"));
}
std::string none_within_limit(const Facts& f) {
  const std::string none =
      fmt::format("No row keeps to a risk of at most {}", f.number("max_risk"));
  return f.has("row")
             ? fmt::format("{}: the least has row {}, {}.", none, f.number("row"), f.number("risk"))
             : none + ".";
}
std::string found_for_certain(const Facts& f) {
  return fmt::format(
      "No row keeps to a risk of at most {}: by those that have it somebody is found for certain.",
      f.number("max_risk"));
}
std::string no_limit_given(const Facts& f) {
  return fmt::format(
      "No limit of risk was given, so that none is called the one to take. {} not dominated.",
      f.is_one("not_dominated") ? "One row is" : f.number("not_dominated") + " rows are");
}
std::string nothing_is_safer(const Facts&) {
  return "Doing nothing dominates every row: none is safer than the table unchanged.";
}
std::string configurations_failed(const Facts& f) {
  return fmt::format("{} of {} could not be masked so.", f.number("failed"),
                     f.counted("tried", "configuration"));
}

std::string secrets_not_in_risk(const Facts& f) {
  return fmt::format(
      "In {} of {} some class tells, or nearly tells, what its records have in {}, or misses what "
      "the plan demands of it. The risk of a row says who is found, and does not count that.",
      f.number("rows"), f.counted("tried", "row"), f.columns());
}

// ---- Advice -------------------------------------------------------------------------------------

std::string uniques_in_table(const Facts& f) {
  return fmt::format(
      "{} of {} {} alone with {} values of {}.", f.count("uniques"),
      f.has("persons") ? f.counted("persons", "person") : f.counted("records", "record"),
      f.is_one("uniques") ? "is" : "are", f.is_one("uniques") ? "its" : "their", f.columns());
}
std::string tried_on_some(const Facts& f) {
  return fmt::format("Tried on {} of {}, drawn by the key: among all, fewer are found.",
                     f.count("tried_on"), f.counted("records", "record"));
}
std::string proposal_leaves_columns(const Facts& f) {
  return fmt::format("What is proposed first leaves quasi-identifiers as they are: {}.",
                     f.columns());
}
std::string proposal_not_tried(const Facts& f) {
  return fmt::format(
      "{} not tried: the file of categories is still to be written.",
      f.is_one("proposals") ? "One proposal was" : f.number("proposals") + " proposals were");
}
std::string nothing_proposed(const Facts& f) {
  return fmt::format("Nothing that was tried does what it is for: {} passed over.",
                     f.is_one("passed_over") ? "one was" : f.number("passed_over") + " were");
}
std::string parameters_found(const Facts& f) {
  return fmt::format("The least loss with a risk of at most {} is {}, with a risk of {}; {} tried.",
                     f.number("max_risk"), f.number("loss"), f.number("risk"),
                     f.counted("tried", "configuration"));
}
std::string no_parameters_found(const Facts& f) {
  std::string out =
      fmt::format("No parameters that were tried have a risk of at most {}", f.number("max_risk"));
  return f.has("risk") ? fmt::format("{}: the least is {}.", out, f.number("risk")) : out + ".";
}

constexpr std::string_view kAllowMore =
    "Allow more risk, or try other parameters or another method.";

constexpr auto kWorkEntries = std::to_array<Entry>({
    {{"estimated-from-a-sample", "pairs.correlation", ""}, estimated},
    {{"sum-clamped", "pairs.correlation", ""}, sum_clamped},
    {{"columns-undeclared", "unmasked",
      "Declare what they are (role), or let undeclared columns be dropped (undeclared = "
      "\"drop\")."},
     columns_undeclared},
    {{"columns-look-like-identifiers", "unmasked",
      "Declare them identifiers, which are dropped, or mask them."},
     columns_look_like_identifiers},

    {{"values-unmapped", "columns.unmapped", "Decide on them in a mapping file (-o FILE)."},
     values_unmapped},
    {{"values-outside-root", "", "Leave the root of the domain out, or name a concept above."},
     values_outside},
    {{"values-of-references", "", "Map them by its cross-references."}, values_of_references},
    {{"codes-unknown", "", "Name the ontology that they are of."}, codes_unknown},
    {{"codes-of-another-classification", "", "Name the classification that they are of."},
     codes_of_another},

    {{"best-within-limit", "", ""}, best_within_limit},
    {{"none-within-limit", "", kAllowMore}, none_within_limit},
    {{"found-for-certain", "", kAllowMore}, found_for_certain},
    {{"no-limit-given", "", "Give a limit of risk."}, no_limit_given},
    {{"nothing-is-safer", "", "Try other parameters or another method."}, nothing_is_safer},
    {{"configurations-failed", "", "The key `failure` of each says why."}, configurations_failed},

    {{"secrets-not-in-risk", "privacy.sensitive.l",
      "Demand l or t of these columns in the plan, or mask them by sets (ean)."},
     secrets_not_in_risk},

    {{"uniques-in-table", "classes.uniques", ""}, uniques_in_table},
    {{"tried-on-some-records", "", ""}, tried_on_some},
    {{"proposal-leaves-columns", "", "Drop these columns, or mask them, too."},
     proposal_leaves_columns},
    {{"proposal-not-tried", "", "Write the file of categories, and ask again."},
     proposal_not_tried},
    {{"nothing-proposed", "", "See why each was passed over."}, nothing_proposed},
    {{"parameters-found", "", ""}, parameters_found},
    {{"no-parameters-found", "", kAllowMore}, no_parameters_found},
});

}  // namespace

std::span<const Entry> work_entries() { return kWorkEntries; }

}  // namespace semveil::finding
