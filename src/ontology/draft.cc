#include "ontology/draft.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>
#include <set>

#include "base/stop.h"
#include "base/text.h"
#include "ontology/parts.h"
#include "ontology/taxonomy_builder.h"

namespace semveil {

struct OntologyDraft::NamesStorage {
  std::vector<std::uint32_t> term_begin, text_begin, definition_begin, exception_begin;
  std::vector<ConceptId> term_concept;
  std::vector<std::uint32_t> whole_begin;
  std::vector<ConceptId> wholes;
  std::vector<std::uint16_t> term_sense;
  std::vector<TermKind> term_kind;
  std::vector<std::uint64_t> index;
  std::string text, definitions, exceptions;
  std::vector<Piece> term_pieces, definition_pieces;  // where the draft has these texts
  std::shared_ptr<const Taxonomy> taxonomy;           // owns the rows

  void reserve(std::size_t rows, std::size_t terms) {
    term_begin.reserve(rows + 1);
    definition_pieces.reserve(rows);
    term_pieces.reserve(terms);
    term_concept.reserve(terms);
    term_sense.reserve(terms);
    term_kind.reserve(terms);
    index.reserve(terms);
  }
  // Links of a part to its whole, by ConceptId.
  void set_wholes(std::vector<TaxonomyLink> links, std::size_t concepts) {
    const auto by_part = [](const TaxonomyLink& a, const TaxonomyLink& b) {
      return std::pair(a.child, a.parent) < std::pair(b.child, b.parent);
    };
    const auto same = [](const TaxonomyLink& a, const TaxonomyLink& b) {
      return a.child == b.child && a.parent == b.parent;
    };
    std::sort(links.begin(), links.end(), by_part);
    links.erase(std::unique(links.begin(), links.end(), same), links.end());
    whole_begin.assign(concepts + 1, 0);
    for (const TaxonomyLink& link : links) {
      ++whole_begin[link.child + std::size_t{1}];
      wholes.push_back(link.parent);
    }
    std::partial_sum(whole_begin.begin(), whole_begin.end(), whole_begin.begin());
  }
  Names::Arrays arrays() const {
    return {taxonomy->arrays().id_rank,
            term_begin,
            text_begin,
            term_concept,
            term_sense,
            term_kind,
            text,
            index,
            definition_begin,
            definitions,
            exception_begin,
            exceptions,
            whole_begin,
            wholes,
            taxonomy->has_virtual_root()};
  }
};

namespace {

class FinishedParts final : public OntologyParts {
 public:
  FinishedParts(OntologyInfo info, std::shared_ptr<const Taxonomy> taxonomy,
                std::shared_ptr<const Names> names)
      : info_(std::move(info)), taxonomy_(std::move(taxonomy)), names_(std::move(names)) {}
  const OntologyInfo& info() const override { return info_; }
  Result<std::shared_ptr<const Taxonomy>> taxonomy() const override { return taxonomy_; }
  Result<std::shared_ptr<const Names>> names() const override { return names_; }
  Status verify() const override { return {}; }

