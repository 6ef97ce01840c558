#include "release/several_ontologies.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>
#include <set>

#include "base/parallel.h"
#include "measures/matrix_measure.h"
#include "ontology/draft.h"

namespace semveil {
namespace {

constexpr std::size_t kMostUnits = 5'000;  // a matrix of 200 MB
constexpr std::string_view kNothing = "(nothing)";

// By ontology: the senses of a text, ids of that ontology.
using Meaning = std::vector<std::vector<ConceptId>>;

struct Unit {
  std::string id;  // the ids of all senses
  std::string_view label;
  Meaning meaning;
  std::vector<std::size_t> values;  // places in the column's list
};

class SeveralOntologies : public std::enable_shared_from_this<SeveralOntologies> {
 public:
  SeveralOntologies(const ColumnPlan& plan, const Ontologies& ontologies, unsigned threads)
      : plan_(plan), threads_(threads) {
    for (const std::string& name : plan.ontologies) ontologies_.push_back(&ontologies.at(name));
  }

  Result<MappedColumn> map(std::vector<std::pair<std::string, std::uint64_t>> values,
                           bool missing_is_value) {
    for (const Ontology* const ontology : ontologies_) {
      Result<Mapper> mapper = Mapper::create(*ontology);
      if (!mapper) return fail(mapper.error());
      mappers_.push_back(*std::move(mapper));
    }
    MappedColumn column;
    column.values = match(std::move(values));
    find_units(column.values);
    if (units_.size() > kMostUnits) {
      return fail(data_error(fmt::format("{} distinct values; with several ontologies at most {} "
                                         "can be compared. Leave one ontology",
                                         units_.size(), kMostUnits))
                      .at({.file = {}, .line = 0, .column = plan_.name}));
    }
    Result<std::shared_ptr<const DistanceMatrix>> distances = measure();
    if (!distances) return fail(distances.error());
    Result<Ontology> joined = join();
    if (!joined) return fail(joined.error());
    column.joined = *std::move(joined);

    column.plan.name = plan_.name;
    column.plan.column = plan_;
    column.plan.column.ontology = joined_name(plan_);
    column.plan.missing_is_value = missing_is_value;
    column.plan.distances = *std::move(distances);
    column.plan.symmetrised = symmetrised_;
    Result<std::shared_ptr<const Attribute>> attribute =
        make_unit_attribute(column.plan, *column.joined);
    if (!attribute) return fail(attribute.error());
    column.attribute = *std::move(attribute);
    Result<TextMapping> mapping = make_text_mapping(*column.joined, {});
    if (!mapping) return fail(mapping.error());
    column.mapping = *std::move(mapping);

    for (std::size_t u = 0; u < units_.size(); ++u) {
      for (const std::size_t value : units_[u].values) {
        column.values[value].concept_id = concept_of(u);
        column.values[value].senses = {concept_of(u)};
      }
    }
    column.unit_of = [self = shared_from_this()](std::string_view text) {
      return self->unit_of(text);
    };
    return column;
  }

 private:
  // The virtual root comes first: there are always two units or more.
  static ConceptId concept_of(std::size_t unit) { return static_cast<ConceptId>(unit + 1); }

  // A text that was not in the column: the unit with the same meaning, if there is one.
  ConceptId unit_of(std::string_view text) const {
    How how = How::kUnmapped;
    const auto known = unit_of_meaning_.find(meaning_of(text, how));
    return known == unit_of_meaning_.end() ? kMissing : concept_of(known->second);
  }

  // The senses in each ontology, as a set; `how` is told by the first that knows the text.
  Meaning meaning_of(std::string_view text, How& how) const {
    Meaning meaning;
    for (const Mapper& mapper : mappers_) {
      Match found = mapper.match(text);
      if (plan_.senses == "first" && found.senses.size() > 1) found.senses.resize(1);
      if (!found.senses.empty() && !is_mapped(how)) how = found.how;
      std::ranges::sort(found.senses);
      meaning.push_back(std::move(found.senses));
    }
    return meaning;
  }

