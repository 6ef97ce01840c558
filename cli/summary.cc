#include "summary.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "description.h"
#include "findings.h"
#include "risk_summary.h"
#include "semveil/finding_guide.h"
#include "semveil/method.h"
#include "set_summary.h"
#include "telling.h"
#include "text_table.h"

namespace semveil::cli {
namespace {

using Align = TextTable::Align;
constexpr std::size_t kConceptWidth = 26;

const ColumnDescription* column_of(const std::optional<Description>& description,
                                   const std::string& name) {
  if (!description) return nullptr;
  const auto at = std::ranges::find(description->columns, name, &ColumnDescription::name);
  return at == description->columns.end() ? nullptr : &*at;
}

std::vector<std::string> unmasked_quasi_identifiers(const MaskResult& result) {
  std::vector<std::string> names;
  for (const Survey::PassedThrough& column : result.unmasked) {
    const ColumnDescription* known = column_of(result.after, column.name);
    if (known != nullptr && known->role == Role::kQuasiIdentifier) names.push_back(column.name);
  }
  return names;
}

// ---- Warnings -----------------------------------------------------------------------------------

bool nearly_unique(const Survey::PassedThrough& column) {
  return column.distinct * 2 > column.sampled;
}

std::string first_warnings(const MaskResult& result, const ReleaseFacts& facts) {
  std::string out;
  const std::uint64_t single = result.single_origin.value_or(0);
  if (single > 0) {
    out += wrapped("WARNING  ",
                   fmt::format("{} of {} {} a released value that only one original value can have "
                               "led to: the method does not protect them. Choose another method, "
                               "or a wider root for the column.",
                               grouped(single), counted(result.records, "record", "records"),
                               single == 1 ? "has" : "have"));
  }
  std::vector<std::string> telling;
  for (const Survey::PassedThrough& column : result.unmasked) {
    if (nearly_unique(column)) telling.push_back(column.name);
  }
  if (!telling.empty()) {
    out += wrapped(
        "WARNING  ",
        fmt::format("NOT MASKED, and more than half of the values are distinct: {}. Whoever knows "
                    "such a value finds the record. Declare the column an identifier (it is "
                    "dropped), or mask it.",
                    listed(telling)));
  }
  out += telling_warning(result.unmasked);
  if (method_named(facts.method).looks_up()) {
    const std::vector<std::string> left = unmasked_quasi_identifiers(result);
    if (!left.empty()) {
      out += wrapped("WARNING  ",
                     fmt::format("QUASI-IDENTIFIERS ARE NOT MASKED: {}. Whoever knows them finds "
                                 "smaller classes than k: see those over all quasi-identifiers.",
                                 listed(left)));
    }
  }
  std::vector<std::string> unchanged;
  for (const MaskedColumn& column : result.masked) {
    if (column.cells > 0 && column.changed == 0 && result.after) unchanged.push_back(column.name);
  }
  if (!unchanged.empty()) {
    out += wrapped(
        "WARNING  ",
        fmt::format(
            "NO CELL CHANGED: {}. The values come out as they went in{}.", listed(unchanged),
            method_named(facts.method).deals()      ? ": its values are more frequent than k, or "
                                                      "there was nobody to swap with; choose a "
                                                      "greater k, or another method"
            : method_named(facts.method).looks_up() ? ": its values had k records already"
                                                    : ""));
  }
  if (result.swapped && result.swapped->unchanged_uniques * 2 > result.swapped->uniques) {
    out += wrapped("WARNING  ",
                   fmt::format("{} of {} with values of their own come out as they were: choose a "
                               "greater k, exhausted = \"extend\", or another method.",
                               grouped(result.swapped->unchanged_uniques),
                               counted(result.swapped->uniques, "record", "records")));
  }
  for (const Finding& finding : result.findings) {
    const bool warns =
        finding.severity == Severity::kDanger || finding.severity == Severity::kWarning;
    if (!warns) continue;
    const FindingGuide* const guide = finding_guide(finding.id);
    const bool can_be_mended = guide != nullptr && !guide->remedy.empty();
    out += wrapped("WARNING  ", can_be_mended
                                    ? fmt::format("{} {}", printable(finding.text), guide->remedy)
                                    : printable(finding.text));
  }
  std::vector<std::string> betraying;
  for (const MaskedColumn& column : result.masked) {
    const bool invents = method_named(facts.method).invents_concepts;
    const ColumnDescription* known = column_of(result.after, column.name);
    const bool is_word = known != nullptr && known->domain;
    if (invents && is_word && column.write == WriteAs::kData) betraying.push_back(column.name);
  }
  if (!betraying.empty()) {
    out += wrapped("WARNING  ",
                   fmt::format("write = \"data\" shows which of the released values occur in the "
                               "original: {}. Use \"label\" or \"id\".",
                               listed(betraying)));
  }
  out += persons_text(result, facts) + set_warnings(result, facts);
  return out.empty() ? out : out + "\n";
}

// ---- What was done ------------------------------------------------------------------------------

std::string key_text(const ReleaseFacts& facts) {
  if (!method_named(facts.method).draws) {
    return "none: the method draws nothing, so the same table always comes out the same";
  }
  switch (facts.key) {
    case KeyOrigin::kFresh:
      return "drawn for this run and kept nowhere: the release cannot be repeated";
    case KeyOrigin::kSeed:
      return "from a seed: who guesses the seed can undo the release";
    case KeyOrigin::kModel:
      return "from the model: who holds the model can undo the release";
    case KeyOrigin::kKeyFile:
      return "from a file: who holds the file can undo the release";
  }
  return "";
}

std::string agreement_text(const ReleaseFacts& facts) {
  const bool again = facts.key != KeyOrigin::kFresh;
  if (!facts.draw_by.empty()) {
    const auto is = [&](const std::string& key, std::string_view value) {
      const auto found = facts.parameters.find(key);
      return found != facts.parameters.end() && found->second == value;
    };
    const bool joined = is("correlated", "true") || is("reference", "\"pair\"");
    const std::string rows =
        fmt::format("drawn by {}: the same person with the same {} has the same {} in every row",
                    name_cell(facts.draw_by), joined ? "values in all masked columns" : "value",
                    method_named(facts.method).releases_sets ? "set" : "replacement");
    return rows + (again ? ", and in every release by this very model (fit once, then apply): "
                           "these releases agree"
                         : " of this release");
  }
  const std::string named =
      facts.release.empty() ? "" : fmt::format("'{}'; ", shortened(printable(facts.release), 40));
  if (method_named(facts.method).looks_up()) {
    return named +
           "the groups were made for this table alone. Releases of changed tables do not agree: "
           "who "
           "holds several can compare them";
  }
  if (method_named(facts.method).deals()) {
    return named +
           "the values were dealt out for this release alone. Releases of changed tables or other "
           "names do not agree: who holds several can compare them";
  }
  if (method_named(facts.method).releases_sets) {
    return named +
           "sets are drawn per row. Releases of changed tables or other names do not agree: who "
           "holds several intersects their sets (draw_by in the plan prevents it)";
  }
  return named +
         "errors are drawn per row. Releases of changed tables or other names do not agree: who "
         "holds several can compare them (draw_by in the plan prevents it)";
}

std::string head_text(const MaskResult& result, const ReleaseFacts& facts) {
  std::vector<std::string> masked;
  for (const MaskedColumn& column : result.masked) masked.push_back(column.name);
  std::string records = grouped(result.records);
  if (result.dropped_records > 0) {
    records += fmt::format("; {} left out for a missing cell", grouped(result.dropped_records));
  }
  std::string out = fmt::format("{}: masked by {}\n", facts.table, facts.method);
  out += wrapped("  records      ", records);
  out += wrapped("  columns      ", listed(masked));
  out += wrapped("  parameters   ", parameters_text(facts.parameters));
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
    std::string measures = measures_text(*described);
    if (const std::string both_ways = symmetrised_text(*described); !both_ways.empty()) {
      measures += "; " + both_ways;
    }
    if (!measures.empty()) out += wrapped("  measure      ", measures);
  }
  if (!result.dropped_columns.empty()) {
    out += wrapped("  left out     ", listed(result.dropped_columns));
  }
  out += wrapped("  key          ", key_text(facts));
  out += wrapped("  release      ", agreement_text(facts));
  out += wrapped("  order        ",
                 facts.shuffle ? "the rows come out in a random order"
                               : "the rows keep their order, which joins this release to others of "
                                 "the same table: shuffle = true in the plan is recommended");
  return out;
}

// ---- Columns ------------------------------------------------------------------------------------

std::string cells_text(const MaskedColumn& column, const ReleaseFacts& facts) {
  const bool in_classes = method_named(facts.method).forms_classes;
  const bool by_value =
      method_named(facts.method).takes_several_ontologies && column.write == WriteAs::kData;
  std::string out = wrapped("  changed    ", fmt::format("{} of {}, {}", grouped(column.changed),
                                                         counted(column.cells, "cell", "cells"),
                                                         percent(column.changed, column.cells)));
  if (column.among_equals > 0) {
    out += wrapped("  frequent   ",
                   fmt::format("{}, {}: more than k are like them, and change places with them",
                               counted(column.among_equals, "cell", "cells"),
                               percent(column.among_equals, column.cells)));
  }
  if (column.without_partner) {
    out += wrapped(
        "  no partner ",
        fmt::format(
            "{}, {}{}", counted(*column.without_partner, "cell", "cells"),
            percent(*column.without_partner, column.cells),
            *column.without_partner > 0 ? ": nobody within reach was left; they stay" : ""));
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
  std::string missing = counted(column.missing, "cell", "cells");
  if (column.filled > 0) missing += fmt::format("; {} got a value", grouped(column.filled));
  if (column.emptied > 0) missing += fmt::format("; {} lost theirs", grouped(column.emptied));
  out += wrapped("  missing    ", missing);
  std::string unmapped;
  const auto mention = [&](std::uint64_t cells, std::string_view what) {
    if (cells == 0) return;
    unmapped +=
        fmt::format("{}{} {}", unmapped.empty() ? "" : ", ", counted(cells, "cell", "cells"), what);
  };
  mention(column.suppressed, in_classes ? "taken as missing" : "emptied");
  mention(column.generalized, in_classes ? "taken as the root" : "replaced by the root");
  mention(column.kept, "LEFT AS THEY WERE");
  out += wrapped("  unmapped   ", unmapped.empty() ? "none" : unmapped);
  if (column.ambiguous > 0) {
    out += wrapped(
        "  senses     ",
        fmt::format("{} of several senses: {}", counted(column.ambiguous, "value", "values"),
                    by_value ? "in every comparison the closest counts"
                             : "the one closest to the rest was taken; `semveil map` "
                               "shows which, a mapping file corrects it"));
  }
  return out;
}

// What a method may put in a value's place, where that is not the whole domain.
std::string candidates_text(const ColumnDescription* described, const ReleaseFacts& facts) {
  if (!method_named(facts.method).chooses_candidates || described == nullptr || !described->domain)
    return "";
  const auto& domain = *described->domain;
  if (domain.candidates >= domain.concepts) return "";
  std::string text =
      fmt::format("{} of {}", grouped(domain.candidates),
                  counted(domain.concepts, "concept of the domain", "concepts of the domain"));
  if (domain.headings > 0) {
    text += fmt::format(
        ": {} without a code of their own (chapters, sections, ranges) count in "
        "depths and distances alone (candidates = \"all\" draws them, too)",
        grouped(domain.headings));
  }
  return wrapped("  drawn from ", text);
}

std::string column_text(const MaskedColumn& column, const MaskResult& result,
                        const ReleaseFacts& facts) {
  if (column.set) return set_column_text(column, result, facts);
  const ColumnDescription* before = column_of(result.before, column.name);
  const ColumnDescription* after = column_of(result.after, column.name);
  const std::optional<double> alpha =
      method_named(facts.method).aims_at_variance ? number_in(facts, "alpha") : std::nullopt;
  const auto mean = [](const ColumnDescription* c) {
    return c != nullptr && c->mean ? concept_text(*c->mean, kConceptWidth) : "-";
  };
  const auto variance = [](const ColumnDescription* c) {
    return c != nullptr ? c->variance : std::nullopt;
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
             column.target_rmse ? figure(column.target_rmse) + "  of the errors drawn" : ""});
  table.add({"distinct", distinct(before), distinct(after)});
  return fmt::format("\nColumn {}\n", name_cell(column.name)) + table.text() +
         candidates_text(before != nullptr ? before : after, facts) + cells_text(column, facts);
}

// ---- Before and after ---------------------------------------------------------------------------

std::string correlations_text(const MaskResult& result) {
  if (!result.after || result.after->pairs.empty()) return "";
  TextTable table({Align::kLeft, Align::kLeft, Align::kRight, Align::kRight});
  table.add({"", "", "before", "after"});
  bool estimated = false;
  for (const PairDescription& pair : result.after->pairs) {
    std::string before = "-";
    if (result.before) {
      for (const PairDescription& p : result.before->pairs) {
        if (p.a != pair.a || p.b != pair.b) continue;
        before = fmt::format("{}{:.4f}", p.sampled > 0 ? "~" : "", p.distance_correlation);
        estimated = estimated || p.sampled > 0;
      }
    }
    estimated = estimated || pair.sampled > 0;
    table.add({name_cell(pair.a), name_cell(pair.b), before,
               fmt::format("{}{:.4f}", pair.sampled > 0 ? "~" : "", pair.distance_correlation)});
  }
  return "\nDistance correlation\n" + table.text() +
         (estimated ? "  ~ estimated from a fixed sample of the records\n" : "");
}

std::string unmasked_text(const MaskResult& result) {
  if (result.unmasked.empty()) return "\nEvery column that is released is masked.\n";
  std::vector<std::string> names;
  for (const Survey::PassedThrough& column : result.unmasked) names.push_back(column.name);
  const std::vector<std::string> telling = unmasked_quasi_identifiers(result);
  std::string out;
  if (!telling.empty()) {
    out = "\n" + wrapped("Quasi-identifiers that are NOT masked: ", listed(telling));
  }
  return out + "\n" + wrapped("Not masked, released as they are: ", listed(names));
}

std::string end_text(const ReleaseFacts& facts) {
  std::string out =
      facts.output == "-" ? "\nWritten to standard output" : "\nWritten to " + facts.output;
  if (!facts.trace.empty()) {
    out += fmt::format("; the trace {} undoes the release: keep it secret", facts.trace);
  }
  return out + fmt::format(" ({:.1f} s)\n", facts.seconds);
}

template <class T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

void add_noise_pairs(const MaskResult& result, Json& pairs) {
  for (Json& pair : pairs) {
    pair["covariance_expected"] = nullptr;
    pair["covariance_error"] = nullptr;
    for (const NoisePair& noisy : result.noise_pairs) {
      if (pair["a"] != noisy.a || pair["b"] != noisy.b) continue;
      pair["covariance_expected"] = noisy.expected_covariance;
      pair["covariance_error"] = noisy.covariance_error;
    }
  }
}

void add_masked(const MaskedColumn& column, Json& json) {
  if (!json.contains("missing")) json["missing"] = column.missing;
  json["rmse"] = or_null(column.rmse);
  json["target_rmse"] = or_null(column.target_rmse);
  json["mean_distance"] = or_null(column.mean_distance);
  json["mean_error"] = or_null(column.mean_error);
  json["variance_expected"] = or_null(column.expected_variance);
  json["variance_drawn"] = or_null(column.drawn_variance);
  json["cells"] = column.cells;
  json["changed"] = column.changed;
  json["truncated"] = truncated_cells(column.rules);
  if (column.without_partner) json["no_partner"] = *column.without_partner;
  json["rules"] = Json::object();
  for (std::size_t i = 0; i < kRules; ++i) {
    json["rules"][std::string(to_string(static_cast<Rule>(i)))] = column.rules[i];
  }
  json["unmapped_cells"] = {{"suppressed", column.suppressed},
                            {"generalized", column.generalized},
                            {"kept", column.kept}};
}

}  // namespace

