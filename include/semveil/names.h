// The names of an ontology's concepts: ids, labels, synonyms, cross-references, definitions, and
// one index that finds them by text. Beside them what a concept is a part of, where the source
// says so: a feature like a definition, never a link of the taxonomy.
//
// A term is one text of one concept. A concept's terms stand together: its id first, then its
// preferred label, then the rest in the source's order; concepts follow each other by id, which is
// how most sources have them, so that loading copies and does not shuffle. The index is keyed by
// the squeezed form of the text (base/text.h: folded, blanks, hyphens and underscores removed);
// every looser or stricter kind of equality is a filter over the terms found there.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "semveil/taxonomy.h"

namespace [[gnu::visibility("default")]] semveil {

using TermId = std::uint32_t;

enum class TermKind : std::uint8_t {
  kId,
  kLabel,
  kExactSynonym,
  kNarrowSynonym,
  kBroadSynonym,
  kRelatedSynonym,
  kAltId,
  kXref,
};
constexpr bool is_name(TermKind kind) {
  return kind >= TermKind::kLabel && kind <= TermKind::kRelatedSynonym;
}

struct Term {
  std::string_view text;
  ConceptId concept_id;
  TermKind kind;
  std::uint16_t sense;  // WordNet: 1 for the word's first sense, …; 0 where there is no order
};

class Names {
 public:
  struct Arrays {
    std::span<const std::uint32_t> row;         // by ConceptId: place of its id among all ids
    std::span<const std::uint32_t> term_begin;  // rows + 1
    std::span<const std::uint32_t> text_begin;  // terms + 1, into text
    std::span<const ConceptId> term_concept;
    std::span<const std::uint16_t> term_sense;
    std::span<const TermKind> term_kind;
    std::string_view text;
    std::span<const std::uint64_t> index;             // squeezed_hash << 32 | TermId, ascending
    std::span<const std::uint32_t> definition_begin;  // rows + 1, into definitions
    std::string_view definitions;
    std::span<const std::uint32_t> exception_begin;  // entries + 1, into exceptions
    std::string_view exceptions;                     // "form TAB base" each, by ascending form
    std::span<const std::uint32_t> whole_begin;      // by ConceptId, and one more, into wholes
    std::span<const ConceptId> wholes;               // ascending for each concept
    bool virtual_root = false;
  };
  Names(Arrays arrays, std::shared_ptr<const void> owner)
      : arrays_(arrays), owner_(std::move(owner)) {}

  std::string_view id(ConceptId c) const;     // "" for the virtual root
  std::string_view label(ConceptId c) const;  // "(top)" for the virtual root
  std::string_view definition(ConceptId c) const;
  // What c is a part, a member or the substance of; only WordNet tells.
  std::span<const ConceptId> wholes(ConceptId c) const {
    return arrays_.wholes.subspan(arrays_.whole_begin[c],
                                  arrays_.whole_begin[c + 1] - arrays_.whole_begin[c]);
  }

  std::size_t terms() const { return arrays_.term_concept.size(); }
  Term term(TermId t) const;
  TermId first_term(ConceptId c) const { return arrays_.term_begin[arrays_.row[c]]; }
  // Past the end.
  TermId last_term(ConceptId c) const { return arrays_.term_begin[arrays_.row[c] + 1]; }

  // Terms whose squeezed form hashes like this one; the caller compares the texts.
  std::span<const std::uint64_t> lookup(std::string_view squeezed) const;
  static TermId term_of(std::uint64_t index_entry) { return static_cast<TermId>(index_entry); }

  // The base forms that the source's exception list gives for a word ("mice" → "mouse").
  std::vector<std::string_view> exceptions(std::string_view form) const;

  const Arrays& arrays() const { return arrays_; }

 private:
  Arrays arrays_;
  std::shared_ptr<const void> owner_;
};

}  // namespace semveil
