// Codes of one ontology that lead to concepts of another: a column of SNOMED CT codes can be masked
// with the Disease Ontology, whose concepts say which SNOMED CT code means the same.
//
//   xref: SNOMEDCT_US_2023_03_01:44054006      source and code, as an ontology writes it
//   44054006, SNOMEDCT:44054006                what a cell may hold
//
// A code may lead to several concepts; they are then its senses. Codes are compared without letter
// case, and those that look like ICD codes also without their dot. A source that is named stands
// for the one of that name and those that begin with it and a _ or - (versions of SNOMEDCT), or,
// where there is none of these, for those that begin so.
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "semveil/ontology.h"

namespace [[gnu::visibility("default")]] semveil {

class CrossReferences {  // immutable, thread-safe
 public:
  // Those that the ontology itself holds, of sources whose name begins so; empty: of all.
  static Result<CrossReferences> of(const Ontology& ontology, std::string_view source);
  // A CSV file with a header and two columns: a code, and a concept (an id, or a name that means
  // exactly one). A code may stand in several lines. `name` stands for the file in errors.
  static Result<CrossReferences> parse(std::string_view text, const std::string& name,
                                       const Ontology& ontology);

  // As a plan or a command line says it: `xref`, `xref:SOURCE`, or a file, whose content is `text`.
  // Null: nothing was said.
  static Result<std::shared_ptr<const CrossReferences>> choose(const std::string& via,
                                                               std::string_view text,
                                                               const Ontology& ontology);
  // The same, the file read from its place.
  static Result<std::shared_ptr<const CrossReferences>> read(const std::string& via,
                                                             const Ontology& ontology);
  static bool is_file(std::string_view via);

  // The concepts a cell leads to, by id; none: the code is not known.
  std::vector<ConceptId> find(std::string_view value) const;
  std::size_t size() const { return entries_.size(); }

 private:
  struct Entry {
    std::string code, source;  // in capitals
    std::uint32_t id_rank;
    ConceptId concept_id;
    auto operator<=>(const Entry&) const = default;
  };
  explicit CrossReferences(std::vector<Entry> entries);

  struct Plain {  // of a code that looks like one of ICD
    std::string code;
    std::size_t dot, entry;
    auto operator<=>(const Plain&) const = default;
  };
  std::vector<ConceptId> look_up(std::string_view source, std::string_view code) const;

  std::vector<Entry> entries_;        // ascending
  std::vector<Plain> plain_;          // ascending
  std::vector<std::string> sources_;  // ascending, each once
};

}  // namespace semveil
