// The form in which a column writes ids and codes: the one that most of its cells have.
//
//   cells                      the ontology's id            comes out as
//   250.00  401.9  25000       25000                        250.00
//   e119  i10                  E11.9                        e119
//   Male  Female               http://x/people#Male         Male
//   DOID:4  DOID:9351          http://…/obo/DOID_9351       DOID:9351
//   A01.1  B05                 http://x/nace/c17            A01.1, its notation
//
// A concept has one spelling within a column (spelling.h). If it were the ontology's own, a release
// would be read by programs that know other codes; if it were each concept's most frequent one, a
// code that only one hospital writes without its dot would carry the hospital along wherever it is
// swapped to. So the column has one form, for cells that were changed and for those that were not.
//
// Choice:  a form counts by records, and ids need more than half of the mapped ones: else the
//          column is one of words. Dots are judged by codes longer than their category, case by
//          codes with letters; where both forms have as many, the ontology's own form stays.
// Cost:    one look at each distinct text; of ICD the codes are sorted once (mapping/codes.h).
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "mapping/codes.h"
#include "semveil/ontology.h"

namespace semveil {

class IdForm {  // immutable
 public:
  struct Cell {
    std::string_view text;
    ConceptId concept_id;  // of the ontology, which the text means
    std::uint64_t count;
  };
  // Nothing where most cells are no ids, or ids of this ontology have one form only.
  static std::optional<IdForm> of(std::span<const Cell> cells, const OntologyInfo& info,
                                  const Names& names);

  // The id of a concept of the ontology as the column writes it.
  std::string written(ConceptId c, const Names& names) const;

 private:
  enum class Iri : std::uint8_t { kWhole, kObo, kLocal, kNotation };

  static std::optional<IdForm> of_codes(std::span<const Cell> cells, const Names& names);
  static std::optional<IdForm> of_iris(std::span<const Cell> cells, const Names& names);
  std::string written_code(std::string_view id) const;
  std::string written_iri(ConceptId c, const Names& names) const;

  std::shared_ptr<const CodeIndex> codes_;  // null: IRIs
  std::optional<bool> dots_, capitals_;     // nothing: as the ontology has it
  Iri iri_ = Iri::kWhole;
};

}  // namespace semveil
