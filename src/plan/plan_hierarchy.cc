#include "plan/plan_hierarchy.h"

#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <functional>

#include "ontology/hierarchies/number_intervals.h"
#include "plan/plan_keys.h"
#include "semveil/method.h"

namespace semveil {
namespace {

using Kind = HierarchySettings::Kind;

constexpr Choices<Kind, 3> kKinds{
    {{"flat", Kind::kFlat}, {"prefix", Kind::kPrefix}, {"date", Kind::kDate}}};
constexpr Choices<bool, 2> kCalendars{{{"month", false}, {"week", true}}};

constexpr std::string_view kHierarchyKey = "hierarchy";
constexpr std::string_view kCalendarKey = "calendar";

void read_intervals(PlanTable& table, HierarchySettings& out) {
  constexpr double kNarrowest = 1e-9, kWidest = 1e15;
  out.kind = table.has("cuts") ? Kind::kCuts : Kind::kIntervals;
  const auto is_width = [](double x) { return x >= kNarrowest && x <= kWidest; };
  table.number("intervals", "above 0", is_width, out.width);
  table.numbers("cuts", out.cuts);
  table.text("as", out.as);
  if (table.has("cuts") == table.has("intervals")) {
    return table.wrong_meaning(kHierarchyKey,
                               "hierarchy: write one of {intervals = 5} and {cuts = [0, 18, 65]}");
  }
  const bool ascends =
      std::ranges::adjacent_find(out.cuts, std::greater_equal<>()) == out.cuts.end();
  if (table.has("cuts") && (out.cuts.empty() || !ascends)) {
    table.wrong_form("cuts", "cuts: expected numbers that ascend, as [0, 18, 65]");
  }
  if (const std::string fault = fault_of_spelling(out); !fault.empty()) {
    table.wrong_form("as", "as: " + fault);
  }
}

}  // namespace

void read_hierarchy(PlanTable& column, PlanNotes& notes, ColumnSettings& plan) {
  if (column.has(kHierarchyKey)) {
    HierarchySettings& out = plan.hierarchy.emplace();
    if (column.is_text(kHierarchyKey)) {
      column.choice(kHierarchyKey, kKinds, out.kind);
    } else if (const toml::table* table =
                   column.table(kHierarchyKey,
                                "hierarchy = {intervals = 5}, \"flat\", \"prefix\" or \"date\"")) {
      PlanTable intervals(*table, std::string(kHierarchyKey), plan_keys(kHierarchyKey), notes,
                          plan.name);
      read_intervals(intervals, out);
    }
  }
  column.choice(kCalendarKey, kCalendars, plan.by_weeks);
  if (plan.hierarchy) plan.hierarchy->by_weeks = plan.by_weeks;
}

void check_hierarchy(PlanTable& column, const ColumnSettings& plan) {
  if (!plan.hierarchy) return;
  if (column.has("ontology")) {
    column.wrong_meaning(kHierarchyKey,
                         "the column has an ontology, which is a hierarchy; leave one of the two "
                         "out");
  }
  const Kind kind = plan.hierarchy->kind;
  if (plan.type == ColumnType::kNumeric && (kind == Kind::kPrefix || kind == Kind::kDate)) {
    column.wrong_meaning(kHierarchyKey,
                         "numbers lie in intervals: write {intervals = 5}, or leave type = "
                         "\"numeric\" out");
  }
  if (plan.type == ColumnType::kDate && (kind == Kind::kIntervals || kind == Kind::kCuts)) {
    column.wrong_meaning(kHierarchyKey,
                         "dates lie in no intervals of numbers: write \"date\", or leave type = "
                         "\"date\" out");
  }
  if (column.has(kCalendarKey) && kind != Kind::kDate) {
    column.wrong_meaning(kCalendarKey, "calendar is for dates; add hierarchy = \"date\"");
  }
  for (const std::string_view key :
       {"root", "domain", "mean", "variance", "senses", "mapping", "candidates", "via"}) {
    if (!column.has(key)) continue;
    column.wrong_meaning(key, fmt::format("{} needs an ontology; a hierarchy that is made of the "
                                          "column's values has no use for it",
                                          key));
  }
}

void settle_hierarchies(PlanFile& plan) {
  for (ColumnSettings& column : plan.columns) {
    if (!column.hierarchy) continue;
    const bool is_word = column.type == ColumnType::kNominal || column.type == ColumnType::kText;
    const auto needs_it = [&](const MaskStep& step) {
      return step.method != nullptr && !step.about().takes_line(column) && is_masked(column, step);
    };
    column.by_hierarchy = is_word || std::ranges::any_of(plan.recodings, needs_it) ||
                          std::ranges::any_of(plan.steps, needs_it);
  }
}

std::string hierarchy_text(const HierarchySettings& settings) {
  const std::string as = settings.as.empty() ? "" : ", as = " + toml_text(settings.as);
  if (settings.kind == Kind::kIntervals) {
    return fmt::format("{{intervals = {}{}}}", settings.width, as);
  }
  if (settings.kind == Kind::kCuts) {
    return fmt::format("{{cuts = [{}]{}}}", fmt::join(settings.cuts, ", "), as);
  }
  return settings.kind == Kind::kChosen ? "" : toml_text(name_of(kKinds, settings.kind));
}

}  // namespace semveil
