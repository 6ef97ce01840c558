#include "semveil/convert.h"

#include <algorithm>
#include <array>

#include "base/bytes.h"
#include "base/csv.h"
#include "base/packed_file.h"
#include "base/stop.h"
#include "ontology/left_out.h"
#include "ontology/rdf/write_skos.h"

namespace semveil {
namespace {

constexpr std::array<std::pair<std::string_view, OntologyFormat>, 5> kEndings{{
    {".csv", OntologyFormat::kEdges},
    {".obo", OntologyFormat::kObo},
    {".ttl", OntologyFormat::kSkosTurtle},
    {".nt", OntologyFormat::kSkosNTriples},
    {".rdf", OntologyFormat::kSkosXml},
}};

// How many terms of each kind there are.
class TermCounts {
 public:
  explicit TermCounts(const Names& names) {
    for (TermId t = 0; t < names.terms(); ++t)
      ++count_[static_cast<std::size_t>(names.term(t).kind)];
    definitions_ = names.arrays().definitions.empty() ? 0 : count_definitions(names);
    exceptions_ =
        names.arrays().exception_begin.empty() ? 0 : names.arrays().exception_begin.size() - 1;
  }
  std::uint64_t of(TermKind kind) const { return count_[static_cast<std::size_t>(kind)]; }
  std::uint64_t synonyms() const {
    return of(TermKind::kExactSynonym) + of(TermKind::kNarrowSynonym) +
           of(TermKind::kBroadSynonym) + of(TermKind::kRelatedSynonym);
  }
  std::uint64_t definitions() const { return definitions_; }
  std::uint64_t exceptions() const { return exceptions_; }

 private:
  static std::uint64_t count_definitions(const Names& names) {
    const auto begin = names.arrays().definition_begin;
    std::uint64_t some = 0;
    for (std::size_t i = 0; i + 1 < begin.size(); ++i) some += begin[i + 1] > begin[i] ? 1 : 0;
    return some;
  }