  // What may be meant instead, with the id: the concepts are of several ontologies.
  std::vector<Suggestion> suggestions(std::string_view text) const {
    constexpr std::size_t kMost = 3;
    std::vector<Suggestion> all;
    for (const Mapper& mapper : mappers_) {
      for (Suggestion& s : mapper.suggest(text, kMost)) {
        s.text = fmt::format("{} ({})", s.text, mapper.names().id(s.concept_id));
        all.push_back(std::move(s));
      }
    }
    std::ranges::stable_sort(all, {}, &Suggestion::edits);
    if (all.size() > kMost) all.resize(kMost);
    return all;
  }

  // Texts that no ontology knows are unmapped.
  std::vector<MappedValue> match(std::vector<std::pair<std::string, std::uint64_t>> values) {
    std::vector<MappedValue> mapped(values.size());
    std::sort(values.begin(), values.end(), [](const auto& a, const auto& b) {
      return a.second != b.second ? a.second > b.second : a.first < b.first;
    });
    meanings_.resize(values.size());
    in_parallel(threads_, values.size(), [&](std::size_t i) {
      MappedValue& value = mapped[i];
      value.value = values[i].first;
      value.count = values[i].second;
      meanings_[i] = meaning_of(value.value, value.how);
      if (!is_mapped(value.how)) value.suggestions = suggestions(value.value);
    });
    return mapped;
  }

  std::string id_of(const Meaning& meaning) const {
    std::vector<std::string_view> ids;
    for (std::size_t o = 0; o < meaning.size(); ++o) {
      for (const ConceptId c : meaning[o]) ids.push_back(mappers_[o].names().id(c));
    }
    return fmt::format("{}", fmt::join(ids, "+"));
  }

  // Ascending by id. Ids of several ontologies may be alike, so that two meanings have the same ids
  // joined: a number tells them apart.
  void find_units(const std::vector<MappedValue>& values) {
    std::map<std::pair<std::string, Meaning>, std::vector<std::size_t>> found;
    for (std::size_t i = 0; i < values.size(); ++i) {
      if (is_mapped(values[i].how)) found[{id_of(meanings_[i]), meanings_[i]}].push_back(i);
    }
    // Two units at least, so that there is a virtual root, which is no value.
    for (std::size_t n = found.size(); n < 2; ++n) {
      found[{std::string(kNothing), Meaning(ontologies_.size() + n)}] = {};
    }
    std::set<std::string> taken;
    for (auto& [key, of] : found) {
      Unit unit{key.first, "", key.second, std::move(of)};
      for (unsigned n = 2; !taken.insert(unit.id).second; ++n) {
        unit.id = fmt::format("{}#{}", key.first, n);
      }
      unit.meaning.resize(ontologies_.size());
      for (std::size_t o = 0; o < unit.meaning.size() && unit.label.empty(); ++o) {
        if (!unit.meaning[o].empty()) unit.label = mappers_[o].names().label(unit.meaning[o][0]);
      }
      if (unit.label.empty()) unit.label = kNothing;
      units_.push_back(std::move(unit));
    }
    std::sort(units_.begin(), units_.end(),
              [](const Unit& a, const Unit& b) { return a.id < b.id; });
    for (std::size_t u = 0; u < units_.size(); ++u) {
      if (!units_[u].values.empty()) unit_of_meaning_.emplace(units_[u].meaning, u);
    }
  }

  Result<std::shared_ptr<const DistanceMatrix>> measure() {
    auto matrix = std::make_shared<DistanceMatrix>(units_.size());
    for (std::size_t u = 0; u < units_.size(); ++u) {
      std::ranges::fill(matrix->row(u), 1.0);
      matrix->row(u)[u] = 0;
    }
    for (std::size_t o = 0; o < ontologies_.size(); ++o) {
      if (const Status status = measure_in(o, *matrix); !status) return fail(status.error());
    }
    return std::shared_ptr<const DistanceMatrix>(std::move(matrix));
  }

