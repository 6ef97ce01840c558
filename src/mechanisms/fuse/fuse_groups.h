// Groups of records while they are fused: which are too small or miss a demand, and what became of
// each tuple.
#pragma once

#include <map>
#include <optional>
#include <vector>

#include "mechanisms/classes/demands.h"
#include "mechanisms/fuse/fuse_engine.h"
#include "mechanisms/fuse/fuse_search.h"

namespace semveil {

// Numbers in ascending order, for uniform choices among them.
class AscendingList {
 public:
  std::size_t size() const { return list_.size(); }
  bool empty() const { return list_.empty(); }
  std::uint32_t operator[](std::size_t i) const { return list_[i]; }
  const std::vector<std::uint32_t>& all() const { return list_; }
  std::size_t place(std::uint32_t number) const;  // of the first that is not smaller
  void insert(std::uint32_t number);              // not there
  void erase(std::uint32_t number);               // there

 private:
  std::vector<std::uint32_t> list_;
};

class FuseGroups {
 public:
  // `demands`: of the table, or null. All must outlive it.
  FuseGroups(const ClassTable& table, std::uint64_t k, const Demands* demands, bool traced,
             FuseSearch& search);

  // Tuples that must be fused: fewer than k records, or a demand is missed. By size, none empty.
  // Where persons are told, sizes are numbers of persons.
  const std::map<std::uint64_t, AscendingList>& lacking() const { return lacking_; }
  std::uint64_t size_of(std::uint32_t tuple) const { return search_.size_of(tuple); }
  // All records of `from` take the tuple `to`.
  void fuse(std::uint32_t from, std::uint32_t to);
  FuseOutcome finish() &&;

 private:
  bool lacks(std::uint32_t tuple) const;
  void erase_lacking(std::uint32_t tuple);
  std::uint64_t size_together(std::uint32_t from, std::uint32_t to);

  std::uint64_t k_;
  const Demands* demands_;
  bool traced_;
  FuseSearch& search_;
  std::map<std::uint64_t, AscendingList> lacking_;
  std::vector<SensitiveCounts> sensitive_;          // by tuple, with demands
  std::vector<GrowingSet<std::uint32_t>> persons_;  // by tuple; empty: they are not told
  FuseOutcome outcome_;
};

// By tuple the one it went to; many went on from there. Afterwards: where it ended.
void follow_to_the_end(std::vector<std::uint32_t>& target);

}  // namespace semveil
