#include "set_summary.h"

#include <fmt/format.h>

#include <algorithm>

#include "text_table.h"

namespace semveil::cli {
namespace {

using Align = TextTable::Align;

std::optional<std::uint64_t> distinct_of(const MaskedColumn& column, const MaskResult& result) {
  if (!result.after) return std::nullopt;
  const auto at = std::ranges::find(result.after->columns, column.name, &ColumnDescription::name);
  return at == result.after->columns.end() ? std::nullopt : std::optional(at->distinct);
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
  std::vector<const MaskedColumn*> columns;
  for (const MaskedColumn& column : result.masked) {
    if (column.set) columns.push_back(&column);
  }
  if (columns.size() < 2 || !result.after) return "";
  if (!sets.joint) return "";
  TextTable table({Align::kLeft, Align::kRight, Align::kRight});
  table.add({"", "on average", "at worst"});
  for (std::size_t j = 0; j < sets.joint->columns.size(); ++j) {
    const SetRelease::Posterior& column = sets.joint->columns[j];
    table.add({name_cell(columns[j]->name), figure(column.mean), figure(column.worst)});
  }
  table.add({"all of them", figure(sets.joint->mean), figure(sets.joint->worst)});
  return "\nBelief in a record's true values of somebody who also knows which go together\n" +
         table.text();
}

}  // namespace

std::string set_column_text(const MaskedColumn& column, const MaskResult& result) {
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
    out += wrapped("  unused     ", fmt::format("{} of {}", grouped(set.unused),
                                                counted(set.values, "value", "values")));
  }
  out += wrapped("  missing    ", counted(column.missing, "cell", "cells"));
  if (column.suppressed > 0) {
    out += wrapped("  unmapped   ",
                   fmt::format("{} suppressed", counted(column.suppressed, "cell", "cells")));
  }
  out += wrapped("  loss       ", fmt::format("{:.4g}, (l - 1) / l", set.information_loss));
  out += categories_text(set);
  if (!set.posterior) return out;
  TextTable table({Align::kLeft, Align::kRight});
  table.add({"in a record's true value, on average", figure(set.posterior->mean)});
  table.add({"in a record's true value, at worst", figure(set.posterior->worst)});
  table.add({"in the likeliest value of a set, on average", figure(set.posterior->likeliest)});
  table.add({"were all values of a set equally likely, 1/l", figure(1.0 / set.l)});
  out += "  Belief of somebody who knows the column's frequencies\n" + table.text();
  return out;
}

std::string sets_text(const MaskResult& result) {
  if (!result.sets) return "";
  const MaskResult::Sets& sets = *result.sets;
  std::string out = "\nSets\n";
  out += wrapped("  verified     ", sets.reread ? "in the written table, which was read again"
                                                : "in the drawn sets, before they were written");
  if (sets.information_loss) {
    out += wrapped("  loss         ",
                   fmt::format("{:.4g} of a record, the mean over masked columns and the other "
                               "quasi-identifiers (0 each where its cells are as specific as can "
                               "be)",
                               *sets.information_loss));
  }
  return out + joint_text(result);
}

}  // namespace semveil::cli
