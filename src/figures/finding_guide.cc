// The sentences of findings. Plain words for whoever signs: what can happen to a person comes
// first, figures after it; names of measures stand in explanations.cc.
#include "semveil/finding_guide.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "figures/guide_entries.h"
#include "figures/kept_sentences.h"

namespace semveil {
namespace {

using finding::Entry;
using finding::Facts;
using finding::kLimit;

// ---- Promised and verified ----------------------------------------------------------------------

std::string k_verified(const Facts& f) {
  return fmt::format(
      "At least {} released {} share every combination of the quasi-identifiers; the plan "
      "promises {}.",
      f.count("k"), f.has("of_persons") ? "persons" : "records", f.count("promised"));
}
std::string diversity_verified(const Facts& f) {
  return fmt::format(
      "Every group of records that look alike is as varied in {} as the plan demands (l = {}): it "
      "has at least {} different values.",
      f.columns(), f.number("promised"), f.count("l"));
}
std::string closeness_verified(const Facts& f) {
  return fmt::format(
      "In every group of records that look alike the values of {} are spread as in the whole "
      "table, "
      "as closely as the plan demands (t = {}).",
      f.columns(), f.number("promised"));
}
std::string diversity_found(const Facts& f) {
  return fmt::format(
      "Every group of records that look alike has at least {} different values of {}; the plan "
      "does "
      "not demand it.",
      f.count("l"), f.columns());
}
std::string sets_verified(const Facts& f) {
  std::string out = fmt::format("Every released set of {} holds the true value among {}",
                                f.columns(), f.count("values"));
  if (f.has("categories")) out += fmt::format(", of at least {} categories", f.count("categories"));
  return out + ".";
}
std::string method_verified(const Facts& f) {
  return fmt::format("Every released cell of {} is one that the plan's method can have made.",
                     f.columns());
}

std::string guess_bounded(const Facts& f) {
  std::string out = fmt::format(
      "The release makes no column much easier to guess, over all that the method can draw; most "
      "of "
      "all {}",
      f.columns());
  if (!f.has("guess")) return out + ".";
  return out +
         fmt::format(": {} of the guesses are right, by always saying the most frequent value {}.",
                     f.share("guess"), f.share("prior"));
}

// ---- Against signing ----------------------------------------------------------------------------

std::string k_missed(const Facts& f) {
  std::string out = fmt::format(
      "The plan promises that at least {} {} look alike (k = {}), "
      "but the smallest group of the release has {}",
      f.count("promised"), f.has("of_persons") ? "persons" : "records", f.count("promised"),
      f.count("k"));
  if (f.figure("uniques") > 0) {
    out += fmt::format("; {} {} alone with {} values",
                       f.counted("uniques", f.has("of_persons") ? "person" : "record"),
                       f.is_one("uniques") ? "is" : "are", f.is_one("uniques") ? "its" : "their");
  }
  return out + ".";
}
std::string diversity_missed(const Facts& f) {
  return fmt::format(
      "The plan demands that groups of records that look alike are varied in {} (l = {}), but some "
      "group is not: the least varied has {}.",
      f.columns(), f.number("promised"), f.counted("l", "value"));
}
std::string closeness_missed(const Facts& f) {
  return fmt::format(
      "The plan demands that the values of {} are spread in every group as in the whole table "
      "(t = {}), but some group is farther from it.",
      f.columns(), f.number("promised"));
}
std::string identifiers_released(const Facts& f) {
  return f.is_single_column()
             ? fmt::format("Column {} identifies people by the plan, and is in the release.",
                           f.columns())
             : fmt::format("Columns {} identify people by the plan, and are in the release.",
                           f.columns());
}
std::string secret_shared(const Facts& f) {
  const bool one = f.is_one("classes");
  return fmt::format(
      "In {} of records that look alike ({}) everybody has the same value of {}: whoever knows "
      "that "
      "somebody is among them knows that person's value, without finding the record.",
      one ? "one group" : f.count("classes") + " groups",
      f.has("persons") ? f.counted("persons", "person") : f.counted("records", "record"),
      f.columns());
}
std::string uniques_released(const Facts& f) {
  return fmt::format(
      "{} {} alone with {} values of {}: whoever knows these values of somebody finds the record.",
      f.counted("uniques", f.has("of_persons") ? "released person" : "released record"),
      f.is_one("uniques") ? "is" : "are", f.is_one("uniques") ? "its" : "their", f.columns());
}
std::string column_not_masked(const Facts& f) {
  return f.is_single_column()
             ? fmt::format("Column {} is not masked, although the plan masks it: no cell changed.",
                           f.columns())
             : fmt::format(
                   "Columns {} are not masked, although the plan masks them: no cell "
                   "changed.",
                   f.columns());
}
std::string method_contradicted(const Facts& f) {
  return fmt::format(
      "The release does not come from the plan's method: {} show{} what it cannot make of the "
      "original. What the plan promises does not hold for it.",
      f.counted("cells", "cell"), f.is_one("cells") ? "s" : "");
}
std::string guess_easy(const Facts& f) {
  std::string out = fmt::format(
      "The masking of {} hides little: whoever sees the release and knows the method guesses most "
      "of what it should hide",
      f.columns());
  if (!f.has("guess")) return out + ".";
  return out +
         fmt::format(" ({}{} of the values right; by always saying the most frequent one {}).",
                     f.is_single_column() ? "" : "up to ", f.share("guess"), f.share("prior"));
}
std::string guess_easier(const Facts& f) {
  std::string out =
      fmt::format("The release makes it easier to guess the values of {}", f.columns());
  if (!f.has("guess")) return out + ".";
  return out + fmt::format(
                   ": {}{} of the guesses are right, by always saying the most frequent value {}.",
                   f.is_single_column() ? "" : "up to ", f.share("guess"), f.share("prior"));
}
std::string noise_weak(const Facts& f) {
  std::string out = fmt::format(
      "The noise on {} is weak: the plan asks for errors that are small beside the column's spread "
      "(their deviation is {} of it).",
      f.columns(), f.share("error"));
  if (!f.has("guess")) return out;
  return out + fmt::format(
                   " Whoever knows the method guesses {} of the values exactly, by always saying "
                   "the most frequent one {}.",
                   f.share("guess"), f.share("prior"));
}
std::string cells_unchanged(const Facts& f) {
  return fmt::format("The masking left {} of the cells of {} as they were.", f.share("unchanged"),
                     f.columns());
}
std::string texts_released(const Facts& f) {
  return fmt::format(
      "{} {} in {} a text of the original that means nothing to the ontology and left as it was: "
      "it can hold anything, a name too.",
      f.counted("records", "released record"), f.is_one("records") ? "shows" : "show",
      f.column_or_columns());
}
std::string people_found(const Facts& f) {
  return fmt::format(
      "{} of the released records are found again by taking the closest original in meaning. By "
      "chance it would be {}.",
      f.share("linked"), f.share("chance"));
}
std::string attack_succeeds(const Facts& f, std::string_view what) {
  std::string out(what);
  if (!f.has("rate")) return out + " more often than without the release.";
  return out + fmt::format(" in {} of the cases; without the release in {}.", f.share("rate"),
                           f.share("without"));
}
std::string singling_out(const Facts& f) {
  std::string what = "Single people are picked out by what the release says of them";
  if (f.has("columns")) {
    what += fmt::format(", by {} alone,", f.counted("columns", "quasi-identifier"));
  }
  return attack_succeeds(f, what);
}
std::string linkability(const Facts& f) {
  return attack_succeeds(f, "Two halves of what is known of a person are joined by the release");
}
std::string inference(const Facts& f) {
  return attack_succeeds(
      f, fmt::format("The value of {} is inferred for a known person", f.columns()));
}
std::string sets_alike(const Facts& f) {
  return fmt::format(
      "Some released set of {} holds values of one category only: the category is known although "
      "the value is not.",
      f.columns());
}

// ---- To be weighed ------------------------------------------------------------------------------

std::string secret_nearly_shared(const Facts& f) {
  return fmt::format(
      "In some group of records that look alike {} have the same value of {}; in the whole table "
      "its most frequent value has {}. Whoever guesses it of somebody there is mostly right.",
      f.share("belief"), f.columns(), f.share("prior"));
}
std::string single_origin(const Facts& f) {
  if (f.has("of")) {
    return fmt::format(
        "{} of {} {} a released value that only one original value can have led to: the method "
        "does not protect {}.",
        f.count("records"), f.counted("of", "record"), f.is_one("records") ? "has" : "have",
        f.is_one("records") ? "it" : "them");
  }
  return fmt::format(
      "{} {} in {} a value that only one original value can have led to: the method does not "
      "protect "
      "{}.",
      f.counted("records", "released record"), f.is_one("records") ? "shows" : "show",
      f.column_or_columns(), f.is_one("records") ? "it" : "them");
}
std::string column_absent(const Facts& f) {
  return fmt::format("The release lacks {}: {} cells count as emptied.", f.column_or_columns(),
                     f.is_single_column() ? "its" : "their");
}
std::string not_paired(const Facts&) {
  return "It is not known which released record was which original one: what became of single "
         "people was not looked at.";
}
std::string keys_unknown(const Facts& f) {
  return fmt::format(
      "{} of the release {} a key that the original has not: what became of {} was not looked at.",
      f.counted("records", "record"), f.is_one("records") ? "has" : "have",
      f.is_one("records") ? "it" : "them");
}

std::string rows_of_one_person(const Facts& f) {
  return fmt::format(
      "In some group of {} persons or more who look alike, {} of the records are one person's: "
      "whoever takes a record of the group for that person's is right as often.",
      f.count("k"), f.share("share"));
}

// ---- What is not promised, or was not looked at -------------------------------------------------

std::string k_not_promised(const Facts& f) {
  return f.has("method_given") ? "No number of records that look alike is promised: the method "
                                 "changes values instead."
                               : "Nothing is promised: the plan names no method.";
}
std::string diversity_not_promised(const Facts& f) {
  return fmt::format(
      "Nothing is promised of {} within a group of records that look alike: the plan demands "
      "neither l nor t.",
      f.columns());
}
std::string told_by_mask_alone(const Facts& f) {
  constexpr std::string_view kShifted =
      "which columns tell by how many days dates were shifted, and who is alone by the days "
      "between theirs";
  constexpr std::string_view kLinked =
      "which columns tell the rows of a person, and who is alone by all of these together";
  const bool shifted = f.has("shifted") || f.is_explained();
  const bool linked = f.has("linked_rows") || f.is_explained();
  return fmt::format("Not looked at here: {}{}{}. The summary of `semveil mask` tells it.",
                     shifted ? kShifted : "", shifted && linked ? "; " : "", linked ? kLinked : "");
}
std::string nothing_to_change(const Facts& f) {
  return fmt::format(
      "No cell of {} was changed{}. The groups of records that look alike are as large as promised "
      "all the same.",
      f.columns(), f.has("recoded") ? " after it was recoded" : "");
}
std::string uniques_masked(const Facts& f) {
  return fmt::format(
      "{} {} alone with {} released values. The method changes these values: whether people are "
      "found by them is told by linkage and guesses, not by this number.",
      f.counted("uniques", f.has("of_persons") ? "released person" : "released record"),
      f.is_one("uniques") ? "is" : "are", f.is_one("uniques") ? "its" : "their");
}
std::string persons_not_known(const Facts&) {
  return "The plan counts persons, and nothing tells whose the released records are: k, uniques "
         "and "
         "whatever else is of persons is left out.";
}
std::string no_control(const Facts&) {
  return "There was no control group: what anybody could have learned elsewhere counts as risk.";
}
std::string no_quasi_identifiers(const Facts&) {
  return "The plan names no quasi-identifiers: whether people can be found again was not looked "
         "at.";
}
std::string attacks_not_tried(const Facts&) { return "The attacks were not tried."; }
std::string together_untold(const Facts&) {
  return "What the masked columns tell together is not told: they have too many combinations.";
}
std::string sets_left_out(const Facts& f) {
  return fmt::format("{} as sets, which were not looked at: parts of tables do not hold them.",
                     f.is_single_column() ? "Column " + f.columns() + " comes out"
                                          : "Columns " + f.columns() + " come out");
}
std::string channel_untold(const Facts&) {
  return "What a released value tells of the original one is not told: the method cannot be fitted "
         "on this original table with this plan.";
}
std::string tried_on_a_sample(const Facts& f) {
  return fmt::format(
      "Linkage by meaning, linkability and inference were tried on {}, drawn with a fixed key: "
      "among "
      "all of them fewer are found.",
      f.counted("records", "record"));
}
std::string wildcards_in_classes(const Facts&) {
  return "Missing cells match every value where records that look alike are counted, and where it "
         "is asked who fits a released record (singling out, one origin, journalist, finding "
         "oneself, membership). Linkage by equality, by meaning and by window, linkability and "
         "inference take a missing cell as a value of its own.";
}
std::string distances_of_both_directions(const Facts& f) {
  return fmt::format(
      "Distances of {} are the mean of both directions, as the measure is not symmetric.",
      f.column_or_columns());
}
std::string figures_left_out(const Facts& f) {
  return fmt::format(
      "Figures of {} that would tell how many original records have a rare value are left out.",
      f.column_or_columns());
}

// ---- All of them --------------------------------------------------------------------------------

constexpr std::string_view kOtherMethod =
    "Mask more strongly (noise: a greater alpha, swaps: a greater k), or choose another method; "
    "advise tries them.";
constexpr std::string_view kAnotherMethod = "Choose another method.";
constexpr std::string_view kSpread =
    "Demand a t of the column, or a greater k; or release sets of several categories (ean).";

constexpr auto kEntries = std::to_array<Entry>({
    {{"k-verified", "classes.smallest", ""}, k_verified},
    {{"diversity-verified", "privacy.sensitive.l", ""}, diversity_verified},
    {{"closeness-verified", "privacy.sensitive.t", ""}, closeness_verified},
    {{"diversity-found", "privacy.sensitive.l", ""}, diversity_found},
    {{"sets-verified", "category_diversity", ""}, sets_verified},
    {{"method-verified", "channels.how", ""}, method_verified},
    {{"guess-bounded", "channels.vulnerability", ""}, guess_bounded},

    {{"identifiers-released", "identifiers", "Drop them."}, identifiers_released},
    {{"column-not-masked", "columns.unchanged", "Release the masked table, not the original."},
     column_not_masked},
    {{"column-changed", "changed.share", "Find out who changed it, before you sign."},
     finding::column_changed},
    {{"method-contradicted", "channels.how",
      "Find out how the table was made, or mask the original again with this plan."},
     method_contradicted},
    {{"k-missed", "classes.smallest", "Mask again with this k, or name the k that it has."},
     k_missed},
    {{"diversity-missed", "privacy.sensitive.l", "Mask again with this demand."}, diversity_missed},
    {{"closeness-missed", "privacy.sensitive.t", "Mask again with this demand."}, closeness_missed},
    {{"secret-shared", "privacy.sensitive.l",
      "Demand different values in every group (l ≥ 2 or a t of the column), or a greater k.", false,
      Lack::kOfGroups},
     secret_shared},
    {{"uniques-released", "classes.uniques",
      "Mask these columns so that records share their values (generalize, fuse or microaggregate "
      "with k ≥ 2), or drop some of them."},
     uniques_released},
    {{"guess-easy", "channels.vulnerability", kOtherMethod, false, Lack::kOfValues}, guess_easy},
    {{"noise-weak",
      "columns.target_rmse",
      "Mask again with a greater alpha; advise tries some.",
      false,
      Lack::kNothing,
      {"alpha"}},
     noise_weak},
    {{"cells-unchanged", "columns.unchanged", kOtherMethod, false, Lack::kOfValues},
     cells_unchanged},
    {{"people-found", "linkage.semantic", kOtherMethod, false, Lack::kOfPeople}, people_found},
    {{"texts-released", "columns.left_unmapped",
      "Map these texts, or have them emptied (unmapped = \"suppress\")."},
     texts_released},
    {{"singling-out-succeeds", "attacks.singling_out", kOtherMethod, false, Lack::kOfPeople},
     singling_out},
    {{"linkability-succeeds", "attacks.linkability", kOtherMethod, false, Lack::kOfPeople},
     linkability},
    {{"inference-succeeds", "attacks.inference",
      "Try it with a control table: what is also learned of people who are not in the table is no "
      "fault "
      "of the release. Else mask more strongly."},
     inference},
    {{"sets-of-one-category", "category_diversity", "Mask again with method = \"ean\"."},
     sets_alike},

    {{"guess-easier", "channels.vulnerability", kOtherMethod, false, Lack::kOfValues},
     guess_easier},
    {{"secret-nearly-shared", "privacy.sensitive.entropy_l",
      "Demand l by entropy, or a t of the column.", false, Lack::kOfGroups},
     secret_nearly_shared},
    {{"single-origin", "channels.worst", "Choose another method, or a wider root for the column."},
     single_origin},
    {{"column-absent", "columns.missing", ""}, column_absent},
    {{"not-paired", "pairing", "Name a key column of both tables, or the row map of the masking.",
      kLimit},
     not_paired},
    {{"keys-unknown", "paired", "Find out where these records come from."}, keys_unknown},
    {{"paired-on-trust", "pairing",
      "Give the row map that masking wrote, or name a key column of both tables."},
     finding::paired_on_trust},
    {{"column-tells-people", "unmasked",
      "Drop the column, mask it, or declare it a quasi-identifier so that classes count it."},
     finding::column_tells_people},
    {{"one-origin",
      "one_origin",
      "Choose generalize, or a greater k.",
      false,
      Lack::kNothing,
      {"k"},
      "Choose generalize."},
     finding::one_origin},
    {{"class-shares-category", "disclosures.similarity", kSpread, false, Lack::kOfGroups},
     finding::class_shares_category},
    {{"class-shares-level", "disclosures.sensitivity", kSpread, false, Lack::kOfGroups},
     finding::class_shares_level},
    {{"persons-not-known", "classes.smallest",
      "Audit with the row map, with a key column, or the tables as they stand beside each other."},
     persons_not_known},
    {{"rows-of-one-person", "linkage.worst",
      "Release fewer records of each person, or mask again with a greater k."},
     rows_of_one_person},
    {{"draw-by-links-records", "", "Leave draw_by out, or release one record of each person."},
     finding::draw_by_links_records},
    {{"noise-misses-rmse", "columns.target_rmse",
      "Where values change more than the errors ask, the ontology is too coarse for errors so "
      "small: choose a finer one, or another method. Where they change less, choose a wider root."},
     finding::noise_misses_rmse},
    {{"noise-misses-variance",
      "columns.variance_expected",
      "Choose another alpha, reference or ontology.",
      false,
      Lack::kNothing,
      {"alpha", "reference"}},
     finding::noise_misses_variance},
    {{"noise-moves-mean",
      "columns.mean_shift",
      "Use reference = \"mean\" if the plan has another one; else choose another method.",
      false,
      Lack::kNothing,
      {"reference"},
      kAnotherMethod},
     finding::noise_moves_mean},
    {{"correlation-moved", "pairs.correlation",
      "Mask the columns together (noise: correlated = true, swap: algorithm = \"multivariate\"), "
      "or choose another method."},
     finding::correlation_moved},

    {{"k-not-promised", "classes.smallest", "", kLimit}, k_not_promised},
    {{"diversity-not-promised", "privacy.sensitive.l", "", kLimit}, diversity_not_promised},
    {{"told-by-mask-alone", "", "", kLimit}, told_by_mask_alone},
    {{"no-control", "attacks.control", "Give a control table with records that were not masked.",
      kLimit},
     no_control},
    {{"no-quasi-identifiers", "classes.smallest",
      "Declare the columns that somebody may know of a person.", kLimit},
     no_quasi_identifiers},
    {{"attacks-not-tried", "attacks.risk", "", kLimit}, attacks_not_tried},
    {{"columns-together-untold", "channels.vulnerability", "", kLimit}, together_untold},
    {{"sets-left-out", "category_diversity", "Audit the whole tables at once.", kLimit},
     sets_left_out},
    {{"channel-untold", "channels.how", "", kLimit}, channel_untold},
    {{"nothing-to-change", "classes.smallest", ""}, nothing_to_change},
    {{"uniques-masked", "classes.uniques", ""}, uniques_masked},
    {{"tried-on-a-sample", "linkage.semantic", ""}, tried_on_a_sample},
    {{"wildcards-in-classes", "missing_rule", ""}, wildcards_in_classes},
    {{"distances-of-both-directions", "columns.rmse", ""}, distances_of_both_directions},
    {{"figures-left-out", "columns.distribution.pooled", ""}, figures_left_out},
});

// Every entry, in one list.
const std::vector<Entry>& all_entries() {
  static const std::vector<Entry> entries = [] {
    std::vector<Entry> out;
    for (const auto part :
         {finding::audit_entries(), finding::release_entries(), finding::work_entries()}) {
      out.insert(out.end(), part.begin(), part.end());
    }
    return out;
  }();
  return entries;
}

}  // namespace

std::span<const Entry> finding::audit_entries() { return kEntries; }

std::span<const FindingGuide> finding_guides() {
  static const std::vector<FindingGuide> guides = [] {
    std::vector<FindingGuide> out;
    for (const Entry& entry : all_entries()) out.push_back(entry.guide);
    return out;
  }();
  return guides;
}

const FindingGuide* finding_guide(std::string_view id) {
  const auto guides = finding_guides();
  const auto found = std::ranges::find(guides, id, &FindingGuide::id);
  return found == guides.end() ? nullptr : &*found;
}

static const Entry* entry_of(std::string_view id) {
  for (const Entry& entry : all_entries()) {
    if (entry.guide.id == id) return &entry;
  }
  return nullptr;
}

std::string finding_text(const Finding& finding) {
  const Entry* const entry = entry_of(finding.id);
  return entry == nullptr ? "" : entry->words(Facts(finding));
}

static std::size_t times(std::string_view word, std::string_view text) {
  std::size_t out = 0;
  for (std::size_t at = text.find(word); at != text.npos; at = text.find(word, at + 1)) ++out;
  return out;
}

std::string explained_text(std::string_view id) {
  const Entry* const entry = entry_of(id);
  if (entry == nullptr) return "";
  Finding finding;
  finding.columns = {"COLUMN"};
  const std::string of_one = entry->words(Facts(finding, true));
  // Some speak of a column and what it tells of others: of one column alone they either say
  // nothing, or name it in the place of the other, too.
  finding.columns.emplace_back("OTHER");
  const std::string of_two = entry->words(Facts(finding, true));
  return times("COLUMN", of_one) == times("COLUMN", of_two) ? of_one : of_two;
}

Finding make_finding(std::string_view id, Severity severity, std::vector<std::string> columns,
                     std::map<std::string, double> figures) {
  Finding out{std::string(id), severity, std::move(columns), std::move(figures), ""};
  out.text = finding_text(out);
  return out;
}

}  // namespace semveil
