#include "tests/support/slow_uniques.h"

#include <algorithm>
#include <bit>
#include <set>

namespace semveil::test {
namespace {

using Columns = std::span<const std::vector<Code>>;

std::vector<std::size_t> members(unsigned mask) {
  std::vector<std::size_t> out;
  for (std::size_t column = 0; mask >> column != 0; ++column) {
    if ((mask >> column & 1U) != 0) out.push_back(column);
  }
  return out;
}

bool agree(Columns columns, unsigned mask, std::size_t a, std::size_t b) {
  return std::ranges::all_of(members(mask),
                             [&](std::size_t c) { return columns[c][a] == columns[c][b]; });
}

// One of the person's rows agrees with no row of anybody else.
bool is_unique(Columns columns, const std::vector<std::uint32_t>& persons, unsigned mask,
               std::uint32_t person) {
  for (std::size_t row = 0; row < persons.size(); ++row) {
    if (persons[row] != person) continue;
    bool alone = true;
    for (std::size_t other = 0; other < persons.size(); ++other) {
      if (persons[other] != person && agree(columns, mask, row, other)) alone = false;
    }
    if (alone) return true;
  }
  return false;
}

}  // namespace

MinimalUniques slow_minimal_uniques(std::span<const std::vector<Code>> columns,
                                    std::span<const std::uint32_t> persons) {
  std::vector<std::uint32_t> people(persons.begin(), persons.end());
  const std::size_t rows = columns.empty() ? 0 : columns.front().size();
  if (people.empty()) {
    for (std::uint32_t row = 0; row < rows; ++row) people.push_back(row);
  }
  const std::set<std::uint32_t> everybody(people.begin(), people.end());
  const std::size_t c = columns.size();
  const std::size_t m = c == 0 ? 0 : std::min<std::size_t>(4, c - 1);
  MinimalUniques out;
  out.columns = static_cast<unsigned>(c);
  out.largest = static_cast<unsigned>(m);
  out.persons = everybody.size();
  out.scores.resize(everybody.size());
  std::set<std::uint32_t> uniques;
  if (everybody.size() < 2) return out;
  for (unsigned mask = 1; mask < 1U << c; ++mask) {
    const auto size = static_cast<std::size_t>(std::popcount(mask));
    if (size > m) continue;
    UniqueSet set{members(mask), 0};
    for (const std::uint32_t person : everybody) {
      bool minimal = is_unique(columns, people, mask, person);
      for (unsigned part = 1; part < mask && minimal; ++part) {
        if ((part & mask) == part && is_unique(columns, people, part, person)) minimal = false;
      }
      if (!minimal) continue;
      ++set.persons;
      uniques.insert(person);
      std::uint64_t weight = 1;
      for (std::size_t i = size; i <= m; ++i) weight *= c - i;
      out.scores[person] += weight;
    }
    if (set.persons > 0) out.sets.push_back(set);
  }
  out.uniques = uniques.size();
  std::ranges::sort(out.sets, [](const UniqueSet& a, const UniqueSet& b) {
    if (a.persons != b.persons) return a.persons > b.persons;
    if (a.columns.size() != b.columns.size()) return a.columns.size() < b.columns.size();
    return a.columns < b.columns;
  });
  return out;
}

}  // namespace semveil::test
