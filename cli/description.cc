#include "description.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "text_table.h"

namespace semveil::cli {
namespace {

using Align = TextTable::Align;
constexpr std::size_t kConceptWidth = 34;
// More columns make the matrix wider than a page; they are listed in pairs.
constexpr std::size_t kMostInMatrix = 7;
constexpr std::size_t kMatrixCell = 21;

template <class T>
Json or_null(const std::optional<T>& value) {
  return value ? Json(*value) : Json(nullptr);
}

Json column_json(const ColumnDescription& column) {
  Json json;
  json["role"] = to_string(column.role);
  json["distinct"] = column.distinct;
  json["missing"] = column.missing;
  json["unmapped"] = or_null(column.unmapped);
  json["mean"] = column.mean ? to_json(*column.mean) : Json(nullptr);
  json["variance"] = or_null(column.variance);
  json["distance_variance"] = or_null(column.distance_variance);
  if (column.sampled > 0) json["sampled"] = column.sampled;
  json["domain"] = nullptr;
  if (column.domain) {
    json["domain"] = {{"root", to_json(column.domain->root)},
                      {"concepts", column.domain->concepts},
                      {"max_depth", column.domain->max_depth},
                      {"measure", column.domain->measure}};
    if (column.domain->symmetrised) json["domain"]["symmetrised"] = true;
    if (column.domain->candidates < column.domain->concepts) {
      json["domain"]["candidates"] = column.domain->candidates;
      json["domain"]["headings"] = column.domain->headings;
    }
  }
  return json;
}

std::string columns_text(const Description& description) {
  TextTable counts({Align::kLeft, Align::kLeft, Align::kRight, Align::kRight, Align::kRight});
  counts.add({"column", "role", "distinct", "missing", "unmapped"});
  TextTable figures({Align::kLeft, Align::kLeft, Align::kRight, Align::kRight});
  figures.add({"column", "mean", "variance", "distance variance"});
  TextTable domains({Align::kLeft, Align::kLeft, Align::kRight, Align::kRight, Align::kLeft});
  domains.add({"column", "domain", "concepts", "depth", "measure"});
  bool any = false;
  for (const ColumnDescription& c : description.columns) {
    const std::string name = name_cell(c.name);
    counts.add({name, std::string(to_string(c.role)), grouped(c.distinct), grouped(c.missing),
                c.unmapped ? grouped(*c.unmapped) : "-"});
    if (!c.domain && !c.mean) continue;
    any = true;
    figures.add({name, c.mean ? concept_text(*c.mean, kConceptWidth) : "-", figure(c.variance),
                 (c.sampled > 0 ? "~" : "") + figure(c.distance_variance)});
    if (!c.domain) continue;
    domains.add({name, concept_text(c.domain->root, kConceptWidth), grouped(c.domain->concepts),
                 grouped(c.domain->max_depth), c.domain->measure});
  }
  std::string out = counts.text();
  if (any) out += "\n" + figures.text() + "\n" + domains.text();
  return out;
}

std::vector<std::string> paired_columns(const Description& description) {
  std::vector<std::string> names;
  for (const ColumnDescription& c : description.columns) {
    const bool paired = std::ranges::any_of(description.pairs, [&](const PairDescription& p) {
      return p.a == c.name || p.b == c.name;
    });
    if (paired) names.push_back(c.name);
  }
  return names;
}

std::string marked(const PairDescription& pair) {
  return fmt::format("{}{:.4f}{}", pair.sampled > 0 ? "~" : "", pair.distance_correlation,
                     pair.clamped ? "*" : "");
}

std::string matrix_text(const Description& description, const std::vector<std::string>& names) {
  std::vector<Align> align(names.size() + 1, Align::kRight);
  align[0] = Align::kLeft;
  TextTable matrix(align);
  std::vector<std::string> head{""};
  for (const std::string& name : names) head.push_back(shortened(printable(name), kMatrixCell - 1));
  matrix.add(head);
  for (const std::string& a : names) {
    std::vector<std::string> row{name_cell(a)};
    for (const std::string& b : names) {
      const auto pair = std::ranges::find_if(description.pairs, [&](const PairDescription& p) {
        return (p.a == a && p.b == b) || (p.a == b && p.b == a);
      });
      row.push_back(a == b ? "1" : pair == description.pairs.end() ? "-" : marked(*pair));
    }
    matrix.add(row);
  }
  return matrix.text();
}

std::string pairs_text(const Description& description) {
  if (description.pairs.empty()) return "";
  std::string out = "\nDistance correlation\n";
  const std::vector<std::string> names = paired_columns(description);
  if (names.size() <= kMostInMatrix) return out + matrix_text(description, names);
  TextTable pairs({Align::kLeft, Align::kLeft, Align::kRight});
  for (const PairDescription& p : description.pairs) {
    pairs.add({name_cell(p.a), name_cell(p.b), marked(p)});
  }
  return out + pairs.text();
}

std::string classes_text(const Description& description) {
  if (!description.classes) return "\nNo quasi-identifiers are declared: there are no classes.\n";
  const ClassDescription& classes = *description.classes;
  TextTable table({Align::kLeft, Align::kRight});
  table.add({"classes", grouped(classes.count)});
  table.add({"records in the smallest (k)", grouped(classes.smallest)});
  table.add({"records alone in their class", grouped(classes.uniques)});
  return "\nClasses over all quasi-identifiers\n" + table.text();
}

std::string sensitive_text(const Description& description) {
  if (description.sensitive.empty()) return "";
  TextTable table({Align::kLeft, Align::kRight, Align::kRight, Align::kRight, Align::kRight});
  table.add({"sensitive column", "l", "entropy l", "recursive c", "t"});
  for (const SensitiveDescription& s : description.sensitive) {
    table.add(
        {name_cell(s.name), grouped(s.l), figure(s.entropy_l), figure(s.recursive_c), figure(s.t)});
  }
  return "\nWhat a class tells of its sensitive values\n" + table.text();
}

std::string notes_text(const Description& description) {
  std::string out;
  std::uint64_t sampled = 0;
  bool clamped = false;
  for (const PairDescription& p : description.pairs) {
    sampled = std::max(sampled, p.sampled);
    clamped = clamped || p.clamped;
  }
  for (const ColumnDescription& c : description.columns) sampled = std::max(sampled, c.sampled);
  if (sampled > 0) {
    out += wrapped("  ~ ", fmt::format("estimated from a fixed sample of {}: the distinct values "
                                       "are too many for all of them",
                                       counted(sampled, "record", "records")));
  }
  if (clamped) {
    out += wrapped("  * ",
                   "the sum under the root came out negative, which these distances allow, and "
                   "counts as 0");
  }
  if (const std::string both_ways = symmetrised_text(description); !both_ways.empty()) {
    out += wrapped("  ⇄ ", both_ways);
  }
  return out.empty() ? out : "\n" + out;
}

}  // namespace

std::string symmetrised_text(const Description& description) {
  std::set<std::string> measures;
  for (const ColumnDescription& c : description.columns) {
    if (c.domain && c.domain->symmetrised) measures.insert(c.domain->measure);
  }
  if (measures.empty()) return "";
  return fmt::format(
      "distances by {} are the mean of both directions: as published it is not symmetric",
      fmt::join(measures, " and "));
}

std::string measures_text(const Description& description) {
  std::map<std::string, std::vector<std::string>> columns;  // by measure
  for (const ColumnDescription& c : description.columns) {
    if (c.domain) columns[c.domain->measure].push_back(name_cell(c.name));
  }
  if (columns.size() == 1) return columns.begin()->first;
  std::string out;
  for (const auto& [measure, names] : columns) {
    out += fmt::format("{}{} ({})", out.empty() ? "" : "; ", measure, fmt::join(names, ", "));
  }
  return out;
}

Json to_json(const NamedConcept& named) {
  return {{"id", or_null(named.id)}, {"label", named.label}};
}

Json privacy_json(const Description& description) {
  Json json;
  const auto& classes = description.classes;
  json["k"] = classes ? Json(classes->smallest) : Json(nullptr);
  json["uniques"] = classes ? Json(classes->uniques) : Json(nullptr);
  json["sensitive"] = Json::object();
  for (const SensitiveDescription& s : description.sensitive) {
    json["sensitive"][s.name] = {{"l", s.l},
                                 {"entropy_l", s.entropy_l},
                                 {"recursive_c", or_null(s.recursive_c)},
                                 {"t", or_null(s.t)}};
  }
  return json;
}

Json to_json(const Description& description) {
  Json json;
  json["records"] = description.records;
  json["missing_rule"] = to_string(description.missing_rule);
  json["columns"] = Json::object();
  for (const ColumnDescription& c : description.columns) json["columns"][c.name] = column_json(c);
  json["pairs"] = Json::array();
  for (const PairDescription& p : description.pairs) {
    Json pair{{"a", p.a},
              {"b", p.b},
              {"distance_covariance", p.distance_covariance},
              {"distance_correlation", p.distance_correlation}};
    if (p.clamped) pair["clamped"] = true;
    if (p.sampled > 0) pair["sampled"] = p.sampled;
    json["pairs"].push_back(std::move(pair));
  }
  const auto& classes = description.classes;
  json["classes"] = {{"count", classes ? Json(classes->count) : Json(nullptr)},
                     {"smallest", classes ? Json(classes->smallest) : Json(nullptr)},
                     {"uniques", classes ? Json(classes->uniques) : Json(nullptr)}};
  if (!description.sensitive.empty()) json["privacy"] = privacy_json(description);
  return json;
}

Json parameters_json(const std::map<std::string, std::string>& parameters) {
  Json json = Json::object();
  for (const auto& [key, value] : parameters) {
    Json parsed = Json::parse(value, nullptr, false);
    json[key] = parsed.is_discarded() ? Json(value) : std::move(parsed);
  }
  return json;
}

std::string parameters_text(const std::map<std::string, std::string>& parameters) {
  std::string out;
  for (const auto& [key, value] : parameters) {
    const Json parsed = Json::parse(value, nullptr, false);
    out += fmt::format("{}{} {}", out.empty() ? "" : ", ", key,
                       parsed.is_string() ? parsed.get<std::string>() : value);
  }
  return out.empty() ? "none" : out;
}

std::string missing_text(MissingRule rule) {
  switch (rule) {
    case MissingRule::kKeep:
      return "keep: missing cells stay missing and take no part";
    case MissingRule::kCategory:
      return "category: missing is one more value, at distance 1 from all others";
    case MissingRule::kWildcard:
      return "wildcard: a missing cell matches every value when classes are counted";
    case MissingRule::kDropRecord:
      return "drop-record: records with a missing cell are left out";
    case MissingRule::kError:
      return "error: a missing cell is an error";
  }
  return "";
}

std::string concept_text(const NamedConcept& named, std::size_t columns) {
  const std::string label = printable(named.label);
  if (!named.id) return shortened(label.empty() ? "(virtual root)" : label, columns - 1);
  if (*named.id == named.label) return shortened(label, columns - 1);
  const std::string id = fmt::format(" ({})", printable(*named.id));
  if (width(id) + 8 > columns) return shortened(label + id, columns - 1);
  return shortened(label, columns - 1 - width(id)) + id;
}

std::string to_text(const Description& description, const std::string& table) {
  std::string out =
      fmt::format("{}: {}\n", table, counted(description.records, "record", "records"));
  out += wrapped("Missing cells  ", missing_text(description.missing_rule));
  out += "\n" + columns_text(description);
  out += pairs_text(description) + classes_text(description) + sensitive_text(description);
  return out + notes_text(description);
}

}  // namespace semveil::cli
