#include "release/value_column.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <set>

#include "base/parallel.h"
#include "measures/value_measure.h"
#include "ontology/draft.h"

namespace semveil {
namespace {

constexpr std::string_view kNothing = "(nothing)";

// What the column's own ontology is called: two columns never share one.
std::string joined_name(const ColumnSettings& plan) {
  return fmt::format("{} of {}", plan.ontology, plan.name);
}

// The senses of a text in one ontology, as a set; none where it means nothing there.
std::vector<ConceptId> senses_in(const ValueUnits::Base& base, Match found) {
  if (base.plan.column.senses == "first" && found.senses.size() > 1) found.senses.resize(1);
  std::vector<ConceptId> senses = std::move(found.senses);
  if (base.space.domain) {
    std::erase_if(senses, [&](ConceptId c) { return !base.space.domain->in_domain(c); });
  }
  std::ranges::sort(senses);
  return senses;
}

// From the meanings of a column's values to its units, and the ontology they form.
class UnitMaker {
 public:
  explicit UnitMaker(ValueUnits& values) : values_(values) {}

  // The first value that has a meaning says what it is resolved to.
  void add(const Meaning& meaning, std::optional<ConceptId> resolved) {
    found_.try_emplace({id_of(meaning), meaning}, resolved);
  }

  Result<Ontology> finish(const std::string& column) {
    name_units();
    add_root();
    add_label_ids();
    std::ranges::sort(values_.units, {}, &ValueUnit::id);
    for (std::size_t u = 0; u < values_.units.size(); ++u) {
      values_.of_meaning.emplace(values_.units[u].meaning, u);
    }
    OntologyDraft draft;
    draft.info.format = "joined";
    for (const ValueUnit& unit : values_.units) {
      draft.add_term(draft.add_concept(unit.id), TermKind::kLabel, unit.label);
    }
    if (values_.concepts) link(draft);
    add_nothing(draft);
    Result<Ontology> joined = std::move(draft).finish(column);
    if (joined && !find_places(*joined, values_))
      return fail(data_error("the units are not whole"));
    return joined;
  }

 private:
  std::string id_of(const Meaning& meaning) const {
    std::vector<std::string_view> ids;
    for (std::size_t o = 0; o < meaning.size(); ++o) {
      const Names& names = values_.bases[o].mapping.mapper->names();
      for (const ConceptId c : meaning[o]) ids.push_back(names.id(c));
    }
    return fmt::format("{}", fmt::join(ids, "+"));
  }

  // Ids of several ontologies may be alike, so that two meanings have the same ids joined: a number
  // tells them apart.
  void name_units() {
    std::set<std::string> taken;
    for (const auto& [key, resolved] : found_) {
      ValueUnit unit{key.first, "", key.second, resolved};
      for (unsigned n = 2; !taken.insert(unit.id).second; ++n) {
        unit.id = fmt::format("{}#{}", key.first, n);
      }
      for (std::size_t o = 0; o < unit.meaning.size() && unit.label.empty(); ++o) {
        if (unit.meaning[o].empty()) continue;
        const ConceptId shown = resolved.value_or(unit.meaning[o].front());
        unit.label = values_.bases[o].mapping.mapper->names().label(shown);
      }
      values_.units.push_back(std::move(unit));
    }
  }

  // What stands for texts without a meaning is the domain's root, whether or not a value means it.
  void add_root() {
    if (!values_.concepts) return;
    const Attribute& concepts = *values_.concepts->attribute;
    if (concepts.taxonomy().has_virtual_root()) return;
    const ConceptId root = concepts.domain->in_ontology(Taxonomy::root());
    const Meaning meaning{{root}};
    const auto is_root = [&](const ValueUnit& unit) { return unit.meaning == meaning; };
    if (std::ranges::any_of(values_.units, is_root)) return;
    values_.units.push_back({std::string(concepts.names->id(root)),
                             std::string(concepts.names->label(root)), meaning, root});
  }

  // A label that would be read as something else, or stands there twice, has the id behind it.
  void add_label_ids() {
    if (!values_.concepts) return;
    std::map<std::string_view, unsigned> uses;
    for (const ValueUnit& unit : values_.units) ++uses[unit.label];
    std::vector<bool> unclear;
    for (const ValueUnit& unit : values_.units) {
      const ValueUnits::Base& base = values_.bases.front();
      const bool is_one = unit.meaning.front().size() == 1;
      unclear.push_back(uses[unit.label] > 1 ||
                        (is_one && senses_in(base, base.mapping.mapper->match(unit.label)) !=
                                       unit.meaning.front()));
    }
    for (std::size_t u = 0; u < unclear.size(); ++u) {
      ValueUnit& unit = values_.units[u];
      if (unclear[u]) unit.label += fmt::format(" ({})", unit.id);
    }
  }

