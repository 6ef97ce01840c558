// Turtle (www.w3.org/TR/turtle) by serd, a parser without a network that reads it as a stream.
//
// Here is what serd leaves to its callers: @prefix and @base, lines, and limits. Each byte passes
// by a scanner that knows texts, IRIs and comments from the rest, and counts brackets, since serd
// calls itself for each of them. Texts and IRIs are checked once their escapes are resolved: serd
// 0.30 passes over \uD800 and \u0000.
//
// Names of blank nodes: serd calls the nodes without a name b1, b2, …, and the file's _:b1 it
// calls _:B1, without a look at whether the file has one. A file with both kinds is refused.
#include <fmt/format.h>
#include <serd/serd.h>

#include <array>
#include <cstdarg>
#include <cstdio>
#include <memory>
#include <optional>
#include <unordered_map>

#include "base/memory_error.h"
#include "base/text.h"
#include "base/text_hash.h"
#include "ontology/rdf/rdf_reader.h"
#include "ontology/rdf/resolve_iri.h"
#include "ontology/rdf/utf8_stream.h"

namespace semveil {
namespace {

bool is_digit(char c) { return c >= '0' && c <= '9'; }
// Behind one, _: goes on with a name: x_:b1 or x:_:b1. A dot is none, as a statement may end there.
bool is_of_name(char c) {
  const auto lower = static_cast<char>(c | 0x20);
  return is_digit(c) || (lower >= 'a' && lower <= 'z') || c == '_' || c == '-' || c == ':' ||
         (c & 0x80) != 0;
}

// What is a bracket, a brace or a blank node's name, and what stands in a text, an IRI or a
// comment.
class TurtleScanner {
 public:
  static constexpr unsigned kDeepest = 1000;

  // An error where the byte may not come; in plain words for the user.
  const char* next(char c) {
    switch (inside_) {
      case Inside::kComment:
        if (c == '\n' || c == '\r') inside_ = Inside::kNothing;
        return nullptr;
      case Inside::kIri:
        if (c == '>') inside_ = Inside::kNothing;
        return static_cast<unsigned char>(c) >= ' ' && c != 0x7F
                   ? nullptr
                   : "an IRI with a control character, or one that never ends: close it with a >";
      case Inside::kText:
      case Inside::kLongText:
        in_text(c);
        return nullptr;
      case Inside::kQuotes:  // one or two of them so far
        if (c == quote_) {
          if (++quotes_ < 3) return nullptr;
          inside_ = Inside::kLongText;
          quotes_ = 0;
          return nullptr;
        }
        if (quotes_ == 1) {
          inside_ = Inside::kText;
          in_text(c);
          return nullptr;
        }
        inside_ = Inside::kNothing;  // an empty text
        [[fallthrough]];
      case Inside::kNothing:
        return outside(c);
    }
    return nullptr;
  }

 private:
  enum class Inside : std::uint8_t { kNothing, kComment, kIri, kQuotes, kText, kLongText };

  void in_text(char c) {
    if (is_escaped_) {
      is_escaped_ = false;
      quotes_ = 0;
    } else if (c == quote_) {
      if (inside_ == Inside::kText || ++quotes_ == 3) inside_ = Inside::kNothing;
    } else {
      is_escaped_ = c == '\\';
      quotes_ = 0;
    }
  }

  const char* outside(char c) {
    const std::array<char, 4> last = last_;
    last_ = {last[1], last[2], last[3], c};
    if (is_escaped_) {  // in a name: x:\(
      is_escaped_ = false;
      return nullptr;
    }
    if (is_digit(c) && !is_of_name(last[0]) && last[1] == '_' && last[2] == ':') {
      has_small_ |= last[3] == 'b';
      has_big_ |= last[3] == 'B';
      if (has_small_ && has_big_) {
        return "names of blank nodes that differ in the case of a b alone, such as _:b1 and _:B1: "
               "rename those of one kind";
      }
    }
    switch (c) {
      case '\\':
        is_escaped_ = true;
        break;
      case '#':
        inside_ = Inside::kComment;
        break;
      case '<':
        inside_ = Inside::kIri;
        break;
      case '"':
      case '\'':
        inside_ = Inside::kQuotes;
        quote_ = c;
        quotes_ = 1;
        break;
      case '[':
      case '(':
        if (++depth_ > kDeepest)
          return "brackets nested more than 1000 deep: is this the right file?";
        break;
      case ']':
      case ')':
        if (depth_ > 0) --depth_;
        break;
      case '{':
      case '}':
        return "a brace: this is TriG or N3, not Turtle; save it as Turtle";
      default:
        break;
    }
    return nullptr;
  }

