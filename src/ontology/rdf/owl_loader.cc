// Ontologies in OWL or RDF Schema, as RDF/XML, Turtle or N-Triples (rdf_reader.h).
//
//   obo:DOID_9351 a owl:Class ;
//     rdfs:subClassOf obo:DOID_4194 ;
//     rdfs:label "diabetes mellitus" ;
//     oboInOwl:hasExactSynonym "diabetes" ;
//     oboInOwl:hasDbXref "MESH:D003920" .
//
// Read are classes (owl:Class, rdfs:Class) with an IRI, their subClassOf links to classes with an
// IRI, rdfs:label and skos:prefLabel, the synonyms of oboInOwl (exact, narrow, broad, related),
// skos:altLabel, IAO's and EFO's alternative terms and NCIt's FULL_SYN (P90), definitions
// (IAO_0000115, skos:definition), cross-references (oboInOwl:hasDbXref, skos:exactMatch), ids
// (oboInOwl:id, hasAlternativeId). A class that only a subClassOf names is one too, labelled by its
// local part: it may be declared in a file this one imports, which is not read. owl:Thing is no
// class of its own: what is below it alone is a root.
//
// Individuals (rdf:type of a class with an IRI) are concepts below their classes:
//
//   ex:Gender a owl:Class .
//   ex:Male a owl:NamedIndividual , ex:Gender .        Male below Gender
//
// An ontology made for a table often has the column's values so. Who is declared an individual may
// be of a class that nothing else names; of others only what the file knows as a class counts. A
// class that is also an individual stays where subClassOf puts it. Nothing lies below an
// individual.
//
// A class's id is its IRI. One that begins with urn:semveil: is of `ontology convert`: the id is
// what it stands for, unless that is the IRI of another class of the file (rdf_concepts.h).
//
// Left out and counted: deprecated classes and their links; one with live replacements
// (IAO_0100001, also over several steps) leaves its ids there. Superclasses without IRI
// (restrictions, unions);
// equivalentClass; individuals of no class with an IRI; names in other languages (rdf_concepts.h);
// imports. Other properties are not read. Cost: 100 MB/s of RDF/XML, 65 of Turtle, 200 of
// N-Triples.
#include "ontology/left_out.h"
#include "ontology/loaders.h"
#include "ontology/rdf/rdf_concepts.h"
#include "ontology/rdf/rdf_vocabulary.h"

namespace semveil {
namespace {

enum class OwlProperty : std::uint8_t {
  kType,
  kSubClassOf,
  kEquivalent,
  kDeprecated,
  kReplacedBy,
  kImports,
  kVersionIri,
  kVersionInfo,
  kName,
  kIdentifier,  // an IRI or a text
};

struct OwlMeaning {
  OwlProperty property;
  RdfName name = RdfName::kPreferred;
};

const RdfProperties<OwlMeaning>& owl_properties() {
  using enum OwlProperty;
  static const RdfProperties<OwlMeaning> table{
      {kRdf, "type", {kType}},
      {kRdfs, "subClassOf", {kSubClassOf}},
      {kOwlSpace, "equivalentClass", {kEquivalent}},
      {kOwlSpace, "deprecated", {kDeprecated}},
      {kOwlSpace, "imports", {kImports}},
      {kOwlSpace, "versionIRI", {kVersionIri}},
      {kOwlSpace, "versionInfo", {kVersionInfo}},
      {kOboSpace, "IAO_0100001", {kReplacedBy}},
      {kRdfs, "label", {kName, RdfName::kPreferred}},
      {kSkosSpace, "prefLabel", {kName, RdfName::kLabel}},
      {kSkosSpace, "altLabel", {kName, RdfName::kExact}},
      {kSkosSpace, "definition", {kName, RdfName::kNote}},
      {kSkosSpace, "exactMatch", {kIdentifier, RdfName::kXref}},
      {kOboSpace, "IAO_0000115", {kName, RdfName::kDefinition}},
      {kOboSpace, "IAO_0000118", {kName, RdfName::kExact}},
      {kOboInOwl, "hasExactSynonym", {kName, RdfName::kExact}},
      {kOboInOwl, "hasNarrowSynonym", {kName, RdfName::kNarrow}},
      {kOboInOwl, "hasBroadSynonym", {kName, RdfName::kBroad}},
      {kOboInOwl, "hasRelatedSynonym", {kName, RdfName::kRelated}},
      {kOboInOwl, "hasDbXref", {kIdentifier, RdfName::kXref}},
      {kOboInOwl, "hasAlternativeId", {kIdentifier, RdfName::kAltId}},
      {kOboInOwl, "id", {kIdentifier, RdfName::kAltId}},
      {kEfo, "alternative_term", {kName, RdfName::kExact}},
      {kNcit, "P90", {kName, RdfName::kExact}},
  };
  return table;
}

class OwlEvents final : public RdfEvents {
 public:
  OwlEvents(std::string file, const std::string& language) : concepts_(std::move(file), language) {
    for (const char* name : {"Thing", "Nothing"}) {
      const std::string iri = std::string(kOwlSpace) + name;
      concepts_.mark(concepts_.node({RdfTerm::Kind::kIri, iri, {}}), RdfConcepts::kNever);
    }
  }

