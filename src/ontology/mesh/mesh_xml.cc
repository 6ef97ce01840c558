// MeSH descriptors in NLM's XML form (descYYYY.xml).
//
//   <DescriptorRecordSet LanguageCode="eng">
//     <DescriptorRecord DescriptorClass="1">
//       <DescriptorUI>D000001</DescriptorUI>
//       <DescriptorName><String>Calcimycin</String></DescriptorName>
//       <TreeNumberList><TreeNumber>D03.633.100.221.173</TreeNumber></TreeNumberList>
//       <ConceptList>
//         <Concept PreferredConceptYN="Y">
//           <ConceptUI>M0000001</ConceptUI>
//           <ScopeNote>An ionophorous, polyether antibiotic …</ScopeNote>
//           <ConceptRelationList><ConceptRelation RelationName="NRW">
//             <Concept1UI>M0000001</Concept1UI><Concept2UI>M0353609</Concept2UI>
//           </ConceptRelation></ConceptRelationList>
//           <TermList><Term><String>Calcimycin</String></Term></TermList>
//         </Concept>
//
// A descriptor gathers several of NLM's concepts. Terms of its preferred one are exact synonyms;
// those of the others are narrow, broad or related as the relation between the two says (the second
// concept is narrower than the first: NRW), and related where there is none. The preferred
// concept's scope note is the definition. Qualifiers, related descriptors and all else are not
// read.
#include <fmt/format.h>

#include <array>
#include <map>

#include "base/one_line.h"
#include "base/xml.h"
#include "ontology/mesh/mesh_records.h"

namespace semveil {
namespace {

enum class Tag : std::uint8_t {
  kOutside,
  kSet,
  kRecord,
  kUi,
  kName,
  kNameText,
  kNumbers,
  kNumber,
  kConcepts,
  kConcept,
  kConceptUi,
  kNote,
  kRelations,
  kRelation,
  kFirst,
  kSecond,
  kTerms,
  kTerm,
  kTermText,
  kOther,
};

struct Known {
  Tag parent;
  std::string_view element;
  Tag tag;
};
constexpr std::array<Known, 18> kKnown{{
    {Tag::kOutside, "DescriptorRecordSet", Tag::kSet},
    {Tag::kSet, "DescriptorRecord", Tag::kRecord},
    {Tag::kRecord, "DescriptorUI", Tag::kUi},
    {Tag::kRecord, "DescriptorName", Tag::kName},
    {Tag::kName, "String", Tag::kNameText},
    {Tag::kRecord, "TreeNumberList", Tag::kNumbers},
    {Tag::kNumbers, "TreeNumber", Tag::kNumber},
    {Tag::kRecord, "ConceptList", Tag::kConcepts},
    {Tag::kConcepts, "Concept", Tag::kConcept},
    {Tag::kConcept, "ConceptUI", Tag::kConceptUi},
    {Tag::kConcept, "ScopeNote", Tag::kNote},
    {Tag::kConcept, "ConceptRelationList", Tag::kRelations},
    {Tag::kRelations, "ConceptRelation", Tag::kRelation},
    {Tag::kRelation, "Concept1UI", Tag::kFirst},
    {Tag::kRelation, "Concept2UI", Tag::kSecond},
    {Tag::kConcept, "TermList", Tag::kTerms},
    {Tag::kTerms, "Term", Tag::kTerm},
    {Tag::kTerm, "String", Tag::kTermText},
}};

bool has_text(Tag tag) {
  return tag == Tag::kUi || tag == Tag::kNameText || tag == Tag::kNumber ||
         tag == Tag::kConceptUi || tag == Tag::kNote || tag == Tag::kFirst || tag == Tag::kSecond ||
         tag == Tag::kTermText;
}

class MeshXmlParser : public XmlEvents {
 public:
  explicit MeshXmlParser(NamedStream input)
      : stream_(std::move(input.stream)), xml_(*stream_, input.name), mesh_(input.name) {}

  Result<OntologyDraft> parse() {
    if (const Status read = xml_.read(*this); !read) return fail(read.error());
    return std::move(mesh_).finish("no <DescriptorRecord>");
  }

