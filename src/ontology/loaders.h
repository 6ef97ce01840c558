// One function per format; each returns what it read or an error with file and line, and reports
// in OntologyInfo::left_out what it did not take over.
#pragma once

#include <filesystem>
#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "ontology/draft.h"
#include "ontology/source_files.h"

namespace semveil {

// `directory` holds data.noun, index.noun and, where the distribution has it, noun.exc.
Result<OntologyDraft> load_wordnet(const std::string& directory);
Result<OntologyDraft> load_obo(const std::string& path);
Result<OntologyDraft> load_edges(const std::string& path);
Result<OntologyDraft> load_vgh(const std::string& path);
// A release folder, or the zip archive it came in. `language`: en, en-GB, en-US, another language
// code, or the id of a language reference set; empty: en-US where the release has it.
Result<OntologyDraft> load_rf2(const std::string& path, const std::string& language);
// The files of a release that are read; the path itself where it is an archive, not there or no
// release.
std::vector<std::string> rf2_files(const std::string& path);
Result<OntologyDraft> load_mesh(const std::string& path);
Result<OntologyDraft> load_owl(const std::string& path, const std::string& language);
Result<OntologyDraft> load_skos(const std::string& path, const std::string& language);
Result<OntologyDraft> load_claml(const std::string& path, const std::string& language);
Result<OntologyDraft> load_icd10cm(const std::string& path);
Result<OntologyDraft> load_icd9cm(const std::string& path);

// The same over bytes in memory; `name` stands for the file in errors.
struct WordNetText {
  std::string_view data, index, exceptions;
  std::string name;  // of data.noun; index.noun and noun.exc are named beside it
};
Result<OntologyDraft> parse_wordnet(const WordNetText& text);
Result<OntologyDraft> parse_obo(std::string_view text, const std::string& name);
Result<OntologyDraft> parse_edges(std::string_view text, const std::string& name);
Result<OntologyDraft> parse_vgh(std::string_view text, const std::string& name);

// The same over files that are known by their names and opened by several threads at a time.
struct Rf2Release {
  std::vector<std::string> names;  // paths inside the release, ascending
  std::function<Result<NamedStream>(const std::string& name)> open;
  std::string path;  // stands for the release in errors
  // Bytes of a file where they are known, else 0: saves room from growing step by step.
  std::function<std::uint64_t(const std::string& name)> size = {};

  std::string place_of(const std::string& name) const {
    return path + (path.ends_with('/') ? "" : "/") + name;
  }
};
Result<OntologyDraft> read_rf2(const Rf2Release& release, const std::string& language);

// The same over a stream, which tells by its first bytes in which of the format's forms it is.
Result<OntologyDraft> read_mesh(NamedStream input);
Result<OntologyDraft> read_owl(NamedStream input, const std::string& language);
Result<OntologyDraft> read_skos(NamedStream input, const std::string& language);
Result<OntologyDraft> read_claml(NamedStream input, const std::string& language);
Result<OntologyDraft> read_icd10cm(NamedStream input);
Result<OntologyDraft> read_icd9cm(NamedStream input);

// The folder of an installed WordNet: $WNSEARCHDIR, $WNHOME/dict, then the usual places. Where
// there is none, the snapshot that semveil brings along, if it does:
// ../share/semveil/wordnet.svo.zst beside the program's or the library's folder.
Result<std::string> find_wordnet();
Result<std::string> find_wordnet(std::span<const char* const> usual,
                                 const std::filesystem::path& own_folder);

}  // namespace semveil
