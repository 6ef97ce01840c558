// One function per format; each returns what it read or an error with file and line, and reports
// in OntologyInfo::left_out what it did not take over.
#pragma once

#include <string>
#include <string_view>

#include "ontology/draft.h"

namespace semveil {

// `directory` holds data.noun, index.noun and, where the distribution has it, noun.exc.
Result<OntologyDraft> load_wordnet(const std::string& directory);
Result<OntologyDraft> load_obo(const std::string& path);
Result<OntologyDraft> load_edges(const std::string& path);
Result<OntologyDraft> load_vgh(const std::string& path);

// The same over bytes in memory; `name` stands for the file in errors.
struct WordNetText {
  std::string_view data, index, exceptions;
  std::string name;  // of data.noun; index.noun and noun.exc are named beside it
};
Result<OntologyDraft> parse_wordnet(const WordNetText& text);
Result<OntologyDraft> parse_obo(std::string_view text, const std::string& name);
Result<OntologyDraft> parse_edges(std::string_view text, const std::string& name);
Result<OntologyDraft> parse_vgh(std::string_view text, const std::string& name);

// The folder of an installed WordNet: $WNSEARCHDIR, $WNHOME/dict, then the usual places.
Result<std::string> find_wordnet();

}  // namespace semveil
