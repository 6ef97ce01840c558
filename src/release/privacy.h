// What classes of records tell: how many records share their quasi-identifiers, and how varied
// their sensitive values are. Found by sorting and counting tuples alone, however the classes came
// about.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "base/person_pairs.h"
#include "base/tuple_counter.h"
#include "mechanisms/classes/closeness.h"
#include "semveil/plan_file.h"

namespace semveil {

// Tuples, and where it is known whose records have them: then whatever is counted of them are
// different persons instead of records.
struct CountedTuples {
  CountedTuples(const TupleCounter& all, const PersonPairs* whose = nullptr)  // NOLINT: both ways
      : tuples(all), persons(whose) {}
  const TupleCounter& tuples;
  const PersonPairs* persons;  // null: not told
};

// Tuples of some of the places, with their records or persons.
TupleCounter project(const CountedTuples& counted, std::span<const std::size_t> places);

// Records that share each class's values; a missing cell that is a wildcard shares every value.
std::vector<std::uint64_t> class_sizes(const TupleCounter& classes, MissingRule missing);

struct ClassSizes {
  std::vector<std::uint64_t> sizes;  // by class: records, or persons
  // Records that are alone, or persons who are alone in the class of one of their records.
  std::uint64_t uniques = 0;
};
ClassSizes class_sizes(const CountedTuples& counted, std::span<const std::size_t> places,
                       MissingRule missing);

// The values that the records of each class have in a sensitive column. Records that miss it take
// no part, nor do classes of such records alone. A person counts once with each value of theirs.
class ClassValues {
 public:
  // Classes are records with equal codes in all of `class_places`.
  ClassValues(const CountedTuples& counted, std::span<const std::size_t> class_places,
              std::size_t sensitive);

  const std::vector<Code>& codes() const { return codes_; }  // that occur, by place: ascending
  // By place: records, or persons, of the table.
  const std::vector<std::uint64_t>& whole() const { return whole_; }
  std::size_t size() const { return begin_.size() - 1; }
  // Ascending by place.
  std::span<const PlaceCount> of(std::size_t i) const {
    return std::span(counts_).subspan(begin_[i], begin_[i + 1] - begin_[i]);
  }
  // The classes that differ in shares, with the least records that have these; few values first.
  ClassValues distinct() const;

 private:
  ClassValues() = default;
  std::vector<Code> codes_;
  std::vector<std::uint64_t> whole_;
  std::vector<std::size_t> begin_{0};
  std::vector<PlaceCount> counts_;
};

// Different ones.
std::uint64_t count_persons(const PersonPairs& persons);

// The greatest share of a class's persons, or records, who have one value. 0: no class has a value.
// `empty`: the code of missing cells where they count as a value, which is no secret; else
// kMissing.
double most_common_share(const CountedTuples& counted, std::span<const std::size_t> class_places,
                         std::size_t sensitive, Code empty = kMissing);

// Classes in which everybody has one value of a sensitive column: whoever knows that somebody is in
// one of them knows the value. Of a class of one record, or person, it is no matter of the class.
struct SharedValues {
  std::uint64_t groups = 0;   // classes of two or more
  std::uint64_t shared = 0;   // of these: everybody has one value
  std::uint64_t sharing = 0;  // records, or persons, in them
  std::uint64_t least = 0;    // different values in one
  double belief = 0;          // the greatest share of a value in one
  double prior = 0;           // of the most frequent value, in the whole table
};
// Nothing where there is no secret: the column has one value, or no class is of two or more.
// `empty` as above: a class whose cells are all empty is told nothing of.
std::optional<SharedValues> shared_values(const ClassValues& classes, Code empty = kMissing);

// The least, or greatest, over all classes.
struct SensitiveFigures {
  std::uint64_t l = 0;  // 0: no class has a value
  double entropy_l = 0;
  std::optional<double> recursive_c;  // nothing where l = 1
  std::optional<double> t;            // nothing where it is more work than a figure is worth
};
SensitiveFigures sensitive_figures(const ClassValues& classes, const Closeness& closeness);

}  // namespace semveil
