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
#include <string>
#include <unordered_map>

#include "semveil/finding.h"

namespace semveil {

class PersonLinks {
 public:
  static constexpr std::uint64_t kMostRecords = 1'000'000;

  // A record: hashes of what was released of it, and of its person.
  void add(std::uint64_t released, std::uint64_t person);
  bool is_full() const { return records_ == kMostRecords; }
  std::uint64_t repeated() const { return repeated_; }            // combinations in several records
  std::uint64_t of_one_person() const { return of_one_person_; }  // of them

 private:
  struct Seen {
    std::uint64_t person = 0;
    bool repeated = false, several = false;  // records; persons
  };
  std::unordered_map<std::uint64_t, Seen> seen_;
  std::uint64_t records_ = 0, repeated_ = 0, of_one_person_ = 0;
};

// Nothing where no repeated combination is one person's.
std::optional<Finding> find_person_links(const PersonLinks& links, const std::string& draw_by);

}  // namespace semveil
