// Snapshot files (.svo): an ontology as one file that is mapped, not read. The format is described
// byte by byte in docs/formats/snapshot.md.
#pragma once

#include <string>

#include "semveil/ontology.h"

namespace semveil {

// Header and exact size are checked here, each section when it is first used.
Result<Ontology> open_snapshot(const std::string& path);
// The same over bytes in memory that `owner` keeps; `name` stands in messages.
Result<Ontology> open_snapshot(std::string_view bytes, std::shared_ptr<const void> owner,
                               const std::string& name);
// The bytes of a snapshot file, in pieces that live as long as `ontology` and `scratch`.
Result<std::vector<std::string_view>> snapshot_pieces(const Ontology& ontology,
                                                      std::string& scratch);

}  // namespace semveil
