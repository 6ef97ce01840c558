#include "semveil/search.h"

#include <algorithm>
#include <tuple>

#include "base/text.h"

namespace semveil {
namespace {

enum class Fit : std::uint8_t { kEqual, kBeginning, kWordBeginning, kInside, kNone };

Fit fit_of(std::string_view name, std::string_view part) {
  const std::size_t at = name.find(part);
  if (at == std::string_view::npos) return Fit::kNone;
  if (at == 0) return name.size() == part.size() ? Fit::kEqual : Fit::kBeginning;
  for (std::size_t i = at; i != std::string_view::npos; i = name.find(part, i + 1)) {
    if (name[i - 1] == ' ') return Fit::kWordBeginning;
  }
  return Fit::kInside;
}

struct Candidate {
  Fit fit;
  std::size_t size;
  std::uint32_t id_rank;
  Hit hit;
  bool operator<(const Candidate& other) const {
    return std::tie(fit, size, hit.matched, id_rank) <
           std::tie(other.fit, other.size, other.hit.matched, other.id_rank);
  }
};

}  // namespace

std::vector<Hit> search_names(const Mapper& mapper, const Taxonomy& taxonomy, std::string_view text,
                              std::size_t most) {
  const Names& names = mapper.names();
  std::vector<Hit> hits;
  std::vector<bool> taken(taxonomy.size(), false);
  const auto take = [&](const Hit& hit) {
    if (taken[hit.concept_id] || hits.size() == most) return;
    taken[hit.concept_id] = true;
    hits.push_back(hit);
  };
  for (const ConceptId c : mapper.match(text).senses) take({c, names.label(c)});

  const std::string part = normalise(text);
  if (part.empty()) return hits;
  std::vector<Candidate> candidates;
  for (TermId t = 0; t < names.terms(); ++t) {
    const Term term = names.term(t);
    if (term.kind == TermKind::kXref) continue;
    const Fit fit = fit_of(normalise(term.text), part);
    if (fit == Fit::kNone) continue;
    candidates.push_back(
        {fit, term.text.size(), taxonomy.id_rank(term.concept_id), {term.concept_id, term.text}});
  }
  std::sort(candidates.begin(), candidates.end());
  for (const Candidate& c : candidates) take(c.hit);
  return hits;
}

}  // namespace semveil
