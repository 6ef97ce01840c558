// Columns of numbers: their ordinary figures before and after.
#include <fmt/format.h>

#include <algorithm>

#include "report/sections.h"

namespace semveil::report {
namespace {

void add_numbers(std::string_view name, Html which, const NumericSummary& numbers,
                 HtmlTable& table) {
  const auto place = [&](const std::optional<double>& figure) {
    return figure && numbers.dates ? text(numbers.written(*figure)) : number(figure);
  };
  std::vector<Html> cells{value(name), std::move(which), place(numbers.mean),
                          number(numbers.deviation), place(numbers.min)};
  for (std::size_t i = 0; i < kQuantilePercents.size(); ++i) {
    cells.push_back(i < numbers.quantiles.size() ? place(numbers.quantiles[i]) : text("–"));
  }
  cells.push_back(place(numbers.max));
  table.add(std::move(cells));
}

}  // namespace

Html kept_numbers(Context& context) {
  const bool has_numbers = std::ranges::any_of(
      context.audit.columns,
      [](const AuditedColumn& column) { return column.numeric_original || column.numeric_masked; });
  if (!has_numbers) return {};  // no word of them in the glossary either
  Glossary& words = context.words;
  std::vector<HtmlTable::Heading> headings{{"Column", Align::kLeft},
                                           {"", Align::kLeft},
                                           words.heading("columns.numeric.mean", "Mean"),
                                           words.heading("columns.numeric.deviation", "Deviation"),
                                           words.heading("columns.numeric.min", "Least")};
  for (const unsigned share : kQuantilePercents) {
    headings.push_back(words.heading("columns.numeric.quantiles", fmt::format("{} %", share)));
  }
  headings.push_back(words.heading("columns.numeric.max", "Greatest"));
  HtmlTable table(headings);
  for (const AuditedColumn& column : context.audit.columns) {
    if (column.numeric_original) {
      Html before;
      before << context.about() << "before";
      add_numbers(column.name, before, *column.numeric_original, table);
    }
    if (column.numeric_masked) {
      Html after;
      after << context.about() << "after";
      add_numbers(column.name, after, *column.numeric_masked, table);
    }
  }
  Html out;
  out << "<h3>Numbers</h3>\n" << table.html();
  return out;
}

}  // namespace semveil::report
