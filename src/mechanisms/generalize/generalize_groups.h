// Tuples on chosen levels, as groups with counts; coarser ones are made from finer ones.
#pragma once

#include <span>
#include <vector>

#include "mechanisms/generalize/generalize_parts.h"

namespace semveil {

using LevelChoice = std::vector<unsigned>;

struct GroupTable {
  LevelChoice levels;
  std::vector<Code> rows;             // nodes, by group, then column
  std::vector<std::uint64_t> counts;  // records
  PersonLists persons;                // of each group k at most, where persons are told
  std::size_t size() const { return counts.size(); }
};

// Group tables of one task; some are kept, so that the next is made from the smallest that can
// serve.
class GroupTables {
 public:
  explicit GroupTables(const GeneralizeTask& task);
  GroupTable at(const LevelChoice& levels);
  // And the group of each tuple.
  GroupTable at(const LevelChoice& levels, std::vector<std::uint32_t>& group_of) const;

 private:
  bool serves(const GroupTable& from, const LevelChoice& levels) const;
  PersonLists lift_persons(const GroupTable& from, std::span<const std::uint32_t> group_of,
                           std::size_t groups) const;
  GroupTable lift(const GroupTable& from, const LevelChoice& levels,
                  std::vector<std::uint32_t>* group_of) const;

  const GeneralizeTask& task_;
  GroupTable tuples_;
  std::vector<GroupTable> kept_;
  std::size_t room_;  // groups that may still be kept
};

}  // namespace semveil
