// RDF/XML (www.w3.org/TR/rdf-syntax-grammar) over expat.
//
//   <ex:Disease rdf:about="http://x/Flu">          {http://x/Flu, rdf:type, ex:Disease}
//     <rdfs:label xml:lang="en">flu</rdfs:label>   {http://x/Flu, rdfs:label, "flu"@en}
//     <rdfs:subClassOf rdf:resource="…"/>          {http://x/Flu, rdfs:subClassOf, …}
//   </ex:Disease>
//
// Elements are nodes and properties by turns; each open one has a frame that says which of them may
// stand in it. All of the grammar is read: node elements with rdf:about, rdf:ID, rdf:nodeID or
// none; properties with rdf:resource, rdf:nodeID, attributes of their own, a text, a node, or an
// rdf:parseType; rdf:li; statements about statements (rdf:ID of a property); xml:base, xml:lang.
//
// Choice:  the attributes about, ID, resource, nodeID, parseType, datatype and type count without a
//          prefix as well, as they did before 2004; others without one are refused. Whether an
//          rdf:ID comes twice is not looked at. An rdf:parseType="Literal" becomes Exclusive
//          Canonical XML without comments.
// Memory:  the frames, at most XmlReader::kDeepest; namespaces of at most 256 KiB.
#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <tuple>
#include <unordered_map>

#include "base/text_hash.h"
#include "base/xml.h"
#include "ontology/rdf/rdf_reader.h"
#include "ontology/rdf/rdf_vocabulary.h"
#include "ontology/rdf/resolve_iri.h"
#include "ontology/rdf/utf8_stream.h"

namespace semveil {
namespace {

constexpr std::string_view kXmlSpace = "http://www.w3.org/XML/1998/namespace";

// The namespaces that hold at a place of the file.
class XmlNamespaces {
 public:
  struct Space {
    std::string iri;
    // The element of a literal that wrote it out, and its depth (see XmlLiteral).
    std::uint64_t writer = 0;
    std::size_t depth = 0;
  };

  Status declare(std::string_view prefix, std::string_view iri) {
    constexpr std::size_t kMost = std::size_t{1} << 18;
    if (iri.empty() && !prefix.empty()) {
      return fail(data_error(fmt::format("the prefix {} stands for nothing: remove it", prefix)));
    }
    if (const Status done = check_space(iri); !done) return done;
    size_ += prefix.size() + iri.size() + 1;
    if (size_ > kMost) {
      return fail(data_error("namespaces of more than 256 KiB at once: is this the right file?"));
    }
    spaces_[std::string(prefix)].push_back({std::string(iri)});
    declared_.emplace_back(prefix);
    return {};
  }
  std::size_t declared() const { return declared_.size(); }
  // Until so many are left.
  void forget(std::size_t declared) {
    for (; declared_.size() > declared; declared_.pop_back()) {
      const auto found = spaces_.find(declared_.back());
      size_ -= found->first.size() + found->second.back().iri.size() + 1;
      found->second.pop_back();
      if (found->second.empty()) spaces_.erase(found);
    }
  }
  // Null where there is none. The default namespace has the empty prefix.
  Space* find(std::string_view prefix) {
    const auto found = spaces_.find(prefix);
    return found == spaces_.end() ? nullptr : &found->second.back();
  }

 private:
  std::unordered_map<std::string, std::vector<Space>, TextHash, std::equal_to<>> spaces_;
  std::vector<std::string> declared_;
  std::size_t size_ = 0;
};

struct QualifiedName {
  std::string_view prefix, local;
};
Result<QualifiedName> split(std::string_view name) {
  const std::size_t colon = name.find(':');
  if (colon == std::string_view::npos) return QualifiedName{{}, name};
  if (colon == 0 || colon + 1 == name.size() ||
      name.find(':', colon + 1) != std::string_view::npos) {
    return fail(data_error(fmt::format("{} is no name: write prefix:name", name)));
  }
  return QualifiedName{name.substr(0, colon), name.substr(colon + 1)};
}

bool is_declaration(std::string_view name) {
  return name.starts_with("xmlns") && (name.size() == 5 || name[5] == ':');
}

// What stands inside of an rdf:parseType="Literal", as Exclusive Canonical XML.
class XmlLiteral {
 public:
  explicit XmlLiteral(XmlNamespaces& spaces) : spaces_(spaces) {}

