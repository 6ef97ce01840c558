// Adult, unchanged: its complete records over eight quasi-identifiers.
#pragma once

#include <optional>

#include "figures/paired.h"
#include "support/adult_table.h"
#include "support/data.h"

namespace semveil::test {

inline std::optional<Paired> adult_pairs() {
  const auto data = data_file("adult/adult.data.gz");
  if (!data) return std::nullopt;
  const std::string folder =
      data->substr(0, data->size() - std::string("/adult/adult.data.gz").size());
  const ClassTable table = adult_table(folder, 8);
  Paired out;
  for (const auto& attribute : table.attributes) {
    Attribute measured = *attribute;
    measured.measure = adult_value(make_measure(measured.domain->taxonomy()));
    out.attributes.push_back(std::make_shared<const Attribute>(std::move(measured)));
  }
  for (std::size_t t = 0; t < table.size(); ++t) {
    for (std::size_t j = 0; j < 8; ++j) out.before.push_back(table.values[j][table.tuple(t)[j]]);
  }
  out.after = out.before;
  out.counts = table.counts;
  return out;
}

}  // namespace semveil::test
