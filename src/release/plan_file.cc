// Plans: from TOML to PlanFile, strictly (docs/formats/plan.md).
//
// Form first (keys, types, values of each table), then meaning (what the tables say of each other);
// of all that is wrong the first line is told. A seed is never quoted: not as a value, and not in
// what the TOML library says of a broken line, which is cut before the text it saw.
#include "semveil/plan_file.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>

#include "base/bytes.h"
#include "base/text.h"
#include "base/toml.h"
#include "release/plan_keys.h"
#include "release/plan_mask.h"
#include "release/plan_reader.h"
#include "semveil/measure.h"

namespace semveil {
namespace {

template <class Enum>
using Names = std::span<const std::pair<std::string_view, Enum>>;

constexpr std::array<std::pair<std::string_view, Role>, 4> kRoles{{
    {"identifier", Role::kIdentifier},
    {"quasi-identifier", Role::kQuasiIdentifier},
    {"sensitive", Role::kSensitive},
    {"other", Role::kOther},
}};
constexpr std::array<std::pair<std::string_view, MissingRule>, 5> kMissingRules{{
    {"keep", MissingRule::kKeep},
    {"category", MissingRule::kCategory},
    {"wildcard", MissingRule::kWildcard},
    {"drop-record", MissingRule::kDropRecord},
    {"error", MissingRule::kError},
}};
constexpr std::array<std::pair<std::string_view, UndeclaredRule>, 3> kUndeclaredRules{{
    {"keep", UndeclaredRule::kKeep},
    {"drop", UndeclaredRule::kDrop},
    {"error", UndeclaredRule::kError},
}};
constexpr std::array<std::pair<std::string_view, UnmappedRule>, 4> kUnmappedRules{{
    {"error", UnmappedRule::kError},
    {"suppress", UnmappedRule::kSuppress},
    {"generalize", UnmappedRule::kGeneralize},
    {"keep", UnmappedRule::kKeep},
}};
constexpr std::array<std::pair<std::string_view, ColumnType>, 3> kTypes{{
    {"nominal", ColumnType::kNominal},
    {"numeric", ColumnType::kNumeric},
    {"text", ColumnType::kText},
}};
constexpr std::array<std::pair<std::string_view, NumericScale>, 2> kScales{{
    {"range", NumericScale::kRange},
    {"deviation", NumericScale::kDeviation},
}};
constexpr std::array<std::pair<std::string_view, WriteAs>, 3> kWrites{{
    {"data", WriteAs::kData},
    {"label", WriteAs::kLabel},
    {"id", WriteAs::kId},
}};
constexpr std::array<std::pair<std::string_view, DomainKind>, 2> kDomains{{
    {"subtree", DomainKind::kSubtree},
    {"branches", DomainKind::kBranches},
}};
constexpr std::array<std::string_view, 2> kSenses{"closest", "first"};
constexpr std::array<std::string_view, 2> kLcsRules{"deepest", "mica"};
constexpr std::array<std::string_view, 3> kDemandKinds{"distinct", "entropy", "recursive"};
constexpr std::array<std::string_view, 3> kIcMeasures{"resnik", "lin", "jiang-conrath"};
// Every scheme of the format, whether or not this version has its loader: the path is resolved, and
// opening the ontology says what is missing.
constexpr std::array<std::string_view, 11> kSchemes{
    "wordnet", "obo", "edges", "vgh", "rf2", "mesh", "owl", "skos", "claml", "icd10cm", "icd9cm"};
constexpr unsigned kMostDecimals = 15;  // a double holds no more
constexpr unsigned kMostDepth = 65535;

template <class Enum, std::size_t kSize>
Names<Enum> names_of(const std::array<std::pair<std::string_view, Enum>, kSize>& names) {
  return names;
}

template <class Enum, std::size_t kSize>
std::string_view name_of(const std::array<std::pair<std::string_view, Enum>, kSize>& names,
                         Enum value) {
  return std::find_if(names.begin(), names.end(), [&](const auto& n) { return n.second == value; })
      ->first;
}

std::string resolved(const std::string& folder, const std::string& path) {
  return (std::filesystem::path(folder) / path).string();
}

bool looks_like_scheme(std::string_view text) {
  return text.size() > 1 && std::ranges::all_of(text, [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
         });
}

// `obo:doid.obo` names a file relative to the plan; `wordnet` alone names none.
void read_source(PlanTable& table, const std::string& folder, std::string& out) {
  std::string source;
  table.text("source", source);
  if (source.empty()) {
    if (!table.has("source")) {
      table.wrong_meaning("source",
                          "no source: write source = \"doid.obo\", \"wordnet\" or the like");
    }
    return;
  }
  out = source;
  if (source == "wordnet") return;
  const std::size_t colon = source.find(':');
  const std::string scheme = source.substr(0, colon);
  if (colon == std::string::npos || !looks_like_scheme(scheme)) {
    out = resolved(folder, source);
    return;
  }
  if (std::ranges::find(kSchemes, scheme) == kSchemes.end()) {
    return table.wrong_form(
        "source",
        fmt::format("source: there is no format {0}; the nearest is {1} (a file "
                    "whose name begins so is written ./{0}:…)",
                    scheme, nearest(scheme, kSchemes)),
        source);
  }
  const std::string path = source.substr(colon + 1);
  if (path.empty()) {
    return table.wrong_form("source", "source: a file name must follow the colon", source);
  }
  out = scheme + ":" + resolved(folder, path);
}

bool at_least_one(double x) { return x >= 1; }
bool positive(double x) { return x > 0; }
bool share(double x) { return x >= 0 && x <= 1; }

void read_demand(PlanTable& demand, Demand& out) {
  demand.choice("kind", kDemandKinds, out.kind);
  demand.number("l", "of at least 1", at_least_one, out.l);
  std::optional<double> p;
  demand.number("p", "of at least 1", at_least_one, p);
  demand.number("c", "above 0", positive, out.c);
  demand.number("t", "from 0 to 1", share, out.t);
  if (demand.has("p") && demand.has("l")) {
    demand.wrong_form("p", "demand: p is another name for l; write one of the two");
  } else if (demand.has("p") && out.kind != "distinct") {
    demand.wrong_form("p", "demand: p counts distinct values; write l with this kind");
  }
  if (p) out.l = p;
  if (demand.has("c") && out.kind != "recursive") {
    demand.wrong_form("c", "demand: c belongs to kind = \"recursive\"");
  }
  const bool has_l = demand.has("l") || demand.has("p");
  if (demand.has("kind") && !has_l) demand.wrong_form("kind", "demand: kind needs an l");
  if (!has_l && !demand.has("t")) {
    demand.wrong_meaning("l", "demand: nothing is demanded; write l, p or t");
  }
  if (out.l && out.kind != "entropy" && *out.l != std::floor(*out.l)) {
    demand.wrong_form(demand.has("p") ? "p" : "l",
                      "demand: expected a whole number; only kind = \"entropy\" takes fractions");
  }
}

class PlanReading {
 public:
  PlanReading(const std::string& name, const std::string& folder) : notes_(name) {
    plan_.path = name;
    plan_.folder = folder;
  }

