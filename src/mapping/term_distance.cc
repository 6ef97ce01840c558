#include "semveil/term_distance.h"

#include <fmt/format.h>

#include <utility>

namespace semveil {
namespace {

Error wrong_term(std::string message, std::string_view text) {
  return data_error(std::move(message)).quoting(std::string(text));
}

std::string links_text(std::uint32_t path) {
  return fmt::format("{} {}", path, path == 1 ? "link" : "links");
}

}  // namespace

TermDistance::TermDistance(std::shared_ptr<const Mapper> mapper, std::shared_ptr<const Names> names,
                           Domain domain, std::unique_ptr<const Measure> measure, Senses senses,
                           bool many)
    : mapper_(std::move(mapper)),
      names_(std::move(names)),
      domain_(std::move(domain)),
      measure_(std::move(measure)),
      senses_(senses),
      many_(many) {}

Result<TermDistance> TermDistance::open(const Ontology& ontology,
                                        const TermDistanceOptions& options) {
  Result<std::shared_ptr<const Taxonomy>> taxonomy = ontology.taxonomy();
  if (!taxonomy) return fail(taxonomy.error());
  Result<std::shared_ptr<const Names>> names = ontology.names();
  if (!names) return fail(names.error());
  Result<Mapper> made = Mapper::create(ontology);
  if (!made) return fail(made.error());
  const auto mapper = std::make_shared<const Mapper>(*std::move(made));
  Domain domain = Domain::whole(*taxonomy);
  if (!options.root.empty()) {
    const Result<ConceptId> root = mapper->only(options.root);
    if (!root) return fail(root.error());
    domain = Domain::subtree(*taxonomy, *root);
  }
  const Result<MeasureOptions> chosen = choose_measure(options.measure, domain, *mapper);
  if (!chosen) return fail(chosen.error());
  Result<std::unique_ptr<const Measure>> measure = make_measure(domain.taxonomy(), *chosen);
  if (!measure) return fail(measure.error());
  return TermDistance(mapper, *std::move(names), std::move(domain), *std::move(measure),
                      options.senses, options.many);
}

Result<std::vector<ConceptId>> TermDistance::senses(std::string_view text) const {
  if (text.empty()) {
    return fail(wrong_term("the cell is empty: a term or an id was expected", text));
  }
  const Match match = mapper_->match(text);
  std::vector<ConceptId> inside;
  for (const ConceptId c : match.senses) {
    if (const auto d = domain_.in_domain(c)) inside.push_back(*d);
    if (senses_ == Senses::kFirst && !inside.empty()) break;
  }
  if (!inside.empty()) return inside;
  if (!match.senses.empty()) {
    const ConceptId root = domain_.in_ontology(Taxonomy::root());
    return fail(
        wrong_term(fmt::format("lies outside the domain '{}': change the root of the domain",
                               names_->label(root)),
                   text));
  }
  constexpr std::size_t kMost = 5;
  std::string hint;
  for (const Suggestion& s : mapper_->suggest(text, kMost, &domain_)) {
    hint += fmt::format("{}{}", hint.empty() ? "did you mean " : ", ", s.text);
  }
  if (hint.empty()) hint = "try `semveil ontology search SRC TEXT`";
  return fail(wrong_term("is not in the ontology", text).hinting(hint));
}

TermDistance::Answer TermDistance::closest(std::span<const ConceptId> senses_a,
                                           std::span<const ConceptId> senses_b) const {
  // The same value either way.
  const auto distance_of = [&](ConceptId a, ConceptId b) {
    return many_ ? measure_->distance(a, b) : measure_->explain(a, b).distance;
  };
  Answer best{senses_a.front(), senses_b.front(), {}};
  double least = distance_of(best.a, best.b);
  for (const ConceptId a : senses_a) {
    for (const ConceptId b : senses_b) {
      const double distance = distance_of(a, b);
      if (distance >= least) continue;
      least = distance;
      best = {a, b, {}};
    }
  }
  best.explanation.distance = least;
  return best;
}

TermDistance::Answer TermDistance::explain(std::span<const ConceptId> senses_a,
                                           std::span<const ConceptId> senses_b) const {
  Answer answer = closest(senses_a, senses_b);
  answer.explanation = measure_->explain(answer.a, answer.b);
  return answer;
}

std::string TermDistance::drawing(const Answer& answer) const {
  const Subsumer& l = answer.explanation.subsumer;
  const ConceptId o = domain_.in_ontology(l.concept_id);
  const std::string_view id = names_->id(o);
  return fmt::format("{} ({}), depth {}\n├─ {}   {}\n└─ {}   {}", names_->label(o),
                     id.empty() ? "virtual root" : id, domain_.taxonomy()->depth(l.concept_id),
                     way_down(answer.a, l.concept_id), links_text(l.path_a),
                     way_down(answer.b, l.concept_id), links_text(l.path_b));
}

// "canine ─ dog": the concepts from below the subsumer down to c.
std::string TermDistance::way_down(ConceptId c, ConceptId subsumer) const {
  const std::vector<ConceptId> up = domain_.taxonomy()->way_up(c, subsumer);
  std::string text;
  for (auto at = up.rbegin() + 1; at != up.rend(); ++at) {
    if (!text.empty()) text += " ─ ";
    text += names_->label(domain_.in_ontology(*at));
  }
  return text.empty() ? "(itself)" : text;
}

}  // namespace semveil