ReleaseFacts facts_of(const Model& model) {
  ReleaseFacts facts;
  facts.method = model.method();
  facts.parameters = model.parameters();
  facts.release = model.release();
  facts.shuffle = model.shuffles();
  if (const auto at = facts.parameters.find("draw_by"); at != facts.parameters.end()) {
    const Json name = Json::parse(at->second, nullptr, false);
    facts.draw_by = name.is_string() ? name.get<std::string>() : at->second;
  }
  return facts;
}

std::string summary(const MaskResult& result, const ReleaseFacts& facts) {
  std::string out = first_warnings(result, facts) + head_text(result, facts);
  for (const MaskedColumn& column : result.masked) out += column_text(column, result, facts);
  out += correlations_text(result) + sets_text(result) + risk_text(result, facts);
  return out + unmasked_text(result) + end_text(facts);
}

Json to_json(const MaskResult& result, const ReleaseFacts& facts) {
  Json json = result.after ? to_json(*result.after) : Json{{"records", result.records}};
  json["method"] = facts.method;
  json["parameters"] = parameters_json(facts.parameters);
  json["changed"] = result.changed;
  json["truncated"] = result.truncated;
  json["seconds"] = facts.seconds;
  json["single_origin"] = or_null(result.single_origin);
  if (result.classes) add_classes(*result.classes, facts, json);
  if (result.sets) add_sets(result, json);
  if (result.swapped) {
    std::uint64_t kept = 0;
    for (const MaskedColumn& column : result.masked) kept += column.without_partner.value_or(0);
    json["kept"] = kept;
    json["uniques_before"] = result.swapped->uniques;
    json["unchanged_uniques"] = result.swapped->unchanged_uniques;
    json["risk"] = result.swapped->risk;
  }
  json["unmasked"] = Json::array();
  for (const Survey::PassedThrough& column : result.unmasked) {
    json["unmasked"].push_back(column.name);
  }
  const bool looked =
      result.unmasked.empty() ||
      std::ranges::any_of(result.unmasked, [](const auto& c) { return c.sampled > 0; });
  json["tells"] = looked ? telling_json(result.unmasked) : Json(nullptr);
  json["findings"] = to_json(result.findings);
  if (json.contains("pairs")) add_noise_pairs(result, json["pairs"]);
  json["dropped"] = result.dropped_columns;
  json["dropped_records"] = result.dropped_records;
  if (!json.contains("columns")) json["columns"] = Json::object();
  for (auto& [name, column] : json["columns"].items()) {
    column["rmse"] = nullptr;
    column["target_rmse"] = nullptr;
  }
  for (const MaskedColumn& column : result.masked) {
    if (column.set) {
      json["columns"][column.name] = set_column_json(column, result);
    } else {
      add_masked(column, json["columns"][column.name]);
    }
  }
  return json;
}

static Status print_summary(const MaskResult& result, const ReleaseFacts& facts,
                            const Common& common) {
  if (common.json) return print_json(to_json(result, facts));
  if (common.quiet) return {};
  const std::string text = summary(result, facts);
  if (facts.output != "-") return print_text(text);
  print_aside(text);
  return {};
}

Status publish(PendingRelease& pending, const ReleaseFacts& facts, const Common& common) {
  const Status said = print_summary(pending.result(), facts, common);
  return said ? pending.commit() : said;
}

}  // namespace semveil::cli
