// An ontology: a taxonomy, the names of its concepts, and where they came from.
//
// Ontologies are opened from a source text as users write it (`wordnet`, `obo:doid.obo.gz`,
// `edges:hobbies.csv`, `FILE.svo`, …). Behind a question mark, joined by &, may stand `lang=de`
// (which language labels come from, where a source has several) and `root=ID` (keep what lies at or
// below one concept). Parts of a snapshot are checked when they are first asked for, so the
// accessors may fail.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "semveil/files.h"
#include "semveil/names.h"
#include "semveil/result.h"
#include "semveil/taxonomy.h"

namespace [[gnu::visibility("default")]] semveil {

// What a loader counted: "2481 obsolete terms".
struct Counted {
  std::string what;
  std::uint64_t count = 0;
  bool operator==(const Counted&) const = default;
};

struct OntologyInfo {
  std::string format;             // the scheme of its source: "wordnet", "obo", "edges", …
  std::string version;            // as the source states it, may be empty
  std::string digest;             // XXH3-128 of the source's files
  std::vector<Counted> contents;  // what the source's concepts are made from, in a fixed order
  std::vector<Counted> left_out;  // what was not taken over, in a fixed order
  bool names_are_equal = false;   // WordNet: a word's senses are all synsets that hold it
  bool has_icd_codes = false;     // ids that people also write without dot, in lower case, …
  // Of a classification: the ids of what has no code of its own (chapters, sections, ranges, the
  // root), ascending. They order the codes and stand in no data.
  std::vector<std::string> headings = {};
  bool operator==(const OntologyInfo&) const = default;
};

class OntologyParts;  // sections of a snapshot, or finished objects

class Ontology {
 public:
  explicit Ontology(std::shared_ptr<const OntologyParts> parts);

  const OntologyInfo& info() const;
  Result<std::shared_ptr<const Taxonomy>> taxonomy() const;
  Result<std::shared_ptr<const Names>> names() const;
  // Everything a snapshot file stands for has been checked, to the last byte.
  Status verify() const;

 private:
  std::shared_ptr<const OntologyParts> parts_;
};

struct OpenOptions {
  bool use_cache = true;  // keep and use a snapshot in the user's cache folder
};

// Reads an ontology from its source, or from the snapshot of it in the cache.
Result<Ontology> open_ontology(std::string_view source, const OpenOptions& options = {});

// What lies at or below `root`, as an ontology of its own: the same ids, names and links.
Result<Ontology> part_of(const Ontology& ontology, ConceptId root);

// The files a source is read from, there or not.
Result<std::vector<std::string>> ontology_files(std::string_view source);

// Writes the snapshot file (docs/formats/snapshot.md), whole or not at all; the first form leaves
// it to the caller to commit.
Result<PendingFile> prepare_snapshot(const Ontology& ontology, const std::string& path,
                                     unsigned mode = 0644);
Status write_snapshot(const Ontology& ontology, const std::string& path, unsigned mode = 0644,
                      Sync sync = Sync::kYes);

}  // namespace semveil
