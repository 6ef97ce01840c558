// The smallest sets of columns by which people are alone in a table.
//
// A person is unique on a set S of columns if one of their rows agrees on S with no row of anybody
// else; a missing cell is a value. S is a minimal unique of theirs if they are unique on S and on
// no proper part of it. Of C columns the sizes 1 to M = min(4, C − 1) are looked at, exactly.
//
//   score of a person = Σ over their minimal uniques S of Π for i = |S| … M of (C − i)
//
// The smaller and the more such sets, the easier somebody is found: with C = 4 and M = 3 a set of
// one column counts 6, of two 2, of three 1.
//
// Paper:  special uniques: Elliot, Manning and Ford 2002 (SUDA).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "semveil/code.h"

namespace [[gnu::visibility("default")]] semveil {

struct UniqueSet {
  std::vector<std::size_t> columns;  // ascending
  std::uint64_t persons = 0;         // whose minimal unique it is
  bool operator==(const UniqueSet&) const = default;
};

struct MinimalUniques {
  unsigned columns = 0;       // C
  unsigned largest = 0;       // M, or less where less was asked for
  std::uint64_t persons = 0;  // all
  std::uint64_t uniques = 0;  // persons with a minimal unique
  // Those that are somebody's: of the most persons first, then the smaller, then by columns.
  std::vector<UniqueSet> sets;
  std::vector<std::uint64_t> scores;  // by person
};

inline constexpr unsigned kLargestUnique = 4;
// M of so many columns.
unsigned largest_unique(std::size_t columns);

// `columns`: cells by column, then by row, any codes. `persons`: by row, 0, 1, 2, …; empty: every
// row is a person. `largest`: at most so many columns in a set.
// Cost:   rows × sets of columns, less what is unique by fewer; memory: a bit for each person and
//         set of less than M columns. Can be stopped (stop.h).
MinimalUniques minimal_uniques(std::span<const std::vector<Code>> columns,
                               std::span<const std::uint32_t> persons,
                               unsigned largest = kLargestUnique);

}  // namespace semveil
