// What the OWL and SKOS loaders gather from triples, in whatever order these come, and make a draft
// of. The same graph gives the same draft: concepts by ascending IRI, terms by kind, language and
// bytes.
//
// Labels: of a concept's labels the one in the chosen language (`lang=de`; de-AT counts as de),
// where a region was chosen (`lang=de-AT`) then in the language without it (de, de-CH), then in
// English, then without a language, then by language tag; of equals the first in byte order. A
// concept without label is labelled by its IRI's local part, what stands behind the last #
// or /. Names: those in the label's language, in English where no language was chosen, and those
// without a language; the others are left out and counted. A word of one language often is another
// word in another one (gift), so that all languages together would map values to wrong concepts.
// Other ids: the local part where no other concept has the same; PREFIX:CODE for IRIs of OBO
// ontologies (…/obo/PREFIX_CODE); the ids of the deprecated concepts that this one replaces, also
// by way of other deprecated ones. One with several replacements leaves its ids to all of them:
// they are senses, as in RF2 (replacements.h).
// Ids: the IRI; of an IRI of `ontology convert` (urn:semveil:…) what it stands for, unless that is
// the id of another concept of the file: <urn:semveil:doid:4> is doid:4, but not beside <doid:4>.
//
// Memory: the texts, 24 bytes a name, about 100 an IRI. What makes more of a small file is refused:
// texts of more than 2 GiB, read or to be copied to several concepts, and SKOS-XL labels with more
// than kMostForms texts (SKOS-XL allows one, section B.2). Cost: linear, but for sorting.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/text_hash.h"
#include "ontology/draft.h"
#include "ontology/rdf/rdf_reader.h"
#include "ontology/replacements.h"

namespace semveil {

enum class RdfName : std::uint8_t {
  kPreferred,  // becomes the label
  kLabel,      // becomes the label where there is none preferred in its language
  kExact,
  kNarrow,
  kBroad,
  kRelated,
  kDefinition,
  kNote,  // the definition where there is none
  kAltId,
  kXref,
  kLabelForm,  // of a SKOS-XL label, which is a node of its own
};

class RdfConcepts {
 public:
  using Node = std::uint32_t;
  enum Mark : std::uint8_t {
    kDeclared = 1,   // by its type
    kMentioned = 2,  // by a link
    kDeprecated = 4,
    kNoConcept = 8,     // unless declared or below a class: a collection, an individual
    kNever = 16,        // owl:Thing
    kVersioned = 32,    // an ontology or concept scheme, whose version counts
    kUniqueLocal = 64,  // set by finish()
    kIndividual = 128,  // set by find_individuals(): no class, but of one
  };

  static constexpr std::uint64_t kMost = std::uint64_t{1} << 31;  // bytes, nodes, names, links
  static constexpr std::size_t kMostForms = 64;

  RdfConcepts(std::string file, const std::string& language, std::uint64_t most = kMost);

  Node node(const RdfTerm& term);  // an IRI or a blank node
  // The same; quicker where triples of one subject follow each other.
  Node subject(const RdfTerm& term);
  void mark(Node node, Mark mark) { marks_[node] |= mark; }
  void add_name(Node node, RdfName kind, const RdfTerm& text);
  void add_label_node(Node node, RdfName kind, Node label) {
    label_nodes_.push_back({node, label, kind});
  }
  void add_link(Node child, Node parent);
  // See find_individuals().
  void add_type(Node node, Node of) { types_.emplace_back(node, of); }
  // The link is none, whoever states it; counted.
  void forbid_link(Node child, Node parent) { forbidden_.emplace_back(child, parent); }
  // By an IRI, or a text such as DOID:4.
  void add_replacement(Node old, const RdfTerm& by);
  // The least rank counts.
  void add_version(Node node, unsigned rank, std::string_view text);

  std::uint64_t count(Mark mark) const;
  // To be asked once all is read: what is of a class becomes a concept below it. How many declared
  // individuals are of none.
  std::uint64_t find_individuals();
  // An error where what was gathered is too much; to be asked after each triple.
  Status check_size() const;
  const std::string& file() const { return file_; }

  // Appends to the draft's contents and left_out; `kind` is "classes" or "concepts". The draft has
  // no concept where the graph has none.
  Result<OntologyDraft> finish(std::string_view format, const std::string& kind) &&;

 private:
  struct Name {
    std::uint64_t begin;
    std::uint32_t size;
    Node node;
    std::uint32_t language;
    RdfName kind;
  };
  struct LabelNode {
    Node node, label;
    RdfName kind;
  };
  struct Replacement {
    Node old;
    std::string by;
    bool operator<(const Replacement& other) const {
      return std::tie(old, by) < std::tie(other.old, other.by);
    }
  };
  enum Preference : std::uint8_t { kChosen, kNear, kEnglish, kUntagged, kOther };
  using Local = std::pair<std::string_view, Node>;

  std::string_view text_of(const Name& name) const {
    return std::string_view(text_).substr(name.begin, name.size);
  }
  bool is_class(Node node) const;  // live or deprecated
  bool is_live(Node node) const { return is_class(node) && (marks_[node] & kDeprecated) == 0; }
  std::uint32_t language_index(std::string_view tag);
  void rank_languages();
  Status check_language() const;
  bool is_kept(const Name& name, std::uint32_t label_language) const;
  Status resolve_label_nodes();
  Error too_large() const;
  void group_names();
  std::vector<Node> sorted_nodes() const;
  void find_locals(const std::vector<Node>& classes);
  const Local* unique_local(std::string_view local) const;
  bool has_unique_local(Node node) const { return (marks_[node] & kUniqueLocal) != 0; }
  std::string id_of(Node node) const;
  Node replacement(std::string_view by) const;

  void add_terms(Node node, OntologyDraft& draft);
  void add_other_ids(Node node, OntologyDraft::Index to, OntologyDraft& draft) const;
  Replacements replacements() const;
  Status add_replaced(OntologyDraft& draft);
  void add_links(OntologyDraft& draft, const std::string& kind);
  void add_version_to(OntologyInfo& info) const;

  std::string file_, language_;
  std::uint64_t most_;
  std::uint64_t interned_ = 0;  // bytes beside text_
  std::unordered_map<std::string, Node, TextHash, std::equal_to<>> nodes_;
  std::vector<const std::string*> iri_;  // by node; of blank nodes "_:name"
  std::vector<std::uint8_t> marks_;
  Node last_subject_ = 0;
  std::string scratch_;

  std::string text_;
  std::vector<Name> names_;
  std::vector<std::size_t> names_begin_;  // by node, once grouped
  std::vector<LabelNode> label_nodes_;
  std::vector<std::pair<Node, Node>> links_, forbidden_, types_;
  std::vector<Replacement> replacements_;
  std::vector<std::tuple<Node, unsigned, std::string>> versions_;

  std::map<std::string, std::uint32_t, std::less<>> languages_;
  std::vector<std::string> tags_;            // by language
  std::vector<Preference> preference_;       // by language
  std::vector<OntologyDraft::Index> index_;  // by node
  std::vector<Local> locals_;                // ascending
  std::uint64_t other_languages_ = 0, other_labels_ = 0;
  std::set<std::uint32_t> label_languages_;
};

}  // namespace semveil