  void clear() {
    text_.clear();
    open_.clear();
  }
  std::string_view text() const { return text_; }

  // `depth` counts the elements around it; the declarations were made.
  Status begin(std::string_view element, const XmlAttributes& attributes, std::size_t depth) {
    const std::uint64_t writer = ++writers_;
    if (open_.size() <= depth) open_.resize(depth + 1);
    open_[depth] = writer;
    spaces_written_.clear();
    attributes_.clear();
    const auto name = split(element);
    if (!name) return fail(name.error());
    if (const auto known = use(name->prefix, depth, writer); !known) return fail(known.error());
    Status status;
    attributes.for_each([&](std::string_view attribute, std::string_view value) {
      if (!status || is_declaration(attribute)) return;
      status = add(attribute, value, depth, writer);
    });
    if (!status) return status;
    std::ranges::sort(spaces_written_);
    std::ranges::sort(attributes_);
    text_.append("<").append(element);
    for (const auto& [prefix, iri] : spaces_written_) {
      text_.append(prefix.empty() ? " xmlns" : " xmlns:").append(prefix).append("=\"");
      escape(iri, true);
      text_ += '"';
    }
    for (const auto& [space, local, attribute, value] : attributes_) {
      text_.append(" ").append(attribute).append("=\"");
      escape(value, true);
      text_ += '"';
    }
    text_ += '>';
    return check_size();
  }
  Status end(std::string_view element) {
    text_.append("</").append(element).append(">");
    return check_size();
  }
  Status text(std::string_view piece) {
    escape(piece, false);
    return check_size();
  }

 private:
  // The IRI of a prefix, which is written out unless an element around has done so.
  Result<std::string_view> use(std::string_view prefix, std::size_t depth, std::uint64_t writer) {
    if (prefix == "xml") return kXmlSpace;
    XmlNamespaces::Space* space = spaces_.find(prefix);
    if (space == nullptr) {
      if (prefix.empty()) return std::string_view();
      return fail(data_error(fmt::format("the prefix {} is not declared", prefix)));
    }
    const bool is_written = space->writer != 0 && space->depth <= depth &&
                            space->depth < open_.size() && open_[space->depth] == space->writer;
    if (!is_written) {
      space->writer = writer;
      space->depth = depth;
      spaces_written_.emplace_back(prefix, space->iri);
    }
    return std::string_view(space->iri);
  }
  Status add(std::string_view attribute, std::string_view value, std::size_t depth,
             std::uint64_t writer) {
    const auto name = split(attribute);
    if (!name) return fail(name.error());
    std::string_view space;
    if (!name->prefix.empty()) {
      const auto known = use(name->prefix, depth, writer);
      if (!known) return fail(known.error());
      space = *known;
    }
    attributes_.emplace_back(space, name->local, attribute, value);
    return {};
  }
  void escape(std::string_view text, bool is_attribute) {
    for (const char c : text) {
      if (c == '&') {
        text_ += "&amp;";
      } else if (c == '<') {
        text_ += "&lt;";
      } else if (c == '\r') {
        text_ += "&#xD;";
      } else if (c == '>' && !is_attribute) {
        text_ += "&gt;";
      } else if (c == '"' && is_attribute) {
        text_ += "&quot;";
      } else if ((c == '\t' || c == '\n') && is_attribute) {
        text_ += c == '\t' ? "&#x9;" : "&#xA;";
      } else {
        text_ += c;
      }
    }
  }
  // A tag may declare the namespaces of its names again: a small file could become a large text.
  Status check_size() const {
    constexpr std::size_t kLongest = std::size_t{1} << 20;
    if (text_.size() <= kLongest) return {};
    return fail(data_error(
        "an rdf:parseType=\"Literal\" of more than a MiB, with the namespaces of its tags: "
        "is this the right file?"));
  }

  XmlNamespaces& spaces_;
  std::string text_;
  std::uint64_t writers_ = 0;
  std::vector<std::uint64_t> open_;  // by depth: what is open, or was last
  std::vector<std::pair<std::string_view, std::string_view>> spaces_written_;  // prefix, IRI
  // Namespace, local name, name, value.
  std::vector<std::tuple<std::string_view, std::string_view, std::string_view, std::string_view>>
      attributes_;
};

class RdfXmlEvents final : public XmlEvents {
 public:
  explicit RdfXmlEvents(RdfEvents& events) : events_(events) {
    bases_.emplace_back(kRdfBase);
    languages_.emplace_back();
    push(Inside::kDocument);
  }

