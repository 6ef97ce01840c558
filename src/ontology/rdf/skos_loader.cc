// Thesauri and classifications in SKOS, as RDF/XML, Turtle or N-Triples (rdf_reader.h).
//
//   ex:flu a skos:Concept ;
//     skos:prefLabel "flu"@en , "Grippe"@de ;
//     skos:altLabel "influenza"@en ;
//     skos:notation "J11" ;
//     skos:broader ex:infection .
//
// Read are concepts: what is declared a skos:Concept, and what broader, narrower, hasTopConcept or
// topConceptOf names. Links: broader and narrower of SKOS, and ISO 25964's broaderGeneric,
// narrowerGeneric, broaderInstantial, narrowerInstantial; both directions count, once. A top
// concept with broader ones keeps its links. Names: prefLabel, altLabel, hiddenLabel (as a related
// synonym: often a misspelling), rdfs:label where there is no prefLabel, all also as SKOS-XL
// labels; notation as another id; exactMatch as a cross-reference; definition, else scopeNote. All
// concept schemes of the file are joined.
//
// IRIs that begin with urn:semveil: are those of `ontology convert`: the id is what they stand for,
// unless that is the IRI of another concept of the file (rdf_concepts.h).
//
// Left out and counted: deprecated concepts and their links (one with live replacements, by
// dcterms:isReplacedBy, also over several steps, leaves its ids there); part-whole links
// (broaderPartitive), also where they are stated as broader as well; links of a concept to itself;
// broaderTransitive, which follows from the others; related; matches other than exactMatch;
// collections; names in other languages (rdf_concepts.h).
#include "ontology/left_out.h"
#include "ontology/loaders.h"
#include "ontology/rdf/rdf_concepts.h"
#include "ontology/rdf/rdf_vocabulary.h"

namespace semveil {
namespace {

enum class SkosProperty : std::uint8_t {
  kType,
  kBroader,
  kNarrower,
  kPartOf,
  kHasPart,
  kTransitive,
  kRelated,
  kTopOf,
  kHasTop,
  kDeprecated,
  kReplacedBy,
  kVersion,
  kName,
  kLabelNode,
  kIdentifier,  // an IRI or a text
  kOtherMatch,
};

struct SkosMeaning {
  SkosProperty property;
  RdfName name = RdfName::kPreferred;
};

const RdfProperties<SkosMeaning>& skos_properties() {
  using enum SkosProperty;
  static const RdfProperties<SkosMeaning> table{
      {kRdf, "type", {kType}},
      {kSkosSpace, "broader", {kBroader}},
      {kSkosSpace, "narrower", {kNarrower}},
      {kIsoThes, "broaderGeneric", {kBroader}},
      {kIsoThes, "narrowerGeneric", {kNarrower}},
      {kIsoThes, "broaderInstantial", {kBroader}},
      {kIsoThes, "narrowerInstantial", {kNarrower}},
      {kIsoThes, "broaderPartitive", {kPartOf}},
      {kIsoThes, "narrowerPartitive", {kHasPart}},
      {kSkosSpace, "broaderTransitive", {kTransitive}},
      {kSkosSpace, "narrowerTransitive", {kTransitive}},
      {kSkosSpace, "related", {kRelated}},
      {kSkosSpace, "topConceptOf", {kTopOf}},
      {kSkosSpace, "hasTopConcept", {kHasTop}},
      {kOwlSpace, "deprecated", {kDeprecated}},
      {kDcTerms, "isReplacedBy", {kReplacedBy}},
      {kOwlSpace, "versionInfo", {kVersion}},
      {kSkosSpace, "prefLabel", {kName, RdfName::kPreferred}},
      {kRdfs, "label", {kName, RdfName::kLabel}},
      {kSkosSpace, "altLabel", {kName, RdfName::kExact}},
      {kSkosSpace, "hiddenLabel", {kName, RdfName::kRelated}},
      {kSkosSpace, "definition", {kName, RdfName::kDefinition}},
      {kSkosSpace, "scopeNote", {kName, RdfName::kNote}},
      {kSkosXl, "literalForm", {kName, RdfName::kLabelForm}},
      {kSkosXl, "prefLabel", {kLabelNode, RdfName::kPreferred}},
      {kSkosXl, "altLabel", {kLabelNode, RdfName::kExact}},
      {kSkosXl, "hiddenLabel", {kLabelNode, RdfName::kRelated}},
      {kSkosSpace, "notation", {kIdentifier, RdfName::kAltId}},
      {kSkosSpace, "exactMatch", {kIdentifier, RdfName::kXref}},
      {kSkosSpace, "closeMatch", {kOtherMatch}},
      {kSkosSpace, "broadMatch", {kOtherMatch}},
      {kSkosSpace, "narrowMatch", {kOtherMatch}},
      {kSkosSpace, "relatedMatch", {kOtherMatch}},
  };
  return table;
}

class SkosEvents final : public RdfEvents {
 public:
  SkosEvents(std::string file, const std::string& language)
      : concepts_(std::move(file), language) {}

  Status triple(const RdfTriple& triple) override {
    const SkosMeaning* meaning = skos_properties().find(triple.predicate);
    if (meaning == nullptr) return {};
    // Only SKOS-XL labels are read where they have no IRI.
    if (triple.subject.is_blank() && meaning->name != RdfName::kLabelForm) return {};
    if (meaning->property == SkosProperty::kType) {
      read_type(triple);
    } else {
      read(concepts_.subject(triple.subject), *meaning, triple.object);
    }
    return concepts_.check_size();
  }

