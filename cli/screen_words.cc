#include "screen_words.h"

#include <algorithm>
#include <array>
#include <string>

namespace semveil::cli {
namespace {

struct ScreenWord {
  std::string_view word;
  std::string_view figure;  // its name in the JSON
};

constexpr auto kWords = std::to_array<ScreenWord>({
    {"paired", "paired"},
    {"not paired", "paired"},
    {"missing cells", "missing_rule"},
    {"quality", "columns.semantic_quality"},
    {"mean moved", "columns.mean_shift"},
    {"mean before", "columns.mean"},
    {"mean", "columns.mean"},
    {"mean", "columns.numeric.mean"},
    {"mean", "disclosures.average"},
    {"variation", "columns.total_variation"},
    {"variance", "columns.variance"},
    {"aimed at", "columns.variance_expected"},
    {"(1 + alpha) x before", "columns.variance_expected"},
    {"by the errors drawn", "columns.variance_drawn"},
    {"of the errors drawn", "columns.target_rmse"},
    {"rmse", "columns.rmse"},
    {"mean distance", "columns.mean_distance"},
    {"asked for", "columns.target_rmse"},
    {"changed", "columns.unchanged"},
    {"as it was", "columns.left_unmapped"},
    {"least", "columns.numeric.min"},
    {"greatest", "columns.numeric.max"},
    {"numbers", "columns.numeric.mean"},
    {"the table as a whole", "semantic_quality"},
    {"semantic quality", "semantic_quality"},
    {"loss metric (lm)", "lm"},
    {"normalised certainty penalty", "ncp"},
    {"average class (c_avg)", "c_avg"},
    {"information loss of a record", "information_loss"},
    {"distance of the clusters", "partition_distance"},
    {"right guesses", "downstream"},
    {"right guesses", "attacks.rate"},
    {"by always saying the most frequent", "downstream.majority"},
    {"classes over all quasi-identifiers", "classes.count"},
    {"classes", "classes.count"},
    {"records in the smallest (k)", "classes.smallest"},
    {"persons in the smallest (k)", "classes.smallest"},
    {"persons alone in a class of theirs", "classes.uniques"},
    {"records alone in their class", "classes.uniques"},
    {"suppressed records", "classes.suppressed"},
    {"suppressed", "classes.suppressed"},
    {"prosecutor risk", "classes.prosecutor"},
    {"journalist risk", "journalist"},
    {"marketer risk", "classes.marketer"},
    {"after: finding oneself", "linkage.own_among_alike"},
    {"combinations that one original alone fits", "one_origin"},
    {"with the columns shuffled", "one_origin_shuffled"},
    {"sensitive column", "privacy.sensitive.l"},
    {"distinct l", "privacy.sensitive.l"},
    {"entropy l", "privacy.sensitive.entropy_l"},
    {"recursive c", "privacy.sensitive.recursive_c"},
    {"recursive", "privacy.sensitive.recursive_c"},
    {"entropy", "privacy.sensitive.entropy_l"},
    {"released records linked to their own original", "linkage.semantic"},
    {"share", "linkage.equality"},
    {"by equal values", "linkage.equality"},
    {"by nearest meaning", "linkage.semantic"},
    {"by the window of the swap", "linkage.window"},
    {"by mere chance", "linkage.baseline"},
    {"the surest link by meaning", "linkage.worst"},
    {"surest link", "linkage.worst"},
    {"smallest class", "classes.prosecutor"},
    {"finding oneself", "linkage.own_among_alike"},
    {"linkage by meaning", "linkage.semantic"},
    {"linkage by window", "linkage.window"},
    {"best guess of a set", "channels.vulnerability"},
    {"greatest chance that someone who looks himself up is found", "linkage.own_among_alike"},
    {"mean over the originals", "linkage.own_among_alike_mean"},
    {"attack", "attacks.rate"},
    {"right", "attacks.rate"},
    {"no guess", "attacks.guesses"},
    {"on the control", "attacks.control"},
    {"without the release", "attacks.baseline"},
    {"risk", "attacks.risk"},
    {"95 % interval", "attacks.risk_interval"},
    {"singling-out", "attacks.singling_out"},
    {"disclosure", "disclosures.average"},
    {"by frequencies", "disclosures.baseline"},
    {"worst", "disclosures.worst"},
    {"fewest", "disclosures.fewest"},
    {"protects", "disclosures.protects"},
    {"chance of guessing a value", "channels.vulnerability"},
    {"most frequent", "channels.prior"},
    {"release", "channels.vulnerability"},
    {"leaks, bits", "channels.leakage"},
    {"own, mean", "channels.expected"},
    {"own, worst", "channels.worst"},
    {"what would be left without a column", "contributions.linkage_without"},
    {"linked", "contributions.linkage_without"},
    {"alone", "contributions.uniques_without"},
    {"values found most easily", "risky_values.linked"},
    {"distance correlation", "pairs.correlation"},
    {"to be looked at", "findings"},
    {"danger", "findings"},
    {"warning", "findings"},
    {"note", "findings"},
    {"promise", "findings"},
    {"came through as they were", "unmasked"},
    {"categories", "category_diversity"},
    {"belief, mean", "channels.expected"},
    {"in a record's true value, on average", "channels.expected"},
    {"in a record's true value, at worst", "channels.worst"},
});

// Words that stand for no figure of an audit.
constexpr auto kOthers = std::to_array<FigureExplanation>({
    {"before", "Before", "The figure of the table as it was.", "", "", ""},
    {"after", "After", "The same figure of the released table.", "", "", ""},
    {"the same", "The same", "Noise aims at the mean that the column had before.", "", "", ""},
    {"column", "Column", "A column of the table, by its name.", "", "", ""},
    {"parameters", "Parameters", "The keys of [mask] that the method was run with.", "", "", ""},
    {"ontology", "Ontology", "Where the meaning of the words comes from.", "", "", ""},
    {"hierarchy", "Hierarchy", "What stands above the values, made of them by this rule.", "", "",
     ""},
    {"step", "Step", "One of the plan's methods, with its columns.", "", "", ""},
    {"recoded", "Recoded", "Cells that a recoding changed before anything else.", "", "", ""},
    {"measure", "Measure", "How distances of meanings are measured.", "", "", ""},
    {"left out", "Left out", "Columns that are not in the release.", "", "", ""},
    {"frequent", "Frequent values",
     "Cells that more than k records have in common, and that change places with each other: they "
     "look as they did.",
     "", "", ""},
    {"no partner", "No partner",
     "Cells that found nobody within reach to change places with, and stay as they were.", "", "",
     ""},
    {"truncated", "Truncated errors",
     "Cells for which no concept lies as far, or on the side, that the error asked for.", "", "",
     ""},
    {"kept", "Kept cells", "Cells whose domain has no other concept to put in their place.", "", "",
     ""},
    {"drawn from", "Candidates", "How many concepts may stand in a value's place.", "", "", ""},
    {"emptied", "Emptied cells", "Cells that had a text before and have none after.", "", "", ""},
    {"unmapped to root", "Replaced by the root",
     "Cells whose text means nothing to the ontology, replaced by the most general concept; cells "
     "that were generalised so far are not among them.",
     "", "", ""},
    {"levels", "Levels", "By how many steps each column was generalised.", "", "", ""},
    {"loss", "Loss",
     "What the release says less: of a method that forms classes its own measure, of sets "
     "(l - 1) / l.",
     "", "", ""},
    {"verified", "Verified", "Where it was seen that every set holds what it must.", "", "", ""},
    {"sets", "Sets", "Cells that come out as a set of values, one of them true.", "", "", ""},
    {"sets of", "Size of the sets", "How many values a set has (l).", "", "", ""},
    {"unused", "Unused values", "Values of the categories that nobody in the table has.", "", "",
     ""},
    {"1/l", "One in l", "The belief in a value were all values of a set equally likely.", "", "",
     ""},
    {"in the likeliest value of a set, on average", "Likeliest value",
     "How sure the best guess of a set is, on average.", "", "", ""},
    {"were all values of a set equally likely, 1/l", "One in l",
     "The belief in a value were all values of a set equally likely.", "", "", ""},
    {"all of them", "All of them", "The belief in the true values of all columns together.", "", "",
     ""},
    {"on average", "On average", "The mean over the records.", "", "", ""},
    {"at worst", "At worst", "The greatest over the records.", "", "", ""},
    {"category", "Category", "Values that are related; a set has one of each.", "", "", ""},
    {"values", "Values", "How many different values there are.", "", "", ""},
    {"records that were alone with their values", "Unique before",
     "Records with a combination of the swapped columns that nobody else has.", "", "", ""},
    {"of them, come out as they were", "Unique and unchanged",
     "Such records with the same values before and after.", "", "", ""},
    {"greatest chance that a match is the person's own record", "Chance of a match",
     "Somebody who looks for a person by the swapped columns is right with at most this chance.",
     "", "", ""},
});

std::string plain(std::string_view word) {
  std::string out;
  for (const char c : word) out += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  const std::size_t first = out.find_first_not_of(' ');
  if (first == out.npos) return "";
  return out.substr(first, out.find_last_not_of(' ') + 1 - first);
}

}  // namespace

std::vector<const FigureExplanation*> explain_word(std::string_view word) {
  const std::string asked = plain(word);
  std::vector<const FigureExplanation*> out;
  for (const ScreenWord& known : kWords) {
    if (known.word != asked) continue;
    if (const FigureExplanation* const figure = explain_figure(known.figure)) out.push_back(figure);
  }
  for (const FigureExplanation& other : kOthers) {
    if (other.name == asked) out.push_back(&other);
  }
  return out;
}

}  // namespace semveil::cli
