// What stands in [ontology.NAME] and [column.NAME].
#pragma once

#include <string>

#include "release/plan_reader.h"
#include "semveil/plan_file.h"

namespace semveil {

// The source with its path made relative to the plan's folder: `obo:doid.obo` →
// `obo:FOLDER/doid.obo`; `wordnet` alone names no file.
void read_source(PlanTable& table, const std::string& folder, std::string& out);
// The ontologies of `file` must have been read.
void read_column(PlanTable& column, const PlanFile& file, PlanNotes& notes, ColumnPlan& plan);

}  // namespace semveil
