#include "mechanisms/generalize/hierarchy.h"

#include <fmt/format.h>

#include <algorithm>

namespace semveil {
namespace {

// By value, then level.
struct Lifted {
  unsigned levels = 0;
  std::vector<ConceptId> of;
};

// On the last level of the file there is nothing but the root.
bool ends_at_root(const LevelTable& table) {
  for (ConceptId c = 0; c < table.of.size() / table.levels; ++c) {
    if (table.at(c, table.levels - 1) != Taxonomy::root()) return false;
  }
  return true;
}

Lifted lifted_by_levels(const Attribute& attribute, std::span<const ConceptId> values) {
  const LevelTable& table = *attribute.levels;
  Lifted out{table.levels, {}};
  const bool to_root = ends_at_root(table);
  for (const ConceptId value : values) {
    const bool missing = value == attribute.missing_value();
    for (unsigned level = 0; level < table.levels; ++level) {
      const bool top = level + 1 == table.levels && to_root;
      if (missing) {
        out.of.push_back(top ? Taxonomy::root() : value);
      } else {
        out.of.push_back(table.at(value, level));
      }
    }
  }
  return out;
}

Lifted lifted_by_depths(const Attribute& attribute, std::span<const ConceptId> values) {
  const Taxonomy& taxonomy = attribute.taxonomy();
  const ConceptId missing = attribute.missing_value();
  const auto depth = [&](ConceptId c) { return c == missing ? 2 : taxonomy.depth(c); };
  unsigned deepest = 1;
  for (const ConceptId value : values) deepest = std::max(deepest, depth(value));
  Lifted out{deepest, {}};
  for (ConceptId c : values) {
    for (unsigned level = 0; level < deepest; ++level) {
      while (depth(c) > deepest - level) {
        c = c == missing ? Taxonomy::root() : generalizing_parent(taxonomy, c);
      }
      out.of.push_back(c);
    }
  }
  return out;
}

std::uint64_t leaves_below(const Taxonomy& taxonomy, ConceptId c) {
  const std::vector<ConceptId> below = taxonomy.descendants(c);
  return static_cast<std::uint64_t>(
      std::count_if(below.begin(), below.end(), [&](ConceptId d) { return taxonomy.is_leaf(d); }));
}

}  // namespace

ConceptId generalizing_parent(const Taxonomy& taxonomy, ConceptId c) {
  ConceptId best = Taxonomy::root();
  bool found = false;
  for (const ConceptId p : taxonomy.parents(c)) {
    if (taxonomy.depth(p) + 1 != taxonomy.depth(c)) continue;
    if (!found || taxonomy.id_rank(p) < taxonomy.id_rank(best)) best = p;
    found = true;
  }
  return best;
}

Result<Hierarchy> Hierarchy::of(const Attribute& attribute, std::span<const ConceptId> values,
                                By by) {
  if (!attribute.is_nominal()) {
    return fail(data_error(fmt::format("a column of {} has no levels to generalise over: give "
                                       "it a hierarchy, as hierarchy = {{intervals = 5}}, or an "
                                       "ontology",
                                       attribute.is_numeric() ? "numbers" : "texts"))
                    .at(Place{.file = {}, .line = 0, .column = attribute.name}));
  }
  Hierarchy out;
  const bool by_file = by == By::kLevels && attribute.levels != nullptr;
  const Lifted lifted =
      by_file ? lifted_by_levels(attribute, values) : lifted_by_depths(attribute, values);
  out.levels_ = lifted.levels;
  out.number_nodes(lifted.of);
  out.count_leaves(attribute);
  out.nested_ = out.nests();
  return out;
}

void Hierarchy::number_nodes(const std::vector<ConceptId>& lifted) {
  concepts_ = lifted;
  std::sort(concepts_.begin(), concepts_.end());
  concepts_.erase(std::unique(concepts_.begin(), concepts_.end()), concepts_.end());
  for (const ConceptId c : lifted) {
    node_.push_back(static_cast<Code>(std::lower_bound(concepts_.begin(), concepts_.end(), c) -
                                      concepts_.begin()));
  }
}

void Hierarchy::count_leaves(const Attribute& attribute) {
  const Taxonomy& taxonomy = attribute.taxonomy();
  for (ConceptId c = 0; c < taxonomy.size(); ++c) all_leaves_ += taxonomy.is_leaf(c) ? 1 : 0;
  for (const ConceptId c : concepts_) {
    const bool whole = c == Taxonomy::root();
    const bool missing = c == attribute.missing_value();
    leaves_.push_back(whole ? all_leaves_ : missing ? 1 : leaves_below(taxonomy, c));
    if (attribute.shares) shares_.push_back(missing ? 0 : (*attribute.shares)[c]);
  }
}

bool Hierarchy::nests() const {
  constexpr Code kNone = 0xFFFFFFFF;
  std::vector<Code> above(nodes());
  for (unsigned level = 0; level + 1 < levels_; ++level) {
    std::fill(above.begin(), above.end(), kNone);
    for (Code v = 0; v < values(); ++v) {
      Code& next = above[node(v, level)];
      if (next != kNone && next != node(v, level + 1)) return false;
      next = node(v, level + 1);
    }
  }
  return true;
}

unsigned Hierarchy::meet(Code a, Code b) const {
  unsigned low = 0;
  for (unsigned high = levels_ - 1; low < high;) {
    const unsigned middle = (low + high) / 2;
    if (node(a, middle) == node(b, middle)) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

}  // namespace semveil
