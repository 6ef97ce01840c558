#include "ontology/rdf/rdf_reader.h"

#include <algorithm>
#include <cctype>
#include <cstring>

#include "base/text.h"

namespace semveil {
namespace {

// A stream whose first bytes were looked at already.
class Peeked final : public InputStream {
 public:
  static constexpr std::size_t kLookedAt = 4096;

  explicit Peeked(std::unique_ptr<InputStream> rest) : rest_(std::move(rest)) {}
  Result<std::string_view> peek() {
    first_.resize(kLookedAt);
    std::size_t size = 0;
    while (size < kLookedAt) {
      const auto got = rest_->read(first_.data() + size, kLookedAt - size);
      if (!got) return fail(got.error());
      if (*got == 0) break;
      size += *got;
    }
    first_.resize(size);
    return std::string_view(first_);
  }
  Result<std::size_t> read(char* buffer, std::size_t size) override {
    if (given_ == first_.size()) return rest_->read(buffer, size);
    const std::size_t take = std::min(size, first_.size() - given_);
    std::memcpy(buffer, first_.data() + given_, take);
    given_ += take;
    return take;
  }
  std::uint64_t position() const override { return rest_->position(); }

 private:
  std::unique_ptr<InputStream> rest_;
  std::string first_;
  std::size_t given_ = 0;
};

bool starts_as_word(std::string_view text, std::string_view word) {  // word in lower case
  return text.size() >= word.size() &&
         std::equal(word.begin(), word.end(), text.begin(), [](char w, char t) {
           return w == static_cast<char>(std::tolower(static_cast<unsigned char>(t)));
         });
}

bool has_nt_ending(std::string name) {
  std::ranges::transform(name, name.begin(),
                         [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  for (const std::string_view packed : {".gz", ".zst"}) {
    if (name.ends_with(packed)) name.resize(name.size() - packed.size());
  }
  return name.ends_with(".nt") || name.ends_with(".ntriples");
}

std::string_view without_comments(std::string_view text) {
  for (text = without_margin(text); text.starts_with('#'); text = without_margin(text)) {
    text.remove_prefix(std::min(text.find('\n'), text.size()));
  }
  return text;
}

// `<rdf:RDF …`, `<?xml …`, `<!-- …`: an IRI in angle brackets holds no blank.
bool looks_like_xml(std::string_view text) {
  if (!text.starts_with('<')) return false;
  if (text.starts_with("<?") || text.starts_with("<!") || text.starts_with("<rdf:RDF")) {
    return true;
  }
  const std::size_t end = text.find_first_of(" \t\r\n>");
  return end != std::string_view::npos && end > 1 && text[end] != '>';
}

Status check_utf8(std::string_view text) {
  if (find_invalid_utf8(text) == std::string_view::npos) return {};
  return fail(data_error("an escape that stands for no character (\\uD800 …): remove it"));
}

}  // namespace

Status check_iri(std::string_view iri) {
  const auto is_control = [](char c) { return static_cast<unsigned char>(c) < ' ' || c == 0x7F; };
  if (std::ranges::any_of(iri, is_control)) {
    return fail(data_error("an IRI with a control character: remove it"));
  }
  return check_utf8(iri);
}

Status check_literal(std::string_view text) {
  if (text.find('\0') != std::string_view::npos) {
    return fail(data_error("a text with a NUL character: remove it"));
  }
  return check_utf8(text);
}

Status check_space(std::string_view iri) {
  constexpr std::size_t kLongest = std::size_t{1} << 15;
  if (iri.size() <= kLongest) return check_iri(iri);
  return fail(data_error("a base or a prefix of more than 32 KiB: is this the right file?"));
}

Result<RdfSyntax> rdf_syntax(std::string_view first_bytes, const std::string& name) {
  if (first_bytes.starts_with(kByteOrderMark)) first_bytes.remove_prefix(kByteOrderMark.size());
  if (first_bytes.starts_with("\xFF\xFE") || first_bytes.starts_with("\xFE\xFF")) {
    return fail(data_error("the text is UTF-16: save it as UTF-8").at(name, 1));
  }
  const std::string_view text = without_comments(first_bytes);
  const auto other = [&](const char* what) {
    return fail(data_error(std::string(what) + ": save it as RDF/XML or Turtle").at(name, 1));
  };
  if (text.empty()) return has_nt_ending(name) ? RdfSyntax::kNTriples : RdfSyntax::kTurtle;
  if (looks_like_xml(text)) return RdfSyntax::kXml;
  if (text.front() == '{' || text.starts_with("[{"))
    return other("this is JSON, which is not read");
  if (starts_as_word(text, "prefix(") || starts_as_word(text, "ontology(")) {
    return other("this is OWL in functional syntax, which is not read");
  }
  if (text.starts_with("Prefix:") || text.starts_with("Ontology:")) {
    return other("this is OWL in Manchester syntax, which is not read");
  }
  if (text.starts_with("format-version:") || text.starts_with("[Term]")) {
    return fail(data_error("this is an OBO file: write obo: before its name").at(name, 1));
  }
  const bool has_terms_only = text.front() == '<' || text.starts_with("_:");
  return has_nt_ending(name) && has_terms_only ? RdfSyntax::kNTriples : RdfSyntax::kTurtle;
}

Status read_rdf(NamedStream input, RdfEvents& events) {
  auto peeked = std::make_unique<Peeked>(std::move(input.stream));
  const Result<std::string_view> first = peeked->peek();
  if (!first) return fail(first.error());
  const Result<RdfSyntax> syntax = rdf_syntax(*first, input.name);
  if (!syntax) return fail(syntax.error());
  if (*syntax == RdfSyntax::kXml) return read_rdf_xml(*peeked, input.name, events);
  if (*syntax == RdfSyntax::kTurtle) return read_turtle(*peeked, input.name, events);
  return read_ntriples({std::move(peeked), std::move(input.name)}, events);
}

}  // namespace semveil