  Result<PlanFile> read(toml::table& root, const std::map<std::string, std::string>& overrides) {
    PlanTable top(root, "", plan_keys(""), notes_);
    read_top(top);
    for (const auto& [name, table] : top.tables("ontology")) {
      PlanTable ontology(*table, fmt::format("[ontology.{}]", name), plan_keys("[ontology.NAME]"),
                         notes_);
      read_source(ontology, plan_.folder, plan_.ontologies[name]);
    }
    for (const auto& [name, table] : top.tables("column")) {
      PlanTable column(*table, fmt::format("[column.{}]", name), plan_keys("[column.NAME]"), notes_,
                       name);
      ColumnPlan& plan = plan_.columns.emplace_back();
      plan.name = name;
      plan.line = column.line();
      read_column(column, plan);
    }
    toml::table none;  // the options may be all there is
    const bool declared = top.table("mask", "[mask]") != nullptr;
    if (declared || !overrides.empty()) {
      read_mask(declared ? *root["mask"].as_table() : none, overrides, plan_, notes_);
    }
    if (std::optional<Error> error = std::move(notes_).take()) return fail(*std::move(error));
    return std::move(plan_);
  }

 private:
  void read_top(PlanTable& top) {
    std::string seed;
    top.text("seed", seed);
    if (!seed.empty()) plan_.seed = std::move(seed);
    top.text("release", plan_.release);
    top.choice("missing", names_of(kMissingRules), plan_.missing);
    top.choice("undeclared", names_of(kUndeclaredRules), plan_.undeclared);
    top.flag("shuffle", plan_.shuffle);
    top.texts("missing_values", PlanTable::Empty::kYes, plan_.missing_values);
    if (const toml::table* table = top.table("csv", "[csv]")) {
      PlanTable csv(*table, "[csv]", plan_keys("[csv]"), notes_);
      csv.character("separator", plan_.separator);
      csv.character("quote", plan_.quote);
      if (plan_.separator && plan_.separator == plan_.quote) {
        csv.wrong_form("quote", "quote: the separator is the same character");
      }
    }
  }

