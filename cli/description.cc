#include "description.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <functional>
#include <map>
#include <nlohmann/json.hpp>

#include "column_table.h"
#include "findings.h"
#include "semveil/release_findings.h"
#include "text_table.h"

namespace semveil::cli {
namespace {

using Align = TextTable::Align;
constexpr std::size_t kConceptWidth = 34;
// More columns make the matrix wider than a page; they are listed in pairs.
constexpr std::size_t kMostInMatrix = 7;
constexpr std::size_t kMatrixCell = 21;
constexpr std::size_t kStrongest = 10;

bool is_semantic(const ColumnDescription& column) { return column.domain || column.mean; }

std::string columns_text(const Description& description, bool verbose) {
  TextTable counts({Align::kLeft, Align::kLeft, Align::kRight, Align::kRight, Align::kRight});
  counts.add({"column", "role", "distinct", "missing", "unmapped"});
  TextTable figures({Align::kLeft, Align::kLeft, Align::kRight, Align::kRight});
  figures.add({"column", "mean", "variance", "distance variance"});
  TextTable domains({Align::kLeft, Align::kLeft, Align::kRight, Align::kRight, Align::kLeft});
  domains.add({"column", "domain", "concepts", "depth", "measure"});
  for (const ColumnDescription& c : description.columns) {
    const std::string name = name_cell(c.name);
    counts.add({name, std::string(to_string(c.role)), grouped(c.distinct), grouped(c.missing),
                c.unmapped ? grouped(*c.unmapped) : "-"});
    if (!is_semantic(c)) continue;
    figures.add({name, c.mean ? concept_text(*c.mean, kConceptWidth) : "-", figure(c.variance),
                 (c.sampled > 0 ? "~" : "") + figure(c.distance_variance)});
    if (!c.domain) continue;
    domains.add({name, concept_text(c.domain->root, kConceptWidth), grouped(c.domain->concepts),
                 grouped(c.domain->max_depth), c.domain->measure});
  }
  std::string out = counts.text();
  const auto semantic = std::ranges::count_if(description.columns, is_semantic);
  if (semantic == 0) return out;
  out += "\n" + figures.text();
  const bool is_many = static_cast<std::size_t>(semantic) >= kManyColumns;
  return is_many && !verbose ? out + "  Their domains: --verbose\n" : out + "\n" + domains.text();
}

std::string numbers_text(const Description& description) {
  TextTable table({Align::kLeft, Align::kRight, Align::kRight, Align::kRight, Align::kRight,
                   Align::kRight, Align::kRight, Align::kRight, Align::kRight, Align::kRight});
  table.add(
      {"numbers", "mean", "deviation", "least", "5 %", "25 %", "50 %", "75 %", "95 %", "greatest"});
  bool any = false;
  for (const ColumnDescription& column : description.columns) {
    if (!column.numeric) continue;
    any = true;
    const NumericSummary& numbers = *column.numeric;
    const auto place = [&](const std::optional<double>& number) {
      return number && numbers.dates ? numbers.written(*number) : figure(number);
    };
    std::vector<std::string> row{name_cell(column.name), place(numbers.mean),
                                 figure(numbers.deviation), place(numbers.min)};
    for (const double quantile : numbers.quantiles) row.push_back(place(quantile));
    row.push_back(place(numbers.max));
    table.add(std::move(row));
  }
  return any ? "\n" + table.text() : "";
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

std::string pairs_text(const Description& description, bool verbose) {
  if (description.pairs.empty()) return "";
  std::string out = "\nDistance correlation\n";
  const std::vector<std::string> names = paired_columns(description);
  if (names.size() <= kMostInMatrix) return out + matrix_text(description, names);
  std::vector<PairDescription> pairs = description.pairs;
  if (!verbose) {
    std::ranges::stable_sort(pairs, std::greater(), &PairDescription::distance_correlation);
    pairs.resize(std::min(pairs.size(), kStrongest));
    out = fmt::format("\nDistance correlation (the {} strongest of {} pairs; all with --verbose)\n",
                      pairs.size(), description.pairs.size());
  }
  TextTable table({Align::kLeft, Align::kLeft, Align::kRight});
  for (const PairDescription& p : pairs) {
    table.add({name_cell(p.a), name_cell(p.b), marked(p)});
  }
  return out + table.text();
}

std::string classes_text(const Description& description) {
  if (!description.classes) return "";
  const ClassDescription& classes = *description.classes;
  TextTable table({Align::kLeft, Align::kRight});
  table.add({"classes", grouped(classes.count)});
  if (classes.records) {
    table.add({"persons in the smallest (k)", grouped(classes.smallest)});
    table.add({"records in the smallest", grouped(classes.records->smallest)});
    table.add({"persons alone in a class of theirs", grouped(classes.uniques)});
    table.add({"records alone in their class", grouped(classes.records->uniques)});
  } else {
    table.add({"records in the smallest (k)", grouped(classes.smallest)});
    table.add({"records alone in their class", grouped(classes.uniques)});
  }
  return "\nClasses over all quasi-identifiers\n" + table.text();
}

std::string sensitive_text(const Description& description) {
  if (description.sensitive.empty()) return "";
  std::vector<Align> aligned{Align::kLeft, Align::kRight, Align::kRight, Align::kRight,
                             Align::kRight};
  std::vector<std::string> head{"sensitive column", "l", "entropy l", "recursive c", "t"};
  const bool tells_persons = description.sensitive.front().most_common.has_value();
  if (tells_persons) {
    aligned.push_back(Align::kRight);
    head.emplace_back("most common");
  }
  TextTable table(std::move(aligned));
  table.add(std::move(head));
  for (const SensitiveDescription& s : description.sensitive) {
    std::vector<std::string> row{name_cell(s.name), grouped(s.l), figure(s.entropy_l),
                                 figure(s.recursive_c), figure(s.t)};
    if (tells_persons) row.push_back(figure(s.most_common));
    table.add(std::move(row));
  }
  return "\nWhat a class tells of its sensitive values\n" + table.text();
}

}  // namespace

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

std::string parameters_text(const std::map<std::string, std::string>& parameters) {
  std::string out;
  for (const auto& [key, value] : parameters) {
    const auto parsed = nlohmann::json::parse(value, nullptr, false);
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

std::string to_text(const Description& description, const std::vector<Finding>& findings,
                    const std::string& table, bool verbose) {
  std::string out = warnings_text(findings);
  out += fmt::format("{}: {}\n", table, counted(description.records, "record", "records"));
  out += wrapped("Missing cells  ", missing_text(description.missing_rule));
  out += "\n" + columns_text(description, verbose);
  out += numbers_text(description) + pairs_text(description, verbose) + classes_text(description) +
         sensitive_text(description);
  return out + notes_text(findings);
}

}  // namespace semveil::cli
