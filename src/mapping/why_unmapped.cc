#include "semveil/why_unmapped.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>

#include "mapping/codes.h"
#include "ontology/rdf/iri.h"
#include "semveil/finding_guide.h"

namespace semveil {
namespace {

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

class Reasons {
 public:
  Reasons(const ColumnMapping& mapping, const std::string& column, const Ontology& ontology)
      : mapping_(mapping), column_(column), ontology_(ontology) {}

  Result<WhyUnmapped> all() && {
    find_unmapped();
    if (Status told = tell_why(); !told) return fail(told.error());
    rank(out_.findings);
    return std::move(out_);
  }

 private:
  void find_unmapped() {
    double values = 0, records = 0;
    for (const MappedValue& value : mapping_.values) {
      if (is_mapped(value.how)) continue;
      ++values;
      records += static_cast<double>(value.count);
    }
    if (values == 0) return;
    out_.findings.push_back(make_finding("values-unmapped", Severity::kWarning, {column_},
                                         {{"values", values}, {"records", records}}));
  }

  // A reason that so many values have.
  void add(std::string_view id, std::uint64_t values) {
    out_.findings.push_back(make_finding(id, Severity::kNote, {column_},
                                         {{"values", static_cast<double>(values)},
                                          {"of", static_cast<double>(mapping_.values.size())}}));
    out_.sentences.push_back(out_.findings.back().text);
  }

  void find_codes() {
    if (const Result<CrossReferences> references = CrossReferences::of(ontology_, "")) {
      const std::uint64_t known =
          count(mapping_, [&](const MappedValue& v) { return !references->find(v.value).empty(); });
      if (known > 0) return add("values-of-references", known);
    }
    const std::uint64_t codes =
        count(mapping_, [](const MappedValue& v) { return has_digit_second(plain_code(v.value)); });
    if (codes * 2 <= mapping_.values.size()) return;
    add(ontology_.info().has_icd_codes ? "codes-of-another-classification" : "codes-unknown",
        codes);
  }

  Status tell_why() {
    if (mapping_.values.empty()) return {};
    if (count(mapping_, [](const MappedValue& v) { return is_mapped(v.how); }) > 0) return {};
    const auto taxonomy = ontology_.taxonomy();
    if (!taxonomy) return fail(taxonomy.error());
    const auto names = ontology_.names();
    if (!names) return fail(names.error());
    const std::uint64_t outside =
        count(mapping_, [](const MappedValue& v) { return v.how == How::kOutside; });
    if (outside > 0) add("values-outside-root", outside);
    if (outside == mapping_.values.size()) return {};
    find_codes();
    out_.sentences.push_back(contents_text(ontology_.info(), **taxonomy, **names));
    for (const Counted& left : ontology_.info().left_out) {
      const bool language = left.what.ends_with("in other languages");
      const bool individuals = left.what == "individuals of no class";
      if (!language && !individuals) continue;
      out_.sentences.push_back(
          fmt::format("{} {} were left out{}", left.count, left.what,
                      language ? ": choose a language behind the source, '?lang=de'" : ""));
    }
    return {};
  }

  const ColumnMapping& mapping_;
  const std::string& column_;
  const Ontology& ontology_;
  WhyUnmapped out_;
};

}  // namespace

Result<WhyUnmapped> why_unmapped(const ColumnMapping& mapping, const std::string& column,
                                 const Ontology& ontology) {
  return Reasons(mapping, column, ontology).all();
}

}  // namespace semveil
