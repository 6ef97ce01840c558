// What a new release of an ontology changes: new concepts, gone ones, moved and renamed ones.
//
// Concepts are the same if their ids are. One whose id is gone but stands in the new release as
// another id of some concept was replaced by it.
#pragma once

#include <string>
#include <vector>

#include "semveil/mapping.h"
#include "semveil/ontology.h"

namespace [[gnu::visibility("default")]] semveil {

struct ConceptChange {
  std::string id, label;                 // of the release that has it; the old one's where both do
  std::vector<std::string> replaced_by;  // gone: ids in the new release
  std::vector<std::string> parents_before, parents_after;  // moved: ids, ascending
  std::string label_after;                                 // renamed
};

struct TouchedValue {  // of a mapping file
  std::string value;
  std::string id;    // the concept it means
  std::string what;  // gone | replaced | moved | renamed
  std::vector<std::string> replaced_by;
};

struct OntologyDiff {
  std::size_t concepts_before = 0, concepts_after = 0, unchanged = 0;
  // Each by id. A concept may be both moved and renamed.
  std::vector<ConceptChange> fresh, gone, moved, renamed;
};

Result<OntologyDiff> diff(const Ontology& before, const Ontology& after);

// Which values of a mapping file made for `before` are touched, by value; a value is listed once,
// with the gravest change.
Result<std::vector<TouchedValue>> touched_values(const OntologyDiff& changes,
                                                 const MappingFile& mapping,
                                                 const Ontology& before);

}  // namespace semveil
