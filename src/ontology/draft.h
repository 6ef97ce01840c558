// What a loader fills: concepts, links and terms in the order the source has them, with plain
// indexes. finish() turns it into an Ontology: sorts, joins roots, finds cycles, builds the index.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ontology/left_out.h"
#include "ontology/taxonomy_builder.h"
#include "semveil/ontology.h"

namespace semveil {

class OntologyDraft {
 public:
  using Index = std::uint32_t;

  OntologyInfo info;

  // Ids must be distinct: the loader sees to that and reports file and line. Every id becomes the
  // concept's first term.
  Index add_concept(std::string_view id);
  // The first kLabel of a concept is its preferred label; a concept without one is labelled by its
  // id. A text that repeats an earlier term of the same kind and concept may be added; it is kept
  // once.
  void add_term(Index concept_index, TermKind kind, std::string_view text, std::uint16_t sense = 0);
  void set_definition(Index concept_index, std::string_view text);
  // Repeated links count once.
  void add_link(Index child, Index parent);
  // That one concept is a part of another. Repeated ones count once.
  void add_part(Index part, Index whole) { part_links_.push_back({part, whole}); }
  // An entry of an exception list, blanks for underscores: ("mice", "mouse").
  void add_exception(std::string_view form, std::string_view base);
  void set_sense(std::size_t term, std::uint16_t sense) { terms_[term].sense = sense; }

  std::size_t concepts() const { return id_terms_.size(); }
  std::size_t terms() const { return terms_.size(); }
  std::string_view id(Index c) const { return text_of(terms_[id_terms_[c]].piece); }
  void reserve(std::size_t concepts, std::size_t terms, std::size_t text_bytes,
               std::size_t definition_bytes = 0);

  // What a loader keeps beside the draft until it has read all: bytes of text, and kPerItem for
  // each thing it is kept in.
  static constexpr std::size_t kPerItem = 64;
  void keep_beside(std::size_t bytes) { beside_ += bytes; }
  // Whether it holds more than finish() takes. Loaders ask at every record, so that a small packed
  // file of endless records is refused, with file and line, before it fills the memory.
  bool is_full() const;
  static constexpr const char* kFull = "more text than 2 GiB; load a part of the ontology";
  // Bytes of all names, and of all definitions.
  static std::size_t most_bytes() { return limit_; }
  // Terms, links, or rows they are read from. The largest terminologies have a tenth of it.
  static std::size_t most_items() { return limit_ / 8; }

  // Place of a cycle or an emptiness: the file as a whole.
  Result<Ontology> finish(const std::string& file) &&;

 private:
  friend class LoweredLimit;  // of the tests
  // Offsets have 32 bits, and ids without a label are stored twice.
  static inline std::size_t limit_ = 0x7fffffff;

  struct Piece {
    std::uint32_t begin, size;
  };
  struct DraftTerm {
    Piece piece;
    Index concept_index;
    std::uint16_t sense;
    TermKind kind;
  };
  std::string_view text_of(const Piece& piece) const {
    return std::string_view(text_).substr(piece.begin, piece.size);
  }

  struct NamesStorage;
  class Grouped;
  static std::string gathered(std::string&& text, std::span<const Piece> pieces,
                              std::vector<std::uint32_t>& begin);
  void append_terms(std::span<std::uint32_t> own, ConceptId place, NamesStorage& out) const;
  // by_id: the concepts by ascending id.
  std::shared_ptr<const Names> finish_names(std::span<const Index> by_id,
                                            const BuiltTaxonomy& built);

  std::string text_;
  std::vector<DraftTerm> terms_;
  std::vector<std::uint32_t> id_terms_;  // by concept
  std::vector<TaxonomyLink> links_;
  std::vector<TaxonomyLink> part_links_;  // of a part (child) to its whole (parent)
  std::string definitions_;
  std::size_t beside_ = 0;                                       // bytes
  std::vector<Piece> definition_of_;                             // by concept
  std::vector<std::pair<std::string, std::string>> exceptions_;  // form, base
};

}  // namespace semveil
