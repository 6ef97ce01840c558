#include "semveil/why_unmapped.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "mapping/codes.h"
#include "ontology/rdf/iri.h"

namespace semveil {
namespace {

std::string values_text(std::uint64_t some, const ColumnMapping& mapping) {
  return fmt::format("{} of {} value{}", some, mapping.values.size(),
                     mapping.values.size() == 1 ? "" : "s");
}

template <class Test>
std::uint64_t count(const ColumnMapping& mapping, Test test) {
  return static_cast<std::uint64_t>(std::ranges::count_if(mapping.values, test));
}

// Whether a label was given, and not made of the id for want of one.
bool has_own_label(const Names& names, ConceptId c) {
  const std::string_view label = names.label(c);
  return label != names.id(c) && label != local_part(names.id(c));
}

// Three of its concepts, spread over the order of their ids.
std::vector<std::string> examples(const Taxonomy& taxonomy, const Names& names) {
  std::vector<ConceptId> by_id;
  for (ConceptId c = 0; c < taxonomy.size(); ++c) {
    if (!taxonomy.is_virtual(c)) by_id.push_back(c);
  }
  std::ranges::sort(by_id, {}, [&](ConceptId c) { return taxonomy.id_rank(c); });
  std::vector<std::string> labels;
  const std::size_t last = by_id.size() - 1;
  for (const std::size_t place : std::array{std::size_t{0}, last / 2, last}) {
    std::string label = fmt::format("\"{}\"", names.label(by_id[place]));
    if (std::ranges::find(labels, label) == labels.end()) labels.push_back(std::move(label));
  }
  return labels;
}

std::string contents_text(const OntologyInfo& info, const Taxonomy& taxonomy, const Names& names) {
  std::uint64_t concepts = 0;
  std::uint64_t labelled = 0;
  for (ConceptId c = 0; c < taxonomy.size(); ++c) {
    if (taxonomy.is_virtual(c)) continue;
    ++concepts;
    labelled += has_own_label(names, c) ? 1 : 0;
  }
  std::vector<std::string> parts;
  for (const Counted& counted : info.contents) {
    parts.push_back(fmt::format("{} {}", counted.count, counted.what));
  }
  if (parts.empty()) parts.push_back(fmt::format("{} concepts", concepts));
  const std::string labels =
      labelled == 0 ? "no label: they are known by their ids"
      : labelled == concepts
          ? "a label each"
          : fmt::format("{} labels: the others are known by their ids", labelled);
  return fmt::format("the ontology has {} and {}. Its concepts are called like {}",
                     fmt::join(parts, ", "), labels, fmt::join(examples(taxonomy, names), ", "));
}

std::optional<std::string> codes_text(const ColumnMapping& mapping, const OntologyInfo& info,
                                      const Ontology& ontology) {
  if (const Result<CrossReferences> references = CrossReferences::of(ontology, "")) {
    const std::uint64_t known =
        count(mapping, [&](const MappedValue& v) { return !references->find(v.value).empty(); });
    if (known > 0) {
      return fmt::format("{} {} code{} of other ontologies that this one refers to: add --via xref",
                         values_text(known, mapping), known == 1 ? "is a" : "are",
                         known == 1 ? "" : "s");
    }
  }
  const std::uint64_t codes =
      count(mapping, [](const MappedValue& v) { return has_digit_second(plain_code(v.value)); });
  if (codes * 2 <= mapping.values.size()) return std::nullopt;
  return fmt::format(
      "{} {} built like codes, {}", values_text(codes, mapping), codes == 1 ? "is" : "are",
      info.has_icd_codes ? "and this classification has none of them: is it the right one?"
                         : "and this ontology has no such codes: name the one they are of");
}

}  // namespace

Result<std::vector<std::string>> why_nothing_matched(const ColumnMapping& mapping,
                                                     const Ontology& ontology) {
  std::vector<std::string> why;
  if (mapping.values.empty()) return why;
  if (count(mapping, [](const MappedValue& v) { return is_mapped(v.how); }) > 0) return why;
  const auto taxonomy = ontology.taxonomy();
  if (!taxonomy) return fail(taxonomy.error());
  const auto names = ontology.names();
  if (!names) return fail(names.error());
  const std::uint64_t outside =
      count(mapping, [](const MappedValue& v) { return v.how == How::kOutside; });
  if (outside > 0) {
    why.push_back(
        fmt::format("{} {} known to the ontology, but not at or below the root: leave "
                    "--root out, or name a concept above",
                    values_text(outside, mapping), outside == 1 ? "is" : "are"));
  }
  if (outside == mapping.values.size()) return why;
  if (auto codes = codes_text(mapping, ontology.info(), ontology)) why.push_back(*std::move(codes));
  why.push_back(contents_text(ontology.info(), **taxonomy, **names));
  for (const Counted& left : ontology.info().left_out) {
    const bool language = left.what.ends_with("in other languages");
    const bool individuals = left.what == "individuals of no class";
    if (!language && !individuals) continue;
    why.push_back(fmt::format("{} {} were left out{}", left.count, left.what,
                              language ? ": choose a language behind the source, '?lang=de'" : ""));
  }
  return why;
}

}  // namespace semveil
