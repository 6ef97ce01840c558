#include "summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>

#include "column_table.h"
#include "description.h"
#include "findings.h"
#include "risk_summary.h"
#include "semveil/json.h"
#include "semveil/method.h"
#include "set_summary.h"
#include "text_table.h"

namespace semveil::cli {
namespace {

using Align = TextTable::Align;
constexpr std::size_t kMeanWidth = 26;

const ColumnDescription* column_of(const std::optional<Description>& description,
                                   const std::string& name) {
  if (!description) return nullptr;
  const auto at = std::ranges::find(description->columns, name, &ColumnDescription::name);
  return at == description->columns.end() ? nullptr : &*at;
}

// ---- What was done ------------------------------------------------------------------------------

std::string head_text(const MaskResult& result, const ReleaseFacts& facts) {
  std::vector<std::string> masked;
  for (const MaskedColumn& column : result.masked) masked.push_back(column.name);
  std::string records = grouped(result.records);
  if (result.dropped_records > 0) {
    records += fmt::format("; {} left out for a missing cell", grouped(result.dropped_records));
  }
  std::string out = fmt::format("{}: masked by {}\n", facts.table, facts.method);
  out += wrapped("  records      ", records);
  if (!masked.empty()) out += wrapped("  columns      ", listed(masked));
  out += steps_text(facts.steps, facts.parameters);
  for (const MaskResult::Recoded& recoded : result.recoded) {
    out += wrapped("  recoded      ",
                   fmt::format("{}, by {}: {} of {} changed, {}", recoded.column, recoded.method,
                               grouped(recoded.changed), counted(recoded.cells, "cell", "cells"),
                               percent(recoded.changed, recoded.cells)));
  }
  for (const std::string& ontology : facts.ontologies) {
    out += wrapped("  ontology     ", printable(ontology));
  }
  const auto& described = result.after ? result.after : result.before;
  if (described) {
    std::string rule = missing_text(described->missing_rule);
    if (method_named(facts.method).forms_classes && described->missing_rule == MissingRule::kKeep) {
      rule =
          "keep, which is category here: missing is one more value, at distance 1 from all others";
    }
    out += wrapped("  missing      ", rule);
    const std::string measures = measures_text(*described);
    if (!measures.empty()) out += wrapped("  measure      ", measures);
  }
  if (!result.dropped_columns.empty()) {
    out += wrapped("  left out     ", listed(result.dropped_columns));
  }
  if (!facts.release.empty()) {
    out += wrapped("  release      ", fmt::format("'{}'", shortened(printable(facts.release), 40)));
  }
  return out;
}

const MethodDescription& method_of(const MaskedColumn& column, const ReleaseFacts& facts) {
  return method_named(column.method.empty() ? facts.method : column.method);
}

// ---- Columns ------------------------------------------------------------------------------------

// ", 12 %"; nothing of cells that took part where those that stayed missing did, too: that is no
// share of the cells that are told.
std::string share_of(std::uint64_t count, std::uint64_t cells) {
  return count > cells ? "" : ", " + percent(count, cells);
}

std::string cells_text(const MaskedColumn& column, const ColumnDescription* before,
                       const ReleaseFacts& facts) {
  const bool in_classes = method_of(column, facts).forms_classes;
  std::string out = wrapped("  changed    ", fmt::format("{} of {}, {}", grouped(column.changed),
                                                         counted(column.cells, "cell", "cells"),
                                                         percent(column.changed, column.cells)));
  if (column.among_equals > 0) {
    out += wrapped("  frequent   ",
                   fmt::format("{}{}: more than k are like them, and change places with them",
                               counted(column.among_equals, "cell", "cells"),
                               share_of(column.among_equals, column.cells)));
  }
  if (column.without_partner) {
    const std::uint64_t alone = *column.without_partner;
    out += wrapped(
        "  no partner ",
        fmt::format("{}{}{}", counted(alone, "cell", "cells"), share_of(alone, column.cells),
                    alone > 0 ? ": nobody within reach was left; they stay" : ""));
  }
  const std::uint64_t truncated = truncated_cells(column.rules);
  if (column.target_rmse)
    out += wrapped(
        "  truncated  ",
        fmt::format(
            "{}, {}{}", counted(truncated, "cell", "cells"), percent(truncated, column.cells),
            truncated > 0 ? ": no concept lies as far, or on the side, that the error asked for"
                          : ""));
  if (const std::uint64_t alone = column.rules[static_cast<std::size_t>(Rule::kAlone)]; alone > 0) {
    out += wrapped("  kept       ", fmt::format("{}: the domain has no other concept",
                                                counted(alone, "cell", "cells")));
  }
  if (column.hierarchy) {
    out += wrapped("  hierarchy  ",
                   fmt::format("{}{}{}", hierarchy_text(*column.hierarchy),
                               column.hierarchy->by_weeks ? ", by weeks" : "",
                               column.hierarchy_was_chosen ? ", chosen by the values" : ""));
  }
  std::string missing = counted(column.missing, "cell", "cells");
  if (before != nullptr && before->missing != column.missing) {
    missing = fmt::format("{} before, {} after", counted(before->missing, "cell", "cells"),
                          grouped(column.missing));
  }
  if (column.filled > 0) missing += fmt::format("; {} got a value", grouped(column.filled));
  if (column.emptied > 0) missing += fmt::format("; {} lost theirs", grouped(column.emptied));
  out += wrapped("  missing    ", missing);
  std::string unmapped;
  const auto mention = [&](std::uint64_t cells, std::string_view what) {
    if (cells == 0) return;
    unmapped +=
        fmt::format("{}{} {}", unmapped.empty() ? "" : ", ", counted(cells, "cell", "cells"), what);
  };
  mention(column.suppressed, "emptied");
  const std::uint64_t texts = before != nullptr ? before->unmapped.value_or(0) : 0;
  if (in_classes && column.generalized == 0 && texts > column.suppressed) {
    mention(texts - column.suppressed, "taken as missing, and got a value");
  }
  mention(column.generalized, in_classes ? "taken as the root" : "replaced by the root");
  mention(column.kept, "LEFT AS THEY WERE");
  out += wrapped("  unmapped   ", unmapped.empty() ? "none" : unmapped);
  return out;
}

// What a method may put in a value's place, where that is not the whole domain.
std::string candidates_text(const ColumnDescription* described, const MethodDescription& method) {
  if (!method.chooses_candidates || described == nullptr || !described->domain) return "";
  const auto& domain = *described->domain;
  if (domain.candidates >= domain.concepts) return "";
  return wrapped("  drawn from ", fmt::format("{} of {}", grouped(domain.candidates),
                                              counted(domain.concepts, "concept of the domain",
                                                      "concepts of the domain")));
}

// Of the step that masked the column, where it aims at a variance.
std::optional<double> aimed_alpha(const MaskedColumn& column, const MaskResult& result,
                                  const ReleaseFacts& facts) {
  if (!method_of(column, facts).aims_at_variance) return std::nullopt;
  for (const MaskResult::Step& step : steps_of(result, facts)) {
    if (std::ranges::find(step.columns, column.name) == step.columns.end()) continue;
    return number_in(step.parameters, "alpha");
  }
  return std::nullopt;
}

std::string column_text(const MaskedColumn& column, const MaskResult& result,
                        const ReleaseFacts& facts) {
  if (column.set) return set_column_text(column, result);
  const ColumnDescription* before = column_of(result.before, column.name);
  const ColumnDescription* after = column_of(result.after, column.name);
  const std::optional<double> alpha = aimed_alpha(column, result, facts);
  const auto mean = [](const ColumnDescription* c) {
    if (c != nullptr && c->numeric) {
      const NumericSummary& numbers = *c->numeric;
      return numbers.dates ? numbers.written(numbers.mean) : figure(numbers.mean);
    }
    return c != nullptr && c->mean ? concept_text(*c->mean, kMeanWidth) : "-";
  };
  const auto deviation = [](const ColumnDescription* c) {
    return c != nullptr && c->numeric ? c->numeric->deviation : std::nullopt;
  };
  const auto variance = [](const ColumnDescription* c) {
    return c != nullptr ? c->any_variance() : std::nullopt;
  };
  const auto distinct = [](const ColumnDescription* c) {
    return c != nullptr ? grouped(c->distinct) : "-";
  };
  TextTable table({Align::kLeft, Align::kLeft, Align::kLeft, Align::kLeft});
  table.add({"", "before", "after", alpha ? "aimed at" : ""});
  table.add({"mean", mean(before), mean(after), alpha ? "the same" : ""});
  table.add({"variance", figure(variance(before)), figure(variance(after)),
             alpha ? figure(column.expected_variance) + "  (1 + alpha) x before" : ""});
  if (column.drawn_variance) {
    table.add({"", "", "", figure(column.drawn_variance) + "  by the errors drawn"});
  }
  table.add({"RMSE", "", figure(column.rmse),
             column.target_rmse ? figure(column.target_rmse) + "  asked for" : ""});
  if (deviation(before) || deviation(after)) {
    table.add({"deviation", figure(deviation(before)), figure(deviation(after))});
  }
  table.add({"distinct", distinct(before), distinct(after)});
  return fmt::format("\nColumn {}\n", name_cell(column.name)) + table.text() +
         candidates_text(before != nullptr ? before : after, method_of(column, facts)) +
         cells_text(column, before, facts);
}

// ---- Before and after ---------------------------------------------------------------------------

const PairDescription* pair_of(const std::optional<Description>& description,
                               const PairDescription& like) {
  if (!description) return nullptr;
  const auto at = std::ranges::find_if(
      description->pairs, [&](const PairDescription& p) { return p.a == like.a && p.b == like.b; });
  return at == description->pairs.end() ? nullptr : &*at;
}

std::string correlations_text(const MaskResult& result, bool verbose) {
  if (!result.after || result.after->pairs.empty()) return "";
  struct Pair {
    const PairDescription *before, *after;
    double moved() const {
      return before == nullptr
                 ? 0
                 : std::abs(after->distance_correlation - before->distance_correlation);
    }
  };
  std::vector<Pair> pairs;
  for (const PairDescription& after : result.after->pairs) {
    pairs.push_back({pair_of(result.before, after), &after});
  }
  std::string title = "Distance correlation";
  if (const std::size_t all = pairs.size(); all > kPairsShown && !verbose) {
    std::ranges::stable_sort(pairs, std::greater(), &Pair::moved);
    pairs.resize(kPairsShown);
    title += fmt::format(" ({})", pairs_left_out(all));
  }
  const auto cell = [](const PairDescription* pair) {
    if (pair == nullptr) return std::string("-");
    return fmt::format("{}{:.4f}", pair->sampled > 0 ? "~" : "", pair->distance_correlation);
  };
  TextTable table({Align::kLeft, Align::kLeft, Align::kRight, Align::kRight});
  table.add({"", "", "before", "after"});
  for (const Pair& pair : pairs) {
    table.add(
        {name_cell(pair.after->a), name_cell(pair.after->b), cell(pair.before), cell(pair.after)});
  }
  return fmt::format("\n{}\n", title) + table.text();
}

std::string end_text(const MaskResult& result, const ReleaseFacts& facts,
                     const std::string& replaced) {
  std::string out =
      facts.output == "-" ? "\nWritten to standard output" : "\nWritten to " + facts.output;
  out += replaced;
  if (!facts.trace.empty()) out += "; the trace to " + facts.trace;
  if (result.recorded.value_or(false)) out += "; recorded in " + facts.releases;
  return out + fmt::format(" ({:.1f} s)\n", facts.seconds);
}

}  // namespace

std::string steps_text(const std::vector<StepFacts>& steps,
                       const std::map<std::string, std::string>& parameters) {
  if (steps.size() <= 1) return wrapped("  parameters   ", parameters_text(parameters));
  std::string out;
  for (const StepFacts& step : steps) {
    out += wrapped("  step         ", fmt::format("{} of {}: {}", step.method, listed(step.columns),
                                                  parameters_text(step.parameters)));
  }
  return out;
}

std::string summary(const MaskResult& result, const ReleaseFacts& facts, bool verbose) {
  const std::vector<Finding> findings = findings_of(result, facts);
  const MaskedBy masked_by = semveil::masked_by(facts.method, facts.parameters, findings);
  std::string out = warnings_text(findings, masked_by) + head_text(result, facts);
  if (result.masked.size() >= kManyColumns && !verbose) {
    out += masked_columns_table(result);
  } else {
    for (const MaskedColumn& column : result.masked) out += column_text(column, result, facts);
  }
  out += correlations_text(result, verbose) + sets_text(result) + risk_text(result, facts);
  return out + promises_text(findings, masked_by) + notes_text(findings, masked_by);
}

std::string replaced_text(const std::string& path, bool in_place) {
  std::error_code ignored;
  if (path == "-" || !std::filesystem::is_regular_file(path, ignored)) return "";
  if (!in_place) return ", in place of the file that was there";
  return ", over the file that was there: it is mounted, so that no other can take its name";
}

// Where standard output is the table's, people read standard error.
static Status tell(const std::string& text, const ReleaseFacts& facts) {
  if (facts.output != "-") return print_text(text);
  print_aside(text);
  return {};
}

Status publish(PendingRelease& pending, const ReleaseFacts& facts, const Common& common,
               std::optional<Severity> fail_on) {
  const Status refused =
      refuse_findings(findings_of(pending.result(), facts), fail_on, "the release is not written");
  const bool for_people = !common.json && !common.quiet;
  // Said before anything gets its name: if it cannot be printed, no file appears.
  Status said;
  if (common.json) said = print_json(to_json(pending.result(), facts));
  if (for_people) said = tell(summary(pending.result(), facts, common.verbose), facts);
  if (!said) return said;
  if (!refused) {
    if (for_people) said = tell(fmt::format("\nNot written ({:.1f} s)\n", facts.seconds), facts);
    return said ? refused : said;
  }
  const std::string replaced = replaced_text(facts.output, pending.in_place());
  if (Status kept = pending.commit(common.sync); !kept) return kept;
  if (!for_people) return {};
  const std::string end = end_text(pending.result(), facts, replaced);
  facts.output == "-" ? print_aside(end) : print_afterwards(end);
  return {};
}

}  // namespace semveil::cli
