// Whose records the tuples of a generated table are.
#pragma once

#include <algorithm>
#include <map>
#include <set>
#include <vector>

#include "support/generated_table.h"

namespace semveil::test {

// `person`: by row.
inline void tell_persons(const GeneratedTable& table, const std::vector<std::uint32_t>& person,
                         FrequencyTable& frequencies) {
  // As the frequency table numbers them: places of values, kMissing last.
  std::map<std::vector<Code>, std::set<std::uint32_t>> persons;
  for (std::size_t i = 0; i < table.rows(); ++i) {
    std::vector<Code> tuple;
    for (std::size_t j = 0; j < table.columns.size(); ++j) {
      const std::vector<ConceptId>& values = frequencies.columns[j].values.values;
      ConceptId cell = table.columns[j].cells[i];
      const Attribute& attribute = *table.columns[j].attribute;
      if (cell == kMissing && attribute.missing_is_value) cell = attribute.missing_value();
      const auto at = std::ranges::lower_bound(values, cell);
      const bool takes_part = at != values.end() && *at == cell;
      tuple.push_back(takes_part ? static_cast<Code>(at - values.begin()) : kMissing);
    }
    persons[tuple].insert(person[i]);
  }
  frequencies.persons = {};
  for (const auto& [tuple, who] : persons) {  // ascending, as the tuples of the table
    frequencies.persons.begin.push_back(frequencies.persons.persons.size());
    frequencies.persons.persons.insert(frequencies.persons.persons.end(), who.begin(), who.end());
  }
  frequencies.persons.begin.push_back(frequencies.persons.persons.size());
}

}  // namespace semveil::test
