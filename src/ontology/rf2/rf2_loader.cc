// SNOMED CT, or a terminology of its form, from the files of a release (RF2), in a folder or in the
// zip archive they come in.
//
//   sct2_Concept_Snapshot_INT_20260131.txt
//   id         effectiveTime  active  moduleId            definitionStatusId
//   409498004  20170131       1       900000000000207008  900000000000073002
//
// Read are the newest states of: concepts, inferred is-a relationships (116680003), descriptions
// and text definitions, language reference sets, association reference sets (rf2_files.cc: which
// files; rf2_tables.cc: which columns).
//
// Names. The label is the synonym that the chosen language reference set prefers (rf2_language.cc);
// without one the fully specified name, then the first synonym. The fully specified name,
// "Anthrax (disorder)", is an exact synonym where it is not the label, and so is "Anthrax", without
// its semantic tag. It is the one that the reference set prefers, else any active one: a national
// reference set need not have its own. A concept has one definition.
//
// Inactive concepts are left out and counted. Their ids lead to what stands for them
// (rf2_replacements.cc): as another id of that concept, of each where there are several, which are
// then the senses of the old code. Their descriptions are left out.
//
// An is-a link to a concept that no file declares is an error, to an inactive one is dropped and
// counted. A description or a definition that is of no concept is an error, too.
//
// Choice:  concepts are added by the byte order of their ids, names of a concept by acceptance and
//          description id: so Full and Snapshot files of a release give the same ontology.
// Source:  SNOMED CT Release File Specifications (RF2).
// Cost:    O(rows). Rows are kept in memory, some 40 bytes each, until they are joined.
#include <algorithm>
#include <filesystem>
#include <string>
#include <vector>

#include "ontology/loaders.h"
#include "ontology/rf2/rf2_files.h"
#include "ontology/rf2/rf2_join.h"
#include "ontology/rf2/rf2_language.h"
#include "ontology/rf2/rf2_tables.h"

namespace semveil {

Result<OntologyDraft> read_rf2(const Rf2Release& release, const std::string& language) {
  const auto files = choose_rf2_files(release.names, release.path);
  if (!files) return fail(files.error());
  const Result<Rf2Tables> tables = read_rf2_tables(release, *files);
  if (!tables) return fail(tables.error());
  const Result<NameChoice> choice = choose_names(*tables, language, release.path);
  if (!choice) return fail(choice.error());
  std::vector<std::string> places;
  std::string version;
  for (const Rf2File& file : *files) {
    places.push_back(release.place_of(file.name));
    if (file.kind == Rf2Kind::kConcept) version = std::max(version, file.date);
  }
  auto draft = join_rf2_tables(*tables, *choice, places, release.path);
  if (draft) draft->info.version = version;
  return draft;
}

Result<OntologyDraft> load_rf2(const std::string& path, const std::string& language) {
  const Result<SourceFiles> files = SourceFiles::open(path);
  if (!files) return fail(files.error());
  Rf2Release release{{files->names().begin(), files->names().end()}, {}, path};
  release.open = [&](const std::string& name) -> Result<NamedStream> {
    if (!files->is_archive()) return files->read(name);
    // An archive serves one thread at a time: each file has its own.
    const Result<SourceFiles> own = SourceFiles::open(path);
    if (!own) return fail(own.error());
    return own->read(name);
  };
  if (!files->is_archive()) {
    release.size = [&](const std::string& name) -> std::uint64_t {
      std::error_code unknown;
      const auto bytes = std::filesystem::file_size(release.place_of(name), unknown);
      return unknown ? 0 : bytes;
    };
  }
  return read_rf2(release, language);
}

}  // namespace semveil