  Status measure_in(std::size_t o, DistanceMatrix& matrix) {
    const auto taxonomy = ontologies_[o]->taxonomy();
    if (!taxonomy) return fail(taxonomy.error());
    std::vector<ConceptId> senses;
    for (const Unit& unit : units_) {
      senses.insert(senses.end(), unit.meaning[o].begin(), unit.meaning[o].end());
    }
    std::sort(senses.begin(), senses.end());
    senses.erase(std::unique(senses.begin(), senses.end()), senses.end());
    if (senses.empty()) return {};
    const Domain domain = Domain::subtree(*taxonomy, (*taxonomy)->lcs(senses));
    const Result<MeasureOptions> options = choose_measure(
        {plan_.measure, plan_.ic, plan_.lcs, plan_.weights}, domain, mappers_[o].names());
    if (!options) return fail(options.error());
    const auto measure = make_measure(domain.taxonomy(), *options);
    if (!measure) return fail(measure.error());
    symmetrised_ |= (*measure)->is_symmetrised();

    std::vector<ConceptId> in_domain;
    for (const ConceptId c : senses) in_domain.push_back(*domain.in_domain(c));
    std::vector<std::vector<std::size_t>> place_of(units_.size());  // of each unit's senses
    std::vector<std::vector<std::size_t>> units_with(senses.size());
    for (std::size_t u = 0; u < units_.size(); ++u) {
      for (const ConceptId c : units_[u].meaning[o]) {
        const auto at = std::lower_bound(senses.begin(), senses.end(), c) - senses.begin();
        place_of[u].push_back(static_cast<std::size_t>(at));
        units_with[static_cast<std::size_t>(at)].push_back(u);
      }
    }
    (*measure)->rows(in_domain, [&](std::size_t s, std::span<const double> row) {
      for (const std::size_t u : units_with[s]) {
        const std::span<double> out = matrix.row(u);
        for (std::size_t v = 0; v < units_.size(); ++v) {
          for (const std::size_t t : place_of[v]) out[v] = std::min(out[v], row[t]);
        }
      }
    });
    return {};
  }

  // The column's own texts are no names: nobody is to find them here.
  Result<Ontology> join() const {
    OntologyDraft draft;
    draft.info.format = "joined";
    for (const Unit& unit : units_) {
      const OntologyDraft::Index c = draft.add_concept(unit.id);
      draft.add_term(c, TermKind::kLabel, unit.label);
    }
    return std::move(draft).finish(plan_.name);
  }

  const ColumnPlan plan_;
  std::vector<const Ontology*> ontologies_;
  unsigned threads_;
  std::vector<Mapper> mappers_;
  std::vector<Meaning> meanings_;  // by value
  std::vector<Unit> units_;
  std::map<Meaning, std::size_t> unit_of_meaning_;
  bool symmetrised_ = false;
};

}  // namespace

std::string joined_name(const ColumnPlan& plan) {
  return fmt::format("{} of {}", plan.ontology, plan.name);
}

Result<std::shared_ptr<const Attribute>> make_unit_attribute(const AttributePlan& plan,
                                                             const Ontology& joined) {
  const auto taxonomy = joined.taxonomy();
  if (!taxonomy) return fail(taxonomy.error());
  const auto names = joined.names();
  if (!names) return fail(names.error());
  Attribute attribute;
  attribute.name = plan.name;
  attribute.names = *names;
  attribute.missing_is_value = plan.missing_is_value;
  attribute.domain = std::make_shared<const Domain>(Domain::whole(*taxonomy));
  attribute.measure =
      make_matrix_measure(*taxonomy, plan.column.measure, plan.distances, plan.symmetrised);
  Result<Candidates> candidates = Candidates::of(attribute.taxonomy(), {});
  if (!candidates) return fail(candidates.error());
  attribute.candidates = std::make_shared<const Candidates>(*std::move(candidates));
  return std::make_shared<const Attribute>(std::move(attribute));
}

Result<MappedColumn> map_to_several(const ColumnPlan& plan, const Ontologies& ontologies,
                                    std::vector<std::pair<std::string, std::uint64_t>> values,
                                    bool missing_is_value, unsigned threads) {
  return std::make_shared<SeveralOntologies>(plan, ontologies, threads)
      ->map(std::move(values), missing_is_value);
}

}  // namespace semveil
