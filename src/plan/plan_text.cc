// Plans written as TOML: what was said, and nothing that goes without saying. The seed is left out.
#include "semveil/plan_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "plan/plan_column.h"
#include "semveil/cross_references.h"
#include "semveil/measure.h"
#include "semveil/method.h"

namespace semveil {

std::string toml_key(const std::string& name) {
  const auto bare = [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' ||
           c == '-';
  };
  return !name.empty() && std::ranges::all_of(name, bare) ? name : toml_text(name);
}

namespace {

std::string list_of(const std::vector<std::string>& texts) {
  std::vector<std::string> quoted;
  for (const std::string& text : texts) quoted.push_back(toml_text(text));
  return fmt::format("[{}]", fmt::join(quoted, ", "));
}

std::string flag_text(bool flag) { return flag ? "true" : "false"; }

std::string categories_text(const CategoriesSettings& plan, const std::string& folder) {
  return plan.file.empty() ? cut_text(plan) : toml_text(path_from(folder, plan.file));
}

std::string demand_text(const Demand& demand) {
  std::vector<std::string> parts;
  if (demand.l) parts.push_back(fmt::format("l = {}", *demand.l));
  if (demand.l && demand.kind != DiversityKind::kDistinct) {
    parts.push_back(fmt::format("kind = {}", toml_text(to_string(demand.kind))));
  }
  if (demand.kind == DiversityKind::kRecursive) parts.push_back(fmt::format("c = {}", demand.c));
  if (demand.t) parts.push_back(fmt::format("t = {}", *demand.t));
  return fmt::format("{{{}}}", fmt::join(parts, ", "));
}

class PlanText {
 public:
  PlanText(const PlanFile& plan, const std::string& folder) : plan_(plan), folder_(folder) {}

  std::string text() && {
    const PlanFile usual;
    if (!plan_.release.empty()) put("release", toml_text(plan_.release));
    if (plan_.missing != usual.missing) put("missing", toml_text(to_string(plan_.missing)));
    if (plan_.missing_values != usual.missing_values) {
      put("missing_values", list_of(plan_.missing_values));
    }
    if (plan_.undeclared != usual.undeclared) {
      put("undeclared", toml_text(to_string(plan_.undeclared)));
    }
    if (plan_.shuffle) put("shuffle", flag_text(true));
    if (!plan_.person.empty()) put("person", toml_text(plan_.person));
    if (plan_.allow_linked_rows) put("allow_linked_rows", flag_text(true));
    if (plan_.separator || plan_.quote) open("csv");
    if (plan_.separator) put("separator", toml_text(std::string(1, *plan_.separator)));
    if (plan_.quote) put("quote", toml_text(std::string(1, *plan_.quote)));
    for (const auto& [name, source] : plan_.ontologies) {
      open("ontology." + toml_key(name));
      put("source", toml_text(source_from(folder_, source)));
    }
    for (const ColumnSettings& column : plan_.columns) put_column(column);
    const auto written = std::ranges::count(plan_.recodings, false, &MaskStep::is_role);
    const bool several = static_cast<std::size_t>(written) + plan_.steps.size() > 1;
    for (const std::vector<MaskStep>* steps : {&plan_.recodings, &plan_.steps}) {
      for (const MaskStep& step : *steps) {
        if (!step.is_role) put_step(step, several ? "[mask]" : "mask");
      }
    }
    return std::move(out_);
  }

 private:
  void put_step(const MaskStep& step, const std::string& title) {
    open(title);
    std::map<std::string, std::string> values = mask_values(step, folder_);
    put(kMethodKey, values.at(std::string(kMethodKey)));
    values.erase(std::string(kMethodKey));
    for (const auto& [key, value] : values) put(key, value);
  }
  void open(const std::string& title) {
    out_ += fmt::format("{}[{}]\n", out_.empty() ? "" : "\n", title);
  }
  void put(std::string_view key, std::string_view value) {
    out_ += fmt::format("{} = {}\n", key, value);
  }

