// Turtle and RDF/XML through raptor2 (librdf.org/raptor/api).
//
// Raptor is told to fetch nothing: no network, no file, no external entity, and a filter that
// refuses every IRI it would open. RDF/XML goes through expat first (base/xml.h), and on to raptor
// only as far as expat has parsed it: so libxml2, which would expand entities, sees only
// well-formed XML without any, of bounded depth and size. What raptor keeps as one text, all that
// stands inside of an rdf:parseType="Literal", is bounded here. The log's first error ends the
// reading; warnings are passed over. A Turtle file is parsed piece by piece (rdf_pieces.h); the
// parser, and with it the names of blank nodes, stays the same. One file is read at a time
// (raptor_world.h).
#include <fmt/format.h>
#include <raptor2.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <optional>

#include "base/memory_error.h"
#include "base/text.h"
#include "base/xml.h"
#include "ontology/rdf/raptor_world.h"
#include "ontology/rdf/rdf_pieces.h"
#include "ontology/rdf/rdf_reader.h"

namespace semveil {
namespace {

int refuse(void*, raptor_uri*) { return 1; }

std::string_view view_of(raptor_uri* uri) {
  std::size_t size = 0;
  const unsigned char* text = raptor_uri_as_counted_string(uri, &size);
  return {reinterpret_cast<const char*>(text), size};
}

std::string_view view_of(const unsigned char* text, std::size_t size) {
  return {reinterpret_cast<const char*>(text), size};
}

// What a valid file may still spell with escapes.
bool is_plain_iri(std::string_view text) {
  return std::none_of(text.begin(), text.end(),
                      [](char c) { return static_cast<unsigned char>(c) < ' ' || c == 0x7F; });
}

class RaptorParser {
 public:
  RaptorParser(const char* syntax, const char* syntax_name, const std::string& name,
               RdfEvents& events)
      : name_(name), syntax_name_(syntax_name), events_(events) {
    if (world_.get() == nullptr) return;
    raptor_world_set_log_handler(world_.get(), this, &log);
    if (!world_.open()) return;
    // Nodes without a name get one that no file can give: it holds a blank.
    std::string prefix = "node ";
    raptor_world_set_generate_bnodeid_parameters(world_.get(), prefix.data(), 1);
    parser_.reset(raptor_new_parser(world_.get(), syntax));
    base_.reset(
        raptor_new_uri(world_.get(), reinterpret_cast<const unsigned char*>(kRdfBase.data())));
    if (!parser_ || !base_) return;
    raptor_parser_set_option(parser_.get(), RAPTOR_OPTION_NO_NET, nullptr, 1);
    raptor_parser_set_option(parser_.get(), RAPTOR_OPTION_NO_FILE, nullptr, 1);
    raptor_parser_set_option(parser_.get(), RAPTOR_OPTION_LOAD_EXTERNAL_ENTITIES, nullptr, 0);
    raptor_parser_set_uri_filter(parser_.get(), &refuse, nullptr);
    raptor_parser_set_statement_handler(parser_.get(), this, &statement);
    is_ready_ = true;
  }

  Status begin() {
    if (!is_ready_ || raptor_parser_parse_start(parser_.get(), base_.get()) != 0) {
      return fail(memory_error("to read RDF").at(name_));
    }
    return {};
  }
  enum class Last : bool { kNo, kYes };
  Status feed(std::string_view piece, Last last) {
    const int code = raptor_parser_parse_chunk(parser_.get(),
                                               reinterpret_cast<const unsigned char*>(piece.data()),
                                               piece.size(), last == Last::kYes ? 1 : 0);
    if (error_) return fail(*error_);
    if (code != 0) return fail(not_valid("", line()));
    return {};
  }
  // Raptor's line 1 + `there` is line 1 + `here` of the file.
  void set_lines(std::uint64_t there, std::uint64_t here) {
    there_ = there;
    here_ = here;
  }

