// Which tuple is fused next: heuristics H2 and H3 among the smallest groups.
//
//   S2 = of the members those with the least distance to another tuple           (H2)
//   S3 = of S2 those with the smallest group among the tuples that lie there      (H3)
//
// Members stand in sets by (that distance, that group). Both only grow: tuples vanish and grow, no
// new ones come. So what was once found is a lower bound, and a member is looked at again only when
// it stands first and what it was found by has vanished or grown. Each member watches the tuples it
// was found by, and nobody looks at the others.
//
// Least distances within FuseSearch::kTie of the least of all are tied, and the tuples within kTie
// of a member's own least distance are where it may go. Of two sums that differ in their last bits
// only, one may vanish and with it change what is tied with the other, by tuples with a smaller
// group: where the nearest tuple has vanished, the group found is no bound (Set::unsure).
//
// Members that share their distance and the only tuple that lies there may be many (the middle of
// a star): they stand in a set of their own, anchored at that tuple, and the whole set moves when
// the tuple grows.
//
// Cost:   a few searches a step. Where a few nearest tuples are shared by many members, a step
//         renews the group of all of them, without a search.
// Paper:  k-anonymous fusion, section 4.2.
#pragma once

#include <compare>
#include <map>
#include <vector>

#include "mechanisms/common/random_choices.h"
#include "mechanisms/fuse/fuse_search.h"

namespace semveil {

class FuseRanking {
 public:
  // Without `by_group` H3 is left out. The search must outlive it.
  FuseRanking(const FuseSearch& search, bool by_group, unsigned threads);

  // The members, ascending, in place of those before.
  void start(const std::vector<std::uint32_t>& members);
  // One of S3 (of S2 without H3), uniformly; there is a member.
  std::uint32_t pick(RandomChoices& random);
  // The tuple it takes: the most similar; of several one with the fewest records; of these any.
  std::uint32_t partner(std::uint32_t member, RandomChoices& random);
  void leave(std::uint32_t member);  // or not a member
  bool empty() const { return sets_.empty(); }
  // The search knows by now that the tuple has grown or vanished.
  void changed(std::uint32_t tuple);

 private:
  static constexpr std::uint32_t kNone = FuseSearch::kNone;
  using Scratch = FuseSearch::Scratch;

  struct Key {
    double distance;
    std::uint64_t group;
    std::uint32_t anchor;
    auto operator<=>(const Key&) const = default;
  };
  struct Entry {
    double distance = 0;
    std::uint64_t group = 0;
    std::uint32_t nearest = kNone, smallest = kNone;  // tuples these were found by
    std::vector<std::uint32_t> tied;                  // all where it may go, if they are few
    std::uint32_t watched[2] = {kNone, kNone};
    std::uint32_t anchor = kNone;
    bool is_member = false, is_stale = false;

    std::uint32_t only() const { return tied.size() == 1 ? tied.front() : kNone; }
  };
  struct Set {
    std::vector<std::uint32_t> members;  // ascending
    std::vector<std::uint32_t> stale;    // of them; some may have left
    bool unsure = false;                 // the key's group bounds nothing
  };
  using Sets = std::map<Key, Set>;

  bool is_left(std::uint32_t tuple) const { return tuple != kNone && search_.size_of(tuple) > 0; }
  bool is_fresh(const Entry& entry) const;
  Key key_of(std::uint32_t member) const;
  void look(std::uint32_t member, Scratch& scratch);
  void look_at(const std::vector<std::uint32_t>& members);
  void anchor(std::vector<std::uint32_t>& members);
  void place(std::vector<std::uint32_t>& members);
  void move_anchored(std::uint32_t tuple);
  void watch(std::uint32_t member, std::uint32_t tuple);
  void renew(Sets::iterator set);
  bool renew_first(double& limit, std::uint64_t& group);

  const FuseSearch& search_;
  bool by_group_;
  unsigned threads_;
  std::vector<Entry> entries_;                        // by tuple
  std::vector<std::vector<std::uint32_t>> watchers_;  // by tuple
  std::vector<std::vector<double>> anchored_;         // by tuple: distances of sets anchored there
  std::vector<std::uint64_t> anchored_group_;         // by tuple: the group in these sets' keys
  Sets sets_;
  Scratch scratch_;
};

}  // namespace semveil
