// Which released columns link the rows of a person.
//
// A value joins rows of a person where it stands in several of them, and in no row of anybody else.
// A column links rows if it joins the rows of a notable part of the persons with several rows:
// kNotable of them, and more than values that were dealt out at random would. It does, too, if all
// of its values are one person's each and some value repeats, however few persons that joins.
//
// Example: an account number that two rows of somebody share. Whoever holds the release knows that
// they are one person's, and classes of single rows promise nothing about the person any more: two
// classes of five persons each may have one person in common. That two other persons share an
// account changes nothing about that. A number that every row has for itself links nothing, nor
// does a sex or a ward: their values are those of many.
//
// Chance: two rows are one person's with q = Σ r_p (r_p − 1) / N (N − 1), r_p the rows of a person
//         and N all rows. n rows with one value are all of one person with at most q^(n/2) if the
//         value goes its own way. The persons joined must be more than three deviations beyond the
//         sum E of these: more than E + 3 √(E + 1/4).
// Memory: about 60 bytes for each different value of a column, up to kMostValues of them. Of a
//         column with more, every second, fourth … value by its hash is looked at: which ones does
//         not depend on the order of the rows.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/byte_form.h"
#include "semveil/finding.h"

namespace semveil {

class RowLinks {
 public:
  // One person in twenty: fewer may have a rare value in a column that the others share.
  static constexpr double kNotable = 0.05;
  static constexpr std::size_t kMostValues = std::size_t{1} << 20;

  RowLinks() = default;
  explicit RowLinks(std::vector<std::string> columns, std::size_t most_values = kMostValues);

  std::size_t size() const { return columns_.size(); }
  void add_row(std::uint64_t person) { ++rows_of_[person]; }  // its hash
  // A row with this value: hashes of the value, and of its person.
  void add(std::size_t column, std::uint64_t value, std::uint64_t person);
  void add(const RowLinks& other);  // of other rows; the same columns

  struct Linking {
    std::string column;
    std::uint64_t persons = 0;  // whose rows it joins; of many values estimated
  };
  std::vector<Linking> linking() const;
  std::uint64_t persons_with_several_rows() const;

  void write(ByteWriter& out) const;
  static RowLinks read(ByteReader& in);

 private:
  struct Seen {
    std::uint64_t person = 0;  // of its first row
    std::uint64_t rows = 0;
    bool is_shared = false;  // by persons
  };
  struct Column {
    std::string name;
    unsigned halvings = 0;  // values whose hash ends in so many zeros are looked at
    std::unordered_map<std::uint64_t, Seen> values;
  };
  void see(Column& column, std::uint64_t value, const Seen& seen) const;
  double chance_of_one_person() const;  // q

  std::vector<Column> columns_;
  std::unordered_map<std::uint64_t, std::uint64_t> rows_of_;  // by person
  std::size_t most_values_ = kMostValues;
};

// Released columns that link the rows of a person.
struct LinkedRows {
  std::vector<std::string> columns;
  std::uint64_t persons = 0, of = 0;  // whose rows one of them joins; of those with several rows
};
// `person`: the column that tells persons apart, where it is released; else empty.
LinkedRows linked_rows(const RowLinks& links, const std::string& person);

// `row_sums`: by person a sum of hashes of the quasi-identifiers of their released rows; 0: none.
// Nothing where no column links rows.
std::optional<Finding> find_linked_rows(LinkedRows linked, std::span<const std::uint64_t> row_sums);

}  // namespace semveil
