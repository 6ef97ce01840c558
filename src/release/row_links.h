// Which released columns link the rows of a person: every value of theirs
// belongs to one person, and some stands in several rows.
//
// Example: an account number that two rows of somebody share. Whoever holds the
// release knows that they are one person's, and classes of single rows promise
// nothing about the person any more: two classes of five persons each may have
// one person in common. A number that every row has for itself links nothing,
// nor does one that two persons share.
//
// A column is looked at until one of its values is seen with two persons, which
// is soon for most.
//
// Memory: about 40 bytes for each different value of columns that still come
// into question.
#pragma once

#include <cstdint>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/byte_form.h"

namespace semveil {

class RowLinks {
 public:
  RowLinks() = default;
  explicit RowLinks(std::vector<std::string> columns);

  std::size_t size() const { return columns_.size(); }
  bool may_link(std::size_t column) const { return !columns_[column].is_shared; }
  // A row with this value: hashes of the value, and of its person.
  void add(std::size_t column, std::uint64_t value, std::uint64_t person);
  void add(const RowLinks& other);  // of other rows; the same columns
  std::vector<std::string> linking() const;

  void write(ByteWriter& out) const;
  static RowLinks read(ByteReader& in);

 private:
  struct Column {
    std::string name;
    bool is_shared = false;  // some value belongs to two persons
    bool repeats = false;
    std::unordered_map<std::uint64_t, std::uint64_t>
        person_of;  // by value; empty once it is shared
  };
  static void see(Column& column, std::uint64_t value, std::uint64_t person);
  std::vector<Column> columns_;
};

}  // namespace semveil
