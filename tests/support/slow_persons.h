// Persons counted row by row with sets: what everything that counts persons is compared with.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "semveil/frequency_table.h"

namespace semveil::test {

// A row: its person, and its cells.
struct PersonRow {
  std::uint32_t person = 0;
  std::vector<std::uint32_t> cells;
};

using Cells32 = std::vector<std::uint32_t>;

inline Cells32 some_cells(const PersonRow& row, const std::vector<std::size_t>& places) {
  Cells32 out;
  for (const std::size_t place : places) out.push_back(row.cells[place]);
  return out;
}

// persons(g): by class.
inline std::map<Cells32, std::set<std::uint32_t>> slow_persons(
    const std::vector<PersonRow>& rows, const std::vector<std::size_t>& places) {
  std::map<Cells32, std::set<std::uint32_t>> out;
  for (const PersonRow& row : rows) out[some_cells(row, places)].insert(row.person);
  return out;
}

// Persons who are alone in the class of one of their rows.
inline std::set<std::uint32_t> slow_uniques(const std::vector<PersonRow>& rows,
                                            const std::vector<std::size_t>& places) {
  std::set<std::uint32_t> out;
  for (const auto& [cells, persons] : slow_persons(rows, places)) {
    if (persons.size() == 1) out.insert(*persons.begin());
  }
  return out;
}

// r_v: by class, then value; missing cells take no part.
inline std::map<Cells32, std::map<std::uint32_t, std::uint64_t>> slow_values(
    const std::vector<PersonRow>& rows, const std::vector<std::size_t>& places,
    std::size_t sensitive) {
  std::map<Cells32, std::map<std::uint32_t, std::set<std::uint32_t>>> persons;
  for (const PersonRow& row : rows) {
    if (row.cells[sensitive] == kMissing) continue;
    persons[some_cells(row, places)][row.cells[sensitive]].insert(row.person);
  }
  std::map<Cells32, std::map<std::uint32_t, std::uint64_t>> out;
  for (const auto& [cells, values] : persons) {
    for (const auto& [value, who] : values) out[cells][value] = who.size();
  }
  return out;
}

}  // namespace semveil::test
