// What a class of combinations has, while members come and go: whether that is k records or
// persons, and what is demanded of sensitive columns.
#pragma once

#include <cstdint>
#include <map>
#include <unordered_map>
#include <vector>

#include "mechanisms/generalize/cell_suppression.h"

namespace semveil {

class CellTally {
 public:
  explicit CellTally(const CellTable& table);

  void add(std::uint32_t u);
  void remove(std::uint32_t u);
  bool is_none() const { return members_ == 0; }
  // Of no members: false.
  bool holds() const;

 private:
  struct Column {
    std::map<Code, std::uint64_t> size;                        // by value: records, or persons
    std::unordered_map<std::uint64_t, std::uint32_t> members;  // by value and person
  };

  const CellTable* table_;
  std::uint64_t members_ = 0, records_ = 0;
  std::unordered_map<std::uint32_t, std::uint32_t> members_of_;  // by person
  std::vector<Column> columns_;                                  // those with a demand
};

}  // namespace semveil
