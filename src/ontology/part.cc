#include "ontology/part.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/stop.h"
#include "base/text.h"
#include "ontology/draft.h"
#include "ontology/instances.h"
#include "ontology/wordnet/sense_id.h"

namespace semveil {
namespace {

// Of names that differ in blanks and hyphens alone, the one that is written alike.
std::vector<ConceptId> with_sense_id(const Names& names, std::string_view text) {
  std::vector<ConceptId> found;
  const std::optional<SenseId> id = parse_sense_id(text);
  if (!id) return found;
  const std::string squeezed = squeeze(id->lemma);
  for (const std::uint64_t entry : names.lookup(squeezed)) {
    const Term term = names.term(Names::term_of(entry));
    const bool called = is_name(term.kind) && squeeze(term.text) == squeezed;
    if (!called || term.sense != id->sense) continue;
    if (term.text == id->lemma) return {term.concept_id};
    found.push_back(term.concept_id);
  }
  return found;
}

}  // namespace

Result<ConceptId> concept_called(const Names& names, std::string_view text) {
  const std::string squeezed = squeeze(text);
  std::vector<ConceptId> other_ids, named;
  for (const std::uint64_t entry : names.lookup(squeezed)) {
    const Term term = names.term(Names::term_of(entry));
    if (term.kind == TermKind::kId && term.text == text) return term.concept_id;
    if (term.kind == TermKind::kAltId && term.text == text) other_ids.push_back(term.concept_id);
    if (is_name(term.kind) && squeeze(term.text) == squeezed) named.push_back(term.concept_id);
  }
  if (!other_ids.empty()) named = std::move(other_ids);
  if (named.empty()) named = with_sense_id(names, text);
  std::ranges::sort(named);
  named.erase(std::unique(named.begin(), named.end()), named.end());
  if (named.size() == 1) return named.front();
  if (named.empty()) {
    return fail(data_error("no concept of the ontology has this id or name: see `semveil ontology "
                           "search`")
                    .quoting(std::string(text)));
  }
  std::string listed;
  for (const ConceptId c : named) listed += fmt::format("\n  {} {}", names.id(c), names.label(c));
  return fail(
      data_error(fmt::format("means {} concepts; use the id of one:{}", named.size(), listed))
          .quoting(std::string(text)));
}

Result<Ontology> part_of(const Ontology& ontology, ConceptId root) {
  const auto taxonomy = ontology.taxonomy();
  if (!taxonomy) return fail(taxonomy.error());
  const auto names = ontology.names();
  if (!names) return fail(names.error());
  constexpr OntologyDraft::Index kOutside = 0xFFFFFFFFU;
  std::vector<OntologyDraft::Index> index((*taxonomy)->size(), kOutside);
  const std::vector<ConceptId> members = (*taxonomy)->descendants(root);

  OntologyDraft draft;
  draft.info = ontology.info();
  draft.info.contents = {{"concepts of the whole ontology",
                          (*taxonomy)->size() - ((*taxonomy)->has_virtual_root() ? 1 : 0)}};
  draft.info.left_out.clear();  // counted in the whole
  draft.info.headings.clear();
  StopCheck check;
  for (const ConceptId c : members) {
    check();
    if ((*taxonomy)->is_virtual(c)) continue;
    const std::size_t id_term = draft.terms();
    index[c] = draft.add_concept((*names)->id(c));
    if (is_instance(**names, c)) draft.set_sense(id_term, kInstance);
    if (std::ranges::binary_search(ontology.info().headings, (*names)->id(c))) {
      draft.info.headings.emplace_back((*names)->id(c));
    }
    for (TermId t = (*names)->first_term(c) + 1; t < (*names)->last_term(c); ++t) {
      const Term term = (*names)->term(t);
      draft.add_term(index[c], term.kind, term.text, term.sense);
    }
    if (const std::string_view text = (*names)->definition(c); !text.empty()) {
      draft.set_definition(index[c], text);
    }
  }
  for (const ConceptId c : members) {
    for (const ConceptId p : (*taxonomy)->parents(c)) {
      if (index[c] != kOutside && index[p] != kOutside) draft.add_link(index[c], index[p]);
    }
    for (const ConceptId whole : (*names)->wholes(c)) {
      if (index[whole] != kOutside) draft.add_part(index[c], index[whole]);
    }
  }
  std::ranges::sort(draft.info.headings);
  const Names::Arrays& arrays = (*names)->arrays();
  for (std::size_t i = 0; i + 1 < arrays.exception_begin.size(); ++i) {
    const std::string_view line = arrays.exceptions.substr(
        arrays.exception_begin[i], arrays.exception_begin[i + 1] - arrays.exception_begin[i]);
    const std::size_t tab = line.find('\t');
    draft.add_exception(line.substr(0, tab), line.substr(std::min(tab + 1, line.size())));
  }
  return std::move(draft).finish("");
}

}  // namespace semveil
