// N-Triples (www.w3.org/TR/n-triples): one triple a line.
//
//   <http://x/Flu> <http://www.w3.org/2000/01/rdf-schema#label> "flu"@en . # a comment
//
// Blank nodes are _:name; texts and IRIs may hold \uXXXX and \UXXXXXXXX, texts also \t \b \n \r \f
// \" \' \\. A text is kept where it stands unless it holds an escape. Cost: linear.
#include <algorithm>
#include <array>

#include "base/lines.h"
#include "ontology/rdf/rdf_reader.h"

namespace semveil {
namespace {

bool is_blank(char c) { return c == ' ' || c == '\t'; }

void append_utf8(std::uint32_t code, std::string& out) {
  const auto byte = [&out](std::uint32_t value) { out += static_cast<char>(value); };
  if (code < 0x80) {
    byte(code);
  } else if (code < 0x800) {
    byte(0xC0 | code >> 6);
    byte(0x80 | (code & 0x3F));
  } else if (code < 0x10000) {
    byte(0xE0 | code >> 12);
    byte(0x80 | (code >> 6 & 0x3F));
    byte(0x80 | (code & 0x3F));
  } else {
    byte(0xF0 | code >> 18);
    byte(0x80 | (code >> 12 & 0x3F));
    byte(0x80 | (code >> 6 & 0x3F));
    byte(0x80 | (code & 0x3F));
  }
}

class Line {
 public:
  Line(std::string_view text, const LineReader& place) : rest_(text), place_(place) {}

  // Whether there is a triple: a line may be empty or a comment.
  Result<bool> read(RdfTriple& triple) {
    skip_blanks();
    if (rest_.empty() || rest_.front() == '#') return false;
    RdfTerm predicate;
    for (const auto& [term, scratch, where] : {Slot{&triple.subject, &scratch_[0], "a subject"},
                                               Slot{&predicate, &scratch_[1], "a predicate"},
                                               Slot{&triple.object, &scratch_[2], "an object"}}) {
      if (const Status done = read_term(*term, *scratch, where); !done) return fail(done.error());
      skip_blanks();
    }
    if (triple.subject.is_literal() || !predicate.is_iri()) {
      return fail(place_.error("a text in quotes or a blank node stands where none may stand"));
    }
    triple.predicate = predicate.text;
    if (!rest_.starts_with('.')) return fail(place_.error("a dot was expected behind the triple"));
    rest_.remove_prefix(1);
    skip_blanks();
    if (!rest_.empty() && rest_.front() != '#') {
      return fail(place_.error("something follows the dot: begin a new line"));
    }
    return true;
  }

 private:
  struct Slot {
    RdfTerm* term;
    std::string* scratch;
    const char* where;
  };

  void skip_blanks() {
    while (!rest_.empty() && is_blank(rest_.front())) rest_.remove_prefix(1);
  }
  Status read_term(RdfTerm& term, std::string& scratch, const char* where) {
    term = {};
    if (rest_.starts_with('<')) return read_iri(term.text, scratch);
    if (rest_.starts_with("_:")) return read_blank(term);
    if (rest_.starts_with('"')) return read_literal(term, scratch);
    return fail(place_.error(std::string(where) + " was expected: <IRI>, _:node or \"text\""));
  }

  Status read_iri(std::string_view& text, std::string& scratch) {
    const std::size_t end = rest_.find('>');
    if (end == std::string_view::npos)
      return fail(place_.error("an IRI that never ends: close it with a >"));
    text = rest_.substr(1, end - 1);
    rest_.remove_prefix(end + 1);
    if (text.find('\\') != std::string_view::npos) {
      if (const Status done = unescape(text, false, scratch); !done) return done;
      text = scratch;
    }
    for (const char c : text) {
      const auto byte = static_cast<unsigned char>(c);
      if (byte <= ' ' || byte == 0x7F) {
        return fail(place_.error("an IRI with a blank or a control character: remove it"));
      }
    }
    if (text.find(':') == std::string_view::npos) {
      return fail(place_.error("an IRI without a scheme: write it out in full", text));
    }
    return {};
  }

