// A walk over combinations of levels by rising loss, which groups tuples on each.
#pragma once

#include <span>
#include <vector>

#include "mechanisms/generalize/generalize_local.h"

namespace semveil {

// At most so many combinations are walked: where the columns have more, the levels whose loss is
// nearest to the one below are left out.
inline constexpr std::size_t kMostWalked = 10'000;

class LevelWalk {
 public:
  explicit LevelWalk(const LocalTable& table);
  std::size_t size() const { return order_.size(); }
  // Tuples of one group on the combination stand together; groups in the order of their first.
  // Groups are told apart by 64 bits of hash: two may rarely be one, which the least common
  // generalisation of a class heeds.
  struct Groups {
    std::vector<std::uint32_t> tuples;
    std::vector<std::uint32_t> begin;  // one more at the end
    std::size_t size() const { return begin.size() - 1; }
    std::span<const std::uint32_t> operator[](std::size_t g) const {
      return std::span(tuples).subspan(begin[g], begin[g + 1] - begin[g]);
    }
  };
  void group(std::size_t place, std::span<const std::uint32_t> tuples, Groups& out);

 private:
  std::size_t product() const;
  void choose_levels();
  void make_order();

  const LocalTable& table_;
  std::vector<std::vector<unsigned>> levels_;                  // by column
  std::vector<std::vector<double>> means_;                     // by column and chosen level
  std::vector<std::vector<std::vector<std::uint64_t>>> keys_;  // by column, chosen level, value
  std::vector<std::vector<std::uint16_t>> order_;              // chosen levels, by rising loss
  // Of group(): the hash table, cleared by a new number.
  std::vector<std::uint64_t> slot_key_;
  std::vector<std::uint32_t> slot_use_, slot_group_, group_of_, sizes_;
  std::vector<std::uint64_t> key_;
  std::uint32_t use_ = 0;
};

}  // namespace semveil