  Status begin(std::string_view element, const XmlAttributes& attributes) override {
    if (is_first_ && element.ends_with("Ontology") &&
        attributes.get("xmlns") == "http://www.w3.org/2002/07/owl#") {
      return fail(data_error("this is OWL/XML, which is not read: save it as RDF/XML or Turtle"));
    }
    is_first_ = false;
    const Marks marks = here();
    if (const Status done = declare(attributes); !done) return done;
    if (top().inside == Inside::kLiteral) {
      push(Inside::kLiteral, marks);
      return literal_.begin(element, attributes, depth_);
    }
    if (const Status done = read_attributes(attributes); !done) return done;
    if (const Status done = expand(element, Use::kElement, name_); !done) return done;
    switch (top().inside) {
      case Inside::kDocument:
        if (is_iri(name_, kRdf, "RDF")) {
          push(Inside::kNodes, marks);
          return {};
        }
        return begin_node(marks);
      case Inside::kProperty:
        if (top().has_node || !without_margin(text_).empty()) {
          return fail(data_error(
              "a property that holds more than a text or one element: write two properties"));
        }
        return begin_node(marks);
      case Inside::kNodes:
      case Inside::kCollection:
        return begin_node(marks);
      case Inside::kNode:
        return begin_property(marks);
      case Inside::kNothing:
      case Inside::kLiteral:
        break;
    }
    return fail(
        data_error("an element in a property that has its value in an attribute: "
                   "keep one of the two"));
  }

  Status end(std::string_view element) override {
    const bool in_literal = depth_ > 1 && frames_[depth_ - 2].inside == Inside::kLiteral;
    const Status done = in_literal ? literal_.end(element) : finish();
    pop();
    return done;
  }

  Status text(std::string_view piece) override {
    if (top().inside == Inside::kLiteral) return literal_.text(piece);
    if (top().inside == Inside::kProperty && !top().has_node) {
      text_ += piece;
      return {};
    }
    if (without_margin(piece).empty()) return {};
    return fail(data_error("a text where only tags may stand: put it into a property"));
  }

 private:
  enum class Inside : std::uint8_t {
    kDocument,
    kNodes,       // of rdf:RDF
    kNode,        // properties
    kProperty,    // a text or a node
    kCollection,  // nodes
    kNothing,     // the value is in an attribute
    kLiteral,     // XML
  };
  struct Node {
    RdfTerm::Kind kind = RdfTerm::Kind::kIri;
    std::string text;

    RdfTerm term() const { return {kind, text, {}}; }
    explicit operator bool() const { return !text.empty(); }
  };
  struct Marks {  // what was in force outside of an element
    std::size_t namespaces, bases, languages;
  };
  struct Frame {
    Inside inside;
    Marks outside;
    Node node;              // kNode: itself; kCollection: the last cell, if any
    std::string predicate;  // of a property
    std::string statement;  // the IRI of what the property says, if it has one
    bool has_node = false, is_typed = false;
    std::uint64_t items = 0;  // rdf:li so far
  };
  enum class Use : bool { kElement, kAttribute };
  struct Attribute {
    std::string name;
    std::string_view value;
  };

  // ---- Frames, whose texts keep their memory

  Frame& top() { return frames_[depth_ - 1]; }
  Frame& push(Inside inside, Marks outside = {}) {
    if (depth_ == frames_.size()) frames_.emplace_back();
    Frame& frame = frames_[depth_++];
    frame.inside = inside;
    frame.outside = outside;
    frame.node.text.clear();
    frame.predicate.clear();
    frame.statement.clear();
    frame.has_node = frame.is_typed = false;
    frame.items = 0;
    return frame;
  }
  void pop() {
    const Marks& outside = top().outside;
    spaces_.forget(outside.namespaces);
    bases_.resize(outside.bases);
    languages_.resize(outside.languages);
    --depth_;
  }
  Marks here() const { return {spaces_.declared(), bases_.size(), languages_.size()}; }

  // ---- Names and attributes

