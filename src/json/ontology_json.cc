// Ontologies: what is in them, what they know of a text, how far apart two concepts are.
#include <algorithm>
#include <array>

#include "json/json.h"

namespace semveil {
namespace {

using json::Json;
using json::json_of;
using json::or_null;

constexpr std::array kEveryHow{How::kFile,  How::kXref,    How::kId,         How::kCode,
                               How::kLabel, How::kSynonym, How::kNormalised, How::kLemma,
                               How::kStem,  How::kOutside, How::kUnmapped};

Json list_of(std::span<const ConceptId> concepts, const NamedOntology& ontology) {
  Json list = Json::array();
  for (const ConceptId c : concepts) list.push_back(json_of(ontology.named(c)));
  return list;
}

// Values and records by how they were understood.
Json how_counts(const ColumnMapping& mapping, std::uint64_t& mapped) {
  Json out = Json::object();
  for (const How how : kEveryHow) {
    std::uint64_t values = 0, records = 0;
    for (const MappedValue& value : mapping.values) {
      if (value.how != how) continue;
      ++values;
      records += value.count;
    }
    out[std::string(to_string(how))] = {{"values", values}, {"records", records}};
    if (is_mapped(how)) mapped += records;
  }
  return out;
}

Json mapped_value(const MappedValue& value, const NamedOntology& ontology) {
  Json entry{{"value", value.value}, {"count", value.count}, {"how", to_string(value.how)}};
  entry["concept"] = value.concept_id ? json_of(ontology.named(*value.concept_id)) : Json(nullptr);
  entry["senses"] = Json::array();
  for (const ConceptId c : value.senses) entry["senses"].push_back(ontology.names->id(c));
  if (value.how != How::kUnmapped) return entry;
  entry["suggestions"] = Json::array();
  for (const Suggestion& s : value.suggestions) {
    entry["suggestions"].push_back({{"text", s.text}, {"id", ontology.names->id(s.concept_id)}});
  }
  return entry;
}

}  // namespace

NamedConcept NamedOntology::named(ConceptId c) const {
  NamedConcept out;
  if (!taxonomy->is_virtual(c)) out.id = std::string(names->id(c));
  out.label = std::string(names->label(c));
  return out;
}

std::string to_json(const ColumnMapping& mapping, const WhyUnmapped& why,
                    const NamedOntology& ontology) {
  std::uint64_t mapped = 0;
  Json how = how_counts(mapping, mapped);
  Json json{{"records", mapping.records},
            {"missing", mapping.missing},
            {"distinct", mapping.values.size()},
            {"mapped", mapped},
            {"unmapped", mapping.records - mapping.missing - mapped},
            {"how", std::move(how)},
            {"values", Json::array()}};
  for (const MappedValue& value : mapping.values) {
    json["values"].push_back(mapped_value(value, ontology));
  }
  if (!why.sentences.empty()) json["why"] = why.sentences;
  json["findings"] = json_of(why.findings);
  return semveil::json::written(json);
}

std::string to_json(const OntologyInfo& info, const OntologyFigures& figures, double load_ms) {
  return semveil::json::written({{"concepts", figures.concepts},
                                 {"links", figures.links},
                                 {"roots", figures.roots},
                                 {"max_depth", figures.max_depth},
                                 {"multi_parent", figures.multi_parent},
                                 {"labels", figures.labels},
                                 {"load_ms", load_ms},
                                 {"leaves", figures.leaves},
                                 {"synonyms", figures.synonyms},
                                 {"xrefs", figures.xrefs},
                                 {"format", info.format},
                                 {"version", info.version},
                                 {"digest", info.digest},
                                 {"contents", json_of(info.contents)},
                                 {"left_out", json_of(info.left_out)}});
}

std::string to_json(std::string_view text, std::span<const Hit> hits,
                    const NamedOntology& ontology) {
  Json json{{"text", text}, {"hits", Json::array()}};
  for (const Hit& hit : hits) {
    Json entry = json_of(ontology.named(hit.concept_id));
    entry["matched"] = hit.matched;
    entry["depth"] = ontology.taxonomy->depth(hit.concept_id);
    entry["definition"] = ontology.names->definition(hit.concept_id);
    json["hits"].push_back(std::move(entry));
  }
  return semveil::json::written(json);
}

ConceptFacts concept_facts(ConceptId c, const NamedOntology& ontology) {
  const Names& names = *ontology.names;
  const Taxonomy& taxonomy = *ontology.taxonomy;
  ConceptFacts facts{c, {}, {}};
  for (TermId t = names.first_term(c); t < names.last_term(c); ++t) {
    const Term term = names.term(t);
    if (is_name(term.kind) && term.kind != TermKind::kLabel) facts.synonyms.push_back(term.text);
  }
  const auto children = taxonomy.children(c);
  facts.children.assign(children.begin(), children.end());
  std::ranges::sort(facts.children, [&](ConceptId a, ConceptId b) {
    const auto label_a = names.label(a);
    const auto label_b = names.label(b);
    return label_a != label_b ? label_a < label_b : taxonomy.id_rank(a) < taxonomy.id_rank(b);
  });
  return facts;
}

std::string to_json(const ConceptFacts& facts, const NamedOntology& ontology) {
  const Taxonomy& taxonomy = *ontology.taxonomy;
  Json json = json_of(ontology.named(facts.concept_id));
  json["depth"] = taxonomy.depth(facts.concept_id);
  json["definition"] = ontology.names->definition(facts.concept_id);
  json["synonyms"] = facts.synonyms;
  json["parents"] = list_of(taxonomy.parents(facts.concept_id), ontology);
  json["children"] = list_of(facts.children, ontology);
  json["descendants"] = taxonomy.descendants(facts.concept_id).size() - 1;
  return semveil::json::written(json);
}

std::string snapshot_json(const std::string& path, std::uint64_t bytes) {
  return json::written({{"snapshot", path}, {"bytes", bytes}});
}

std::string to_json(const Converted& converted, const std::string& path, std::uint64_t bytes) {
  return json::written(
      {{"file", path}, {"bytes", bytes}, {"left_out", json_of(converted.left_out)}});
}

std::string to_json(const OntologyDiff& changes, const std::vector<TouchedValue>* touched) {
  Json json{{"concepts_before", changes.concepts_before},
            {"concepts_after", changes.concepts_after},
            {"unchanged", changes.unchanged},
            {"new", Json::array()},
            {"gone", Json::array()},
            {"moved", Json::array()},
            {"renamed", Json::array()}};
  for (const ConceptChange& c : changes.fresh) {
    json["new"].push_back({{"id", c.id}, {"label", c.label}});
  }
  for (const ConceptChange& c : changes.gone) {
    json["gone"].push_back({{"id", c.id}, {"label", c.label}, {"replaced_by", c.replaced_by}});
  }
  for (const ConceptChange& c : changes.moved) {
    json["moved"].push_back({{"id", c.id},
                             {"label", c.label},
                             {"parents_before", c.parents_before},
                             {"parents_after", c.parents_after}});
  }
  for (const ConceptChange& c : changes.renamed) {
    json["renamed"].push_back({{"id", c.id}, {"before", c.label}, {"after", c.label_after}});
  }
  if (touched == nullptr) return semveil::json::written(json);
  json["touched"] = Json::array();
  for (const TouchedValue& t : *touched) {
    json["touched"].push_back(
        {{"value", t.value}, {"concept", t.id}, {"what", t.what}, {"replaced_by", t.replaced_by}});
  }
  return semveil::json::written(json);
}

ConceptDistance told(const TermDistance& distance, const TermDistance::Answer& answer) {
  const Domain& domain = distance.domain();
  const Measure& measure = distance.measure();
  const auto named = [&](ConceptId c) {
    const ConceptId o = domain.in_ontology(c);
    NamedConcept out;
    const std::string_view id = distance.names().id(o);  // of the virtual root there is none
    if (!id.empty()) out.id = std::string(id);
    out.label = std::string(distance.names().label(o));
    return out;
  };
  const Subsumer& l = answer.explanation.subsumer;
  ConceptDistance out;
  out.a = named(answer.a);
  out.b = named(answer.b);
  out.measure = measure.name();
  out.distance = answer.explanation.distance;
  if (measure.is_symmetrised()) {
    out.symmetrised = {measure.directed(answer.a, answer.b), measure.directed(answer.b, answer.a)};
  }
  out.subsumer = {named(l.concept_id), domain.taxonomy()->depth(l.concept_id), l.path_a, l.path_b};
  return out;
}

std::string to_json(const ConceptDistance& distance) {
  Json json{{"a", json_of(distance.a)},
            {"b", json_of(distance.b)},
            {"measure", distance.measure},
            {"distance", distance.distance},
            {"similarity", 1 - distance.distance}};
  if (distance.symmetrised) {
    json["symmetrised"] = true;
    json["distance_ab"] = distance.symmetrised->ab;
    json["distance_ba"] = distance.symmetrised->ba;
  }
  const auto& common = distance.subsumer;
  json["lcs"] = common ? json_of(common->named) : Json(nullptr);
  if (common) json["lcs"]["depth"] = common->depth;
  json["path_a"] = common ? Json(common->path_a) : Json(nullptr);
  json["path_b"] = common ? Json(common->path_b) : Json(nullptr);
  if (distance.of_several) json["ontology"] = or_null(distance.ontology);
  return semveil::json::written(json);
}

}  // namespace semveil
