#include "mechanisms/sets/set_column.h"

#include <fmt/format.h>

#include <algorithm>

#include "mechanisms/sets/category_parts.h"

namespace semveil {
namespace {

Status place_values(const Attribute& attribute, SetColumn& column) {
  column.category.assign(attribute.size(), SetColumn::kNoCategory);
  for (std::uint32_t c = 0; c < column.categories.list.size(); ++c) {
    Categories::Category& category = column.categories.list[c];
    if (category.values.empty()) {
      return fail(column_error(attribute, "the category has no values").quoting(category.name));
    }
    std::sort(category.values.begin(), category.values.end());
    for (const ConceptId value : category.values) {
      if (value >= attribute.size() ||
          (attribute.is_nominal() && attribute.taxonomy().is_virtual(value))) {
        return fail(column_error(attribute, "the category has a value that is none of the column's")
                        .quoting(category.name));
      }
      if (column.category[value] != SetColumn::kNoCategory) {
        return fail(
            column_error(attribute,
                         "the value stands in two categories, or twice in one: leave it in one")
                .quoting(std::string(attribute.id(value))));
      }
      column.category[value] = c;
    }
  }
  for (ConceptId value = 0; value < column.counts.size(); ++value) {
    if (column.counts[value] > 0 && column.category[value] == SetColumn::kNoCategory) {
      return fail(
          column_error(attribute, "the value is in no category, so no set can be made for it")
              .quoting(std::string(attribute.id(value))));
    }
  }
  return {};
}

Status check_l(const Attribute& attribute, bool by_category, SetColumn& column) {
  const auto values = static_cast<std::size_t>(
      std::count_if(column.category.begin(), column.category.end(),
                    [](std::uint32_t c) { return c != SetColumn::kNoCategory; }));
  const std::size_t categories = column.categories.list.size();
  if (column.l == 0) column.l = static_cast<unsigned>(categories);
  const std::size_t most = by_category ? categories : values;
  const std::string_view of = by_category ? "categories" : "values";
  if (most < 2) {
    return fail(column_error(
        attribute, fmt::format("sets take two {} or more, and the column has {}", of, most)));
  }
  if (column.l < 2 || column.l > most) {
    return fail(
        column_error(attribute, fmt::format("sets of l = {} cannot be made of {} {}: l must "
                                            "lie between 2 and {}",
                                            column.l, most, of, most)));
  }
  if (column.l > kMostSetSize) {
    return fail(
        column_error(attribute, fmt::format("sets of {} values: they have at most {}: write "
                                            "l in [mask]",
                                            column.l, kMostSetSize)));
  }
  return {};
}

}  // namespace

Status finish_set_column(const Attribute& attribute, bool by_category, SetDraw draw,
                         SetColumn& column) {
  if (Status placed = place_values(attribute, column); !placed) return placed;
  if (Status sound = check_l(attribute, by_category, column); !sound) return sound;

  std::uint64_t records = 0, largest = 1;
  for (const std::uint64_t count : column.counts) {
    if (count > kMostWeight - records) return fail(column_error(attribute, "too many records"));
    records += count;
  }
  column.weights.assign(attribute.size(), 0);
  for (const Categories::Category& category : column.categories.list) {
    std::uint64_t of_category = 0;
    for (const ConceptId value : category.values) of_category += column.counts[value];
    largest = std::max<std::uint64_t>(largest, category.values.size());
    if (by_category && draw == SetDraw::kFrequency && of_category == 0) {
      return fail(column_error(attribute,
                               "no record has a value of the category, so none can be drawn by "
                               "frequency: draw uniformly, or join it with another")
                      .quoting(category.name));
    }
    for (const ConceptId value : category.values) {
      column.weights[value] = !by_category ? column.counts[value]
                              : draw == SetDraw::kFrequency
                                  ? of_category
                                  : column.counts[value] * category.values.size();
    }
  }
  if (records > kMostWeight / largest) return fail(column_error(attribute, "too many records"));
  return {};
}

Categories single_values(const Attribute& attribute, const std::vector<std::uint64_t>& counts) {
  Categories out;
  for (ConceptId value = 0; value < counts.size(); ++value) {
    if (counts[value] > 0) out.list.push_back({std::string(attribute.id(value)), {value}});
  }
  return out;
}

}  // namespace semveil
