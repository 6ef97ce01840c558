// The sentences of findings that masking raises: what is released as it is, what the method did not
// do, who can undo or join releases.
#include <array>

#include "figures/guide_entries.h"
#include "semveil/date_told.h"

namespace semveil::finding {
namespace {

// ---- What is released as it is ------------------------------------------------------------------

std::string column_released_unmasked(const Facts& f) {
  return fmt::format("Not masked, released as they are: {}.", f.columns());
}
std::string every_column_masked(const Facts&) { return "Every column that is released is masked."; }
std::string nearly_unique_released(const Facts& f) {
  return fmt::format(
      "Not masked, and more than half of the values are distinct: {}. Whoever knows such a value "
      "finds the record.",
      f.columns());
}
std::string column_tells_masked(const Facts& f) {
  return fmt::format(
      "Not masked, and tells what is masked: {}. Whoever knows which values go together reads the "
      "hidden one from the other.",
      f.first_tells_the_others());
}
std::string quasi_identifiers_unmasked(const Facts& f) {
  return fmt::format(
      "Quasi-identifiers are not masked: {}. Whoever knows them finds smaller classes than k: see "
      "those over all quasi-identifiers.",
      f.columns());
}
std::string partial_classes(const Facts& f) {
  const bool alone = f.figure("uniques") > 0;
  return fmt::format(
      "Over all quasi-identifiers, {}, the smallest class has k = {}{}: k = {} holds for those of "
      "one step alone, as partial = true allows.",
      f.columns(), f.count("k"),
      alone ? fmt::format(", and {} {} alone",
                          f.counted("uniques", f.has("of_persons") ? "person" : "record"),
                          f.is_one("uniques") ? "is" : "are")
            : "",
      f.count("promised"));
}
std::string cells_recoded(const Facts& f) {
  return fmt::format("{} cells of {} were recoded before anything else. Nothing is promised of it.",
                     f.count("cells"), f.columns());
}
std::string pseudonyms_from_seed(const Facts& f) {
  return fmt::format(
      "The pseudonyms of {} come from a seed: whoever guesses it can try which person has which.",
      f.columns());
}
std::string pseudonyms_link_rows(const Facts& f) {
  return fmt::format(
      "A person has one pseudonym in {}: whoever holds the release knows which records are one "
      "person's, and who is alone with all of them together is found by them.",
      f.columns());
}
std::string shift_told(const Facts& f) {
  return fmt::format(
      "{} is released as it was, and tells {} of the true dates in {}: whoever compares both knows "
      "about how far the dates of that person were shifted.",
      f.all_columns().front(),
      f.is_explained() ? "something" : to_string(static_cast<DateTold>(f.figure("told"))),
      f.all_columns().back());
}
std::string dates_not_shifted(const Facts& f) {
  return fmt::format(
      "{} holds dates and is released as it was: whoever knows how these go with the shifted ones "
      "knows how far the dates of that person were shifted.",
      f.columns());
}
std::string alone_by_intervals(const Facts& f) {
  return fmt::format(
      "A shift keeps the days between the dates of a {}: {} of {} persons with several dates in "
      "{}{} "
      "are alone with theirs. Whoever knows these days finds them.",
      f.has("within_rows") ? "row" : "person", f.count("alone"), f.count("persons"), f.columns(),
      f.has("within_rows") ? " of one row" : "");
}
std::string intervals_hidden(const Facts& f) {
  return fmt::format(
      "Nothing in the release tells which rows are one person's, so nobody sees the days between "
      "dates of different rows in {}{}.",
      f.columns(), f.has("persons") ? "; only those of one row were counted" : "");
}
std::string shift_known_by_one_date(const Facts& f) {
  return fmt::format(
      "All dates of a person are shifted alike: whoever knows one true date of somebody in {} "
      "knows "
      "all of them.",
      f.columns());
}
std::string column_tells_category(const Facts& f) {
  const std::string& masked = f.all_columns().back();  // of two: the one that tells comes first
  return fmt::format(
      "{} tells the category of {} in {} of the records. A set has one value of each category, so "
      "that this tells the true value, too.",
      f.all_columns().front(), masked, f.share("share." + masked));
}
std::string demand_not_looked_at(const Facts& f) {
  return fmt::format(
      "The plan demands l or t of {}, and the method makes no groups of records that look alike. "
      "Nothing was refused for the demand: an audit tells whether the release has it.",
      f.columns());
}
std::string classes_not_counted(const Facts&) {
  return "Classes were not counted: the model masks some of the quasi-identifiers and does not "
         "read the others. An audit with the plan tells whether people can be found again.";
}
std::string no_cell_changed(const Facts& f) {
  if (f.has("recoded")) {
    return fmt::format("No cell of {} changed after it was recoded.", f.columns());
  }
  return fmt::format("No cell changed: {}. The values come out as they went in.", f.columns());
}
std::string no_cell_swapped(const Facts& f) {
  if (f.has("recoded")) {
    return fmt::format("No cell of {} was swapped after it was recoded.", f.columns());
  }
  return fmt::format(
      "No cell changed: {}. The values come out as they went in: they are more frequent than k, or "
      "there was nobody to swap with.",
      f.columns());
}
std::string write_data_betrays(const Facts& f) {
  return fmt::format(
      "write = \"data\" shows which of the released values occur in the original: {}.",
      f.columns());
}

// ---- What the method did not do -----------------------------------------------------------------

std::string swap_keeps_uniques(const Facts& f) {
  const bool one = f.is_one("uniques");
  return fmt::format("{} of {} with values of {} own {} out as {} {}.",
                     f.count("unchanged_uniques"), f.counted("uniques", "record"),
                     one ? "its" : "their", f.is_one("unchanged_uniques") ? "comes" : "come",
                     f.is_one("unchanged_uniques") ? "it" : "they",
                     f.is_one("unchanged_uniques") ? "was" : "were");
}
std::string swap_risk_above_k(const Facts& f) {
  return fmt::format(
      "k = {} does not make it 1/k{} that a match is the person's own record: the greatest "
      "chance is {}. Values without a partner, and those that met their like, stay as they were.",
      f.number("k"), f.is_explained() ? "" : fmt::format(" = {:.3g}", 1 / f.figure("k")),
      f.number("risk"));
}
std::string draw_by_few_persons(const Facts& f) {
  return fmt::format(
      "draw_by = {} has few persons: {} in the first {}. All records of one with the same value "
      "are "
      "masked alike, and counting them tells the value.",
      f.columns(), f.counted("persons", "person"), f.counted("records", "record"));
}
std::string alone_as_written(const Facts& f) {
  if (f.figure("records") == 0 && !f.is_explained()) {
    return "Empty cells count as matching everything; also as they are written, no record is "
           "alone.";
  }
  return fmt::format(
      "{} of {} {} alone as {} written: k holds only because empty cells count as matching "
      "everything, and whoever reads the table can still tell {} apart.",
      f.counted("records", "record"), f.count("of"), f.is_one("records") ? "is" : "are",
      f.is_one("records") ? "it is" : "they are", f.is_one("records") ? "it" : "them");
}
std::string cells_emptied(const Facts& f) {
  return fmt::format("{} {} {} {} emptied so that every combination has k {}.",
                     f.counted("cells", "cell"), f.is_single_column() ? "of" : "in each of",
                     f.columns(), f.is_one("cells") ? "was" : "were",
                     f.has("of_persons") ? "persons" : "records");
}
std::string hierarchy_chosen(const Facts& f) {
  std::string what = "there is nothing between its values and everything";
  if (f.has("intervals")) {
    what = fmt::format("its numbers lie in intervals of {}, and of twice that again and again",
                       f.number("intervals"));
  }
  if (f.has("prefix")) what = "its codes lose one character after the other";
  if (f.has("date"))
    what = "its dates become months, quarters, years, decades or ISO weeks and years";
  return fmt::format("The plan names no hierarchy for {}, so one was made of its values: {}.",
                     f.columns(), what);
}
std::string headings_not_drawn(const Facts& f) {
  return fmt::format(
      "Values of {} are drawn from {} of {}: {} without a code of their own (chapters, sections, "
      "ranges) count in depths and distances alone.",
      f.columns(), f.count("candidates"), f.counted("concepts", "concept"), f.count("headings"));
}
std::string senses_chosen(const Facts& f) {
  return fmt::format("{} of {} {} several senses: the one closest to the rest was taken.",
                     f.counted("values", "value"), f.columns(),
                     f.is_one("values") ? "has" : "have");
}
std::string senses_compared(const Facts& f) {
  return fmt::format("{} of {} {} several senses: in every comparison the closest counts.",
                     f.counted("values", "value"), f.columns(),
                     f.is_one("values") ? "has" : "have");
}

// ---- Sets ---------------------------------------------------------------------------------------

std::string sets_give_values_away(const Facts& f) {
  return fmt::format(
      "Some sets give their value away: {}. To somebody who knows the frequencies, and which "
      "values "
      "go together, all others of the set are impossible for some records.",
      f.columns());
}
std::string sets_released_once(const Facts& f) {
  std::string out =
      "Release these records once: someone who holds two releases keeps what stands in both sets "
      "of a record, and every further release leaves less.";
  for (const std::string& name : f.all_columns()) {
    if (!f.has("share." + name)) continue;
    out += fmt::format(" Two of {} leave the true value alone for {} of the records.", name,
                       f.share("share." + name));
  }
  return out;
}
std::string sets_by_one_model(const Facts&) {
  return "Release these records again only by a model: a person's sets are the same in every "
         "release that one model makes. Masked anew they may differ, and what stands in both sets "
         "of a record tells the true value.";
}
std::string sets_hold_unused(const Facts& f) {
  return fmt::format(
      "{} of {} in the categories of {} occur{} nowhere in the column: somebody who knows that "
      "does "
      "not believe {}.",
      f.count("unused"), f.counted("values", "value"), f.columns(), f.is_one("unused") ? "s" : "",
      f.is_one("unused") ? "it" : "them");
}
std::string sets_of_related_values(const Facts& f) {
  return fmt::format("Frequent values of {} stand out, and sets hold related values.", f.columns());
}
std::string frequent_values_stand_out(const Facts& f) {
  return fmt::format("Frequent values of large categories stand out in the sets of {}.",
                     f.columns());
}
std::string large_categories_stand_out(const Facts& f) {
  return fmt::format("The values of large categories stand out in the sets of {}.", f.columns());
}
std::string one_value_stands_out(const Facts& f) {
  return fmt::format(
      "The most frequent value of {} has {} of the records: no categories bring what is believed "
      "of it lower.",
      f.columns(), f.share("most_frequent"));
}
std::string belief_untold(const Facts& f) {
  return fmt::format(
      "What somebody believes of the sets of {} is not told: the column has other frequencies than "
      "the fitted one.",
      f.columns());
}
std::string belief_together_untold(const Facts& f) {
  return f.has("combinations")
             ? fmt::format(
                   "What the sets tell together is not counted: those of a record have {:.3g} "
                   "combinations.",
                   f.figure("combinations"))
             : "What the sets tell together is not counted here: `semveil mask` counts which "
               "values "
               "go together.";
}
std::string other_columns_uncounted(const Facts&) {
  return "Somebody who knows how a column goes with others that are released (its "
         "quasi-identifiers, say) may believe more than is told.";
}

// ---- Persons ------------------------------------------------------------------------------------

std::string rows_linked(const Facts& f) {
  return fmt::format(
      "{} tells which rows are one person's{}: {} of {} are alone by the quasi-identifiers of all "
      "their rows together. That each row looks like those of others promises nothing about them.",
      f.columns(), f.has("linked") ? fmt::format(", of {}", f.counted("linked", "person")) : "",
      f.count("alone"), f.counted("persons", "person"));
}
std::string class_shares_a_value(const Facts& f) {
  return fmt::format(
      "In some class every person has the same value of {}: whoever knows somebody's class knows "
      "it.",
      f.columns());
}
std::string rows_may_be_persons(const Facts& f) {
  return fmt::format(
      "k counts rows. If one value of {} is one person, {} of the first {} rows belong to people "
      "who have several.",
      f.columns(), f.count("records"), f.count("of"));
}
std::string rows_looked_at_together(const Facts& f) {
  std::string out = fmt::format(
      "Every cell of {} is drawn on its own. Somebody who knows that rows are one person's and "
      "hold "
      "the same value guesses it right in {} of all cases from 1 row",
      f.columns(), f.share("looks_1"));
  if (f.has("looks_2")) out += fmt::format(", in {} from 2", f.share("looks_2"));
  if (f.has("looks_5")) out += fmt::format(", in {} from 5", f.share("looks_5"));
  out += fmt::format(", in {} from {}, the most that somebody has", f.share("looks_most"),
                     f.count("most_rows"));
  if (f.has("width")) out += fmt::format(" (estimated, within {})", f.share("width"));
  return out + ".";
}

std::string rows_averaged(const Facts& f) {
  return fmt::format(
      "Every cell of {} gets an error of its own, whose deviation is {}. Somebody who knows that "
      "rows are one person's and hold the same number takes their mean: over {} rows, the most "
      "that somebody has, the deviation is {} ({} of the column's own).",
      f.columns(), f.number("deviation"), f.count("most_rows"), f.number("averaged"),
      f.share("error"));
}

// ---- Verified -----------------------------------------------------------------------------------

std::string classes_verified(const Facts& f) {
  return fmt::format(
      "Every combination of values in the masked columns ({}) has at least {}; counted again in "
      "what was written.",
      f.columns(), f.counted("k", f.has("of_persons") ? "person" : "record"));
}
std::string values_verified(const Facts& f) {
  return fmt::format(
      "Every value of {} has at least {}, missing cells aside unless they are a category. "
      "Combinations of columns may have fewer.",
      f.columns(), f.counted("k", f.has("of_persons") ? "person" : "record"));
}
std::string demands_verified(const Facts& f) {
  return fmt::format("What the plan demands of {} is met in every class.", f.columns());
}

// ---- Who can undo or join releases --------------------------------------------------------------

std::string nothing_drawn(const Facts&) {
  return "The method draws nothing, so the same table always comes out the same: there is no key.";
}
std::string key_not_kept(const Facts&) {
  return "The key was drawn for this run and kept nowhere: the release cannot be repeated.";
}
std::string key_from_seed(const Facts&) {
  return "The key comes from a seed: somebody who guesses the seed can undo the release.";
}
std::string key_from_model(const Facts&) {
  return "The key comes from the model: somebody who holds the model can undo the release.";
}
std::string key_from_file(const Facts&) {
  return "The key comes from a file: somebody who holds the file can undo the release.";
}
std::string trace_undoes_release(const Facts&) {
  return "The trace undoes the release: keep it secret.";
}
std::string release_not_recorded(const Facts&) {
  return "The release is recorded nowhere, as nothing can be written beside the model. If another "
         "table gets its name, both have the same errors, and nobody will be told.";
}
std::string model_holds_key(const Facts&) {
  return "The model holds the key and original values. Only you can read the file; keep it as you "
         "keep the table.";
}
std::string model_holds_values(const Facts&) {
  return "The model holds original values. Only you can read the file; keep it as you keep the "
         "table.";
}
std::string drawn_by_person(const Facts& f) {
  return fmt::format("Drawn by {}: the same person with the same {} has the same {} in every row{}",
                     f.columns(), f.has("joined") ? "values in all masked columns" : "value",
                     f.has("sets") ? "set" : "replacement",
                     f.has("again") ? ", and in every release by this very model (fit once, then "
                                      "apply): these releases agree."
                                    : " of this release.");
}
std::string groups_of_this_table(const Facts&) {
  return "The groups were made for this table alone. Releases of changed tables do not agree: "
         "somebody who holds several can compare them.";
}
std::string values_dealt_once(const Facts&) {
  return "The values were dealt out for this release alone. Releases of changed tables or other "
         "names do not agree: somebody who holds several can compare them.";
}
std::string sets_drawn_by_row(const Facts&) {
  return "Sets are drawn per row. Releases of changed tables or other names do not agree: somebody "
         "who holds several intersects their sets.";
}
std::string errors_drawn_by_row(const Facts&) {
  return "Errors are drawn per row. Releases of changed tables or other names do not agree: "
         "somebody who holds several can compare them.";
}
std::string rows_in_order(const Facts&) {
  return "The rows keep their order, which joins this release to others of the same table.";
}
std::string rows_shuffled(const Facts&) { return "The rows come out in a random order."; }

constexpr std::string_view kDropOrMask =
    "Mask the column, too, or declare it an identifier (it is dropped); if it must stay, masking "
    "the other hides little.";
constexpr std::string_view kOnceFitted =
    "Where they must be released again, draw_by = \"COLUMN\" (of the person) in the plan, fitted "
    "once and applied each time, gives the same sets.";
constexpr std::string_view kEvenCategories =
    "Categories of about equally many records bring it near 1/l, for instance categories = "
    "{ontology = …, count = …}.";
constexpr std::string_view kDrawBy = "draw_by in the plan prevents it.";

constexpr auto kReleaseEntries = std::to_array<Entry>({
    {{"pseudonyms-from-seed", "", "Leave the seed out: a random key is made."},
     pseudonyms_from_seed},
    {{"pseudonyms-link-rows", "", "", kLimit}, pseudonyms_link_rows},
    {{"shift-told", "", "Drop the column, or mask it."}, shift_told},
    {{"dates-not-shifted", "", "Declare it type = \"date\" and shift it, too, or drop it."},
     dates_not_shifted},
    {{"alone-by-intervals", "", "Generalise the dates, or release fewer of each person."},
     alone_by_intervals},
    {{"intervals-hidden", "", ""}, intervals_hidden},
    {{"shift-known-by-one-date", "", "", kLimit}, shift_known_by_one_date},
    {{"nearly-unique-released", "unmasked",
      "Declare the column an identifier (it is dropped), or mask it."},
     nearly_unique_released},
    {{"column-tells-masked", "unmasked", kDropOrMask}, column_tells_masked},
    {{"quasi-identifiers-unmasked", "classes.smallest", "Mask them, too, or drop them."},
     quasi_identifiers_unmasked},
    {{"partial-classes", "classes.smallest",
      "Give the other quasi-identifiers to the step that makes classes, or drop them."},
     partial_classes},
    {{"cells-recoded", "columns.unchanged", ""}, cells_recoded},
    {{"column-tells-category", "unmasked", kDropOrMask}, column_tells_category},
    {{"demand-not-looked-at", "privacy.sensitive.l",
      "Choose generalize, fuse or microaggregate, or take the demand out of the plan."},
     demand_not_looked_at},
    {{"classes-not-counted", "classes.smallest", "Audit the release with the plan."},
     classes_not_counted},
    {{"no-cell-changed", "columns.unchanged", ""}, no_cell_changed},
    {{"no-cell-swapped",
      "columns.unchanged",
      "Choose a greater k, or another method.",
      false,
      Lack::kNothing,
      {"k"},
      "Choose another method."},
     no_cell_swapped},
    {{"swap-keeps-uniques",
      "classes.uniques",
      "Choose a greater k, exhausted = \"extend\", or another method.",
      false,
      Lack::kNothing,
      {"k", "exhausted"},
      "Choose another method."},
     swap_keeps_uniques},
    {{"swap-risk-above-k", "linkage.own_among_alike",
      "With method = \"swap\", demand = \"probabilistic-k\" refuses such a release."},
     swap_risk_above_k},
    {{"write-data-betrays", "", "Use \"label\" or \"id\"."}, write_data_betrays},
    {{"rows-linked", "classes.smallest", "Drop the column, or give every person one row."},
     rows_linked},
    {{"class-shares-a-value", "privacy.sensitive.most_common",
      "Demand t, or entropy or recursive l, of the column."},
     class_shares_a_value},
    {{"rows-may-be-persons", "classes.smallest",
      "Write person = \"COLUMN\" into the plan if the column tells persons apart."},
     rows_may_be_persons},
    {{"rows-looked-at-together",
      "channels.vulnerability",
      "draw_by = \"COLUMN\" (of the person) draws a person's equal cells once.",
      false,
      Lack::kNothing,
      {"draw_by"}},
     rows_looked_at_together},
    {{"rows-averaged",
      "",
      "draw_by = \"COLUMN\" (of the person) draws a person's equal cells once; a greater alpha "
      "makes errors larger.",
      false,
      Lack::kNothing,
      {"draw_by", "alpha"}},
     rows_averaged},
    {{"draw-by-few-persons", "", "Name a column that tells persons apart."}, draw_by_few_persons},
    {{"sets-give-values-away", "channels.worst",
      "Leave a column out that goes with another, or join values into fewer that are less "
      "telling."},
     sets_give_values_away},
    {{"sets-released-once", "", kOnceFitted, false, Lack::kNothing, {"draw_by"}},
     sets_released_once},
    {{"sets-by-one-model", "", "Release them by `semveil fit`, then `apply` each time."},
     sets_by_one_model},

    {{"classes-verified", "classes.smallest", ""}, classes_verified},
    {{"values-verified", "classes.smallest", ""}, values_verified},
    {{"demands-verified", "privacy.sensitive.l", ""}, demands_verified},
    {{"every-column-masked", "unmasked", ""}, every_column_masked},

    {{"column-released-unmasked", "unmasked", ""}, column_released_unmasked},
    {{"alone-as-written", "", "missing = \"keep\" counts an empty cell as a value of its own."},
     alone_as_written},
    {{"cells-emptied",
      "",
      "weights = … keeps cells of a column that matters more.",
      false,
      Lack::kNothing,
      {"weights"}},
     cells_emptied},
    {{"hierarchy-chosen", "", "hierarchy = … or ontology = … of the column names another."},
     hierarchy_chosen},
    {{"headings-not-drawn", "", "candidates = \"all\" draws them, too."}, headings_not_drawn},
    {{"senses-chosen", "", "`semveil map` shows which; a mapping file corrects it."},
     senses_chosen},
    {{"senses-compared", "", ""}, senses_compared},
    {{"sets-hold-unused-values", "", ""}, sets_hold_unused},
    {{"sets-of-related-values", "", "method = \"ean\" with draw = \"frequency\" tells less."},
     sets_of_related_values},
    {{"frequent-values-stand-out",
      "",
      "draw = \"frequency\" and categories of about equally many records bring it near 1/l.",
      false,
      Lack::kNothing,
      {"draw"}},
     frequent_values_stand_out},
    {{"large-categories-stand-out", "", kEvenCategories, false, Lack::kNothing, {"categories"}},
     large_categories_stand_out},
    {{"one-value-stands-out", "", ""}, one_value_stands_out},
    {{"belief-untold", "", "", kLimit}, belief_untold},
    {{"belief-together-untold", "", "", kLimit}, belief_together_untold},
    {{"other-columns-uncounted", "", "", kLimit}, other_columns_uncounted},
    {{"nothing-drawn", "", ""}, nothing_drawn},
    {{"key-not-kept", "", ""}, key_not_kept},
    {{"key-from-seed", "", ""}, key_from_seed},
    {{"key-from-model", "", ""}, key_from_model},
    {{"key-from-file", "", ""}, key_from_file},
    {{"trace-undoes-release", "", ""}, trace_undoes_release},
    {{"release-not-recorded", "",
      "Put the model into a folder that you may write to, or keep a list of the names."},
     release_not_recorded},
    {{"model-holds-key", "", ""}, model_holds_key},
    {{"model-holds-values", "", ""}, model_holds_values},
    {{"drawn-by-person", "", ""}, drawn_by_person},
    {{"groups-of-this-table", "", ""}, groups_of_this_table},
    {{"values-dealt-once", "", ""}, values_dealt_once},
    {{"sets-drawn-by-row", "", kDrawBy, false, Lack::kNothing, {"draw_by"}}, sets_drawn_by_row},
    {{"errors-drawn-by-row", "", kDrawBy, false, Lack::kNothing, {"draw_by"}}, errors_drawn_by_row},
    {{"rows-in-order", "", "shuffle = true in the plan is recommended."}, rows_in_order},
    {{"rows-shuffled", "", ""}, rows_shuffled},
});

}  // namespace

std::span<const Entry> release_entries() { return kReleaseEntries; }

}  // namespace semveil::finding