  Status begin(std::string_view element, const XmlAttributes& attributes) override {
    const Tag tag = tag_of(element);
    if (path_.empty() && tag != Tag::kSet) {
      return fail(xml_.error(
          "the first element is not <DescriptorRecordSet>: of MeSH's XML files descYYYY.xml is the "
          "one that is read",
          element));
    }
    path_.push_back(tag);
    if (tag == Tag::kOther) return {};
    text_.clear();
    if (tag == Tag::kRecord) {
      record_ = {};
      concepts_.clear();
      relations_.clear();
      record_.line = xml_.line();
    } else if (tag == Tag::kConcept) {
      concepts_.push_back({attributes.get("PreferredConceptYN") == "Y", {}, {}, {}});
      return mesh_.keep(sizeof(Concept), xml_.line());
    } else if (tag == Tag::kRelation) {
      relations_.push_back({relation(attributes.get("RelationName")), {}, {}});
      return mesh_.keep(sizeof(Relation), xml_.line());
    } else if (tag == Tag::kNumber) {
      line_ = xml_.line();
    }
    return {};
  }

  Status text(std::string_view piece) override {
    if (path_.empty() || !has_text(path_.back())) return {};
    if (!append_text(text_, piece)) return fail(xml_.error(kTextTooLong));
    return {};
  }

  Status end(std::string_view) override {
    const Tag tag = path_.back();
    path_.pop_back();
    if (has_text(tag)) {
      if (const Status kept = mesh_.keep(text_.size(), xml_.line()); !kept) return kept;
    }
    switch (tag) {
      case Tag::kUi:
        record_.ui = one_line(text_);
        break;
      case Tag::kNameText:
        record_.name = one_line(text_);
        break;
      case Tag::kNumber:
        record_.positions.push_back({one_line(text_), line_});
        break;
      case Tag::kConceptUi:
        concepts_.back().ui = one_line(text_);
        break;
      case Tag::kNote:
        concepts_.back().note = one_line(text_);
        break;
      case Tag::kFirst:
        relations_.back().first = one_line(text_);
        break;
      case Tag::kSecond:
        relations_.back().second = one_line(text_);
        break;
      case Tag::kTermText:
        concepts_.back().terms.push_back(one_line(text_));
        break;
      case Tag::kRecord:
        gather_terms();
        return mesh_.add(record_);
      default:
        break;
    }
    return {};
  }

 private:
  struct Concept {
    bool preferred;
    std::string ui, note;
    std::vector<std::string> terms;
  };
  struct Relation {
    TermKind of_second;  // what names of the second concept are to the first
    std::string first, second;
  };

  Tag tag_of(std::string_view element) const {
    const Tag parent = path_.empty() ? Tag::kOutside : path_.back();
    if (parent == Tag::kOther) return Tag::kOther;
    for (const Known& known : kKnown) {
      if (known.parent == parent && known.element == element) return known.tag;
    }
    return Tag::kOther;
  }

  static TermKind relation(std::string_view name) {
    if (name == "NRW") return TermKind::kNarrowSynonym;
    if (name == "BRD") return TermKind::kBroadSynonym;
    return TermKind::kRelatedSynonym;
  }
  static TermKind turned(TermKind kind) {
    if (kind == TermKind::kNarrowSynonym) return TermKind::kBroadSynonym;
    if (kind == TermKind::kBroadSynonym) return TermKind::kNarrowSynonym;
    return kind;
  }
  // What names of each concept are to the preferred one: as the first relation between them says.
  std::map<std::string_view, TermKind> kinds(std::string_view preferred) const {
    std::map<std::string_view, TermKind> kinds;
    for (const Relation& r : relations_) {
      if (r.first == preferred) kinds.try_emplace(r.second, r.of_second);
      if (r.second == preferred) kinds.try_emplace(r.first, turned(r.of_second));
    }
    return kinds;
  }

  void gather_terms() {
    std::string_view preferred;
    for (const Concept& c : concepts_) {
      if (!c.preferred) continue;
      preferred = c.ui;
      record_.note = c.note;
    }
    const std::map<std::string_view, TermKind> others = kinds(preferred);
    for (Concept& c : concepts_) {
      const auto other = others.find(c.ui);
      const TermKind kind = c.preferred             ? TermKind::kExactSynonym
                            : other == others.end() ? TermKind::kRelatedSynonym
                                                    : other->second;
      for (std::string& term : c.terms) record_.terms.push_back({kind, std::move(term)});
    }
  }

  std::unique_ptr<InputStream> stream_;
  XmlReader xml_;
  MeshDraft mesh_;
  std::vector<Tag> path_;  // the elements that are open
  std::string text_;       // of the one that is read
  std::uint64_t line_ = 0;
  MeshRecord record_;
  std::vector<Concept> concepts_;    // of the record
  std::vector<Relation> relations_;  // among them
};

}  // namespace

Result<OntologyDraft> read_mesh_xml(NamedStream input) {
  return MeshXmlParser(std::move(input)).parse();
}

}  // namespace semveil
