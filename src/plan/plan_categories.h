// What `categories` says, in [mask] or of a column.
#pragma once

#include <optional>

#include "plan/plan_reader.h"
#include "semveil/plan_file.h"

namespace semveil {

// `categories = "FILE"`, or a table that cuts an ontology. The ontologies of `file` must have been
// read.
void read_categories_key(PlanTable& table, const PlanFile& file, PlanNotes& notes,
                         std::optional<CategoriesSettings>& out);

}  // namespace semveil