 private:
  std::uint64_t line() const {
    const raptor_locator* at = parser_ ? raptor_parser_get_locator(parser_.get()) : nullptr;
    return line_of(at);
  }
  std::uint64_t line_of(const raptor_locator* at) const {
    const std::uint64_t line =
        at == nullptr || at->line < 1 ? 1 : static_cast<std::uint64_t>(at->line);
    return line > there_ ? line - there_ + here_ : here_ + 1;
  }
  Error not_valid(std::string_view why, std::uint64_t line) const {
    constexpr std::size_t kMost = 200;
    const std::string reason = printable(why.substr(0, kMost));
    return data_error(fmt::format("this is not valid {}{}: is the file complete?", syntax_name_,
                                  reason.empty() ? "" : " (" + reason + ")"))
        .at(name_, line);
  }
  void stop(Error why) {
    if (!error_) error_ = std::move(why);
  }

  static void log(void* data, raptor_log_message* message) {
    auto& self = *static_cast<RaptorParser*>(data);
    if (message->level < RAPTOR_LOG_LEVEL_ERROR || self.error_) return;
    const std::uint64_t line =
        message->locator != nullptr ? self.line_of(message->locator) : self.line();
    self.stop(self.not_valid(message->text != nullptr ? message->text : "", line));
  }

  static void statement(void* data, raptor_statement* statement) {
    auto& self = *static_cast<RaptorParser*>(data);
    if (self.error_) return;
    if (Status done = self.pass_on(*statement); !done) {
      self.stop(Error(done.error()).at(self.name_, self.line()));
    }
  }

  Status pass_on(const raptor_statement& statement) {
    RdfTriple triple;
    RdfTerm predicate;
    for (const auto& [from, to] :
         {std::pair{statement.subject, &triple.subject}, std::pair{statement.predicate, &predicate},
          std::pair{statement.object, &triple.object}}) {
      if (const Status done = read_term(*from, *to); !done) return done;
    }
    triple.predicate = predicate.text;
    return events_.triple(triple);
  }

  static Status read_term(const raptor_term& from, RdfTerm& to) {
    if (from.type == RAPTOR_TERM_TYPE_URI) {
      to.text = view_of(from.value.uri);
      if (!is_plain_iri(to.text)) {
        return fail(data_error("an IRI with a control character: remove it"));
      }
    } else if (from.type == RAPTOR_TERM_TYPE_BLANK) {
      to.kind = RdfTerm::Kind::kBlank;
      to.text = view_of(from.value.blank.string, from.value.blank.string_len);
    } else {
      to.kind = RdfTerm::Kind::kLiteral;
      const raptor_term_literal_value& literal = from.value.literal;
      to.text = view_of(literal.string, literal.string_len);
      if (literal.language != nullptr)
        to.language = view_of(literal.language, literal.language_len);
      if (to.text.find('\0') != std::string_view::npos) {
        return fail(data_error("a text with a NUL character: remove it"));
      }
    }
    if (find_invalid_utf8(to.text) != std::string_view::npos) {
      return fail(data_error("an escape that stands for no character (\\uD800 …): remove it"));
    }
    return {};
  }

  const std::string& name_;
  const char* syntax_name_;
  RdfEvents& events_;
  RaptorWorld world_;
  std::unique_ptr<raptor_parser, FreeParser> parser_;
  std::unique_ptr<raptor_uri, FreeUri> base_;
  bool is_ready_ = false;
  std::uint64_t there_ = 0, here_ = 0;
  std::optional<Error> error_;
};

// What expat reads, and keeps until it has parsed it: then it goes on to raptor.
class CheckedXml final : public InputStream, public XmlEvents {
 public:
  CheckedXml(InputStream& stream, const std::string& name, RaptorParser& parser)
      : pieces_(stream, name, RdfPieces::Cut::kAnywhere), parser_(parser) {}

  Result<std::size_t> read(char* buffer, std::size_t size) override {
    if (rest_.empty()) {
      const auto piece = pieces_.next();
      if (!piece) return fail(piece.error());
      rest_ = *piece;
    }
    const std::string_view now = rest_.substr(0, size);
    rest_.remove_prefix(now.size());
    std::memcpy(buffer, now.data(), now.size());
    unchecked_ += now;
    return now.size();
  }
  std::uint64_t position() const override { return 0; }