  Status declare(const XmlAttributes& attributes) {
    Status status;
    attributes.for_each([&](std::string_view name, std::string_view value) {
      if (!status || !is_declaration(name)) return;
      status = spaces_.declare(name.size() > 6 ? name.substr(6) : std::string_view(), value);
    });
    return status;
  }

  Status expand(std::string_view name, Use use, std::string& out) {
    const auto parts = split(name);
    if (!parts) return fail(parts.error());
    if (parts->prefix == "xml") {
      out.assign(kXmlSpace).append(parts->local);
      return {};
    }
    if (parts->prefix.empty() && use == Use::kAttribute) {
      constexpr std::array<std::string_view, 7> kOld{"about",     "ID",       "resource", "nodeID",
                                                     "parseType", "datatype", "type"};
      if (std::ranges::find(kOld, name) == kOld.end()) {
        return fail(data_error(fmt::format(
            "the attribute {} has no prefix, so it says nothing: write prefix:{}", name, name)));
      }
      out.assign(kRdf).append(name);
      return {};
    }
    const XmlNamespaces::Space* space = spaces_.find(parts->prefix);
    if (space == nullptr || space->iri.empty()) {
      return fail(
          data_error(parts->prefix.empty()
                         ? fmt::format("the element {} is in no namespace: is this RDF/XML?", name)
                         : fmt::format("the prefix {} is not declared", parts->prefix)));
    }
    out.assign(space->iri).append(parts->local);
    return check_iri(out);
  }

  // All but declarations and those of XML itself go to attributes_.
  Status read_attributes(const XmlAttributes& attributes) {
    std::size_t count = 0;
    Status status;
    attributes.for_each([&](std::string_view name, std::string_view value) {
      if (!status || is_declaration(name)) return;
      if (name == "xml:base") {
        std::string base;
        resolve_iri(value, bases_.back(), base);
        status = check_space(base);
        bases_.push_back(std::move(base));
      } else if (name == "xml:lang") {
        languages_.emplace_back(value);
      } else if (!name.starts_with("xml")) {
        if (count == attributes_.size()) attributes_.emplace_back();
        status = expand(name, Use::kAttribute, attributes_[count].name);
        attributes_[count++].value = value;
      }
    });
    given_ = {attributes_.data(), count};
    return status;
  }

  static bool is_rdf(std::string_view iri, std::initializer_list<std::string_view> names) {
    return iri.starts_with(kRdf) &&
           std::ranges::find(names, iri.substr(kRdf.size())) != names.end();
  }
  // What has a meaning of its own in the syntax, or had one.
  static bool is_syntax(std::string_view iri) {
    return is_rdf(iri, {"RDF", "ID", "about", "parseType", "resource", "nodeID", "datatype",
                        "aboutEach", "aboutEachPrefix", "bagID"});
  }
  static Error not_here(std::string_view iri) {
    return data_error(
        fmt::format("rdf:{} cannot stand here: is this RDF/XML?", iri.substr(kRdf.size())));
  }

  Status resolve(std::string_view reference, std::string& out) const {
    resolve_iri(reference, bases_.back(), out);
    return check_iri(out);
  }
  // A name that XML allows for an ID: it cannot hold a blank, as those of nodes without a name do.
  static Status check_id(std::string_view id) {
    const auto may_begin = [](char c) {
      const auto lower = static_cast<char>(c | 0x20);
      return (lower >= 'a' && lower <= 'z') || c == '_' || (c & 0x80) != 0;
    };
    const bool is_name =
        !id.empty() && may_begin(id.front()) && std::ranges::all_of(id, [&](char c) {
          return may_begin(c) || (c >= '0' && c <= '9') || c == '-' || c == '.';
        });
    if (is_name) return {};
    return fail(
        data_error("an rdf:ID or rdf:nodeID that is no name: it begins with a letter, and "
                   "letters, digits, - . _ follow"));
  }
  Status id_iri(std::string_view id, std::string& out) const {
    if (const Status done = check_id(id); !done) return done;
    return resolve("#" + std::string(id), out);
  }
  void make_blank(Node& node) {
    node.kind = RdfTerm::Kind::kBlank;
    node.text = fmt::format("node {}", ++blanks_);
  }

  // ---- Triples

