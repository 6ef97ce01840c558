#include "ontology/rdf/write_skos.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/text.h"
#include "ontology/rdf/rdf_vocabulary.h"

namespace semveil {
namespace {

// No concept can be called so: of an id skos_iri() writes a slash as %2F.
constexpr std::string_view kScheme = "urn:semveil:concept/scheme";

bool is_its_own_iri(std::string_view id) {
  const auto forbidden = [](char c) {
    return static_cast<unsigned char>(c) <= 0x20 ||
           std::string_view("<>\"{}|^`\\").find(c) != std::string_view::npos;
  };
  const bool known = id.starts_with("http://") || id.starts_with("https://") ||
                     (id.starts_with("urn:") && !id.starts_with(kOwnIris));
  return known && std::ranges::none_of(id, forbidden);
}

// A text in quotes, as Turtle and N-Triples have it.
void put_quoted(std::string_view text, std::string& out) {
  out += '"';
  for (const char c : text) {
    constexpr std::string_view kSpecial = "\"\\\n\r\t", kCodes = "\"\\nrt";
    const std::size_t at = kSpecial.find(c);
    if (at != std::string_view::npos) {
      out.append("\\").append(1, kCodes[at]);
    } else if (static_cast<unsigned char>(c) < ' ' || c == 0x7F) {
      out += fmt::format("\\u{:04X}", static_cast<unsigned char>(c));
    } else {
      out += c;
    }
  }
  out += '"';
}

void put_xml(std::string_view text, std::string& out) {
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const std::string_view three = text.substr(i, 3);
    if (c == '&') {
      out += "&amp;";
    } else if (c == '<') {
      out += "&lt;";
    } else if (c == '>') {
      out += "&gt;";
    } else if (c == '"') {
      out += "&quot;";
    } else if (c == '\r') {
      out += "&#xD;";
    } else if (three == "\xEF\xBF\xBE" || three == "\xEF\xBF\xBF") {  // U+FFFE and U+FFFF
      out += ' ';
      i += 2;
    } else {
      const bool is_control = static_cast<unsigned char>(c) < ' ' && c != '\t' && c != '\n';
      out += is_control ? ' ' : c;
    }
  }
}

}  // namespace

std::string skos_iri(std::string_view id) {
  if (is_its_own_iri(id)) return std::string(id);
  std::string iri(kOwnIris);
  for (const char c : id) {
    const bool plain = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') ||
                       std::string_view("-._~:").find(c) != std::string_view::npos;
    if (plain) {
      iri += c;
    } else {
      iri += fmt::format("%{:02X}", static_cast<unsigned char>(c));
    }
  }
  return iri;
}

std::string skos_id(std::string_view iri) {
  if (!iri.starts_with(kOwnIris)) return std::string(iri);
  const std::string_view coded = iri.substr(kOwnIris.size());
  const auto digit = [](char c) {
    return c >= '0' && c <= '9' ? c - '0' : c >= 'A' && c <= 'F' ? c - 'A' + 10 : -1;
  };
  std::string id;
  for (std::size_t i = 0; i < coded.size(); ++i) {
    const bool escaped = coded[i] == '%' && i + 2 < coded.size() && digit(coded[i + 1]) >= 0 &&
                         digit(coded[i + 2]) >= 0;
    id += escaped ? static_cast<char>(digit(coded[i + 1]) * 16 + digit(coded[i + 2])) : coded[i];
    i += escaped ? 2 : 0;
  }
  // Only what skos_iri() would write so: two IRIs must not become one id.
  const bool is_ours = !id.empty() && id.find('\0') == id.npos &&
                       find_invalid_utf8(id) == id.npos && skos_iri(id) == iri;
  return is_ours ? id : std::string(iri);
}

SkosWriter::SkosWriter(RdfSyntax syntax) : syntax_(syntax) {
  if (syntax_ == RdfSyntax::kTurtle) {
    out_ = fmt::format("@prefix skos: <{}> .\n", kSkosSpace);
  } else if (syntax_ == RdfSyntax::kXml) {
    out_ = fmt::format(
        "<?xml version=\"1.0\" encoding=\"utf-8\"?>\n<rdf:RDF xmlns:rdf=\"{}\" "
        "xmlns:skos=\"{}\">\n",
        kRdf, kSkosSpace);
  }
  begin_subject(kScheme, "ConceptScheme");
}

void SkosWriter::begin_subject(std::string_view iri, std::string_view type) {
  switch (syntax_) {
    case RdfSyntax::kTurtle:
      out_ += fmt::format("\n<{}> a skos:{}", iri, type);
      break;
    case RdfSyntax::kNTriples:
      subject_ = fmt::format("<{}> ", iri);
      out_ += fmt::format("{}<{}type> <{}{}> .\n", subject_, kRdf, kSkosSpace, type);
      break;
    case RdfSyntax::kXml:
      subject_ = type;
      out_ += fmt::format("  <skos:{} rdf:about=\"", type);
      put_xml(iri, out_);
      out_ += "\">\n";
      break;
  }
}

void SkosWriter::end_subject() {
  if (syntax_ == RdfSyntax::kTurtle) out_ += " .\n";
  if (syntax_ == RdfSyntax::kXml) out_ += fmt::format("  </skos:{}>\n", subject_);
}

void SkosWriter::begin(const std::string& iri, bool is_top) {
  end_subject();
  begin_subject(iri, "Concept");
  if (is_top) link("topConceptOf", kScheme);
}

void SkosWriter::text(std::string_view property, std::string_view value) {
  if (syntax_ == RdfSyntax::kXml) {
    out_ += fmt::format("    <skos:{}>", property);
    put_xml(value, out_);
    out_ += fmt::format("</skos:{}>\n", property);
    return;
  }
  begin_value(property);
  put_quoted(value, out_);
  end_value();
}

void SkosWriter::link(std::string_view property, std::string_view iri) {
  if (syntax_ == RdfSyntax::kXml) {
    out_ += fmt::format("    <skos:{} rdf:resource=\"", property);
    put_xml(iri, out_);
    out_ += "\"/>\n";
    return;
  }
  begin_value(property);
  out_.append("<").append(iri).append(">");
  end_value();
}

void SkosWriter::begin_value(std::string_view property) {
  out_ += syntax_ == RdfSyntax::kTurtle ? fmt::format(" ;\n  skos:{} ", property)
                                        : fmt::format("{}<{}{}> ", subject_, kSkosSpace, property);
}

void SkosWriter::end_value() {
  if (syntax_ == RdfSyntax::kNTriples) out_ += " .\n";
}

std::string SkosWriter::finish() && {
  end_subject();
  if (syntax_ == RdfSyntax::kXml) out_ += "</rdf:RDF>\n";
  return std::move(out_);
}

}  // namespace semveil
