// The files of an RF2 release read into tables.
#pragma once

#include <span>

#include "ontology/loaders.h"
#include "ontology/rf2/rf2_files.h"
#include "ontology/rf2/rf2_rows.h"

namespace semveil {

Result<Rf2Tables> read_rf2_tables(const Rf2Release& release, std::span<const Rf2File> files);

}  // namespace semveil