  void read_column(PlanTable& column, ColumnPlan& plan) {
    column.choice("role", names_of(kRoles), plan.role);
    column.choice("type", names_of(kTypes), plan.type);
    column.text("ontology", plan.ontology);
    column.text("root", plan.root);
    column.choice("domain", names_of(kDomains), plan.domain);
    column.choice("measure", measure_names(), plan.measure);
    column.text("ic", plan.ic);
    if (plan.ic != "seco" && plan.ic != "sanchez") plan.ic = resolved(plan_.folder, plan.ic);
    column.choice("lcs", kLcsRules, plan.lcs);
    column.choice("senses", kSenses, plan.senses);
    column.text("mapping", plan.mapping);
    if (!plan.mapping.empty()) plan.mapping = resolved(plan_.folder, plan.mapping);
    column.choice("unmapped", names_of(kUnmappedRules), plan.unmapped);
    column.choice("write", names_of(kWrites), plan.write);
    column.texts("deny", PlanTable::Empty::kNo, plan.deny);
    column.flag("leaves_only", plan.leaves_only);
    column.whole("min_depth", 1, kMostDepth, plan.min_depth);
    column.choice("scale", names_of(kScales), plan.scale);
    if (column.has("decimals")) {
      plan.decimals = 0;
      column.whole("decimals", 0, kMostDecimals, *plan.decimals);
    }
    if (const toml::table* table = column.table("demand", "demand = {l = 3}")) {
      PlanTable demand(*table, "demand", plan_keys("demand"), notes_, plan.name);
      read_demand(demand, plan.demand.emplace());
    }
    check_column(column, plan);
  }

  void check_column(PlanTable& column, const ColumnPlan& plan) {
    if (!plan.ontology.empty() && !plan_.ontologies.contains(plan.ontology)) {
      std::vector<std::string_view> declared;
      for (const auto& [name, source] : plan_.ontologies) declared.push_back(name);
      column.wrong_meaning(
          "ontology",
          declared.empty()
              ? fmt::format("no ontology is declared; add [ontology.{}] with its source",
                            plan.ontology)
              : fmt::format("there is no [ontology.{}]; the nearest declared one is {}",
                            plan.ontology, nearest(plan.ontology, declared)));
    }
    if (plan.type == ColumnType::kNumeric) {
      if (column.has("ontology")) {
        column.wrong_meaning("ontology",
                             "a numeric column has no ontology; leave one of the two out");
      }
    } else {
      for (const std::string_view key : {"scale", "decimals"}) {
        if (!column.has(key)) continue;
        column.wrong_meaning(key,
                             fmt::format("{} is for numbers; add type = \"numeric\" or leave it "
                                         "out",
                                         key));
      }
    }
    if (!column.has("ontology")) {
      for (const std::string_view key :
           {"root", "domain", "measure", "ic", "lcs", "senses", "mapping", "unmapped", "write",
            "deny", "leaves_only", "min_depth"}) {
        if (!column.has(key)) continue;
        column.wrong_meaning(
            key, fmt::format("{} needs an ontology; add ontology = \"NAME\" to this column", key));
      }
    }
    if (plan.lcs == "mica" && std::ranges::find(kIcMeasures, plan.measure) == kIcMeasures.end()) {
      column.wrong_meaning("lcs",
                           fmt::format("lcs = \"mica\" needs a measure on information content "
                                       "({}); {} counts links",
                                       either(kIcMeasures), plan.measure));
    }
    if (plan.demand && plan.role != Role::kSensitive) {
      column.wrong_meaning(
          "demand", "demand is for sensitive columns; add role = \"sensitive\" or leave it out");
    }
  }