  Result<OntologyDraft> finish() && {
    const std::string file = concepts_.file();
    const std::uint64_t collections = concepts_.count(RdfConcepts::kNoConcept);
    const std::uint64_t schemes = concepts_.count(RdfConcepts::kVersioned);
    const bool has_deprecated = concepts_.count(RdfConcepts::kDeprecated) > 0;
    Result<OntologyDraft> gathered = std::move(concepts_).finish("skos", "concepts");
    if (!gathered) return gathered;
    OntologyDraft& draft = *gathered;
    if (draft.concepts() == 0) {
      return fail(data_error(has_owl_ ? "no concept in it, but classes: write owl: before its name"
                             : has_deprecated ? "all its concepts are deprecated: nothing is left"
                                              : "no skos:Concept in it: is this a thesaurus?")
                      .at(file));
    }
    count_some(draft.info.contents, "concept schemes", schemes);
    leave_out(draft.info, "part-whole links", partitive_);
    leave_out(draft.info, "transitive links", transitive_);
    leave_out(draft.info, "related links", related_);
    leave_out(draft.info, "matches that are not exact", other_matches_);
    leave_out(draft.info, "collections", collections);
    return gathered;
  }

 private:
  using Node = RdfConcepts::Node;

  void read_type(const RdfTriple& triple) {
    const std::string_view type = triple.object.text;
    if (!triple.object.is_iri()) return;
    has_owl_ |= is_iri(type, kOwlSpace, "Class");
    if (is_iri(type, kSkosSpace, "Concept")) {
      concepts_.mark(concepts_.subject(triple.subject), RdfConcepts::kDeclared);
    } else if (is_iri(type, kSkosSpace, "Collection") ||
               is_iri(type, kSkosSpace, "OrderedCollection")) {
      concepts_.mark(concepts_.subject(triple.subject), RdfConcepts::kNoConcept);
    } else if (is_iri(type, kSkosSpace, "ConceptScheme")) {
      concepts_.mark(concepts_.subject(triple.subject), RdfConcepts::kVersioned);
    }
  }

  void read(Node subject, const SkosMeaning& meaning, const RdfTerm& object) {
    switch (meaning.property) {
      case SkosProperty::kType:
        break;
      case SkosProperty::kBroader:
        if (object.is_iri()) concepts_.add_link(subject, concepts_.node(object));
        break;
      case SkosProperty::kNarrower:
        if (object.is_iri()) concepts_.add_link(concepts_.node(object), subject);
        break;
      case SkosProperty::kPartOf:
      case SkosProperty::kHasPart:
        if (object.is_iri()) read_part(subject, concepts_.node(object), meaning.property);
        break;
      case SkosProperty::kTransitive:
        ++transitive_;
        break;
      case SkosProperty::kRelated:
        ++related_;
        break;
      case SkosProperty::kTopOf:
        concepts_.mark(subject, RdfConcepts::kMentioned);
        break;
      case SkosProperty::kHasTop:
        if (object.is_iri()) concepts_.mark(concepts_.node(object), RdfConcepts::kMentioned);
        break;
      case SkosProperty::kDeprecated:
        if (object.text == "true" || object.text == "1") {
          concepts_.mark(subject, RdfConcepts::kDeprecated);
        }
        break;
      case SkosProperty::kReplacedBy:
        if (!object.is_blank()) concepts_.add_replacement(subject, object);
        break;
      case SkosProperty::kVersion:
        concepts_.add_version(subject, 0, object.text);
        break;
      case SkosProperty::kName:
        if (object.is_literal()) concepts_.add_name(subject, meaning.name, object);
        break;
      case SkosProperty::kLabelNode:
        if (!object.is_literal()) {
          concepts_.add_label_node(subject, meaning.name, concepts_.node(object));
        }
        break;
      case SkosProperty::kIdentifier:
        if (!object.is_blank()) {
          concepts_.add_name(subject, meaning.name, {object.kind, object.text, {}});
        }
        break;
      case SkosProperty::kOtherMatch:
        ++other_matches_;
        break;
    }
  }

  void read_part(Node subject, Node object, SkosProperty property) {
    ++partitive_;
    const bool is_part = property == SkosProperty::kPartOf;
    concepts_.mark(subject, RdfConcepts::kMentioned);
    concepts_.mark(object, RdfConcepts::kMentioned);
    concepts_.forbid_link(is_part ? subject : object, is_part ? object : subject);
  }

  RdfConcepts concepts_;
  bool has_owl_ = false;
  std::uint64_t partitive_ = 0, transitive_ = 0, related_ = 0, other_matches_ = 0;
};

}  // namespace

Result<OntologyDraft> read_skos(NamedStream input, const std::string& language) {
  SkosEvents events(input.name, language);
  if (const Status done = read_rdf(std::move(input), events); !done) return fail(done.error());
  return std::move(events).finish();
}

Result<OntologyDraft> load_skos(const std::string& path, const std::string& language) {
  Result<NamedStream> input =
      open_source_file(path, {".rdf", ".ttl", ".nt", ".xml", ".n3", ".skos", ".owl"});
  if (!input) return fail(input.error());
  return read_skos(*std::move(input), language);
}

}  // namespace semveil
