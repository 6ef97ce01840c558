#include "ontology/snapshot_checks.h"

#include <algorithm>

namespace semveil {
namespace {

// Offsets of `items` pieces that fill exactly `total`.
bool are_offsets(std::span<const std::uint32_t> begin, std::size_t items, std::size_t total) {
  return begin.size() == items + 1 && begin.front() == 0 && begin.back() == total &&
         std::is_sorted(begin.begin(), begin.end());
}

bool is_permutation_of_indexes(std::span<const std::uint32_t> ranks) {
  std::vector<bool> seen(ranks.size(), false);
  for (const std::uint32_t r : ranks) {
    if (r >= ranks.size() || seen[r]) return false;
    seen[r] = true;
  }
  return true;
}

// Parents ascend, come before the child and are less deep; the deepest by exactly one level.
bool parents_fit(const Taxonomy::Arrays& a, ConceptId c) {
  unsigned above = 0;
  for (std::uint32_t i = a.parent_begin[c]; i < a.parent_begin[c + 1]; ++i) {
    const ConceptId p = a.parents[i];
    if (p >= c || (i > a.parent_begin[c] && p <= a.parents[i - 1])) return false;
    above = std::max<unsigned>(above, a.depth[p]);
  }
  return a.depth[c] == above + 1;
}

}  // namespace

bool is_sound(const Taxonomy::Arrays& a) {
  const std::size_t n = a.depth.size();
  if (n == 0 || n > 0x7fffffff) return false;
  if (!are_offsets(a.parent_begin, n, a.parents.size())) return false;
  if (!are_offsets(a.child_begin, n, a.children.size())) return false;
  if (a.children.size() != a.parents.size()) return false;
  if (a.id_rank.size() != n || !is_permutation_of_indexes(a.id_rank)) return false;
  if (a.depth[n - 1] > Taxonomy::kMaxDepth) return false;
  for (ConceptId c = 0; c < n; ++c) {
    if (!parents_fit(a, c)) return false;
    if (c > 0 && (a.parent_begin[c] == a.parent_begin[c + 1] || a.depth[c] < a.depth[c - 1])) {
      return false;
    }
  }
  // The children are the parents read backwards: filling them in ascending order must agree.
  std::vector<std::uint32_t> next(a.child_begin.begin(), a.child_begin.end() - 1);
  for (ConceptId c = 0; c < n; ++c) {
    for (std::uint32_t i = a.parent_begin[c]; i < a.parent_begin[c + 1]; ++i) {
      const ConceptId p = a.parents[i];
      if (next[p] == a.child_begin[p + 1] || a.children[next[p]++] != c) return false;
    }
  }
  return true;
}

bool is_sound(const Names::Arrays& a, std::size_t concepts) {
  const std::size_t terms = a.term_concept.size();
  if (!are_offsets(a.term_begin, concepts, terms)) return false;
  if (!are_offsets(a.text_begin, terms, a.text.size())) return false;
  if (!are_offsets(a.definition_begin, concepts, a.definitions.size())) return false;
  if (a.exception_begin.empty() ||
      !are_offsets(a.exception_begin, a.exception_begin.size() - 1, a.exceptions.size())) {
    return false;
  }
  if (a.term_sense.size() != terms || a.term_kind.size() != terms || a.index.size() != terms) {
    return false;
  }
  for (std::size_t c = a.virtual_root ? 1 : 0; c < concepts; ++c) {
    const std::uint32_t begin = a.term_begin[c];
    if (begin == a.term_begin[c + 1] || a.term_kind[begin] != TermKind::kId ||
        a.text_begin[begin] == a.text_begin[begin + 1]) {
      return false;
    }
    for (std::uint32_t t = begin; t < a.term_begin[c + 1]; ++t) {
      if (a.term_concept[t] != c) return false;
    }
  }
  if (a.virtual_root && a.term_begin[1] != 0) return false;
  const auto known = [](TermKind kind) { return kind <= TermKind::kXref; };
  if (!std::all_of(a.term_kind.begin(), a.term_kind.end(), known)) return false;
  const auto inside = [&](std::uint64_t entry) { return Names::term_of(entry) < terms; };
  return std::all_of(a.index.begin(), a.index.end(), inside) &&
         std::is_sorted(a.index.begin(), a.index.end());
}

}  // namespace semveil