  PlanNotes notes_;
  PlanFile plan_;
};

// What the TOML library says of a broken line, without what it quotes from it, unless that is a key
// of plans or one sign: it may be the seed.
std::string without_quotes(std::string_view said) {
  const auto harmless = [](std::string_view quoted) {
    if (quoted.size() == 1 || quoted == "true" || quoted == "false") return true;
    return std::ranges::any_of(plan_sections(), [&](const PlanSection& section) {
      return std::ranges::find(section.keys, quoted) != section.keys.end();
    });
  };
  said = said.substr(0, said.find(", saw '"));
  for (std::size_t open = said.find('\''); open != std::string_view::npos;) {
    const std::size_t close = said.find('\'', open + 1);
    if (close == std::string_view::npos || !harmless(said.substr(open + 1, close - open - 1))) {
      said = said.substr(0, open);
      break;
    }
    open = said.find('\'', close + 1);
  }
  while (said.ends_with(' ') || said.ends_with(':')) said.remove_suffix(1);
  return std::string(said);
}

Error broken(const toml::parse_error& wrong) {
  constexpr std::string_view kTwice = "cannot redefine";
  const std::string said = without_quotes(wrong.description());
  if (said.find(kTwice) != std::string::npos) {
    return data_error("this key or table stands in the plan already; keep one of the two");
  }
  constexpr std::string_view kOpening = "Error while ";
  return data_error(
      fmt::format("not valid TOML ({}); check the quotes and brackets here",
                  std::string_view(said).substr(said.starts_with(kOpening) ? kOpening.size() : 0)));
}

std::uint64_t line_at(std::string_view text, std::size_t offset) {
  return 1 + static_cast<std::uint64_t>(std::ranges::count(text.substr(0, offset), '\n'));
}

}  // namespace

std::string_view to_string(Role role) { return name_of(kRoles, role); }
std::string_view to_string(MissingRule rule) { return name_of(kMissingRules, rule); }
std::string_view to_string(UnmappedRule rule) { return name_of(kUnmappedRules, rule); }
std::string_view to_string(WriteAs write) { return name_of(kWrites, write); }

Result<PlanFile> PlanFile::read(const std::string& path,
                                const std::map<std::string, std::string>& overrides) {
  const Result<FileBytes> file = FileBytes::read(path);
  if (!file) return fail(file.error());
  return parse(file->view(), path, overrides);
}

Result<PlanFile> PlanFile::parse(std::string_view text, const std::string& name,
                                 const std::map<std::string, std::string>& overrides) {
  if (const std::size_t at = find_invalid_utf8(text); at != std::string_view::npos) {
    return fail(
        data_error("this is not valid UTF-8: save the plan as UTF-8").at(name, line_at(text, at)));
  }
  toml::table root;
  try {
    root = toml::parse(text);
  } catch (const toml::parse_error& wrong) {
    return fail(broken(wrong).at(name, wrong.source().begin.line));
  }
  return PlanReading(name, std::filesystem::path(name).parent_path().string())
      .read(root, overrides);
}

const ColumnPlan* PlanFile::find(std::string_view column) const {
  const auto at = std::ranges::find(columns, column, &ColumnPlan::name);
  return at == columns.end() ? nullptr : &*at;
}

}  // namespace semveil