  Status read_blank(RdfTerm& term) {
    std::size_t end = rest_.find_first_of(" \t<\"", 2);
    if (end == std::string_view::npos) end = rest_.size();
    while (end > 2 && rest_[end - 1] == '.') --end;
    if (end == 2) return fail(place_.error("a blank node without a name: write _:name"));
    term.kind = RdfTerm::Kind::kBlank;
    term.text = rest_.substr(2, end - 2);
    rest_.remove_prefix(end);
    return {};
  }

  Status read_literal(RdfTerm& term, std::string& scratch) {
    std::size_t end = 1;
    bool escaped = false;
    while (end < rest_.size() && rest_[end] != '"') {
      const bool backslash = rest_[end] == '\\';
      escaped |= backslash;
      end += backslash ? 2 : 1;
    }
    if (end >= rest_.size()) {
      return fail(place_.error("a text that never ends: close it with a quote"));
    }
    term.kind = RdfTerm::Kind::kLiteral;
    term.text = rest_.substr(1, end - 1);
    rest_.remove_prefix(end + 1);
    if (escaped) {
      if (const Status done = unescape(term.text, true, scratch); !done) return done;
      term.text = scratch;
    }
    if (rest_.starts_with('@')) {
      const std::size_t after = std::min(rest_.find_first_of(" \t.", 1), rest_.size());
      term.language = rest_.substr(1, after - 1);
      rest_.remove_prefix(after);
      if (term.language.empty()) return fail(place_.error("a language was expected behind the @"));
    } else if (rest_.starts_with("^^<")) {
      rest_.remove_prefix(2);
      std::string_view datatype;
      return read_iri(datatype, datatype_scratch_);
    }
    return {};
  }

  Status unescape(std::string_view text, bool is_text, std::string& out) const {
    constexpr std::string_view kEscapes = "tbnrf\"'\\", kMeanings = "\t\b\n\r\f\"'\\";
    out.clear();
    for (std::size_t i = 0; i < text.size(); ++i) {
      if (text[i] != '\\') {
        out += text[i];
        continue;
      }
      const char c = ++i < text.size() ? text[i] : '\0';
      const std::size_t plain = is_text ? kEscapes.find(c) : std::string_view::npos;
      if (plain != std::string_view::npos) {
        out += kMeanings[plain];
        continue;
      }
      const std::size_t digits = c == 'u' ? 4 : c == 'U' ? 8 : 0;
      std::uint32_t code = 0;
      bool valid = digits > 0 && i + digits < text.size();
      for (std::size_t d = 1; valid && d <= digits; ++d) {
        const int digit = hex(text[i + d]);
        valid = digit >= 0;
        code = code << 4 | static_cast<std::uint32_t>(digit & 15);
      }
      if (!valid || code == 0 || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000)) {
        return fail(place_.error("a backslash that begins no valid escape: \\n, \\\", \\uXXXX, …"));
      }
      append_utf8(code, out);
      i += digits;
    }
    return {};
  }
  static int hex(char c) {
    if (c >= '0' && c <= '9') return c - '0';
    if (c >= 'a' && c <= 'f') return c - 'a' + 10;
    if (c >= 'A' && c <= 'F') return c - 'A' + 10;
    return -1;
  }

  std::string_view rest_;
  const LineReader& place_;
  std::array<std::string, 3> scratch_;
  std::string datatype_scratch_;
};

}  // namespace

Status read_ntriples(NamedStream input, RdfEvents& events) {
  LineReader lines(std::move(input.stream), std::move(input.name));
  for (;;) {
    const auto text = lines.next();
    if (!text) return fail(text.error());
    if (!text->has_value()) return {};
    Line line(text->value(), lines);
    RdfTriple triple;
    const Result<bool> found = line.read(triple);
    if (!found) return fail(found.error());
    if (!*found) continue;
    if (const Status done = events.triple(triple); !done) {
      return fail(Error(done.error()).at(lines.name(), lines.line()));
    }
  }
}

}  // namespace semveil
