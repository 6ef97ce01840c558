#include "release/id_form.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "ontology/rdf/iri.h"

namespace semveil {
namespace {

bool has_letter(std::string_view text, char first, char last) {
  return std::ranges::any_of(text, [&](char c) { return c >= first && c <= last; });
}

// What more records have; nothing where as many have either.
class Vote {
 public:
  void count(bool choice, std::uint64_t records) { (choice ? for_ : against_) += records; }
  std::optional<bool> outcome() const {
    return for_ == against_ ? std::nullopt : std::optional(for_ > against_);
  }

 private:
  std::uint64_t for_ = 0, against_ = 0;
};

// Another id of a concept that is no part of its IRI and no IRI itself; with `wanted` only that.
std::string_view notation(ConceptId c, const Names& names,
                          std::optional<std::string_view> wanted = std::nullopt) {
  const std::string_view id = names.id(c);
  for (TermId t = names.first_term(c); t < names.last_term(c); ++t) {
    const Term term = names.term(t);
    if (term.kind != TermKind::kAltId || (wanted && term.text != *wanted)) continue;
    const bool is_part = term.text == local_part(id) || term.text == obo_id(id) ||
                         term.text.find("://") != std::string_view::npos;
    if (!is_part) return term.text;
  }
  return {};
}

}  // namespace

std::optional<IdForm> IdForm::of(std::span<const Cell> cells, const OntologyInfo& info,
                                 const Names& names) {
  if (info.has_icd_codes) return of_codes(cells, names);
  const bool has_iris = info.format == "owl" || info.format == "skos";
  return has_iris ? of_iris(cells, names) : std::nullopt;
}

std::optional<IdForm> IdForm::of_codes(std::span<const Cell> cells, const Names& names) {
  IdForm form;
  form.codes_ = std::make_shared<const CodeIndex>(names);
  std::uint64_t records = 0;
  std::uint64_t by_code = 0;
  Vote dots;
  Vote capitals;
  for (const Cell& cell : cells) {
    records += cell.count;
    const std::string_view id = names.id(cell.concept_id);
    if (cell.text != id && !is_written_for(cell.text, id)) continue;
    by_code += cell.count;
    const std::string plain = plain_code(id);
    if (!has_digit_second(plain)) continue;
    if (plain.size() > form.codes_->category_size(plain)) {
      dots.count(cell.text.find('.') != cell.text.npos, cell.count);
    }
    if (has_letter(plain, 'A', 'Z')) capitals.count(!has_letter(cell.text, 'a', 'z'), cell.count);
  }
  if (by_code * 2 <= records) return std::nullopt;
  form.dots_ = dots.outcome();
  form.capitals_ = capitals.outcome();
  return form;
}

std::optional<IdForm> IdForm::of_iris(std::span<const Cell> cells, const Names& names) {
  std::uint64_t records = 0;
  std::array<std::uint64_t, 4> by_form{};
  for (const Cell& cell : cells) {
    records += cell.count;
    const std::string_view id = names.id(cell.concept_id);
    const auto count = [&](Iri form) { by_form[static_cast<std::size_t>(form)] += cell.count; };
    if (cell.text == id) {
      count(Iri::kWhole);
    } else if (cell.text == obo_id(id)) {
      count(Iri::kObo);
    } else if (cell.text == local_part(id)) {
      count(Iri::kLocal);
    } else if (!notation(cell.concept_id, names, cell.text).empty()) {
      count(Iri::kNotation);
    }
  }
  const std::uint64_t by_id = std::accumulate(by_form.begin(), by_form.end(), std::uint64_t{0});
  if (by_id * 2 <= records) return std::nullopt;
  IdForm form;
  form.iri_ = static_cast<Iri>(std::ranges::max_element(by_form) - by_form.begin());
  return form;
}

std::string IdForm::written(ConceptId c, const Names& names) const {
  return codes_ ? written_code(names.id(c)) : written_iri(c, names);
}

std::string IdForm::written_iri(ConceptId c, const Names& names) const {
  const std::string_view id = names.id(c);
  if (iri_ == Iri::kWhole) return std::string(id);
  std::string said = iri_ == Iri::kObo        ? obo_id(id)
                     : iri_ == Iri::kNotation ? std::string(notation(c, names))
                                              : std::string();
  if (!said.empty()) return said;
  const std::string_view local = local_part(id);
  return std::string(local.empty() ? id : local);
}

std::string IdForm::written_code(std::string_view id) const {
  std::string plain = plain_code(id);
  if (!has_digit_second(plain)) return std::string(id);
  const std::size_t category = codes_->category_size(plain);
  const bool dotted = dots_.value_or(id.find('.') != id.npos);
  if (dotted && plain.size() > category) plain.insert(category, 1, '.');
  if (!capitals_.value_or(true)) {
    std::ranges::transform(plain, plain.begin(), [](char c) {
      return c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    });
  }
  return plain;
}

}  // namespace semveil
