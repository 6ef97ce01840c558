// How far released values join the records of one person (draw_by).
//
// Drawn by person, the same value of one person always comes out as the same replacement: that
// keeps releases from being compared, and shows who holds one release which of its records are one
// person's. Told: of the released combinations that stand in several records, how many stand in
// those of one person alone.
//
// Example: person 1 has the sets {a, b}, {a, b}, person 2 {c, d}, {c, d} and {a, c}, person 3
// {a, c}: three sets are repeated, two of them belong to one person each.
//
// Choice:  the first kMostRecords records are looked at.
// Memory:  about 40 bytes for each released combination among them.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/byte_form.h"
#include "semveil/finding.h"

namespace semveil {

std::uint64_t person_hash(std::string_view person);

class PersonLinks {
 public:
  static constexpr std::uint64_t kMostRecords = 1'000'000;

  // A record: hashes of what was released of it, and of its person.
  void add(std::uint64_t released, std::uint64_t person);
  void add(const PersonLinks& other);  // of other records; they are taken all
  bool is_full() const { return records_ >= kMostRecords; }
  std::uint64_t repeated() const { return repeated_; }            // combinations in several records
  std::uint64_t of_one_person() const { return of_one_person_; }  // of them

  void write(ByteWriter& out) const;
  static PersonLinks read(ByteReader& in);

 private:
  struct Seen {
    std::uint64_t person = 0;
    bool repeated = false, several = false;  // records; persons
  };
  void count(const Seen& seen, int by);

  std::unordered_map<std::uint64_t, Seen> seen_;  // by what was released
  std::uint64_t records_ = 0, repeated_ = 0, of_one_person_ = 0;
};

// How many different persons the first rows have.
class FirstPersons {
 public:
  static constexpr std::uint64_t kMostRows = 16384;

  void add(std::uint64_t person);
  void add(const FirstPersons& other);  // of other rows
  std::uint64_t persons() const { return persons_.size(); }
  std::uint64_t rows() const { return rows_; }

  void write(ByteWriter& out) const;
  static FirstPersons read(ByteReader& in);

 private:
  std::set<std::uint64_t> persons_;  // hashes
  std::uint64_t rows_ = 0;
};

// Nothing where no repeated combination is one person's.
std::optional<Finding> find_person_links(const PersonLinks& links, const std::string& draw_by);

}  // namespace semveil
