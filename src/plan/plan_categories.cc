#include "plan/plan_categories.h"

#include <filesystem>

#include "plan/plan_keys.h"

namespace semveil {
namespace {

constexpr unsigned kMostCategories = 1'000'000;

void check_ontology(PlanTable& cut, const PlanFile& file, const CategoriesSettings& plan) {
  if (plan.ontology.empty()) {
    if (cut.has("ontology")) return;  // told already
    return cut.wrong_meaning("ontology",
                             "categories: which ontology is to be cut? Add ontology = \"NAME\"");
  }
  if (file.ontologies.contains(plan.ontology)) return;
  cut.wrong_meaning("ontology", undeclared_ontology(plan.ontology, file.ontologies));
}

}  // namespace

void read_categories_key(PlanTable& table, const PlanFile& file, PlanNotes& notes,
                         std::optional<CategoriesSettings>& out) {
  constexpr std::string_view kKey = "categories";
  if (!table.has(kKey)) return;
  CategoriesSettings& plan = out.emplace();
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

}  // namespace semveil