  // A unit below those whose resolved concept is the next above its own.
  void link(OntologyDraft& draft) const {
    const Attribute& concepts = *values_.concepts->attribute;
    const bool has_root = !concepts.taxonomy().has_virtual_root();
    const ConceptId top = concepts.domain->in_ontology(Taxonomy::root());
    const Taxonomy& taxonomy = *ontology_taxonomy();
    std::map<ConceptId, std::vector<OntologyDraft::Index>> at;
    OntologyDraft::Index root = 0;
    for (OntologyDraft::Index u = 0; u < values_.units.size(); ++u) {
      at[*values_.units[u].resolved].push_back(u);
      if (values_.units[u].meaning == Meaning{{top}}) root = u;
    }
    for (const auto& [c, units] : at) {
      std::set<OntologyDraft::Index> above;
      std::set<ConceptId> seen;
      std::vector<ConceptId> open{c};
      while (!open.empty() && !(has_root && c == top)) {
        const ConceptId from = open.back();
        open.pop_back();
        for (const ConceptId parent : taxonomy.parents(from)) {
          if (!seen.insert(parent).second) continue;
          const auto known = at.find(parent);
          if (known == at.end()) {
            open.push_back(parent);
          } else if (has_root && parent == top) {
            above.insert(root);  // others that mean the root lie below it, too
          } else {
            above.insert(known->second.begin(), known->second.end());
          }
        }
      }
      if (above.empty() && has_root) above.insert(root);
      for (const OntologyDraft::Index unit : units) {
        for (const OntologyDraft::Index parent : above) {
          if (unit != root || !has_root) draft.add_link(unit, parent);
        }
      }
    }
  }

  const Taxonomy* ontology_taxonomy() const {
    return values_.bases.front().ontology.taxonomy()->get();
  }

  // Two roots at least where no concept is the root, so that there is a virtual one, which is no
  // value.
  void add_nothing(OntologyDraft& draft) {
    const bool has_root =
        values_.concepts && !values_.concepts->attribute->taxonomy().has_virtual_root();
    if (has_root) return;
    for (std::size_t n = values_.units.empty() ? 2 : 1; n > 0; --n) {
      if (!values_.concepts && values_.units.size() > 1) return;
      const std::string id = n == 1 ? std::string(kNothing) : fmt::format("{}#{}", kNothing, n);
      draft.add_term(draft.add_concept(id), TermKind::kLabel, kNothing);
    }
  }