  Inside inside_ = Inside::kNothing;
  char quote_ = 0;
  unsigned quotes_ = 0;      // of those that begin a text or end a long one
  bool is_escaped_ = false;  // the next byte
  unsigned depth_ = 0;       // of brackets
  std::array<char, 4> last_{};
  bool has_small_ = false, has_big_ = false;  // _:b1, _:B1
};

class TurtleReader {
 public:
  TurtleReader(InputStream& stream, const std::string& name, RdfEvents& events)
      : stream_(stream, name), name_(name), events_(events) {}

  Status read() {
    const std::unique_ptr<SerdReader, FreeReader> reader(
        serd_reader_new(SERD_TURTLE, this, nullptr, &base, &prefix, &statement, &end));
    if (!reader) return fail(memory_error("to read RDF").at(name_));
    serd_reader_set_strict(reader.get(), true);
    serd_reader_set_error_sink(reader.get(), &log, this);
    // A byte at a time: so it is known which one serd has come to.
    const SerdStatus status =
        serd_reader_read_source(reader.get(), &next_byte, &has_failed, this,
                                reinterpret_cast<const std::uint8_t*>(name_.c_str()), 1);
    if (error_) return fail(*error_);
    if (status > SERD_FAILURE) return fail(not_valid(serd_text(serd_strerror(status))));
    return {};
  }

 private:
  static constexpr std::size_t kLongest = std::size_t{1} << 24;       // of a statement
  static constexpr std::size_t kMostPrefixes = std::size_t{1} << 18;  // bytes

  struct FreeReader {
    void operator()(SerdReader* reader) const { serd_reader_free(reader); }
  };

  static TurtleReader& of(void* data) { return *static_cast<TurtleReader*>(data); }
  static std::string_view serd_text(const std::uint8_t* text) {
    return reinterpret_cast<const char*>(text);
  }
  static std::string_view view_of(const SerdNode* node) {
    return {reinterpret_cast<const char*>(node->buf), node->n_bytes};
  }
  Error not_valid(std::string_view why) const {
    while (!why.empty() && why.back() == '\n') why.remove_suffix(1);
    return data_error(fmt::format("this is not valid Turtle{}: is the file complete?",
                                  why.empty() ? "" : " (" + printable(why) + ")"))
        .at(name_, line_);
  }
  SerdStatus stop(Error why) {
    if (!error_) error_ = std::move(why);
    return SERD_ERR_UNKNOWN;
  }
  SerdStatus stop_here(std::string why) {
    return stop(data_error(std::move(why)).at(name_, line_));
  }
  SerdStatus accept(const Status& status) {
    return status ? SERD_SUCCESS : stop(Error(status.error()).at(name_, line_));
  }

  // ---- What serd reads

  static std::size_t next_byte(void* out, std::size_t, std::size_t, void* data) {
    return of(data).give(*static_cast<char*>(out)) ? 1 : 0;
  }
  static int has_failed(void* data) { return of(data).error_ ? 1 : 0; }

  bool give(char& out) {
    if (error_) return false;
    if (rest_.empty() && !refill()) return false;
    line_ += is_line_end_ ? 1 : 0;  // serd has only now done with the byte before
    out = rest_.front();
    rest_.remove_prefix(1);
    is_line_end_ = out == '\n';
    if (++since_event_ > kLongest) {
      stop_here("a statement of more than 16 MiB: is this the right file?");
    } else if (const char* why = scanner_.next(out); why != nullptr) {
      stop_here(why);
    }
    return !error_;
  }
  bool refill() {
    if (at_end_) return false;
    const auto piece = stream_.next();
    if (!piece) {
      stop(piece.error());
      return false;
    }
    at_end_ = piece->empty();
    // A name at the very end would keep the dot behind it.
    rest_ = at_end_ ? "\n" : *piece;
    return true;
  }

  // ---- What it finds