  Status begin(std::string_view element, const XmlAttributes& attributes) override {
    if (is_first_ && element.ends_with("Ontology") &&
        attributes.get("xmlns") == "http://www.w3.org/2002/07/owl#") {
      return fail(data_error("this is OWL/XML, which is not read: save it as RDF/XML or Turtle"));
    }
    is_first_ = false;
    return count_tag(element, attributes);
  }
  Status end(std::string_view) override {
    if (literal_depth_ > 0) --literal_depth_;
    return {};
  }
  Status text(std::string_view piece) override {
    return literal_depth_ > 0 ? count(piece.size()) : Status();
  }
  Status checked(std::uint64_t bytes) override {
    const auto size = static_cast<std::size_t>(bytes - passed_on_);
    if (size == 0) return {};
    const Status done =
        parser_.feed(std::string_view(unchecked_).substr(0, size), RaptorParser::Last::kNo);
    unchecked_.erase(0, size);
    passed_on_ = bytes;
    return done;
  }

 private:
  // Whatever is no Resource and no Collection is a Literal (RDF/XML, section 7.2.19), whose tags
  // raptor writes out anew: each may declare the namespaces of its names again.
  Status count_tag(std::string_view element, const XmlAttributes& attributes) {
    bool is_literal = false;
    std::size_t size = 2 * element.size(), names = 1;
    attributes.for_each([&](std::string_view name, std::string_view value) {
      const std::string_view local = name.substr(name.find(':') + 1);
      is_literal |= local == "parseType" && value != "Resource" && value != "Collection";
      if (name.starts_with("xmlns")) longest_space_ = std::max(longest_space_, value.size());
      size += name.size() + value.size();
      ++names;
    });
    if (literal_depth_ == 0) {
      literal_size_ = 0;
      literal_depth_ = is_literal ? 1 : 0;
      return {};
    }
    ++literal_depth_;
    return count(size + names * longest_space_);
  }
  Status count(std::size_t size) {
    literal_size_ += size;
    constexpr std::size_t kLongest = std::size_t{1} << 20;  // raptor's time is its square
    if (literal_size_ <= kLongest) return {};
    return fail(data_error(
        "an rdf:parseType=\"Literal\" of more than a MiB, with the namespaces of its tags: "
        "is this the right file?"));
  }

  RdfPieces pieces_;
  RaptorParser& parser_;
  std::string_view rest_;  // of the piece, not yet given to expat
  std::string unchecked_;  // given to expat, not yet to raptor
  std::uint64_t passed_on_ = 0;
  bool is_first_ = true;
  unsigned literal_depth_ = 0;  // of the element in a literal; 0 outside
  std::size_t literal_size_ = 0, longest_space_ = 0;
};

}  // namespace

Status read_turtle(InputStream& stream, const std::string& name, RdfEvents& events) {
  RaptorParser parser("turtle", "Turtle", name, events);
  RdfPieces pieces(stream, name, RdfPieces::Cut::kBehindStatements);
  for (;;) {
    const auto piece = pieces.next();
    if (!piece) return fail(piece.error());
    if (piece->empty()) return {};
    parser.set_lines(pieces.directive_lines(), pieces.line() - 1);
    if (const Status done = parser.begin(); !done) return done;
    if (const Status done = parser.feed(pieces.directives(), RaptorParser::Last::kNo); !done) {
      return done;
    }
    if (const Status done = parser.feed(*piece, RaptorParser::Last::kYes); !done) return done;
  }
}

Status read_rdf_xml(InputStream& stream, const std::string& name, RdfEvents& events) {
  RaptorParser parser("rdfxml", "RDF/XML", name, events);
  if (const Status done = parser.begin(); !done) return done;
  CheckedXml checked(stream, name, parser);
  XmlReader reader(checked, name);
  if (const Status done = reader.read(checked); !done) {
    Error error = done.error();
    if (error.place.file.empty()) error = std::move(error).at(name, reader.line());
    return fail(std::move(error));
  }
  return parser.feed({}, RaptorParser::Last::kYes);
}

}  // namespace semveil