  void put_column(const ColumnSettings& column) {
    open("column." + toml_key(column.name));
    if (column.role != Role::kOther) put("role", toml_text(to_string(column.role)));
    if (column.type != ColumnType::kNominal) put("type", toml_text(to_string(column.type)));
    const bool has_hierarchy =
        column.hierarchy && column.hierarchy->kind != HierarchySettings::Kind::kChosen;
    if (!column.ontology.empty() || has_hierarchy) put_meaning(column);
    if (column.by_weeks) put("calendar", toml_text("week"));
    if (column.scale) put("scale", toml_text(to_string(*column.scale)));
    if (!column.format.empty()) put("format", toml_text(column.format));
    if (column.pseudonym) {
      if (column.pseudonym->format != "hex") put("format", toml_text(column.pseudonym->format));
      if (column.pseudonym->length) put("length", std::to_string(*column.pseudonym->length));
      if (column.pseudonym->across) put("across", flag_text(true));
    }
    if (column.decimals) put("decimals", std::to_string(*column.decimals));
    if (column.demand) put("demand", demand_text(*column.demand));
    if (column.categories) put("categories", categories_text(*column.categories, folder_));
    if (!column.levels.empty()) put("levels", toml_text(path_from(folder_, column.levels)));
  }

  // A file that is called like a choice keeps a ./ in front.
  std::string file_from(const std::string& path) const {
    std::string file = path_from(folder_, path);
    const bool is_choice = file == "seco" || file == "sanchez" || file == kDataIc ||
                           file.starts_with(kCorpusIc) || !CrossReferences::is_file(file);
    return is_choice ? "./" + file : file;
  }

  std::string ic_text(const std::string& ic) const {
    if (ic == "sanchez" || ic == kDataIc) return ic;
    if (!ic.starts_with(kCorpusIc)) return file_from(ic);
    return std::string(kCorpusIc) + path_from(folder_, ic.substr(kCorpusIc.size()));
  }

  void put_meaning(const ColumnSettings& column) {
    const ColumnSettings usual;
    if (column.ontology.empty()) {
      put("hierarchy", hierarchy_text(*column.hierarchy));
    } else {
      put("ontology", column.has_several_ontologies() ? list_of(column.ontologies)
                                                      : toml_text(column.ontology));
    }
    if (!column.root.empty()) put("root", toml_text(column.root));
    if (column.domain != usual.domain) put("domain", toml_text(to_string(column.domain)));
    if (column.measure != usual.measure) put("measure", toml_text(column.measure));
    if (column.ic != usual.ic) {
      put("ic", toml_text(ic_text(column.ic)));
    }
    if (column.lcs != usual.lcs) put("lcs", toml_text(column.lcs));
    if (column.weights != usual.weights) {
      put("weights", fmt::format("[{}, {}, {}]", column.weights.names, column.weights.features,
                                 column.weights.neighbours));
    }
    if (!column.mean.empty()) put("mean", toml_text(column.mean));
    if (column.variance) put("variance", fmt::format("{}", *column.variance));
    if (column.senses != usual.senses) put("senses", toml_text(column.senses));
    if (!column.mapping.empty()) put("mapping", toml_text(path_from(folder_, column.mapping)));
    if (!column.via.empty()) {
      put("via",
          toml_text(CrossReferences::is_file(column.via) ? file_from(column.via) : column.via));
    }
    if (column.unmapped != usual.unmapped) put("unmapped", toml_text(to_string(column.unmapped)));
    if (column.write) put("write", toml_text(to_string(*column.write)));
    if (!column.deny.empty()) put("deny", list_of(column.deny));
    if (column.leaves_only) put("leaves_only", flag_text(true));
    if (column.min_depth != usual.min_depth) put("min_depth", std::to_string(column.min_depth));
    if (column.candidates) put("candidates", toml_text(to_string(*column.candidates)));
  }

  const PlanFile& plan_;
  const std::string& folder_;
  std::string out_;
};

}  // namespace

std::map<std::string, std::string> mask_values(const MaskStep& mask, const std::string& folder) {
  std::map<std::string, std::string> out;
  out.emplace(kMethodKey, toml_text(mask.about().name));
  if (!mask.columns.empty()) out.emplace(kColumnsKey, list_of(mask.columns));
  if (!mask.draw_by.empty()) out.emplace(kDrawByKey, toml_text(mask.draw_by));
  for (const MethodKey& key : mask.about().keys) {
    const Setting* const said = mask.settings.find(key.name);
    if (said == nullptr) continue;
    const auto* const categories = std::get_if<CategoriesSettings>(said);
    const std::string text =
        categories == nullptr ? setting_text(*said) : categories_text(*categories, folder);
    if (text != default_text(key)) out.emplace(key.name, text);
  }
  return out;
}

std::string to_toml(const PlanFile& plan, const std::string& folder) {
  return PlanText(plan, folder).text();
}

}  // namespace semveil
