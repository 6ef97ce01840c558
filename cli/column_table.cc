#include "column_table.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "semveil/method.h"
#include "text_table.h"
#include "verb.h"

namespace semveil::cli {
namespace {

using Align = TextTable::Align;

// One column of masked data, seen from both sides.
struct Row {
  const MaskedColumn* masked;
  const ColumnDescription* before;
  const ColumnDescription* after;
};

struct Figure {
  std::string_view head;
  std::function<std::string(const Row&)> cell;  // "": there is none
};

const ColumnDescription* found(const std::optional<Description>& description,
                               const std::string& name) {
  if (!description) return nullptr;
  const auto at = std::ranges::find(description->columns, name, &ColumnDescription::name);
  return at == description->columns.end() ? nullptr : &*at;
}

std::string told(const std::optional<double>& value) { return value ? figure(value) : ""; }
std::string told(std::uint64_t count) { return count > 0 ? grouped(count) : ""; }

std::string distinct_of(const ColumnDescription* column) {
  return column == nullptr ? "" : grouped(column->distinct);
}
std::string variance_of(const ColumnDescription* column) {
  return column == nullptr ? "" : told(column->any_variance());
}

// A column of the page that has nothing to say of any of the data's is left out.
std::string table_of(const std::vector<Row>& rows, const std::vector<Figure>& figures) {
  std::vector<const Figure*> shown;
  for (const Figure& each : figures) {
    const auto says = [&](const Row& row) { return !each.cell(row).empty(); };
    if (std::ranges::any_of(rows, says)) shown.push_back(&each);
  }
  std::vector<Align> align(shown.size() + 1, Align::kRight);
  align[0] = Align::kLeft;
  TextTable table(align);
  std::vector<std::string> head{"column"};
  for (const Figure* const each : shown) head.emplace_back(each->head);
  table.add(std::move(head));
  for (const Row& row : rows) {
    std::vector<std::string> cells{name_cell(row.masked->name)};
    for (const Figure* const each : shown) {
      const std::string cell = each->cell(row);
      cells.push_back(cell.empty() ? "-" : cell);
    }
    table.add(std::move(cells));
  }
  return table.text();
}

std::vector<Figure> cell_figures() {
  return {
      {"changed", [](const Row& r) { return percent(r.masked->changed, r.masked->cells); }},
      {"no partner",
       [](const Row& r) {
         const auto& alone = r.masked->without_partner;
         return alone ? percent(*alone, r.masked->cells) : std::string();
       }},
      {"distinct", [](const Row& r) { return distinct_of(r.before); }},
      {"after", [](const Row& r) { return distinct_of(r.after); }},
      {"missing", [](const Row& r) { return grouped(r.masked->missing); }},
      {"emptied", [](const Row& r) { return told(r.masked->emptied + r.masked->suppressed); }},
      {"unmapped to root", [](const Row& r) { return told(r.masked->generalized); }},
      {"AS IT WAS", [](const Row& r) { return told(r.masked->kept); }},
  };
}

std::vector<Figure> distance_figures() {
  return {
      {"RMSE", [](const Row& r) { return told(r.masked->rmse); }},
      {"asked for", [](const Row& r) { return told(r.masked->target_rmse); }},
      {"mean distance", [](const Row& r) { return told(r.masked->mean_distance); }},
      {"variance", [](const Row& r) { return variance_of(r.before); }},
      {"after", [](const Row& r) { return variance_of(r.after); }},
      {"aimed at", [](const Row& r) { return told(r.masked->expected_variance); }},
  };
}

std::vector<Figure> set_figures() {
  const auto belief = [](double SetRelease::Posterior::* member) {
    return [member](const Row& r) {
      const auto& posterior = r.masked->set->posterior;
      return posterior ? figure((*posterior).*member) : std::string();
    };
  };
  return {
      {"sets of", [](const Row& r) { return grouped(r.masked->set->l); }},
      {"categories", [](const Row& r) { return told(r.masked->set->categories); }},
      {"distinct", [](const Row& r) { return distinct_of(r.after); }},
      {"missing", [](const Row& r) { return grouped(r.masked->missing); }},
      {"emptied", [](const Row& r) { return told(r.masked->suppressed); }},
      {"belief, mean", belief(&SetRelease::Posterior::mean)},
      {"worst", belief(&SetRelease::Posterior::worst)},
      {"1/l", [](const Row& r) { return figure(1.0 / r.masked->set->l); }},
  };
}

}  // namespace

std::string masked_columns_table(const MaskResult& result) {
  std::vector<Row> rows, sets;
  for (const MaskedColumn& column : result.masked) {
    (column.set ? sets : rows)
        .push_back({&column, found(result.before, column.name), found(result.after, column.name)});
  }
  std::string out = "\nColumns (each in detail: --verbose)\n";
  if (!sets.empty()) {
    out += table_of(sets, set_figures()) +
           wrapped("  ", "Belief in a record's true value of somebody who knows the frequencies.");
  }
  if (rows.empty()) return out;
  if (!sets.empty()) out += "\n";
  return out + table_of(rows, cell_figures()) + "\n" + table_of(rows, distance_figures());
}

std::string pairs_left_out(std::size_t all) {
  return fmt::format("the {} of {} pairs that moved most; all with --verbose", kPairsShown, all);
}

}  // namespace semveil::cli
