// One snapshot per source in the user's cache folder, so that the second use of an ontology takes
// milliseconds. Deleting the folder is harmless.
//
// An entry is two files: NAME.svo, and NAME.key with what the source's files looked like (path,
// size, modification time, inode) and the digest of their content. While these agree the snapshot
// is used; when they differ the content is hashed, and only another content is loaded again.
// Folder: $SEMVEIL_CACHE_DIR, else $XDG_CACHE_HOME/semveil, else ~/.cache/semveil.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ontology/source.h"
#include "semveil/ontology.h"

namespace semveil {

class CacheEntry {
 public:
  // The files are looked at now, before anything is read from them.
  explicit CacheEntry(const Source& source);

  // Nothing if there is no usable entry; never an error, the source is still there.
  std::optional<Ontology> open() const;
  // Keeps the ontology; failure to do so is no error either.
  void keep(const Ontology& ontology) const;

 private:
  std::string key_text(std::string_view digest) const;

  const Source& source_;
  std::string looks_;     // of the source's files
  std::string snapshot_;  // empty: no cache folder
  std::string key_;
};

// The sources of all entries whose file or folder is still there, with absolute paths, sorted.
std::vector<std::string> cached_sources();

// Of the content of all files of the source that exist; they must be regular ones.
Result<std::string> digest_of(const Source& source);

}  // namespace semveil
