// Categories below concepts of the taxonomy: named ones, or all of one depth.
//
// A value belongs to the one root among the concepts at or above it. On a DAG there may be two:
// that is an error, because any choice between them would leave a relative in another category.
//
// Cost: the links above every value.
#include <fmt/format.h>

#include <map>
#include <utility>

#include "mechanisms/sets/categories.h"
#include "mechanisms/sets/category_parts.h"

namespace semveil {
namespace {

using Roots = std::map<ConceptId, std::size_t>;  // with the place of their categories

// The roots at or above a concept, the nearest numbers first.
std::vector<ConceptId> roots_above(const Taxonomy& taxonomy, ConceptId c, const Roots& roots) {
  std::vector<ConceptId> out;
  for (const Ancestor& ancestor : taxonomy.ancestors(c)) {
    if (roots.contains(ancestor.concept_id)) out.push_back(ancestor.concept_id);
  }
  return out;
}

Error below_two(const Attribute& attribute, ConceptId value, ConceptId a, ConceptId b,
                std::string message) {
  return column_error(attribute, std::move(message))
      .quoting(text_of(attribute, value))
      .hinting(
          fmt::format("it is at or below {} and {}", text_of(attribute, a), text_of(attribute, b)));
}

Result<Roots> disjoint_roots(const Attribute& attribute, std::span<const ConceptId> roots) {
  if (roots.empty()) {
    return fail(column_error(attribute, "no roots of categories: name at least two"));
  }
  Roots known;
  for (const ConceptId root : roots) {
    if (known.try_emplace(root, known.size()).second) continue;
    return fail(column_error(attribute, "this root of a category is named twice: name it once")
                    .quoting(text_of(attribute, root)));
  }
  for (const ConceptId root : roots) {
    const std::vector<ConceptId> above = roots_above(attribute.taxonomy(), root, known);
    if (above.size() < 2) continue;
    return fail(column_error(attribute,
                             "this root of a category lies below another one: categories must be "
                             "disjoint, so name roots that lie apart")
                    .quoting(text_of(attribute, root))
                    .hinting(fmt::format("it lies below {}", text_of(attribute, above[1]))));
  }
  return known;
}

}  // namespace

Result<Categories> categories_below(std::span<const ConceptId> roots,
                                    const FrequencyColumn& column) {
  const Attribute& attribute = *column.attribute;
  if (Status nominal = needs_taxonomy(attribute); !nominal) return fail(nominal.error());
  const Result<Roots> known = disjoint_roots(attribute, roots);
  if (!known) return fail(known.error());
  Categories categories;
  for (const ConceptId root : roots) categories.list.push_back({text_of(attribute, root), {}});
  for (const OccurringValue& value : occurring_values(column)) {
    const std::vector<ConceptId> above = roots_above(attribute.taxonomy(), value.value, *known);
    if (above.empty()) {
      return fail(
          column_error(attribute, fmt::format("this value of {} record{} is below none of the "
                                              "categories' roots: name a root for it",
                                              value.count, value.count == 1 ? "" : "s"))
              .quoting(text_of(attribute, value.value)));
    }
    if (above.size() > 1) {
      return fail(below_two(attribute, value.value, above[1], above[0],
                            "this value is below two of the categories' roots: categories must be "
                            "disjoint, so name other roots or list the categories in a file"));
    }
    categories.list[known->at(above[0])].values.push_back(value.value);
  }
  for (std::size_t i = 0; i < roots.size(); ++i) {
    if (!categories.list[i].values.empty()) continue;
    return fail(column_error(attribute,
                             "empty category: no value of the column is at or below this root; "
                             "leave it out or name another")
                    .quoting(text_of(attribute, roots[i])));
  }
  return categories;
}

Result<Categories> categories_at_depth(unsigned depth, const FrequencyColumn& column) {
  const Attribute& attribute = *column.attribute;
  if (Status nominal = needs_taxonomy(attribute); !nominal) return fail(nominal.error());
  if (depth == 0) {
    return fail(column_error(attribute, "depths are counted from 1, the root's: choose 2 or more"));
  }
  const Taxonomy& taxonomy = attribute.taxonomy();
  std::map<ConceptId, std::vector<ConceptId>> members;  // by root
  for (const OccurringValue& value : occurring_values(column)) {
    if (taxonomy.depth(value.value) < depth) {
      members[value.value].push_back(value.value);
      continue;
    }
    // Depth is the longest way, so every step of that way has its own: there is at least one.
    std::vector<ConceptId> above;
    for (const Ancestor& ancestor : taxonomy.ancestors(value.value)) {
      if (taxonomy.depth(ancestor.concept_id) == depth) above.push_back(ancestor.concept_id);
    }
    if (above.size() > 1) {
      return fail(below_two(attribute, value.value, above[1], above[0],
                            fmt::format("this value is below two concepts of depth {}: categories "
                                        "must be disjoint, so choose another depth, name the "
                                        "roots, or list the categories in a file",
                                        depth)));
    }
    members[above[0]].push_back(value.value);
  }
  if (members.size() < 2) {
    return fail(column_error(attribute,
                             fmt::format("depth {} makes {} of the column's values where at least "
                                         "2 categories are needed: choose a greater depth",
                                         depth, members.empty() ? "no category" : "1 category")));
  }
  Categories categories;
  for (auto& [root, values] : members) {
    categories.list.push_back({text_of(attribute, root), std::move(values)});
  }
  return categories;
}

}  // namespace semveil
