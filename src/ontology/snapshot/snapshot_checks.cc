#include "ontology/snapshot/snapshot_checks.h"

#include <algorithm>

namespace semveil {
namespace {

// The loops below have no early exit: the compiler turns them into vector instructions, and a
// damaged file is not worth being quick about.

template <class T>
bool all_below(std::span<const T> values, std::size_t limit) {
  T greatest = 0;
  for (const T v : values) greatest = std::max(greatest, v);
  return values.empty() || greatest < limit;
}

template <class T>
bool ascends(std::span<const T> values) {
  bool holds = true;
  for (std::size_t i = 1; i < values.size(); ++i) holds &= values[i - 1] <= values[i];
  return holds;
}

// Offsets of `items` pieces that fill exactly `total`.
bool are_offsets(std::span<const std::uint32_t> begin, std::size_t items, std::size_t total) {
  return begin.size() == items + 1 && begin.front() == 0 && begin.back() == total && ascends(begin);
}

bool is_permutation_of_indexes(std::span<const std::uint32_t> ranks) {
  if (!all_below(ranks, ranks.size())) return false;
  std::vector<bool> seen(ranks.size(), false);
  for (const std::uint32_t r : ranks) seen[r] = true;
  return std::find(seen.begin(), seen.end(), false) == seen.end();
}

// Each concept but the root has parents, all before it and less deep.
bool parents_come_first(const Taxonomy::Arrays& a) {
  bool holds = a.parent_begin[1] == 0;
  for (ConceptId c = 1; c < a.depth.size(); ++c) {
    holds &= a.parent_begin[c] < a.parent_begin[c + 1];
    for (std::uint32_t i = a.parent_begin[c]; i < a.parent_begin[c + 1]; ++i) {
      const ConceptId p = std::min(a.parents[i], c);  // c itself is not less deep
      holds &= a.depth[p] < a.depth[c];
    }
  }
  return holds;
}

// Every row has a term, its id, but for the virtual root's.
bool rows_are_named(const Names::Arrays& a) {
  std::size_t empty = 0;
  for (std::size_t r = 0; r + 1 < a.term_begin.size(); ++r) {
    empty += a.term_begin[r] == a.term_begin[r + 1] ? 1 : 0;
  }
  if (!a.virtual_root) return empty == 0;
  const std::uint32_t row = a.row[Taxonomy::root()];
  return empty == 1 && a.term_begin[row] == a.term_begin[row + 1];
}

}  // namespace

bool is_sound(const Taxonomy::Arrays& a) {
  const std::size_t n = a.depth.size();
  return n > 0 && n <= 0x7fffffff && are_offsets(a.parent_begin, n, a.parents.size()) &&
         a.id_rank.size() == n && is_permutation_of_indexes(a.id_rank) && a.depth.front() == 1 &&
         ascends(a.depth) && a.depth.back() <= Taxonomy::kMaxDepth && parents_come_first(a);
}

bool is_sound(const Names::Arrays& a) {
  const std::size_t rows = a.row.size();
  const std::size_t terms = a.term_concept.size();
  TermId last_term = 0;
  for (const std::uint64_t entry : a.index) last_term = std::max(last_term, Names::term_of(entry));
  const std::span kinds(reinterpret_cast<const std::uint8_t*>(a.term_kind.data()), terms);
  return rows > 0 && all_below(a.row, rows) && are_offsets(a.term_begin, rows, terms) &&
         are_offsets(a.text_begin, terms, a.text.size()) &&
         are_offsets(a.definition_begin, rows, a.definitions.size()) &&
         !a.exception_begin.empty() &&
         are_offsets(a.exception_begin, a.exception_begin.size() - 1, a.exceptions.size()) &&
         are_offsets(a.whole_begin, rows, a.wholes.size()) && all_below(a.wholes, rows) &&
         a.term_sense.size() == terms && a.term_kind.size() == terms && a.index.size() == terms &&
         all_below(a.term_concept, rows) &&
         all_below(kinds, static_cast<std::size_t>(TermKind::kXref) + 1) &&
         (terms == 0 || last_term < terms) && rows_are_named(a);
}

}  // namespace semveil
