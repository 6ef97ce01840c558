// Whether a column that is released as it is tells another one that is masked: a title its code.
//
// What counts is a relation that recurs. An id is different in every record, so within the table it
// determines every other column and tells none. So a record's masked value is guessed from the
// other records with the same released value: the most frequent one among them, ties being wrong.
//
//   released  masked     guessed from   right
//   flu       J10        J10            yes
//   flu       J10        J10            yes
//   gout      M10        -              -      no other gout: not recurrent
//
// Choice:  a group of n equal released values, in which the two most frequent masked values have a
//          and b records, has a right guesses if a - 1 > b, and else none.
// Choice:  records without a masked value hide nothing and are not counted; without a released one
//          they are not recurrent.
// Cost:    O(records) for each pair of columns, no hashing. Codes must be dense.
#pragma once

#include <span>
#include <vector>

#include "semveil/table.h"

namespace semveil {

struct Guesses {
  std::uint64_t records = 0;    // that have a masked value
  std::uint64_t recurrent = 0;  // of these: another one has the same released value
  std::uint64_t right = 0;      // of the recurrent ones: guessed from those others
  std::uint64_t blind = 0;      // of the recurrent ones: have the value that most of them have

  // Whether the column tells: in enough records, for most of them, almost always, and clearly
  // better than the most frequent value does.
  static constexpr std::uint64_t kLeastRecords = 20;
  static constexpr std::uint64_t kLeastToGuess = 5;  // records that blind guessing gets wrong
  static constexpr double kLeastRecurrent = 0.5;     // of the records
  static constexpr double kLeastRight = 0.9;         // of the recurrent ones
  static constexpr double kMostWrong = 0.2;          // of what blind guessing gets wrong
  bool tell() const;
  double share() const { return static_cast<double>(right) / static_cast<double>(records); }

  friend bool operator==(const Guesses&, const Guesses&) = default;
};

// The masked columns guessed from a released one. By record; kMissing: no value.
std::vector<Guesses> guess(std::span<const Code> released,
                           std::span<const std::span<const Code>> masked);

}  // namespace semveil