  Status put(const RdfTerm& subject, std::string_view predicate, const RdfTerm& object) {
    return events_.triple({subject, predicate, object});
  }
  Status put_type(const RdfTerm& subject, std::string_view iri) {
    static const std::string type = std::string(kRdf) + "type";
    return put(subject, type, {RdfTerm::Kind::kIri, iri, {}});
  }
  // What the property in a frame says; the node it is of is in the frame below.
  Status put_value(const Frame& property, const RdfTerm& value) {
    const RdfTerm subject = (&property - 1)->node.term();
    if (const Status done = put(subject, property.predicate, value); !done) return done;
    if (property.statement.empty()) return {};
    const RdfTerm statement{RdfTerm::Kind::kIri, property.statement, {}};
    if (const Status done = put_type(statement, std::string(kRdf) + "Statement"); !done) {
      return done;
    }
    for (const auto& [role, what] : {std::pair<const char*, RdfTerm>{"subject", subject},
                                     {"predicate", {RdfTerm::Kind::kIri, property.predicate, {}}},
                                     {"object", value}}) {
      if (const Status done = put(statement, std::string(kRdf) + role, what); !done) return done;
    }
    return {};
  }
  // Attributes that are properties of a node.
  Status put_attribute(const RdfTerm& node, const Attribute& attribute) {
    if (is_iri(attribute.name, kRdf, "type")) {
      if (const Status done = resolve(attribute.value, scratch_); !done) return done;
      return put_type(node, scratch_);
    }
    if (is_syntax(attribute.name) || is_rdf(attribute.name, {"li", "Description"})) {
      return fail(not_here(attribute.name));
    }
    return put(node, attribute.name, {RdfTerm::Kind::kLiteral, attribute.value, languages_.back()});
  }

  // ---- Elements

  Status begin_node(Marks marks) {
    if (is_syntax(name_) || is_rdf(name_, {"li"})) return fail(not_here(name_));
    Frame& frame = push(Inside::kNode, marks);
    Frame& outer = frames_[depth_ - 2];
    for (const Attribute& attribute : given_) {
      const bool is_about = is_iri(attribute.name, kRdf, "about"),
                 is_id = is_iri(attribute.name, kRdf, "ID"),
                 is_node_id = is_iri(attribute.name, kRdf, "nodeID");
      if (!is_about && !is_id && !is_node_id) continue;
      if (frame.node) {
        return fail(data_error("more than one of rdf:about, rdf:ID, rdf:nodeID: keep one"));
      }
      frame.node.kind = is_node_id ? RdfTerm::Kind::kBlank : RdfTerm::Kind::kIri;
      if (is_node_id) frame.node.text = attribute.value;
      const Status done = is_about ? resolve(attribute.value, frame.node.text)
                          : is_id  ? id_iri(attribute.value, frame.node.text)
                                   : check_id(attribute.value);
      if (!done) return done;
    }
    if (!frame.node) make_blank(frame.node);
    const RdfTerm subject = frame.node.term();
    if (outer.inside == Inside::kProperty) {
      outer.has_node = true;
      if (const Status done = put_value(outer, subject); !done) return done;
    } else if (outer.inside == Inside::kCollection) {
      if (const Status done = put_item(outer, subject); !done) return done;
    }
    if (!is_iri(name_, kRdf, "Description")) {
      if (const Status done = put_type(subject, name_); !done) return done;
    }
    for (const Attribute& attribute : given_) {
      if (is_rdf(attribute.name, {"about", "ID", "nodeID"})) continue;
      if (const Status done = put_attribute(subject, attribute); !done) return done;
    }
    return {};
  }

  Status put_item(Frame& collection, const RdfTerm& item) {
    Node cell;
    make_blank(cell);
    Status linked = collection.node
                        ? put(collection.node.term(), std::string(kRdf) + "rest", cell.term())
                        : put_value(collection, cell.term());
    if (!linked) return linked;
    std::swap(collection.node, cell);
    return put(collection.node.term(), std::string(kRdf) + "first", item);
  }