  std::array<std::uint64_t, 8> count_{};
  std::uint64_t definitions_ = 0, exceptions_ = 0;
};

// The concepts by id, as most sources have them; the virtual root is none.
std::vector<ConceptId> by_id(const Taxonomy& taxonomy) {
  std::vector<ConceptId> order;
  for (ConceptId c = 0; c < taxonomy.size(); ++c) {
    if (!taxonomy.is_virtual(c)) order.push_back(c);
  }
  std::ranges::sort(order, {}, [&](ConceptId c) { return taxonomy.id_rank(c); });
  return order;
}

std::vector<ConceptId> real_parents(const Taxonomy& taxonomy, ConceptId c) {
  std::vector<ConceptId> parents;
  for (const ConceptId p : taxonomy.parents(c)) {
    if (!taxonomy.is_virtual(p)) parents.push_back(p);
  }
  std::ranges::sort(parents, {}, [&](ConceptId p) { return taxonomy.id_rank(p); });
  return parents;
}

// ---- Edges

Result<Converted> to_edges(const Taxonomy& taxonomy, const Names& names, const TermCounts& terms) {
  Converted out;
  out.text = "child,parent,label\n";
  StopCheck check;
  for (const ConceptId c : by_id(taxonomy)) {
    check();
    const std::string id = csv_field(names.id(c));
    std::string label = names.label(c) == names.id(c) ? "" : csv_field(names.label(c));
    const std::vector<ConceptId> parents = real_parents(taxonomy, c);
    if (parents.empty()) out.text += id + ",," + label + "\n";
    for (const ConceptId p : parents) {
      out.text += id + "," + csv_field(names.id(p)) + "," + label + "\n";
      label.clear();  // said once
    }
  }
  count_some(out.left_out, "synonyms", terms.synonyms());
  count_some(out.left_out, "definitions", terms.definitions());
  count_some(out.left_out, "cross-references", terms.of(TermKind::kXref));
  count_some(out.left_out, "other ids", terms.of(TermKind::kAltId));
  count_some(out.left_out, "irregular word forms", terms.exceptions());
  return out;
}

// ---- OBO

std::string escaped(std::string_view text, bool quoted) {
  std::string out;
  for (std::size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool at_edge = i == 0 || i + 1 == text.size();
    if (c == '\n') {
      out += "\\n";
    } else if (c == '\t') {
      out += "\\t";
    } else if (c == ' ' && at_edge) {
      out += "\\W";
    } else if (c == '\r') {
      out += ' ';  // the format has no way to write it
    } else {
      const bool special = c == '\\' || c == '"' || (!quoted && (c == '!' || c == '{'));
      if (special) out += '\\';
      out += c;
    }
  }
  return out;
}

std::string_view obo_scope(TermKind kind) {
  switch (kind) {
    case TermKind::kExactSynonym:
      return "EXACT";
    case TermKind::kNarrowSynonym:
      return "NARROW";
    case TermKind::kBroadSynonym:
      return "BROAD";
    default:
      return "RELATED";
  }
}

void put_obo_term(const Taxonomy& taxonomy, const Names& names, ConceptId c, std::string& out) {
  const auto put = [&](std::string_view tag, const std::string& value) {
    out.append(tag).append(": ").append(value).append("\n");
  };
  out += "\n[Term]\n";
  put("id", escaped(names.id(c), false));
  put("name", escaped(names.label(c), false));
  for (TermId t = names.first_term(c); t < names.last_term(c); ++t) {
    const Term term = names.term(t);
    if (term.kind == TermKind::kAltId) put("alt_id", escaped(term.text, false));
    if (term.kind == TermKind::kXref) put("xref", escaped(term.text, false));
    if (is_name(term.kind) && term.kind != TermKind::kLabel) {
      put("synonym",
          "\"" + escaped(term.text, true) + "\" " + std::string(obo_scope(term.kind)) + " []");
    }
  }
  if (const std::string_view definition = names.definition(c); !definition.empty()) {
    put("def", "\"" + escaped(definition, true) + "\" []");
  }
  for (const ConceptId p : real_parents(taxonomy, c)) {
    put("is_a", escaped(names.id(p), false) + " ! " + escaped(names.label(p), false));
  }
}

Result<Converted> to_obo(const OntologyInfo& info, const Taxonomy& taxonomy, const Names& names,
                         const TermCounts& terms) {
  Converted out;
  out.text = "format-version: 1.2\n";
  if (!info.version.empty()) out.text += "data-version: " + escaped(info.version, false) + "\n";
  for (const ConceptId c : by_id(taxonomy)) put_obo_term(taxonomy, names, c, out.text);
  count_some(out.left_out, "irregular word forms", terms.exceptions());
  return out;
}

// ---- SKOS

Result<Converted> to_skos(const Taxonomy& taxonomy, const Names& names, const TermCounts& terms,
                          OntologyFormat format) {
  const RdfSyntax syntax = format == OntologyFormat::kSkosTurtle     ? RdfSyntax::kTurtle
                           : format == OntologyFormat::kSkosNTriples ? RdfSyntax::kNTriples
                                                                     : RdfSyntax::kXml;
  SkosWriter writer(syntax);
  StopCheck check;
  for (const ConceptId c : by_id(taxonomy)) {
    check();
    const std::string iri = skos_iri(names.id(c));
    const std::vector<ConceptId> parents = real_parents(taxonomy, c);
    writer.begin(iri, parents.empty());
    writer.text("prefLabel", names.label(c));
    for (TermId t = names.first_term(c); t < names.last_term(c); ++t) {
      const Term term = names.term(t);
      if (term.kind == TermKind::kAltId) writer.text("notation", term.text);
      if (is_name(term.kind) && term.kind != TermKind::kLabel) writer.text("altLabel", term.text);
    }
    if (!names.definition(c).empty()) writer.text("definition", names.definition(c));
    for (const ConceptId p : parents) writer.link("broader", skos_iri(names.id(p)));
  }
  Converted out{std::move(writer).finish(), {}};
  count_some(out.left_out, "cross-references", terms.of(TermKind::kXref));
  count_some(out.left_out, "kinds of synonyms: all become altLabel",
             terms.synonyms() - terms.of(TermKind::kExactSynonym));
  count_some(out.left_out, "irregular word forms", terms.exceptions());
  return out;
}

}  // namespace

std::optional<OntologyFormat> format_of(std::string_view path) {
  path = unpacked_name(path);
  for (const auto& [ending, format] : kEndings) {
    if (path.ends_with(ending)) return format;
  }
  return std::nullopt;
}

Result<PendingFile> prepare_conversion(const Converted& converted, const std::string& path) {
  Result<PackedFile> file = PackedFile::create(path);
  if (!file) return fail(file.error());
  if (const Status status = file->append(converted.text); !status) return fail(status.error());
  if (const Status status = file->finish(); !status) return fail(status.error());
  return std::move(*file).take();
}

Result<Converted> convert(const Ontology& ontology, OntologyFormat format) {
  const auto taxonomy = ontology.taxonomy();
  if (!taxonomy) return fail(taxonomy.error());
  const auto names = ontology.names();
  if (!names) return fail(names.error());
  const TermCounts terms(**names);
  const OntologyInfo& info = ontology.info();
  Result<Converted> out = format == OntologyFormat::kEdges ? to_edges(**taxonomy, **names, terms)
                          : format == OntologyFormat::kObo
                              ? to_obo(info, **taxonomy, **names, terms)
                              : to_skos(**taxonomy, **names, terms, format);
  if (!out) return out;
  const bool has_version = format == OntologyFormat::kObo || info.version.empty();
  count_some(out->left_out, "the version", has_version ? 0 : 1);
  // No format but ours says that its ids are ICD codes.
  count_some(out->left_out, "codes known in other spellings (e10.9, E109): now matched exactly",
             info.has_icd_codes ? by_id(**taxonomy).size() : 0);
  count_some(out->left_out, "headings without a code of their own: now concepts like others",
             info.headings.size());
  return out;
}

}  // namespace semveil
