// What `categories` says, in [mask] or of a column, and what methods that release sets ask of a
// plan.
#pragma once

#include <string>
#include <vector>

#include "plan/plan_reader.h"
#include "semveil/plan_file.h"

namespace semveil {

// `categories = "FILE"`, or a table that cuts an ontology. The ontologies of `file` must have been
// read.
void read_categories_key(PlanTable& table, const PlanFile& file, PlanNotes& notes,
                         std::optional<CategoriesPlan>& out);

// Notes what is wrong with the masked columns. Columns whose categories are cut from an ontology
// that they do not name get it.
void check_sets(const std::vector<std::string>& masked, PlanTable& table, PlanNotes& notes,
                PlanFile& plan);

}  // namespace semveil
