#include "set_summary.h"

#include <fmt/format.h>

#include <algorithm>

#include "semveil/ean.h"
#include "text_table.h"

namespace semveil::cli {
namespace {

using Align = TextTable::Align;

bool is(const ReleaseFacts& facts, const std::string& key, std::string_view value) {
  const auto found = facts.parameters.find(key);
  return found != facts.parameters.end() && found->second == value;
}

std::optional<std::uint64_t> distinct_of(const MaskedColumn& column, const MaskResult& result) {
  if (!result.after) return std::nullopt;
  const auto at = std::ranges::find(result.after->columns, column.name, &ColumnDescription::name);
  return at == result.after->columns.end() ? std::nullopt : std::optional(at->distinct);
}

// How to come nearer to 1/l.
std::string advice(const MaskedColumn& column, bool by_category, const ReleaseFacts& facts) {
  constexpr double kNear = 1.1;
  if (column.set->posterior->worst * column.set->l <= kNear) return "";
  if (!by_category) {
    return "Frequent values stand out, and sets hold related values: method = \"ean\" with draw = "
           "\"frequency\" tells less.";
  }
  if (!is(facts, "draw", "\"frequency\"")) {
    return "Frequent values of large categories stand out: draw = \"frequency\" and categories of "
           "about equally many records bring it near 1/l.";
  }
  constexpr double kAlone = 1.05;
  if (column.set->posterior->worst <= kAlone * column.set->most_frequent) {
    return fmt::format(
        "The most frequent value has {:.3g} of the records: no categories bring it "
        "lower.",
        column.set->most_frequent);
  }
  return "The values of large categories stand out: categories of about equally many records bring "
         "it near 1/l, for instance categories = {ontology = …, count = …}.";
}

// How even they are is what the posterior hangs on.
std::string categories_text(const SetRelease& set) {
  constexpr std::size_t kShown = 12;
  if (set.each.empty() || set.each.size() > kShown) return "";
  TextTable table({Align::kLeft, Align::kRight, Align::kRight});
  table.add({"category", "values", "records"});
  for (const SetRelease::Category& category : set.each) {
    table.add({name_cell(category.name), grouped(category.values),
               fmt::format("{:.1f} %", 100 * category.share)});
  }
  return table.text();
}

std::string joint_text(const MaskResult& result) {
  const MaskResult::Sets& sets = *result.sets;
  if (result.masked.size() < 2 || !result.after) return "";
  if (!sets.joint) {
    return wrapped("  together     ",
                   sets.combinations > kMostCombinations
                       ? fmt::format("not counted: the sets of a record have {:.3g} combinations",
                                     sets.combinations)
                       : "not counted here: `semveil mask` counts which values go together");
  }
  TextTable table({Align::kLeft, Align::kRight, Align::kRight});
  table.add({"", "on average", "at worst"});
  for (std::size_t j = 0; j < sets.joint->columns.size(); ++j) {
    const SetRelease::Posterior& column = sets.joint->columns[j];
    table.add({name_cell(result.masked[j].name), figure(column.mean), figure(column.worst)});
  }
  table.add({"all of them", figure(sets.joint->mean), figure(sets.joint->worst)});
  return "\nBelief in a record's true values of somebody who also knows which go together\n" +
         table.text();
}

std::string certain_text(const MaskResult& result) {
  constexpr double kCertain = 0.99;
  std::vector<std::string> names;
  for (std::size_t j = 0; j < result.masked.size(); ++j) {
    const auto& posterior = result.masked[j].set->posterior;
    double worst = posterior ? posterior->worst : 0;
    const auto& joint = result.sets->joint;
    if (joint && j < joint->columns.size()) worst = std::max(worst, joint->columns[j].worst);
    if (worst > kCertain) names.push_back(result.masked[j].name);
  }
  if (names.empty()) return "";
  return wrapped("WARNING  ",
                 fmt::format("SOME SETS GIVE THEIR VALUE AWAY: {}. To somebody who knows the "
                             "frequencies, and which values go together, all others of the set are "
                             "impossible for some records. Leave a column out that goes with "
                             "another, or join values into fewer that are less telling.",
                             listed(names)));
}

std::string repeated_text(const MaskResult& result, const ReleaseFacts& facts) {
  if (!facts.draw_by.empty()) {
    const bool by_model = facts.key == KeyOrigin::kModel || facts.key == KeyOrigin::kKeyFile;
    if (by_model) return "";
    return wrapped("WARNING  ",
                   "RELEASE THESE RECORDS AGAIN ONLY BY A MODEL: a person's sets are the same in "
                   "every release that one model makes (`semveil fit`, then `apply` each time). "
                   "Masked anew they may differ, and what stands in both sets of a record tells "
                   "the true value.");
  }
  std::string out =
      "RELEASE THESE RECORDS ONCE: who holds two releases of them keeps what stands in both sets "
      "of a record, and every further release leaves less.";
  for (const MaskedColumn& column : result.masked) {
    if (!column.set->revealed_by_two) continue;
    out += fmt::format(" Of {} two leave the true value alone for {:.3g} % of the records.",
                       name_cell(column.name), 100 * *column.set->revealed_by_two);
  }
  return wrapped("WARNING  ",
                 out +
                     " Where they must be released again, draw_by = \"COLUMN\" (of the person) in "
                     "the plan, fitted once and applied each time, gives the same sets.");
}

}  // namespace

std::string persons_text(const MaskResult& result, const ReleaseFacts& facts) {
  constexpr std::uint64_t kMostRecords = 20;  // of one person, on average
  if (result.persons == 0 || result.of_records <= kMostRecords * result.persons) return "";
  return wrapped("WARNING  ",
                 fmt::format("draw_by = {} HAS FEW PERSONS: {} in the first {}. All records of one "
                             "with the same value are masked alike, and counting them tells the "
                             "value. Name a column that tells persons apart.",
                             name_cell(facts.draw_by), counted(result.persons, "person", "persons"),
                             counted(result.of_records, "record", "records")));
}

std::string set_warnings(const MaskResult& result, const ReleaseFacts& facts) {
  if (!result.sets) return "";
  return certain_text(result) + repeated_text(result, facts);
}

std::string set_column_text(const MaskedColumn& column, const MaskResult& result,
                            const ReleaseFacts& facts) {
  const SetRelease& set = *column.set;
  std::string out = fmt::format("\nColumn {}\n", name_cell(column.name));
  const std::string others =
      !result.sets->by_category ? "among others of any category"
      : set.categories == set.l
          ? "among one of each other category"
          : fmt::format("among one of each of {}, drawn out of {}",
                        counted(set.l - 1, "other category", "other categories"),
                        set.categories - 1);
  out +=
      wrapped("  sets       ", fmt::format("{} of {} values each, the true one {}",
                                           counted(column.cells, "cell", "cells"), set.l, others));
  if (const auto distinct = distinct_of(column, result)) {
    out += wrapped("  distinct   ", counted(*distinct, "value", "values"));
  }
  if (set.unused > 0) {
    out += wrapped("  unused     ",
                   fmt::format("{} of {} occur{} nowhere in the column: who knows that does not "
                               "believe {}",
                               grouped(set.unused), counted(set.values, "value", "values"),
                               set.unused == 1 ? "s" : "", set.unused == 1 ? "it" : "them"));
  }
  out += wrapped("  missing    ", counted(column.missing, "cell", "cells"));
  if (column.suppressed > 0) {
    out += wrapped("  unmapped   ",
                   fmt::format("{} suppressed", counted(column.suppressed, "cell", "cells")));
  }
  out += wrapped("  loss       ", fmt::format("{:.4g}, (l - 1) / l", set.information_loss));
  out += categories_text(set);
  if (!result.sets->as_fitted) {
    out +=
        wrapped("  posterior  ", "not told: the column has other frequencies than the fitted one");
  }
  if (!set.posterior) return out;
  TextTable table({Align::kLeft, Align::kRight});
  table.add({"in a record's true value, on average", figure(set.posterior->mean)});
  table.add({"in a record's true value, at worst", figure(set.posterior->worst)});
  table.add({"in the likeliest value of a set, on average", figure(set.posterior->likeliest)});
  table.add({"were all values of a set equally likely, 1/l", figure(1.0 / set.l)});
  out += "  Belief of somebody who knows the column's frequencies\n" + table.text();
  if (const std::string better = advice(column, result.sets->by_category, facts); !better.empty()) {
    out += wrapped("  ", better);
  }
  return out;
}

std::string sets_text(const MaskResult& result) {
  if (!result.sets) return "";
  const MaskResult::Sets& sets = *result.sets;
  std::string out = "\nWhat was promised\n";
  out += wrapped("  sets         ",
                 fmt::format("every set has l values{}; verified {}",
                             sets.by_category ? " of l different categories" : ", all different",
                             sets.reread ? "in the written table, which was read again"
                                         : "in the drawn sets, before they were written"));
  if (sets.information_loss) {
    out += wrapped("  loss         ",
                   fmt::format("{:.4g} of a record, the mean over masked columns and the other "
                               "quasi-identifiers (0 each where its cells are as specific as can "
                               "be)",
                               *sets.information_loss));
  }
  out += wrapped("  not counted  ",
                 "who knows how a column goes with others that are released (its "
                 "quasi-identifiers, say) may believe more than is told above");
  return out + joint_text(result);
}

Json set_column_json(const MaskedColumn& column, const MaskResult& result) {
  const SetRelease& set = *column.set;
  Json json;
  const auto distinct = distinct_of(column, result);
  json["distinct"] = distinct ? Json(*distinct) : Json(nullptr);
  json["missing"] = column.missing;
  json["l"] = set.l;
  json["categories"] = set.categories;
  json["category_shares"] = Json::array();
  for (const SetRelease::Category& category : set.each) {
    json["category_shares"].push_back(category.share);
  }
  json["unused"] = set.unused;
  json["information_loss"] = set.information_loss;
  json["posterior"] = nullptr;
  if (set.posterior) {
    json["posterior"] = {{"mean", set.posterior->mean},
                         {"worst", set.posterior->worst},
                         {"likeliest", set.posterior->likeliest}};
  }
  json["revealed_by_two"] = set.revealed_by_two ? Json(*set.revealed_by_two) : Json(nullptr);
  json["cells"] = column.cells;
  json["changed"] = column.changed;
  json["unmapped_cells"] = {{"suppressed", column.suppressed}};
  return json;
}

void add_sets(const MaskResult& result, Json& json) {
  const MaskResult::Sets& sets = *result.sets;
  json["information_loss"] = sets.information_loss ? Json(*sets.information_loss) : Json(nullptr);
  json["reread"] = sets.reread;
  json["joint"] = nullptr;
  if (sets.joint) {
    json["joint"] = {{"records", sets.joint->records},
                     {"mean", sets.joint->mean},
                     {"worst", sets.joint->worst},
                     {"columns", Json::object()}};
    for (std::size_t j = 0; j < sets.joint->columns.size(); ++j) {
      json["joint"]["columns"][result.masked[j].name] = {{"mean", sets.joint->columns[j].mean},
                                                         {"worst", sets.joint->columns[j].worst}};
    }
  }
  if (!result.after) return;
  // What a class tells of its sensitive values is a question of values, which sets are not.
  if (!json.contains("privacy")) json["privacy"] = privacy_json(*result.after);
  for (const MaskedColumn& column : result.masked) {
    json["privacy"]["sensitive"][column.name] = {
        {"l", nullptr}, {"entropy_l", nullptr}, {"recursive_c", nullptr}, {"t", nullptr}};
  }
}

}  // namespace semveil::cli
