// The tables of an RF2 release joined to an ontology.
#pragma once

#include <span>
#include <string>

#include "ontology/draft.h"
#include "ontology/rf2/rf2_language.h"
#include "ontology/rf2/rf2_rows.h"

namespace semveil {

// `files` and `path`: as errors name the files, in the order that rows count them, and the release.
Result<OntologyDraft> join_rf2_tables(const Rf2Tables& tables, const NameChoice& choice,
                                      std::span<const std::string> files, const std::string& path);

}  // namespace semveil
