// The two forms of ICD-10-CM, each with its own reader; read_icd10cm() tells them apart.
#pragma once

#include "ontology/draft.h"
#include "ontology/source_files.h"

namespace semveil {

Result<OntologyDraft> read_icd10cm_tabular(NamedStream input);
Result<OntologyDraft> read_icd10cm_order(NamedStream input);

}  // namespace semveil
