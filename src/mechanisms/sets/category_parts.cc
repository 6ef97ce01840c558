#include "mechanisms/sets/category_parts.h"

#include <fmt/format.h>

#include <utility>

namespace semveil {

std::vector<OccurringValue> occurring_values(const FrequencyColumn& column) {
  std::vector<OccurringValue> out;
  const ValueCounts& values = column.values;
  for (std::size_t i = 0; i < values.values.size(); ++i) {
    const bool missing = values.values[i] == column.attribute->missing_value();
    if (!missing && values.counts[i] > 0) out.push_back({values.values[i], values.counts[i]});
  }
  return out;
}

std::string_view label_of(const Attribute& attribute, ConceptId c) {
  return attribute.names->label(attribute.domain->in_ontology(c));
}

std::string text_of(const Attribute& attribute, ConceptId c) {
  const std::string_view id = attribute.id(c);
  if (!attribute.is_nominal()) return std::string(id);
  const std::string_view label = label_of(attribute, c);
  return label == id || id.empty() ? std::string(label) : fmt::format("{} ({})", label, id);
}

Error column_error(const Attribute& attribute, std::string message) {
  return data_error(std::move(message)).at(Place{.file = {}, .line = 0, .column = attribute.name});
}

Status needs_taxonomy(const Attribute& attribute) {
  if (attribute.is_nominal()) return {};
  return fail(column_error(
      attribute, fmt::format("a column of {} has no taxonomy to cut categories from: list its "
                             "categories in a file, or give the column an ontology",
                             attribute.is_numeric() ? "numbers" : "texts")));
}

}  // namespace semveil
