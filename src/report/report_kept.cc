// What the release kept of the original: columns, pairs of columns.
#include <fmt/format.h>

#include <algorithm>

#include "report/plot.h"
#include "report/sections.h"

namespace semveil::report {
namespace {

constexpr std::size_t kMostBars = 12;
constexpr std::size_t kMostLines = 40;  // of a table beside a plot

Html concept_change(const AuditedColumn& column) {
  Html out;
  if (!column.mean_original && !column.mean_masked) return text("–");
  out << (column.mean_original ? value(column.mean_original->label) : Html("–")) << " → "
      << (column.mean_masked ? value(column.mean_masked->label) : Html("–"));
  return out;
}

Html counts(const Context& context, std::uint64_t before, std::uint64_t after) {
  Html out;
  out << context.count(before) << " → " << context.count(after);
  return out;
}

// What the others are together.
std::string pool_label(const Audit& audit, std::uint64_t values) {
  const bool is_about = audit.is_rounded && values > 0;
  return fmt::format("{}{} more value{}", is_about ? "≈ " : "", grouped(values),
                     values == 1 ? "" : "s");
}

Html distribution_plot(const Context& context, const AuditedColumn& column) {
  const bool is_steward = context.is_steward();
  std::vector<PairedBar> bars;
  PairedBar rest;
  rest.is_pool = true;
  std::uint64_t more = 0;  // values, not lines: a line may stand for hundreds
  HtmlTable table({{"Value", Align::kLeft}, {"Before"}, {"After"}});
  std::size_t lines = 0;
  for (const ValueShare& share : column.distribution) {
    // public_edition() has pooled these; whoever forgot it gets no such value here either.
    if (!is_steward && !share.in_release && !share.pooled) continue;
    const bool has_room = bars.size() + 1 < kMostBars || column.distribution.size() <= kMostBars;
    if (has_room && !share.pooled) {
      bars.push_back({share.label, share.original, share.masked});
    } else {
      more += share.values;
      rest.before += share.original;
      rest.after += share.masked;
    }
    if (lines++ < kMostLines) {
      table.add({share.pooled ? text(pool_label(context.audit, share.values)) : value(share.label),
                 text(percent(share.original)), text(percent(share.masked))});
    }
  }
  if (bars.empty()) return {};
  if (more > 0) {
    rest.label = pool_label(context.audit, more);
    bars.push_back(rest);
  }
  const std::string title = fmt::format("{}: how often each value occurs", column.name);
  Html note;
  if (lines > kMostLines) {
    note << "The table holds the first " << number(std::uint64_t{kMostLines}) << " values.";
  }
  return figure(title, bars_plot(title, bars), table.html(), note);
}

Html distance_plot(const AuditedColumn& column) {
  std::uint64_t all = 0;
  for (const std::uint64_t count : column.distances) all += count;
  if (all == 0) return {};
  HtmlTable table({{"Change", Align::kLeft}, {"Records"}});
  const auto bins = static_cast<double>(column.distances.size());
  for (std::size_t i = 0; i < column.distances.size(); ++i) {
    if (column.distances[i] == 0) continue;
    table.add({text(fmt::format("{:.2f} to {:.2f}", static_cast<double>(i) / bins,
                                static_cast<double>(i + 1) / bins)),
               number(column.distances[i])});
  }
  const std::string title = fmt::format("{}: how far values moved", column.name);
  return figure(
      title,
      histogram_plot(title, "semantic distance of a value before and after", column.distances),
      table.html());
}

}  // namespace

Html what_is_meant(Context& context) {
  HtmlTable table({{"Column", Align::kLeft},
                   context.words.heading("columns.distinct", "Different values"),
                   context.words.heading("columns.missing", "Missing cells"),
                   context.words.heading("columns.unmapped", "Records without a meaning"),
                   context.words.heading("columns.left_unmapped", "Unknown texts released"),
                   {"Meaning known"}});
  for (const AuditedColumn& column : context.audit.columns) {
    const std::uint64_t with = context.audit.original_records -
                               std::min(column.original_missing, context.audit.original_records);
    std::optional<double> coverage;
    if (with > 0) {
      coverage = 1 - static_cast<double>(std::min(column.original_unmapped, with)) /
                         static_cast<double>(with);
    }
    table.add({value(column.name),
               counts(context, column.original_distinct, column.masked_distinct),
               counts(context, column.original_missing, column.masked_missing),
               counts(context, column.original_unmapped, column.masked_unmapped),
               number(column.left_unmapped), text(percent(coverage))});
  }
  if (table.empty()) return {};
  Html out;
  out << paragraph(Html(
             "Words are compared by what they mean in an ontology. A text that is not found there "
             "equals itself alone and is as far as can be from everything else."))
      << table.html();
  return out;
}

Html what_was_kept(Context& context) {
  Glossary& words = context.words;
  // Detail is lost in nats, by sets as a share: two figures.
  const bool has_sets =
      std::any_of(context.audit.columns.begin(), context.audit.columns.end(),
                  [](const AuditedColumn& column) { return column.information_loss.has_value(); });
  std::vector<HtmlTable::Heading> headings{
      {"Column", Align::kLeft},
      words.heading("columns.semantic_quality", "Meaning kept"),
      words.heading("columns.rmse", "RMSE"),
      words.heading("columns.target_rmse", "asked for"),
      words.heading("columns.unchanged", "Cells as they were"),
      words.heading("columns.ic_loss", "Detail lost, nats")};
  if (has_sets) headings.push_back(words.heading("columns.information_loss", "Loss of a set"));
  HtmlTable moved(headings);
  HtmlTable spread({{"Column", Align::kLeft},
                    {"Typical value", Align::kLeft, words.term("columns.mean", "Typical value")},
                    words.heading("columns.mean_shift", "its shift"),
                    words.heading("columns.variance", "Spread"),
                    words.heading("columns.total_variation", "Total variation"),
                    words.heading("columns.hellinger", "Hellinger")});
  Html plots;
  for (const AuditedColumn& column : context.audit.columns) {
    std::vector<Html> cells{
        value(column.name),         number(column.semantic_quality), number(column.rmse),
        number(column.target_rmse), text(percent(column.unchanged)), number(column.ic_loss)};
    if (has_sets) cells.push_back(number(column.information_loss));
    moved.add(std::move(cells));
    Html variance;
    if (column.variance.original) variance << context.about();
    variance << change(column.variance);
    if (column.expected_variance) {
      variance << " <span class=\"soft\">(expected " << number(column.expected_variance)
               << ")</span>";
    }
    spread.add({value(column.name), concept_change(column), number(column.mean_shift), variance,
                number(column.total_variation), number(column.hellinger)});
    plots << distribution_plot(context, column) << distance_plot(column);
  }
  if (moved.empty()) return {};
  Html out;
  out << "<h3>Values</h3>\n"
      << moved.html() << "<h3>Statistics of the columns</h3>\n"
      << spread.html() << kept_numbers(context);
  HtmlTable whole({{"The whole table", Align::kLeft},
                   {context.audit.is_rounded ? "Original, ≈" : "Original"},
                   {context.audit.is_rounded ? "Release, ≈" : "Release"}});
  const Audit& audit = context.audit;
  const auto add = [&](std::string_view name, std::optional<double> before,
                       std::optional<double> after) {
    if (before || after) whole.add({words.term(name), number(before), number(after)});
  };
  add("semantic_quality", std::nullopt, audit.semantic_quality);
  add("information_loss", std::nullopt, audit.information_loss);
  add("lm", audit.lm_original, audit.lm);
  add("ncp", audit.ncp_original, audit.ncp);
  add("discernibility", audit.discernibility_original, audit.discernibility);
  add("c_avg", std::nullopt, audit.c_avg);
  out << whole.html();
  if (!plots.empty()) {
    words.term("columns.distribution");
    words.term("columns.distances");
    out << "<div class=\"plots\">\n" << plots << "</div>\n";
  }
  if (!context.is_steward()) {
    out << paragraph(Html(
        "<span class=\"soft\">Values that few people have, or that the release does not contain, "
        "are pooled; where that would still tell of single people, a plot is left out, and figures "
        "that would give it back are left out or told to hundredths. Figures of the original, and "
        "those of the release beside them, are rounded to three digits (≈): a difference smaller "
        "than "
        "that is not shown.</span>"));
  }
  return out;
}

Html goes_together(Context& context) {
  const std::vector<AuditedPair>& pairs = context.audit.pairs;
  if (pairs.empty()) return {};
  Matrix before;
  for (const AuditedPair& pair : pairs) {
    for (const std::string& name : {pair.a, pair.b}) {
      if (std::find(before.names.begin(), before.names.end(), name) == before.names.end()) {
        before.names.push_back(name);
      }
    }
  }
  // In the order of the columns; a name that is none of them stays last.
  const auto place = [&](const std::string& name) {
    const auto& columns = context.audit.columns;
    return std::find_if(columns.begin(), columns.end(),
                        [&](const AuditedColumn& column) { return column.name == name; }) -
           columns.begin();
  };
  std::stable_sort(before.names.begin(), before.names.end(),
                   [&](const std::string& a, const std::string& b) { return place(a) < place(b); });
  const std::size_t n = before.names.size();
  before.cells.resize(n * n);
  Matrix after = before;
  Matrix moved = before;
  const bool is_about = context.audit.is_rounded;
  HtmlTable table({{"Columns", Align::kLeft},
                   {is_about ? "Before, ≈" : "Before"},
                   {is_about ? "After, ≈" : "After"},
                   {"Difference"}});
  std::uint64_t sampled = 0;
  for (const AuditedPair& pair : pairs) {
    const auto index = [&](const std::string& name) {
      return static_cast<std::size_t>(std::find(before.names.begin(), before.names.end(), name) -
                                      before.names.begin());
    };
    std::optional<double> difference;
    if (pair.correlation.original && pair.correlation.masked) {
      difference = *pair.correlation.masked - *pair.correlation.original;
    }
    for (const auto& [i, j] :
         {std::pair{index(pair.a), index(pair.b)}, std::pair{index(pair.b), index(pair.a)}}) {
      before.cells[i * n + j] = pair.correlation.original;
      after.cells[i * n + j] = pair.correlation.masked;
      moved.cells[i * n + j] = difference;
    }
    Html names;
    names << value(pair.a) << " and " << value(pair.b);
    table.add({names, number(pair.correlation.original), number(pair.correlation.masked),
               number(difference)});
    sampled = std::max(sampled, pair.sampled);
  }
  for (std::size_t i = 0; i < n; ++i) before.cells[i * n + i] = after.cells[i * n + i] = 1;
  Html out;
  Html intro;
  intro << context.words.term("pairs.correlation") << ". "
        << context.words.sentence("pairs.correlation");
  if (sampled > 0) intro << " Estimated from " << number(sampled) << " records.";
  out << paragraph(intro) << "<div class=\"plots\">\n"
      << figure("Before", heat_plot("Correlations before", before, HeatScale::kShare), {})
      << figure("After", heat_plot("Correlations after", after, HeatScale::kShare), {})
      << figure("After minus before",
                heat_plot("Change of the correlations", moved, HeatScale::kDifference), {},
                Html("Orange: more than before. Blue: less."))
      << "</div>\n"
      << "<details><summary>The same in figures</summary>" << table.html() << "</details>\n";
  return out;
}

}  // namespace semveil::report