 private:
  OntologyInfo info_;
  std::shared_ptr<const Taxonomy> taxonomy_;
  std::shared_ptr<const Names> names_;
};

// Sorts by the upper 32 bits, keeping the order of equals: the entries come with ascending terms,
// so the result ascends altogether. Ten times as fast as a comparison sort at this size.
void sort_by_hash(std::vector<std::uint64_t>& entries) {
  constexpr unsigned kDigitBits = 11;
  constexpr std::size_t kDigits = std::size_t{1} << kDigitBits;
  std::vector<std::uint64_t> other(entries.size());
  for (unsigned shift = 32; shift < 64; shift += kDigitBits) {
    std::vector<std::size_t> next(kDigits + 1, 0);
    const auto digit = [&](std::uint64_t e) { return (e >> shift) & (kDigits - 1); };
    for (const std::uint64_t e : entries) ++next[digit(e) + 1];
    std::partial_sum(next.begin(), next.end(), next.begin());
    for (const std::uint64_t e : entries) other[next[digit(e)]++] = e;
    entries.swap(other);
  }
}

}  // namespace

OntologyDraft::Index OntologyDraft::add_concept(std::string_view id) {
  const auto index = static_cast<Index>(id_terms_.size());
  id_terms_.push_back(static_cast<std::uint32_t>(terms_.size()));
  add_term(index, TermKind::kId, id);
  return index;
}

void OntologyDraft::add_term(Index concept_index, TermKind kind, std::string_view text,
                             std::uint16_t sense) {
  terms_.push_back(
      {{static_cast<std::uint32_t>(text_.size()), static_cast<std::uint32_t>(text.size())},
       concept_index,
       sense,
       kind});
  text_ += text;
}

void OntologyDraft::set_definition(Index concept_index, std::string_view text) {
  if (definition_of_.size() <= concept_index) definition_of_.resize(concept_index + std::size_t{1});
  definition_of_[concept_index] = {static_cast<std::uint32_t>(definitions_.size()),
                                   static_cast<std::uint32_t>(text.size())};
  definitions_ += text;
}

void OntologyDraft::add_link(Index child, Index parent) { links_.push_back({child, parent}); }

void OntologyDraft::add_exception(std::string_view form, std::string_view base) {
  exceptions_.emplace_back(form, base);
  keep_beside(form.size() + base.size() + 1);
}

bool OntologyDraft::is_full() const {
  return text_.size() > most_bytes() || definitions_.size() > most_bytes() ||
         beside_ > most_bytes() || terms_.size() > most_items() || links_.size() > most_items() ||
         part_links_.size() > most_items();
}

void OntologyDraft::reserve(std::size_t concepts, std::size_t terms, std::size_t text_bytes,
                            std::size_t definition_bytes) {
  id_terms_.reserve(concepts);
  definition_of_.reserve(concepts);
  links_.reserve(concepts + concepts / 8);
  terms_.reserve(concepts + terms);
  text_.reserve(text_bytes);
  definitions_.reserve(definition_bytes);
}

// The draft's terms grouped by concept, in the order they were added.
class OntologyDraft::Grouped {
 public:
  explicit Grouped(const OntologyDraft& draft)
      : begin_(draft.concepts() + 1, 0), items_(draft.terms_.size()) {
    for (const DraftTerm& t : draft.terms_) ++begin_[t.concept_index + std::size_t{1}];
    std::partial_sum(begin_.begin(), begin_.end(), begin_.begin());
    std::vector<std::uint32_t> next(begin_.begin(), begin_.end() - 1);
    for (std::uint32_t t = 0; t < items_.size(); ++t) {
      items_[next[draft.terms_[t].concept_index]++] = t;
    }
  }
  std::span<std::uint32_t> of(Index c) {
    return std::span(items_).subspan(begin_[c], begin_[c + 1] - begin_[c]);
  }

