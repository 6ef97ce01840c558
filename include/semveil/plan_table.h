// A plan or a model, and the tables that it is used on.
#pragma once

#include <initializer_list>
#include <string>
#include <vector>

#include "semveil/plan_file.h"
#include "semveil/release.h"
#include "semveil/table.h"

namespace [[gnu::visibility("default")]] semveil {

// How the plan says that a table is read.
TableOptions table_options(const PlanFile& plan);
// The columns that are named, masked or not: what else a table has is only looked at for what it
// tells of these, in the first 16,384 records.
std::vector<std::string> named_columns(const PlanFile& plan);
std::vector<std::string> named_columns(const Model& model);
// Whether records may be left out of a release.
bool drops_records(const PlanFile& plan);
bool drops_records(const Model& model);
// A release has lost its identifiers, and is looked at with the plan of its original: those that
// none of the tables has are taken out of the plan.
PlanFile without_absent_identifiers(PlanFile plan, std::initializer_list<const Table*> tables);

}  // namespace semveil
