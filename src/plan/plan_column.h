// What stands in [ontology.NAME] and [column.NAME].
#pragma once

#include <string>

#include "plan/plan_reader.h"
#include "semveil/plan_file.h"

namespace semveil {

std::string_view to_string(ColumnType type);
std::string_view to_string(NumericScale scale);
std::string_view to_string(DomainKind kind);
std::string_view to_string(CandidateKind kind);
std::string_view to_string(DiversityKind kind);
std::string_view to_string(UndeclaredRule rule);

// The source with its path made relative to the plan's folder: `obo:doid.obo` →
// `obo:FOLDER/doid.obo`; `wordnet` alone names no file.
void read_source(PlanTable& table, const std::string& folder, std::string& out);
// The other way round: as a plan in `folder` names it.
std::string source_from(const std::string& folder, const std::string& source);
std::string path_from(const std::string& folder, const std::string& path);
// A name of a table; bare where TOML lets it be.
std::string toml_key(const std::string& name);
// The ontologies of `file` must have been read.
void read_column(PlanTable& column, const PlanFile& file, PlanNotes& notes, ColumnSettings& plan);

}  // namespace semveil