 private:
  std::vector<std::uint32_t> begin_, items_;
};

// Appends a concept's terms: its id first, then its preferred label (the id where the source has
// none), then the rest once.
void OntologyDraft::append_terms(std::span<std::uint32_t> own, ConceptId place,
                                 NamesStorage& out) const {
  constexpr std::size_t kFew = 32;  // up to here looking through them all is quicker than a set
  std::set<std::pair<TermKind, std::string_view>> seen;
  const std::size_t first = out.term_concept.size();
  const auto repeats = [&](TermKind kind, std::string_view text) {
    if (own.size() > kFew) return !seen.emplace(kind, text).second;
    for (std::size_t t = first; t < out.term_concept.size(); ++t) {
      if (out.term_kind[t] == kind && text_of(out.term_pieces[t]) == text) return true;
    }
    return false;
  };
  std::string squeezed;
  const auto append = [&](const DraftTerm& term, TermKind kind) {
    const std::string_view text = text_of(term.piece);
    if (repeats(kind, text)) return;
    squeeze_into(text, squeezed);
    out.index.push_back(std::uint64_t{squeezed_hash(squeezed)} << 32 | out.term_concept.size());
    out.term_concept.push_back(place);
    out.term_sense.push_back(term.sense);
    out.term_kind.push_back(kind);
    out.term_pieces.push_back(term.piece);
  };

  const auto label = std::find_if(
      own.begin(), own.end(), [&](std::uint32_t t) { return terms_[t].kind == TermKind::kLabel; });
  append(terms_[own[0]], TermKind::kId);
  append(terms_[label == own.end() ? own[0] : *label], TermKind::kLabel);
  for (auto t = own.begin() + 1; t != own.end(); ++t) {
    if (t == label) continue;
    const TermKind kind = terms_[*t].kind;
    append(terms_[*t], kind == TermKind::kLabel ? TermKind::kExactSynonym : kind);
  }
}

// The pieces one after the other, and where each begins. Sources that have them in this order
// already, as WordNet does, give their text away instead of having it copied.
std::string OntologyDraft::gathered(std::string&& text, std::span<const Piece> pieces,
                                    std::vector<std::uint32_t>& begin) {
  begin.reserve(pieces.size() + 1);
  begin.push_back(0);
  bool in_order = true;
  for (const Piece& piece : pieces) {
    in_order &= piece.begin == begin.back();
    begin.push_back(begin.back() + piece.size);
  }
  if (in_order && begin.back() == text.size()) return std::move(text);
  std::string copy;
  copy.reserve(begin.back());
  for (const Piece& piece : pieces) copy.append(text, piece.begin, piece.size);
  return copy;
}

std::shared_ptr<const Names> OntologyDraft::finish_names(std::span<const Index> by_id,
                                                         const BuiltTaxonomy& built) {
  auto out = std::make_shared<NamesStorage>();
  out->reserve(built.taxonomy->size(), terms_.size());
  definition_of_.resize(concepts());
  Grouped terms(*this);
  const auto end_row = [&] {
    out->term_begin.push_back(static_cast<std::uint32_t>(out->term_concept.size()));
  };
  end_row();
  Piece no_definition{0, 0};
  StopCheck check;
  for (const Index c : by_id) {
    check();
    append_terms(terms.of(c), built.place[c], *out);
    end_row();
    Piece definition = definition_of_[c];
    if (definition.size == 0) definition.begin = no_definition.begin;
    no_definition.begin = definition.begin + definition.size;
    out->definition_pieces.push_back(definition);
  }
  if (built.taxonomy->has_virtual_root()) {  // its rank is the last, and it has no names
    end_row();
    out->definition_pieces.push_back(no_definition);
  }
  check_stop();
  sort_by_hash(out->index);
  check_stop();
  out->text = gathered(std::move(text_), out->term_pieces, out->text_begin);
  out->definitions =
      gathered(std::move(definitions_), out->definition_pieces, out->definition_begin);
  out->term_pieces = {};
  out->definition_pieces = {};

  std::sort(exceptions_.begin(), exceptions_.end());
  out->exception_begin.push_back(0);
  for (const auto& [form, base] : exceptions_) {
    out->exceptions += form + '\t' + base;
    out->exception_begin.push_back(static_cast<std::uint32_t>(out->exceptions.size()));
  }
  for (TaxonomyLink& link : part_links_) {
    link = {built.place[link.child], built.place[link.parent]};
  }
  out->set_wholes(std::move(part_links_), built.taxonomy->size());
  out->taxonomy = built.taxonomy;
  return std::make_shared<const Names>(out->arrays(), out);
}

Result<Ontology> OntologyDraft::finish(const std::string& file) && {
  if (concepts() == 0)
    return fail(data_error("there is no concept in it: check that it is the file that was meant, "
                           "in the form that was named")
                    .at(file));
  if (is_full()) return fail(data_error(kFull).at(file));

  std::vector<std::uint32_t> by_id(concepts());
  std::iota(by_id.begin(), by_id.end(), 0U);
  const auto smaller = [this](std::uint32_t a, std::uint32_t b) { return id(a) < id(b); };
  if (!std::is_sorted(by_id.begin(), by_id.end(), smaller)) {
    std::sort(by_id.begin(), by_id.end(), smaller);
  }
  std::vector<std::uint32_t> rank(concepts());
  for (std::uint32_t r = 0; r < by_id.size(); ++r) rank[by_id[r]] = r;

  check_stop();
  const BuiltTaxonomy built = build_taxonomy(std::move(links_), rank);
  if (!built.cycle.empty()) {
    constexpr std::size_t kShown = 20;
    std::string way;
    for (std::size_t i = 0; i < std::min(built.cycle.size(), kShown); ++i) {
      way += fmt::format("{} is-a ", id(built.cycle[i]));
    }
    if (built.cycle.size() > kShown)
      way += fmt::format("… ({} concepts) is-a ", built.cycle.size());
    way += id(built.cycle[0]);
    return fail(
        data_error(fmt::format("the is-a links form a cycle: {}; remove one of these links", way))
            .at(file));
  }
  if (built.too_deep) {
    return fail(data_error(fmt::format("more than {} levels: this is a chain, not a taxonomy",
                                       Taxonomy::kMaxDepth))
                    .at(file));
  }
  std::shared_ptr<const Names> names = finish_names(by_id, built);
  return Ontology(
      std::make_shared<const FinishedParts>(std::move(info), built.taxonomy, std::move(names)));
}

}  // namespace semveil
