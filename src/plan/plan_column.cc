#include "plan/plan_column.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <filesystem>

#include "base/choices.h"
#include "base/date_text.h"
#include "base/pseudonym.h"
#include "plan/plan_categories.h"
#include "plan/plan_hierarchy.h"
#include "plan/plan_keys.h"
#include "semveil/cross_references.h"
#include "semveil/measure.h"
#include "semveil/plan_text.h"

namespace semveil {
namespace {

constexpr Choices<Role, 5> kRoles{{
    {"identifier", Role::kIdentifier},
    {"quasi-identifier", Role::kQuasiIdentifier},
    {"sensitive", Role::kSensitive},
    {"other", Role::kOther},
    {"pseudonym", Role::kPseudonym},
}};
constexpr Choices<UnmappedRule, 4> kUnmappedRules{{
    {"error", UnmappedRule::kError},
    {"suppress", UnmappedRule::kSuppress},
    {"generalize", UnmappedRule::kGeneralize},
    {"keep", UnmappedRule::kKeep},
}};
constexpr Choices<ColumnType, 4> kTypes{{
    {"nominal", ColumnType::kNominal},
    {"numeric", ColumnType::kNumeric},
    {"text", ColumnType::kText},
    {"date", ColumnType::kDate},
}};
constexpr Choices<NumericScale, 2> kScales{{
    {"range", NumericScale::kRange},
    {"deviation", NumericScale::kDeviation},
}};
constexpr Choices<WriteAs, 3> kWrites{{
    {"data", WriteAs::kData},
    {"label", WriteAs::kLabel},
    {"id", WriteAs::kId},
}};
constexpr Choices<DomainKind, 2> kDomains{{
    {"subtree", DomainKind::kSubtree},
    {"branches", DomainKind::kBranches},
}};
constexpr Choices<CandidateKind, 2> kCandidates{{
    {"all", CandidateKind::kAll},
    {"codes", CandidateKind::kCodes},
}};
constexpr std::array<std::string_view, 2> kSenses{"closest", "first"};
constexpr std::array<std::string_view, 2> kLcsRules{"deepest", "mica"};
constexpr Choices<DiversityKind, 3> kDemandKinds{{
    {"distinct", DiversityKind::kDistinct},
    {"entropy", DiversityKind::kEntropy},
    {"recursive", DiversityKind::kRecursive},
}};
constexpr std::array<std::string_view, 3> kIcMeasures{"resnik", "lin", "jiang-conrath"};
constexpr unsigned kMostDecimals = 15;  // a double holds no more

// Every scheme of the format, whether or not this version has its loader: the path is resolved, and
// opening the ontology says what is missing.
constexpr std::array<std::string_view, 11> kSchemes{
    "wordnet", "obo", "edges", "vgh", "rf2", "mesh", "owl", "skos", "claml", "icd10cm", "icd9cm"};

std::string resolved(const std::string& folder, const std::string& path) {
  return (std::filesystem::path(folder) / path).string();
}

bool looks_like_scheme(std::string_view text) {
  return text.size() > 1 && std::ranges::all_of(text, [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
         });
}

bool at_least_one(double x) { return x >= 1; }

void read_demand(PlanTable& demand, Demand& out) {
  demand.choice("kind", kDemandKinds, out.kind);
  demand.number("l", "of at least 1", at_least_one, out.l);
  std::optional<double> p;
  demand.number("p", "of at least 1", at_least_one, p);
  demand.number("c", "above 0", is_positive, out.c);
  demand.number("t", "from 0 to 1", is_share, out.t);
  if (demand.has("p") && demand.has("l")) {
    demand.wrong_form("p", "demand: p is another name for l; write one of the two");
  } else if (demand.has("p") && out.kind != DiversityKind::kDistinct) {
    demand.wrong_form("p", "demand: p counts distinct values; write l with this kind");
  }
  if (p) out.l = p;
  if (demand.has("c") && out.kind != DiversityKind::kRecursive) {
    demand.wrong_form("c", "demand: c belongs to kind = \"recursive\"");
  }
  const bool has_l = demand.has("l") || demand.has("p");
  if (demand.has("kind") && !has_l) demand.wrong_form("kind", "demand: kind needs an l");
  if (!has_l && !demand.has("t")) {
    demand.wrong_meaning("l", "demand: nothing is demanded; write l, p or t");
  }
  if (out.l && out.kind != DiversityKind::kEntropy && *out.l != std::floor(*out.l)) {
    demand.wrong_form(demand.has("p") ? "p" : "l",
                      "demand: expected a whole number; only kind = \"entropy\" takes fractions");
  }
}

// What speaks of the concepts of one taxonomy.
void check_several(PlanTable& column, const ColumnSettings& plan) {
  for (const std::string_view key :
       {"root", "domain", "deny", "leaves_only", "min_depth", "candidates", "ic", "via", "mapping",
        "categories", "levels"}) {
    if (!column.has(key)) continue;
    column.wrong_meaning(
        key, key == "root"
                 ? "root belongs to one ontology, and this column has several; write it "
                   "behind the source: source = \"FILE?root=CONCEPT\""
                 : fmt::format("{} needs a single ontology; this column has several", key));
  }
  if (plan.write && *plan.write != WriteAs::kData) {
    column.wrong_meaning("write",
                         "a column with several ontologies is written as the data has it: "
                         "write = \"data\"");
  }
}

void read_pseudonym(PlanTable& column, ColumnSettings& plan) {
  PseudonymSettings& pseudonym = plan.pseudonym.emplace();
  column.choice("format", kPseudonymFormWords, pseudonym.format);
  column.flag("across", pseudonym.across);
  if (column.has("length")) {
    pseudonym.length = 1;
    column.whole("length", 1, kLongestPseudonym, *pseudonym.length);
  }
  if (plan.type != ColumnType::kNominal || column.has("ontology")) {
    column.wrong_meaning("role", "a pseudonym stands for a text: leave type and ontology out");
  }
}

// Keys of numbers and of dates.
void check_line(PlanTable& column, const ColumnSettings& plan) {
  if (is_on_a_line(plan) && column.has("ontology")) {
    column.wrong_meaning(
        "ontology",
        fmt::format("a {} column has no ontology; leave one of the two out", to_string(plan.type)));
  }
  for (const std::string_view key : {"scale", "decimals"}) {
    const bool fits =
        plan.type == ColumnType::kNumeric || (plan.type == ColumnType::kDate && key == "scale");
    if (fits || !column.has(key)) continue;
    column.wrong_meaning(
        key, fmt::format("{} is for numbers; add type = \"numeric\" or leave it out", key));
  }
  if (!column.has("format") || plan.pseudonym) return;
  if (plan.type != ColumnType::kDate) {
    column.wrong_meaning("format", "format is for dates; add type = \"date\" or leave it out");
  } else if (const auto form = DateForm::of(plan.format); !form) {
    column.wrong_meaning("format", form.error().message);
  }
}

void check_column(PlanTable& column, const PlanFile& file, const ColumnSettings& plan) {
  for (const std::string& name : plan.ontology_names()) {
    if (file.ontologies.contains(name)) continue;
    column.wrong_meaning("ontology", undeclared_ontology(name, file.ontologies));
    break;
  }
  if (plan.has_several_ontologies()) check_several(column, plan);
  check_line(column, plan);
  check_hierarchy(column, plan);
  if (!column.has("ontology") && !column.has("hierarchy")) {
    for (const std::string_view key : {"root", "domain", "measure", "ic", "lcs", "weights", "mean",
                                       "variance", "senses", "mapping", "unmapped", "write", "deny",
                                       "leaves_only", "min_depth", "candidates", "via"}) {
      if (!column.has(key)) continue;
      column.wrong_meaning(
          key, fmt::format("{} needs an ontology; add ontology = \"NAME\" to this column", key));
    }
  }
  if (plan.lcs == "mica" && std::ranges::find(kIcMeasures, plan.measure) == kIcMeasures.end()) {
    column.wrong_meaning("lcs", fmt::format("lcs = \"mica\" needs a measure on information content "
                                            "({}); {} is none",
                                            either(kIcMeasures), plan.measure));
  }
  if (plan.demand && plan.role != Role::kSensitive) {
    column.wrong_meaning(
        "demand", "demand is for sensitive columns; add role = \"sensitive\" or leave it out");
  }
  if (!plan.levels.empty() && plan.role != Role::kSensitive) {
    column.wrong_meaning(
        "levels", "levels is for sensitive columns; add role = \"sensitive\" or leave it out");
  }
}

}  // namespace

std::string_view to_string(Role role) { return name_of(kRoles, role); }
std::string_view to_string(UnmappedRule rule) { return name_of(kUnmappedRules, rule); }
std::string_view to_string(WriteAs write) { return name_of(kWrites, write); }
std::string_view to_string(ColumnType type) { return name_of(kTypes, type); }
std::string_view to_string(NumericScale scale) { return name_of(kScales, scale); }
std::string_view to_string(DomainKind kind) { return name_of(kDomains, kind); }
std::string_view to_string(CandidateKind kind) { return name_of(kCandidates, kind); }
std::string_view to_string(DiversityKind kind) { return name_of(kDemandKinds, kind); }

namespace {

// What stands behind a source's question mark is no path.
std::size_t choices_begin(const std::string& source) {
  return std::min(source.rfind('?'), source.size());
}

}  // namespace

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
  const std::size_t end = choices_begin(source);
  const std::string choices = source.substr(end);
  source.resize(end);
  if (source == "wordnet") return;
  const std::size_t colon = source.find(':');
  const std::string scheme = source.substr(0, colon);
  if (colon == std::string::npos || !looks_like_scheme(scheme)) {
    out = resolved(folder, source) + choices;
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
  out = scheme + ":" + resolved(folder, path) + choices;
}

// An absolute path stays one, unless the file is in the folder.
std::string path_from(const std::string& folder, const std::string& path) {
  namespace fs = std::filesystem;
  std::error_code failed;
  const fs::path from = fs::weakly_canonical(folder.empty() ? "." : folder, failed);
  const fs::path to = fs::weakly_canonical(path, failed);
  const fs::path relative = failed ? fs::path() : to.lexically_relative(from);
  const bool inside = !relative.empty() && *relative.begin() != "..";
  if (fs::path(path).is_absolute() && !inside) return path;
  return relative.empty() ? fs::absolute(path).lexically_normal().string() : relative.string();
}

std::string source_path(const std::string& source) {
  const std::size_t colon = source.find(':');
  const bool has_scheme = colon != std::string::npos &&
                          std::ranges::find(kSchemes, source.substr(0, colon)) != kSchemes.end();
  const std::string path = source.substr(0, choices_begin(source));
  return has_scheme ? path.substr(colon + 1) : path;
}

std::string source_from(const std::string& folder, const std::string& source) {
  if (source.substr(0, choices_begin(source)) == "wordnet") return source;
  const std::size_t colon = source.find(':');
  const std::string scheme = source.substr(0, colon);
  if (colon != std::string::npos && std::ranges::find(kSchemes, scheme) != kSchemes.end()) {
    const std::size_t end = choices_begin(source);
    return scheme + ":" + path_from(folder, source.substr(colon + 1, end - colon - 1)) +
           source.substr(end);
  }
  const std::string path = path_from(folder, source.substr(0, choices_begin(source))) +
                           source.substr(choices_begin(source));
  const bool misread = looks_like_scheme(path.substr(0, path.find(':')));
  return misread ? "./" + path : path;
}

std::vector<std::string> ColumnSettings::ontology_names() const {
  if (has_several_ontologies()) return ontologies;
  return ontology.empty() ? std::vector<std::string>() : std::vector{ontology};
}

namespace {

// A name, or a list of several.
void read_ontology(PlanTable& column, ColumnSettings& plan) {
  if (!column.has("ontology") || column.is_text("ontology")) {
    return column.text("ontology", plan.ontology);
  }
  std::vector<std::string> names;
  column.texts("ontology", PlanTable::Empty::kNo, names);
  if (names.empty()) return;
  std::vector<std::string> distinct = names;
  std::ranges::sort(distinct);
  if (std::ranges::adjacent_find(distinct) != distinct.end()) {
    return column.wrong_form("ontology", "ontology: a name stands there twice");
  }
  plan.ontology = fmt::format("{}", fmt::join(names, " + "));
  if (names.size() > 1) plan.ontologies = std::move(names);
}

// How much names, features and neighbourhood weigh: weights = [0.5, 0, 0.5].
void read_weights(PlanTable& column, ColumnSettings& plan) {
  std::vector<double> w_u_v;
  column.numbers("weights", w_u_v);
  if (w_u_v.empty()) return;
  const Result<FeatureWeights> weights = feature_weights(w_u_v);
  if (!weights) return column.wrong_form("weights", "weights: " + weights.error().message);
  plan.weights = *weights;
  if (plan.measure != "rodriguez-egenhofer") {
    column.wrong_meaning("weights",
                         fmt::format("weights belong to measure = \"rodriguez-egenhofer\"; {} "
                                     "has none",
                                     plan.measure));
  }
}

}  // namespace

void read_column(PlanTable& column, const PlanFile& file, PlanNotes& notes, ColumnSettings& plan) {
  column.choice("role", kRoles, plan.role);
  column.choice("type", kTypes, plan.type);
  read_ontology(column, plan);
  read_hierarchy(column, notes, plan);
  column.text("root", plan.root);
  column.choice("domain", kDomains, plan.domain);
  column.choice("measure", measure_names(), plan.measure);
  column.text("ic", plan.ic);
  if (plan.ic.starts_with(kCorpusIc)) {
    plan.ic = std::string(kCorpusIc) + resolved(file.folder, plan.ic.substr(kCorpusIc.size()));
  } else if (plan.ic != "seco" && plan.ic != "sanchez" && plan.ic != kDataIc) {
    plan.ic = resolved(file.folder, plan.ic);
  }
  column.choice("lcs", kLcsRules, plan.lcs);
  read_weights(column, plan);
  column.text("mean", plan.mean);
  column.number("variance", "from 0 to 1", is_share, plan.variance);
  column.choice("senses", kSenses, plan.senses);
  column.text("mapping", plan.mapping);
  if (!plan.mapping.empty()) plan.mapping = resolved(file.folder, plan.mapping);
  column.text("via", plan.via);
  if (CrossReferences::is_file(plan.via)) plan.via = resolved(file.folder, plan.via);
  column.choice("unmapped", kUnmappedRules, plan.unmapped);
  column.choice("write", kWrites, plan.write);
  column.texts("deny", PlanTable::Empty::kNo, plan.deny);
  column.flag("leaves_only", plan.leaves_only);
  column.whole("min_depth", 1, kMostDepth, plan.min_depth);
  column.choice("candidates", kCandidates, plan.candidates);
  column.choice("scale", kScales, plan.scale);
  if (plan.role == Role::kPseudonym) {
    read_pseudonym(column, plan);
  } else {
    column.text("format", plan.format);
    for (const std::string_view key : {"length", "across"}) {
      if (!column.has(key)) continue;
      column.wrong_meaning(
          key, fmt::format("{} is for pseudonyms; add role = \"pseudonym\" or leave it out", key));
    }
  }
  if (column.has("decimals")) {
    plan.decimals = 0;
    column.whole("decimals", 0, kMostDecimals, *plan.decimals);
  }
  if (const toml::table* table = column.table("demand", "demand = {l = 3}")) {
    PlanTable demand(*table, "demand", plan_keys("demand"), notes, plan.name);
    read_demand(demand, plan.demand.emplace());
  }
  read_categories_key(column, file, notes, plan.categories);
  column.text("levels", plan.levels);
  if (!plan.levels.empty()) plan.levels = resolved(file.folder, plan.levels);
  check_column(column, file, plan);
}

}  // namespace semveil