  ValueUnits& values_;
  std::map<std::pair<std::string, Meaning>, std::optional<ConceptId>> found_;
};

// The column over its units; concepts of `values` are set.
Result<MappedColumn> finish(MappedColumn column, std::shared_ptr<const ValueUnits> values,
                            Ontology joined, const std::vector<Meaning>& meanings) {
  for (std::size_t i = 0; i < column.values.size(); ++i) {
    MappedValue& value = column.values[i];
    if (!is_mapped(value.how)) continue;
    value.concept_id = values->concept_of[values->of_meaning.at(meanings[i])];
  }
  column.plan.column.ontology = joined_name(column.plan.column);
  column.plan.values = std::move(values);
  column.plan.ic = nullptr;
  column.joined = std::move(joined);
  Result<std::shared_ptr<const Attribute>> attribute =
      make_unit_attribute(column.plan, *column.joined);
  if (!attribute) return fail(attribute.error());
  column.attribute = *std::move(attribute);
  return column;
}

}  // namespace

ConceptId ValueUnits::find(std::string_view text) const {
  Meaning meaning;
  for (const Base& base : bases)
    meaning.push_back(senses_in(base, base.mapping.mapper->match(text)));
  const auto known = of_meaning.find(meaning);
  return known == of_meaning.end() ? kMissing : concept_of[known->second];
}

bool find_places(const Ontology& joined, ValueUnits& values) {
  const auto taxonomy = joined.taxonomy();
  const auto names = joined.names();
  if (!taxonomy || !names) return false;
  values.concept_of.assign(values.units.size(), kMissing);
  for (ConceptId c = 0; c < (*taxonomy)->size(); ++c) {
    if ((*taxonomy)->is_virtual(c)) continue;
    const std::string_view id = (*names)->id(c);
    const auto at = std::ranges::lower_bound(
        values.units, id, {}, [](const ValueUnit& unit) { return std::string_view(unit.id); });
    if (at == values.units.end() || at->id != id) {
      if (id.starts_with(kNothing)) continue;
      return false;
    }
    values.concept_of[static_cast<std::size_t>(at - values.units.begin())] = c;
  }
  return std::ranges::find(values.concept_of, kMissing) == values.concept_of.end();
}

Result<std::shared_ptr<const Attribute>> make_unit_attribute(const AttributeRecipe& plan,
                                                             const Ontology& joined) {
  const auto taxonomy = joined.taxonomy();
  if (!taxonomy) return fail(taxonomy.error());
  const auto names = joined.names();
  if (!names) return fail(names.error());
  const ValueUnits& values = *plan.values;
  Attribute attribute;
  attribute.name = plan.name;
  attribute.names = *names;
  attribute.missing_is_value = plan.missing_is_value;
  attribute.domain = std::make_shared<const Domain>(Domain::whole(*taxonomy));
  std::vector<SensesIn> senses;
  for (std::size_t o = 0; o < values.bases.size(); ++o) {
    const ConceptSpace& space = values.bases[o].space;
    if (!space.measure) continue;
    SensesIn& in = senses.emplace_back(space.measure, std::vector<std::vector<ConceptId>>());
    in.of.resize((*taxonomy)->size());
    for (std::size_t u = 0; u < values.units.size(); ++u) {
      for (const ConceptId c : values.units[u].meaning[o]) {
        in.of[values.concept_of[u]].push_back(*space.domain->in_domain(c));
      }
    }
  }
  attribute.measure = make_value_measure(*taxonomy, plan.column.measure, std::move(senses));
  Result<Candidates> candidates = Candidates::of(attribute.taxonomy(), {});
  if (!candidates) return fail(candidates.error());
  attribute.candidates = std::make_shared<const Candidates>(*std::move(candidates));
  if (values.concepts) {
    Attribute::Resolved resolved;
    resolved.attribute = values.concepts->attribute;
    resolved.of.assign((*taxonomy)->size(), kMissing);
    resolved.of[Taxonomy::root()] = Taxonomy::root();
    for (std::size_t u = 0; u < values.units.size(); ++u) {
      const auto c = resolved.attribute->domain->in_domain(*values.units[u].resolved);
      resolved.of[values.concept_of[u]] = c.value_or(kMissing);
    }
    attribute.resolved = std::make_shared<const Attribute::Resolved>(std::move(resolved));
  }
  return std::make_shared<const Attribute>(std::move(attribute));
}

namespace {

// Units of texts that are no part of the column, settled as if they were.
Status add_further(const std::vector<std::string>& further, const ValueUnits& values,
                   MappedColumn& column, std::vector<Meaning>& meanings, UnitMaker& units) {
  if (further.empty()) return {};
  std::vector<std::pair<std::string, std::uint64_t>> counted;
  for (const MappedValue& value : column.values) counted.emplace_back(value.value, value.count);
  const ValueUnits::Base& base = values.bases.front();
  const Result<SenseChoice> choice =
      sense_choice(column.plan, base.ontology, *column.mapping.mapper, std::move(counted));
  if (!choice) return fail(choice.error());
  for (const std::string& text : further) {
    const MappedValue value = match_value(text, 0, *column.mapping.mapper, base.space.domain.get());
    Meaning& meaning = meanings.emplace_back(Meaning{value.senses});
    std::ranges::sort(meaning.front());
    if (is_mapped(value.how)) units.add(meaning, choice->of_word(value.senses));
    column.values.push_back(value);
  }
  return {};
}

}  // namespace

Result<MappedColumn> by_value(MappedColumn column, AttributeRecipe base, const Ontology& ontology,
                              const std::vector<std::string>& further) {
  auto values = std::make_shared<ValueUnits>();
  base.column.deny.clear();  // no value is replaced by another than the data have
  base.column.leaves_only = false;
  base.column.min_depth = 1;
  Result<ConceptSpace> space = make_space(base, ontology, Features::kNeeded);
  if (!space) return fail(space.error());
  values->bases.push_back({std::move(base), ontology, column.mapping, *std::move(space)});
  values->concepts = {column.plan, column.attribute};

  UnitMaker units(*values);
  std::vector<Meaning> meanings;
  for (const MappedValue& value : column.values) {
    Meaning& meaning = meanings.emplace_back(Meaning{value.senses});
    std::ranges::sort(meaning.front());
    if (is_mapped(value.how)) units.add(meaning, value.concept_id);
  }
  if (const Status status = add_further(further, *values, column, meanings, units); !status) {
    return fail(status.error());
  }
  Result<Ontology> joined = units.finish(column.plan.name);
  if (!joined) return fail(joined.error());
  return finish(std::move(column), std::move(values), *std::move(joined), meanings);
}

namespace {

class SeveralOntologies {
 public:
  SeveralOntologies(const ColumnSettings& plan, unsigned threads)
      : plan_(plan), threads_(threads) {}