  Status begin_property(Marks marks) {
    if (is_rdf(name_, {"li"})) {
      name_ = fmt::format("{}_{}", kRdf, ++top().items);
    } else if (is_syntax(name_) || is_rdf(name_, {"Description"})) {
      return fail(not_here(name_));
    }
    Frame& frame = push(Inside::kProperty, marks);
    frame.predicate = name_;
    text_.clear();
    const Attribute *kind = nullptr, *resource = nullptr, *node_id = nullptr;
    std::size_t others = 0;
    for (const Attribute& attribute : given_) {
      if (is_iri(attribute.name, kRdf, "ID")) {
        if (const Status done = id_iri(attribute.value, frame.statement); !done) return done;
      } else if (is_iri(attribute.name, kRdf, "parseType")) {
        kind = &attribute;
      } else if (is_iri(attribute.name, kRdf, "datatype")) {
        frame.is_typed = true;
      } else if (is_iri(attribute.name, kRdf, "resource")) {
        resource = &attribute;
      } else if (is_iri(attribute.name, kRdf, "nodeID")) {
        node_id = &attribute;
      } else {
        ++others;
      }
    }
    const bool has_value = resource != nullptr || node_id != nullptr || others > 0;
    if ((resource != nullptr && node_id != nullptr) || (has_value && frame.is_typed) ||
        (kind != nullptr && (has_value || frame.is_typed))) {
      return fail(
          data_error("attributes that exclude each other (rdf:resource, rdf:nodeID, "
                     "rdf:datatype, rdf:parseType and others): keep one of them"));
    }
    if (kind != nullptr) return begin_kind(frame, kind->value);
    return has_value ? put_attributes(frame, resource, node_id) : Status();
  }

  // An rdf:parseType: what is neither a Resource nor a Collection is a Literal (section 7.2.19).
  Status begin_kind(Frame& frame, std::string_view kind) {
    if (kind == "Collection") {
      frame.inside = Inside::kCollection;
      return {};
    }
    if (kind != "Resource") {
      frame.inside = Inside::kLiteral;
      literal_.clear();
      return {};
    }
    frame.inside = Inside::kNode;
    make_blank(frame.node);
    return put_value(frame, frame.node.term());
  }

  // The value is another node, which the attributes tell more of.
  Status put_attributes(Frame& frame, const Attribute* resource, const Attribute* node_id) {
    frame.inside = Inside::kNothing;
    Node value;
    if (resource != nullptr) {
      if (const Status done = resolve(resource->value, value.text); !done) return done;
    } else if (node_id != nullptr) {
      if (const Status done = check_id(node_id->value); !done) return done;
      value.kind = RdfTerm::Kind::kBlank;
      value.text = node_id->value;
    } else {
      make_blank(value);
    }
    if (const Status done = put_value(frame, value.term()); !done) return done;
    for (const Attribute& attribute : given_) {
      if (is_rdf(attribute.name, {"ID", "resource", "nodeID"})) continue;
      if (const Status done = put_attribute(value.term(), attribute); !done) return done;
    }
    return {};
  }

  Status finish() {
    const Frame& frame = top();
    if (frame.inside == Inside::kProperty && !frame.has_node) {
      return put_value(frame, {RdfTerm::Kind::kLiteral, text_,
                               frame.is_typed ? std::string_view() : languages_.back()});
    }
    if (frame.inside == Inside::kLiteral) {
      return put_value(frame, {RdfTerm::Kind::kLiteral, literal_.text(), {}});
    }
    if (frame.inside == Inside::kCollection) {
      const std::string nil = std::string(kRdf) + "nil";
      const RdfTerm none{RdfTerm::Kind::kIri, nil, {}};
      return frame.node ? put(frame.node.term(), std::string(kRdf) + "rest", none)
                        : put_value(frame, none);
    }
    return {};
  }

  RdfEvents& events_;
  bool is_first_ = true;
  std::vector<Frame> frames_;
  std::size_t depth_ = 0;
  XmlNamespaces spaces_;
  XmlLiteral literal_{spaces_};
  std::vector<std::string> bases_, languages_;
  std::uint64_t blanks_ = 0;
  std::string name_;  // of the element that begins
  std::vector<Attribute> attributes_;
  std::span<const Attribute> given_;  // of them, the element's
  std::string text_;                  // of the innermost property
  std::string scratch_;
};

}  // namespace

Status read_rdf_xml(InputStream& stream, const std::string& name, RdfEvents& events) {
  Utf8Stream text(stream, name);
  XmlReader reader(text, name);
  RdfXmlEvents found(events);
  if (const Status done = reader.read(found); !done) {
    Error error = done.error();
    if (error.place.file.empty()) error = std::move(error).at(name, reader.line());
    return fail(std::move(error));
  }
  return {};
}

}  // namespace semveil
