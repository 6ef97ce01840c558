#include "release/spelling.h"

#include <algorithm>

#include "base/text.h"
#include "base/trimmed.h"

namespace semveil {
namespace {

// Whether a label means its concept alone, as mapping understands texts (mapping/mapper.cc): bytes
// of ids and labels first; where an ontology's names are equal, any name in any case.
bool means_one(std::string_view label, ConceptId ontology_concept, const Names& names,
               bool names_are_equal, const Domain* domain, std::string& squeezed) {
  squeeze_into(label, squeezed);
  for (const std::uint64_t entry : names.lookup(squeezed)) {
    const Term term = names.term(Names::term_of(entry));
    if (term.concept_id == ontology_concept || term.kind == TermKind::kXref) continue;
    const bool rival = names_are_equal || (term.text == label && (term.kind == TermKind::kLabel ||
                                                                  term.kind == TermKind::kId ||
                                                                  term.kind == TermKind::kAltId));
    if (!rival) continue;
    if (names_are_equal && squeeze(term.text) != squeezed) continue;  // only the hash is equal
    if (domain == nullptr || domain->in_domain(term.concept_id)) return false;
  }
  return true;
}

}  // namespace

Spelling::Spelling(const Attribute& attribute, const OntologyInfo& info, WriteAs write,
                   bool root_was_named, const MappingFile* decisions,
                   const std::vector<std::string>& missing_values,
                   const std::map<ConceptId, std::string>& in_data, const Mapper* mapper,
                   const std::optional<IdForm>& form) {
  std::map<std::string_view, ConceptId> spelt;  // texts that the data give to a concept
  if (write == WriteAs::kData) {
    for (const auto& [c, text] : in_data) spelt.emplace(text, c);
  }
  const auto is_taken = [&](std::string_view label, ConceptId c, ConceptId known_as) {
    const auto* decided = decisions != nullptr ? decisions->find(label) : nullptr;
    const auto other = spelt.find(label);
    return (decided != nullptr && *decided != known_as) ||
           (other != spelt.end() && other->second != c) ||
           std::find(missing_values.begin(), missing_values.end(), label) != missing_values.end();
  };
  const auto reads_back = [&](const std::string& text, ConceptId known_as) {
    if (std::ranges::find(missing_values, text) != missing_values.end()) return false;
    const Match match = mapper->match(text);
    return match.senses.size() == 1 && match.senses.front() == known_as;
  };
  const Taxonomy& taxonomy = attribute.taxonomy();
  const Names& names = *attribute.names;
  texts_.resize(taxonomy.size());
  std::string squeezed;
  for (ConceptId c = 0; c < taxonomy.size(); ++c) {
    if (taxonomy.is_virtual(c)) {
      texts_[c] = "*";
      continue;
    }
    const ConceptId known_as = attribute.domain->in_ontology(c);
    bool wants_label = false;  // no form of its id means it
    if (form && write != WriteAs::kLabel) {
      std::string text = form->written(known_as, names);
      if (reads_back(text, known_as)) {
        texts_[c] = made_.emplace_back(std::move(text));
        continue;
      }
      wants_label = text != attribute.id(c) && !info.has_icd_codes;
    }
    if (write == WriteAs::kId && !wants_label) {
      texts_[c] = attribute.id(c);
      continue;
    }
    if (write == WriteAs::kData) {
      if (const auto found = in_data.find(c); found != in_data.end()) {
        texts_[c] = made_.emplace_back(found->second);
        continue;
      }
    }
    const std::string_view label = names.label(known_as);
    const bool clear = !is_taken(label, c, known_as) &&
                       means_one(label, known_as, names, info.names_are_equal,
                                 root_was_named ? attribute.domain.get() : nullptr, squeezed);
    texts_[c] =
        clear ? label
              : made_.emplace_back(std::string(label) + " (" + std::string(attribute.id(c)) + ")");
  }
}

Spelling::Spelling(const Attribute& numeric, const std::map<ConceptId, std::string>& in_data) {
  for (ConceptId c = 0; c < numeric.size(); ++c) {
    const auto found = in_data.find(c);
    texts_.push_back(made_.emplace_back(
        trimmed(found != in_data.end() ? std::string_view(found->second) : numeric.id(c))));
  }
}

}  // namespace semveil