  Status triple(const RdfTriple& triple) override {
    const OwlMeaning* meaning = owl_properties().find(triple.predicate);
    if (meaning == nullptr || triple.subject.is_blank()) return {};
    if (meaning->property == OwlProperty::kType) {
      read_type(triple);
    } else {
      read(concepts_.subject(triple.subject), *meaning, triple.object);
    }
    return concepts_.check_size();
  }

  Result<OntologyDraft> finish() && {
    const std::string file = concepts_.file();
    const std::uint64_t individuals = concepts_.find_individuals();
    const bool has_deprecated = concepts_.count(RdfConcepts::kDeprecated) > 0;
    Result<OntologyDraft> gathered = std::move(concepts_).finish("owl", "classes");
    if (!gathered) return gathered;
    OntologyDraft& draft = *gathered;
    if (draft.concepts() == 0) {
      return fail(data_error(has_skos_
                                 ? "no class in it, but a thesaurus: write skos: before its name"
                             : has_deprecated ? "all its classes are deprecated: nothing is left"
                                              : "no class in it: is this an ontology in OWL?")
                      .at(file));
    }
    leave_out(draft.info, "superclasses without a name", anonymous_);
    leave_out(draft.info, "equivalent classes", equivalent_);
    leave_out(draft.info, "individuals of no class", individuals);
    leave_out(draft.info, "imported ontologies", imports_);
    return gathered;
  }

 private:
  using Node = RdfConcepts::Node;

  void read_type(const RdfTriple& triple) {
    const std::string_view type = triple.object.text;
    if (!triple.object.is_iri()) return;
    has_skos_ |= is_iri(type, kSkosSpace, "Concept");
    if (is_iri(type, kOwlSpace, "Class") || is_iri(type, kRdfs, "Class")) {
      concepts_.mark(concepts_.subject(triple.subject), RdfConcepts::kDeclared);
    } else if (is_iri(type, kOwlSpace, "NamedIndividual")) {
      concepts_.mark(concepts_.subject(triple.subject), RdfConcepts::kNoConcept);
    } else if (is_iri(type, kOwlSpace, "Ontology")) {
      concepts_.mark(concepts_.subject(triple.subject), RdfConcepts::kVersioned);
    } else if (!type.starts_with(kOwlSpace) && !type.starts_with(kRdf) &&
               !type.starts_with(kRdfs)) {
      const Node subject = concepts_.subject(triple.subject);
      concepts_.add_type(subject, concepts_.node(triple.object));
    }
  }

  void read(Node subject, const OwlMeaning& meaning, const RdfTerm& object) {
    switch (meaning.property) {
      case OwlProperty::kType:
        break;
      case OwlProperty::kSubClassOf:
        if (object.is_iri()) {
          concepts_.add_link(subject, concepts_.node(object));
        } else {
          ++anonymous_;
          concepts_.mark(subject, RdfConcepts::kMentioned);
        }
        break;
      case OwlProperty::kEquivalent:
        ++equivalent_;
        break;
      case OwlProperty::kDeprecated:
        if (object.text == "true" || object.text == "1") {
          concepts_.mark(subject, RdfConcepts::kDeprecated);
        }
        break;
      case OwlProperty::kReplacedBy:
        if (!object.is_blank()) concepts_.add_replacement(subject, object);
        break;
      case OwlProperty::kImports:
        ++imports_;
        break;
      case OwlProperty::kVersionIri:
      case OwlProperty::kVersionInfo:
        concepts_.add_version(subject, meaning.property == OwlProperty::kVersionIri ? 0 : 1,
                              object.text);
        break;
      case OwlProperty::kName:
        if (object.is_literal()) concepts_.add_name(subject, meaning.name, object);
        break;
      case OwlProperty::kIdentifier:
        if (!object.is_blank()) {
          concepts_.add_name(subject, meaning.name, {object.kind, object.text, {}});
        }
        break;
    }
  }

  RdfConcepts concepts_;
  bool has_skos_ = false;
  std::uint64_t anonymous_ = 0, equivalent_ = 0, imports_ = 0;
};

}  // namespace

Result<OntologyDraft> read_owl(NamedStream input, const std::string& language) {
  OwlEvents events(input.name, language);
  if (const Status done = read_rdf(std::move(input), events); !done) return fail(done.error());
  return std::move(events).finish();
}

Result<OntologyDraft> load_owl(const std::string& path, const std::string& language) {
  Result<NamedStream> input =
      open_source_file(path, {".owl", ".rdf", ".xml", ".ttl", ".nt", ".n3", ".rdfs"});
  if (!input) return fail(input.error());
  return read_owl(*std::move(input), language);
}

}  // namespace semveil
