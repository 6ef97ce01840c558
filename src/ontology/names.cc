#include "semveil/names.h"

#include <algorithm>

#include "base/text.h"

namespace semveil {

Term Names::term(TermId t) const {
  const std::uint32_t begin = arrays_.text_begin[t];
  return {arrays_.text.substr(begin, arrays_.text_begin[t + 1] - begin), arrays_.term_concept[t],
          arrays_.term_kind[t], arrays_.term_sense[t]};
}

std::string_view Names::id(ConceptId c) const {
  if (arrays_.virtual_root && c == Taxonomy::root()) return "";
  return term(first_term(c)).text;
}

std::string_view Names::label(ConceptId c) const {
  if (arrays_.virtual_root && c == Taxonomy::root()) return "(top)";
  const TermId second = first_term(c) + 1;
  if (second < last_term(c) && arrays_.term_kind[second] == TermKind::kLabel) {
    return term(second).text;
  }
  return id(c);
}

std::string_view Names::definition(ConceptId c) const {
  const std::uint32_t row = arrays_.row[c];
  const std::uint32_t begin = arrays_.definition_begin[row];
  return arrays_.definitions.substr(begin, arrays_.definition_begin[row + 1] - begin);
}

std::span<const std::uint64_t> Names::lookup(std::string_view squeezed) const {
  const std::uint64_t hash = squeezed_hash(squeezed);
  const auto first = std::lower_bound(arrays_.index.begin(), arrays_.index.end(), hash << 32);
  auto last = first;
  while (last != arrays_.index.end() && *last >> 32 == hash) ++last;
  return {first, last};
}

std::vector<std::string_view> Names::exceptions(std::string_view form) const {
  const std::size_t entries = arrays_.exception_begin.size() - 1;
  const auto entry = [&](std::size_t i) {
    const std::uint32_t begin = arrays_.exception_begin[i];
    return arrays_.exceptions.substr(begin, arrays_.exception_begin[i + 1] - begin);
  };
  const auto form_of = [&](std::size_t i) { return entry(i).substr(0, entry(i).find('\t')); };
  std::size_t at = 0;
  for (std::size_t end = entries; at < end;) {
    const std::size_t middle = (at + end) / 2;
    if (form_of(middle) < form) {
      at = middle + 1;
    } else {
      end = middle;
    }
  }
  std::vector<std::string_view> bases;
  for (; at < entries && form_of(at) == form; ++at) {
    if (entry(at).size() > form.size()) bases.push_back(entry(at).substr(form.size() + 1));
  }
  return bases;
}

}  // namespace semveil