  Status add(const std::string& name, const Ontology& ontology, bool missing_is_value) {
    Result<TextMapping> mapping = make_text_mapping(ontology, {});
    if (!mapping) return fail(mapping.error());
    ValueUnits::Base& base =
        values_->bases.emplace_back(ValueUnits::Base{{}, ontology, *std::move(mapping), {}});
    base.plan.name = plan_.name;
    base.plan.column = plan_;
    base.plan.column.ontology = name;
    base.plan.column.ontologies.clear();
    base.plan.missing_is_value = missing_is_value;
    return {};
  }

  Result<MappedColumn> map(ColumnTexts texts, bool missing_is_value) {
    MappedColumn column;
    std::ranges::sort(texts.counted, [](const auto& a, const auto& b) {
      return a.second != b.second ? a.second > b.second : a.first < b.first;
    });
    for (auto& [text, count] : texts.counted) {
      MappedValue& value = column.values.emplace_back();
      value.value = std::move(text);
      value.count = count;
    }
    match(column.values, 0);
    if (const Status status = measure(); !status) return fail(status.error());
    const std::size_t own = column.values.size();
    for (std::string& text : texts.further) column.values.emplace_back().value = std::move(text);
    match(column.values, own);

    UnitMaker units(*values_);
    for (std::size_t i = 0; i < meanings_.size(); ++i) {
      if (is_mapped(column.values[i].how)) units.add(meanings_[i], std::nullopt);
    }
    Result<Ontology> joined = units.finish(plan_.name);
    if (!joined) return fail(joined.error());
    column.plan.name = plan_.name;
    column.plan.column = plan_;
    column.plan.missing_is_value = missing_is_value;
    column.mapping = values_->bases.front().mapping;
    return finish(std::move(column), values_, *std::move(joined), meanings_);
  }

 private:
  // Texts that no ontology knows are unmapped; how is told by the first that knows a text.
  void match(std::vector<MappedValue>& values, std::size_t first) {
    meanings_.resize(values.size());
    in_parallel(threads_, values.size() - first, [&](std::size_t i) {
      MappedValue& value = values[first + i];
      for (const ValueUnits::Base& base : values_->bases) {
        Match found = base.mapping.mapper->match(value.value);
        const How how = found.how;
        std::vector<ConceptId> senses = senses_in(base, std::move(found));
        if (!senses.empty() && !is_mapped(value.how)) value.how = how;
        meanings_[first + i].push_back(std::move(senses));
      }
      if (!is_mapped(value.how)) value.suggestions = suggestions(value.value);
    });
  }

  // What may be meant instead, with the id: the concepts are of several ontologies.
  std::vector<Suggestion> suggestions(std::string_view text) const {
    constexpr std::size_t kMost = 3;
    std::vector<Suggestion> all;
    for (const ValueUnits::Base& base : values_->bases) {
      const Mapper& mapper = *base.mapping.mapper;
      for (Suggestion& s : mapper.suggest(text, kMost)) {
        s.text = fmt::format("{} ({})", s.text, mapper.names().id(s.concept_id));
        all.push_back(std::move(s));
      }
    }
    std::ranges::stable_sort(all, {}, &Suggestion::edits);
    if (all.size() > kMost) all.resize(kMost);
    return all;
  }

  Status measure() {
    for (std::size_t o = 0; o < values_->bases.size(); ++o) {
      ValueUnits::Base& base = values_->bases[o];
      std::vector<ConceptId> senses;
      for (const Meaning& meaning : meanings_) {
        senses.insert(senses.end(), meaning[o].begin(), meaning[o].end());
      }
      if (senses.empty()) continue;
      const auto taxonomy = base.ontology.taxonomy();
      if (!taxonomy) return fail(taxonomy.error());
      base.plan.root = (*taxonomy)->lcs(senses);
      Result<ConceptSpace> space = make_space(base.plan, base.ontology, Features::kAsTheyAre);
      if (!space) return fail(space.error());
      base.space = *std::move(space);
    }
    return {};
  }

  const ColumnSettings plan_;
  unsigned threads_;
  std::shared_ptr<ValueUnits> values_ = std::make_shared<ValueUnits>();
  std::vector<Meaning> meanings_;  // by value
};

}  // namespace

Result<MappedColumn> map_to_several(const ColumnSettings& plan, const Ontologies& ontologies,
                                    ColumnTexts texts, bool missing_is_value, unsigned threads) {
  SeveralOntologies several(plan, threads);
  for (const std::string& name : plan.ontologies) {
    if (const Status status = several.add(name, ontologies.at(name), missing_is_value); !status) {
      return fail(status.error());
    }
  }
  return several.map(std::move(texts), missing_is_value);
}

}  // namespace semveil
