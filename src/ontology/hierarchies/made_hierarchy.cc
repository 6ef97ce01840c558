#include "ontology/hierarchies/made_hierarchy.h"

#include <fmt/format.h>

#include <unordered_map>

#include "base/text.h"
#include "base/trimmed.h"

namespace semveil {
namespace {

void put_field(std::string_view text, std::string& out) {
  out += '"';
  for (const char c : text) out.append(c == '"' ? 2 : 1, c);
  out += '"';
}

// Rows as a VGH has them. Without any text there is nothing but everything.
std::string rows_of(const HierarchyRule& rule, std::span<const std::string_view> texts) {
  std::string out;
  for (const std::string_view text : texts) {
    const auto steps = rule.steps(text);
    if (!steps) continue;
    put_field(trimmed(text), out);
    for (const HierarchyStep& step : *steps) {
      out += ';';
      put_field(step.label, out);
    }
    out += ';';
    put_field(kEverything, out);
    out += '\n';
  }
  return out.empty() ? fmt::format("{0};{0}\n", kEverything) : out;
}

std::vector<double> shares_of(const HierarchyRule& rule, std::span<const std::string_view> texts,
                              const VghLevels& levels) {
  if (!rule.has_widths()) return {};
  std::unordered_map<std::string_view, std::size_t> places;
  for (std::size_t i = 0; i < levels.ids.size(); ++i) places.emplace(levels.ids[i], i);
  std::vector<double> shares(levels.ids.size(), 0);
  for (const std::string_view text : texts) {
    const auto steps = rule.steps(text);
    if (!steps) continue;
    const std::size_t row = places.at(trimmed(text)) * levels.levels;  // a value's id is its text
    for (std::size_t i = 0; i < steps->size(); ++i) {
      shares[levels.of[row + i + 1]] = rule.share((*steps)[i]);
    }
    shares[levels.of[row + steps->size() + 1]] = rule.share_of_all();
  }
  return shares;
}

ConceptId concept_with_id(const Names& names, std::string_view id) {
  for (const std::uint64_t entry : names.lookup(squeeze(id))) {
    const Term term = names.term(Names::term_of(entry));
    if (term.kind == TermKind::kId && term.text == id) return term.concept_id;
  }
  return kNoPlace;
}

}  // namespace

Result<MadeHierarchy> make_hierarchy(const HierarchyRule& rule,
                                     std::span<const std::string_view> texts,
                                     const std::string& name) {
  Result<VghRows> rows = parse_vgh_rows(rows_of(rule, texts), name);
  if (!rows) return fail(rows.error());
  Result<Ontology> ontology = std::move(rows->draft).finish(name);
  if (!ontology) return fail(ontology.error());
  std::vector<double> shares = shares_of(rule, texts, rows->levels);
  return MadeHierarchy{*std::move(ontology), std::move(rows->levels), std::move(shares)};
}

ConceptId place_by_rule(const HierarchyRule& rule, const Names& names, std::string_view text) {
  if (rule.settings().kind == HierarchySettings::Kind::kFlat) return kNoPlace;
  const auto steps = rule.steps(text);
  if (!steps) return kNoPlace;
  for (const HierarchyStep& step : *steps) {
    const ConceptId c = concept_with_id(names, step.label);
    if (c != kNoPlace) return c;
  }
  return concept_with_id(names, kEverything);
}

}  // namespace semveil
