#include "plan/plan_categories.h"

#include <algorithm>
#include <filesystem>

#include "plan/plan_keys.h"

namespace semveil {
namespace {

constexpr unsigned kMostCategories = 1'000'000;

void check_ontology(PlanTable& cut, const PlanFile& file, const CategoriesPlan& plan) {
  if (plan.ontology.empty()) {
    if (cut.has("ontology")) return;  // told already
    return cut.wrong_meaning("ontology",
                             "categories: which ontology is to be cut? Add ontology = \"NAME\"");
  }
  if (file.ontologies.contains(plan.ontology)) return;
  cut.wrong_meaning("ontology", undeclared_ontology(plan.ontology, file.ontologies));
}

// What [mask] lacks for a column, or says wrongly of it; "": nothing.
std::string fault_of(const ColumnPlan& column, const CategoriesPlan* categories,
                     const MaskPlan& mask) {
  if (categories == nullptr && mask.method == "ean") {
    return fmt::format(
        "ean needs the categories of column {}: write categories = \"FILE\" (one category per "
        "line, values separated by commas) or categories = {{ontology = \"NAME\", count = 5}}",
        column.name);
  }
  if (categories == nullptr && mask.l == 0) {
    return "an needs l in [mask] (or --l): how many values a set has; or categories, whose number "
           "it then is";
  }
  return "";
}

// What a column says that sets cannot do; "": nothing.
std::string fault_in(const ColumnPlan& column, const CategoriesPlan* categories) {
  if (categories != nullptr && categories->file.empty() && !column.ontology.empty() &&
      column.ontology != categories->ontology) {
    return fmt::format(
        "its values are concepts of {}, its categories are cut from {}; name one "
        "ontology",
        column.ontology, categories->ontology);
  }
  if (column.demand) {
    return "something is demanded of the column, which is masked itself; leave it out of columns, "
           "or leave the demand out";
  }
  if (column.unmapped == UnmappedRule::kKeep || column.unmapped == UnmappedRule::kGeneralize) {
    return fmt::format(
        "unmapped = \"{}\" would release values without others beside them; write "
        "\"suppress\" or \"error\"",
        to_string(column.unmapped));
  }
  return "";
}

}  // namespace

void read_categories_key(PlanTable& table, const PlanFile& file, PlanNotes& notes,
                         std::optional<CategoriesPlan>& out) {
  constexpr std::string_view kKey = "categories";
  if (!table.has(kKey)) return;
  CategoriesPlan& plan = out.emplace();
  plan.line = table.line_of_key(kKey);
  if (table.is_text(kKey)) {
    table.text(kKey, plan.file);
    plan.file = (std::filesystem::path(file.folder) / plan.file).string();
    return;
  }
  const toml::table* const inside =
      table.table(kKey, "categories = {ontology = \"disease\", count = 5}, or a file's name");
  if (inside == nullptr) return;
  PlanTable cut(*inside, std::string(kKey), plan_keys(kKey), notes);
  cut.text("ontology", plan.ontology);
  cut.texts("roots", PlanTable::Empty::kNo, plan.roots);
  cut.whole("count", 2, kMostCategories, plan.count);
  cut.whole("depth", 1, kMostDepth, plan.depth);
  if (cut.has("roots") && plan.roots.size() == 1) {
    cut.wrong_form("roots", "roots: one category protects nothing; name at least two");
  }
  const int ways =
      (cut.has("roots") ? 1 : 0) + (cut.has("count") ? 1 : 0) + (cut.has("depth") ? 1 : 0);
  if (ways != 1) {
    cut.wrong_meaning("ontology",
                      "categories: say how to cut the ontology with one of roots = [\"A\", \"B\"], "
                      "count = 5 or depth = 3");
  }
  check_ontology(cut, file, plan);
}

void check_sets(const std::vector<std::string>& masked, PlanTable& table, PlanNotes& notes,
                PlanFile& plan) {
  const MaskPlan& mask = *plan.mask;
  if (plan.missing == MissingRule::kCategory || plan.missing == MissingRule::kWildcard) {
    table.wrong_meaning("method",
                        fmt::format("{} leaves missing values out: write missing = \"keep\", "
                                    "\"drop-record\" or \"error\"",
                                    mask.method));
  }
  for (ColumnPlan& column : plan.columns) {
    if (std::ranges::find(masked, column.name) == masked.end()) continue;
    const CategoriesPlan* const categories = plan.categories_of(column);
    if (const std::string fault = fault_of(column, categories, mask); !fault.empty()) {
      return table.wrong_meaning("method", fault);
    }
    if (const std::string fault = fault_in(column, categories); !fault.empty()) {
      return notes.add(PlanNotes::Kind::kMeaning,
                       data_error(fault).at({plan.path, column.line, column.name}));
    }
    if (categories != nullptr && categories->file.empty()) column.ontology = categories->ontology;
  }
  if (table.has("separator") && mask.output != "joined") {
    table.wrong_meaning("separator", "separator needs output = \"joined\"");
  }
}

}  // namespace semveil