  static SerdStatus log(void* data, const SerdError* error) {
    TurtleReader& self = of(data);
    constexpr std::size_t kMost = 200;
    std::array<char, kMost> text{};
    std::va_list arguments;
    va_copy(arguments, *error->args);
    std::vsnprintf(text.data(), text.size(), error->fmt, arguments);
    va_end(arguments);
    return self.stop(self.not_valid(text.data()));
  }

  static SerdStatus base(void* data, const SerdNode* iri) {
    TurtleReader& self = of(data);
    self.since_event_ = 0;
    resolve_iri(view_of(iri), std::string(self.base_), self.base_);
    return self.accept(check_space(self.base_));
  }

  static SerdStatus prefix(void* data, const SerdNode* name, const SerdNode* iri) {
    TurtleReader& self = of(data);
    self.since_event_ = 0;
    std::string space;
    resolve_iri(view_of(iri), self.base_, space);
    if (const Status done = check_space(space); !done) return self.accept(done);
    const auto [at, is_new] = self.prefixes_.try_emplace(std::string(view_of(name)));
    self.prefix_bytes_ += space.size() + (is_new ? at->first.size() : 0);
    self.prefix_bytes_ -= at->second.size();
    at->second = std::move(space);
    if (self.prefix_bytes_ > kMostPrefixes) {
      return self.stop_here("more than 256 KiB of @prefix lines: is this the right file?");
    }
    return SERD_SUCCESS;
  }

  static SerdStatus end(void*, const SerdNode*) { return SERD_SUCCESS; }

  static SerdStatus statement(void* data, SerdStatementFlags, const SerdNode*,
                              const SerdNode* subject, const SerdNode* predicate,
                              const SerdNode* object, const SerdNode*, const SerdNode* language) {
    TurtleReader& self = of(data);
    self.since_event_ = 0;
    if (self.error_) return SERD_ERR_UNKNOWN;
    return self.accept(self.pass_on(*subject, *predicate, *object, language));
  }

  Status pass_on(const SerdNode& subject, const SerdNode& predicate, const SerdNode& object,
                 const SerdNode* language) {
    RdfTriple triple;
    RdfTerm verb;
    if (const Status done = read_term(subject, triple.subject, scratch_[0]); !done) return done;
    if (const Status done = read_term(predicate, verb, scratch_[1]); !done) return done;
    if (const Status done = read_term(object, triple.object, scratch_[2]); !done) return done;
    if (language != nullptr && language->buf != nullptr) {
      triple.object.language = view_of(language);
    }
    triple.predicate = verb.text;
    return events_.triple(triple);
  }

  Status read_term(const SerdNode& from, RdfTerm& to, std::string& scratch) const {
    to.text = view_of(&from);
    if (from.type == SERD_BLANK) {
      to.kind = RdfTerm::Kind::kBlank;
      return {};
    }
    if (from.type == SERD_LITERAL) {
      to.kind = RdfTerm::Kind::kLiteral;
      return check_literal(to.text);
    }
    if (from.type == SERD_CURIE) {
      const std::size_t colon = to.text.find(':');
      if (colon == std::string_view::npos) return fail(not_valid("a name without a colon"));
      const std::string_view name = to.text.substr(0, colon);
      const auto space = prefixes_.find(name);
      if (space == prefixes_.end()) {
        return fail(not_valid(fmt::format("the prefix {}: is not declared", name)));
      }
      scratch = space->second;
      scratch += to.text.substr(colon + 1);
    } else {
      resolve_iri(to.text, base_, scratch);
    }
    to.text = scratch;
    return check_iri(scratch);
  }

  Utf8Stream stream_;
  const std::string& name_;
  RdfEvents& events_;
  TurtleScanner scanner_;
  std::string_view rest_;  // of the piece
  bool at_end_ = false;    // of the file
  bool is_line_end_ = false;
  std::uint64_t line_ = 1;
  std::size_t since_event_ = 0;  // bytes
  std::string base_{kRdfBase};
  std::unordered_map<std::string, std::string, TextHash, std::equal_to<>> prefixes_;
  std::size_t prefix_bytes_ = 0;
  std::array<std::string, 3> scratch_;
  std::optional<Error> error_;
};

}  // namespace

Status read_turtle(InputStream& stream, const std::string& name, RdfEvents& events) {
  return TurtleReader(stream, name, events).read();
}

}  // namespace semveil
