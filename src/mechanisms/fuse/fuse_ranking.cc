#include "mechanisms/fuse/fuse_ranking.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include "base/parallel.h"

namespace semveil {
namespace {

constexpr std::size_t kPiece = 64;  // members that a thread looks at in one go
constexpr std::size_t kWorthThreads = 512;
constexpr std::size_t kWorthAnchor = 64;

// The number with so many smaller ones on ascending lists that have none in common.
std::uint32_t nth_of(const std::vector<const std::vector<std::uint32_t>*>& lists, std::size_t n) {
  std::uint32_t low = 0;
  std::uint32_t high = FuseSearch::kNone;
  while (low < high) {
    const std::uint32_t middle = low + (high - low) / 2;
    std::size_t up_to_it = 0;
    for (const auto* list : lists) {
      up_to_it += static_cast<std::size_t>(std::ranges::upper_bound(*list, middle) - list->begin());
    }
    if (up_to_it > n) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  return low;
}

}  // namespace

FuseRanking::FuseRanking(const FuseSearch& search, bool by_group, unsigned threads)
    : search_(search),
      by_group_(by_group),
      threads_(threads),
      entries_(search.left()),
      watchers_(search.left()),
      anchored_(search.left()),
      anchored_group_(search.left()) {}

FuseRanking::Key FuseRanking::key_of(std::uint32_t member) const {
  const Entry& entry = entries_[member];
  if (entry.anchor != kNone) {
    return {entry.distance, anchored_group_[entry.anchor], entry.anchor};
  }
  return {entry.distance, by_group_ ? entry.group : 0, kNone};
}

void FuseRanking::start(const std::vector<std::uint32_t>& members) {
  for (const auto& [key, set] : sets_) {
    for (const std::uint32_t member : set.members) entries_[member].is_member = false;
  }
  sets_.clear();
  // Some were looked at as members of smaller size.
  std::vector<std::uint32_t> unknown;
  for (const std::uint32_t member : members) {
    if (!is_fresh(entries_[member])) unknown.push_back(member);
  }
  look_at(unknown);
  std::vector<std::uint32_t> all = members;
  place(all);
}

bool FuseRanking::is_fresh(const Entry& entry) const {
  return is_left(entry.nearest) && (!by_group_ || (entry.smallest != kNone &&
                                                   search_.size_of(entry.smallest) == entry.group));
}

// What the member's key is now.
void FuseRanking::look(std::uint32_t member, Scratch& scratch) {
  Entry& entry = entries_[member];
  if (!is_left(entry.nearest)) {
    const FuseSearch::Nearest found = search_.nearest(member, entry.distance, scratch);
    entry.distance = found.distance;
    entry.nearest = found.tuple;
    entry.tied.clear();
  }
  if (!by_group_) return;
  std::erase_if(entry.tied, [&](std::uint32_t tuple) { return !is_left(tuple); });
  if (!entry.tied.empty()) {
    entry.smallest = *std::ranges::min_element(
        entry.tied, {}, [&](std::uint32_t tuple) { return search_.size_of(tuple); });
    entry.group = search_.size_of(entry.smallest);
    return;
  }
  FuseSearch::Tied found = search_.tied(member, entry.distance, scratch);
  entry.group = found.size;
  entry.smallest = found.smallest;
  if (found.distance == entry.distance) entry.nearest = found.smallest;
  entry.tied = std::move(found.others);
}

void FuseRanking::look_at(const std::vector<std::uint32_t>& members) {
  const std::size_t pieces = (members.size() + kPiece - 1) / kPiece;
  in_parallel(members.size() < kWorthThreads ? 1 : threads_, pieces, [&](std::size_t piece) {
    Scratch scratch;
    const std::size_t end = std::min(members.size(), (piece + 1) * kPiece);
    search_.expect(std::span(members).subspan(piece * kPiece, end - piece * kPiece), scratch);
    for (std::size_t i = piece * kPiece; i < end; ++i) {
      check_stop();
      look(members[i], scratch);
    }
  });
}

void FuseRanking::watch(std::uint32_t member, std::uint32_t tuple) {
  Entry& entry = entries_[member];
  if (tuple == kNone || entry.watched[0] == tuple || entry.watched[1] == tuple) return;
  const std::size_t slot = is_left(entry.watched[0]) && (entry.watched[0] == entry.nearest ||
                                                         entry.watched[0] == entry.smallest)
                               ? 1
                               : 0;
  entry.watched[slot] = tuple;
  watchers_[tuple].push_back(member);
}

// Where many come with the same key and only one tuple to go to, or such have come before, they
// are anchored.
void FuseRanking::anchor(std::vector<std::uint32_t>& members) {
  for (const std::uint32_t member : members) entries_[member].anchor = kNone;
  if (!by_group_) return;
  const auto order = [&](std::uint32_t member) {
    return Key{entries_[member].distance, entries_[member].group, entries_[member].only()};
  };
  if (members.size() >= kWorthAnchor) std::ranges::sort(members, {}, order);
  for (std::size_t begin = 0, end = 0; begin < members.size(); begin = end) {
    const Key key = order(members[begin]);
    for (end = begin; end < members.size() && order(members[end]) == key;) ++end;
    if (key.anchor == kNone) continue;
    const bool is_known = !anchored_[key.anchor].empty() && sets_.contains(key);
    if (!is_known && end - begin < kWorthAnchor) continue;
    if (!is_known) {
      anchored_[key.anchor].push_back(key.distance);
      anchored_group_[key.anchor] = key.group;
    }
    for (std::size_t i = begin; i < end; ++i) entries_[members[i]].anchor = key.anchor;
  }
}

// Puts members that have been looked at into the sets of their keys.
void FuseRanking::place(std::vector<std::uint32_t>& members) {
  anchor(members);
  std::ranges::sort(members, {},
                    [&](std::uint32_t member) { return std::pair(key_of(member), member); });
  for (std::size_t begin = 0, end = 0; begin < members.size(); begin = end) {
    const Key key = key_of(members[begin]);
    std::vector<std::uint32_t>& list = sets_[key].members;
    const auto middle = static_cast<std::ptrdiff_t>(list.size());
    for (end = begin; end < members.size() && key_of(members[end]) == key; ++end) {
      const std::uint32_t member = members[end];
      Entry& entry = entries_[member];
      list.push_back(member);
      entry.is_member = true;
      entry.is_stale = false;
      if (key.anchor != kNone) {  // the set watches
        entry.watched[0] = entry.watched[1] = kNone;
        continue;
      }
      watch(member, entry.nearest);
      if (by_group_) watch(member, entry.smallest);
    }
    std::inplace_merge(list.begin(), list.begin() + middle, list.end());
  }
}

void FuseRanking::leave(std::uint32_t member) {
  Entry& entry = entries_[member];
  if (!entry.is_member) return;
  entry.is_member = false;
  const auto set = sets_.find(key_of(member));
  std::vector<std::uint32_t>& list = set->second.members;
  list.erase(std::ranges::lower_bound(list, member));
  if (list.empty()) sets_.erase(set);
}

// The sets anchored at a tuple that has grown or vanished.
void FuseRanking::move_anchored(std::uint32_t tuple) {
  const std::uint64_t group = search_.size_of(tuple);
  std::vector<double> still;
  for (const double distance : std::exchange(anchored_[tuple], {})) {
    const auto at = sets_.find(Key{distance, anchored_group_[tuple], tuple});
    if (at == sets_.end()) continue;  // all have left
    if (group > 0) {
      auto set = sets_.extract(at);
      set.key().group = group;
      sets_.insert(std::move(set));
      still.push_back(distance);
    } else {
      at->second.stale = at->second.members;
      at->second.unsure = true;
      for (const std::uint32_t member : at->second.stale) entries_[member].is_stale = true;
    }
  }
  anchored_[tuple] = std::move(still);
  if (group > 0) anchored_group_[tuple] = group;
}

void FuseRanking::changed(std::uint32_t tuple) {
  if (!anchored_[tuple].empty()) move_anchored(tuple);
  const std::vector<std::uint32_t> watching = std::exchange(watchers_[tuple], {});
  std::vector<std::uint32_t> still;
  for (const std::uint32_t member : watching) {
    Entry& entry = entries_[member];
    std::uint32_t* const slot = std::ranges::find(entry.watched, tuple);
    if (slot == std::end(entry.watched)) continue;  // stood there twice
    *slot = kNone;
    if (!entry.is_member) continue;
    const bool is_nearest = tuple == entry.nearest;
    const bool is_gone = !is_left(tuple);
    if (is_nearest && !is_gone) still.push_back(member);
    if (!(is_nearest && is_gone) && !(by_group_ && tuple == entry.smallest)) continue;
    Set& set = sets_.find(key_of(member))->second;
    if (!entry.is_stale) set.stale.push_back(member);
    entry.is_stale = true;
    if (is_nearest && is_gone) set.unsure = true;
  }
  for (const std::uint32_t member : still) watch(member, tuple);
}

void FuseRanking::renew(Sets::iterator set) {
  std::vector<std::uint32_t> stale;
  for (const std::uint32_t member : set->second.stale) {
    if (entries_[member].is_member) stale.push_back(member);
  }
  std::ranges::sort(stale);
  set->second.stale.clear();
  set->second.unsure = false;
  std::vector<std::uint32_t>& list = set->second.members;
  if (stale.size() == 1) {
    list.erase(std::ranges::lower_bound(list, stale.front()));
  } else {
    std::erase_if(list, [&](std::uint32_t member) { return entries_[member].is_stale; });
  }
  if (list.empty()) sets_.erase(set);
  look_at(stale);
  place(stale);
}

// Renews a set that may be wrong about being first. False: there is none, and S3 has this limit of
// distances and this group.
bool FuseRanking::renew_first(double& limit, std::uint64_t& group) {
  const auto first = sets_.begin();
  if (!first->second.stale.empty()) {
    renew(first);
    return true;
  }
  limit = first->first.distance + FuseSearch::kTie;
  group = first->first.group;
  for (auto set = first; set != sets_.end() && set->first.distance <= limit; ++set) {
    const bool may_be_first = set->first.group <= group;
    if (!set->second.stale.empty() && (may_be_first || set->second.unsure)) {
      renew(set);
      return true;
    }
    if (may_be_first) group = set->first.group;
  }
  return false;
}

std::uint32_t FuseRanking::pick(RandomChoices& random) {
  double limit = 0;
  std::uint64_t group = 0;
  while (renew_first(limit, group)) {
  }
  std::vector<const std::vector<std::uint32_t>*> lists;
  for (auto set = sets_.begin(); set != sets_.end() && set->first.distance <= limit; ++set) {
    if (set->first.group == group) lists.push_back(&set->second.members);
  }
  std::size_t count = 0;
  for (const auto* list : lists) count += list->size();
  const std::size_t at = random.one_of(count);
  return lists.size() == 1 ? (*lists.front())[at] : nth_of(lists, at);
}

std::uint32_t FuseRanking::partner(std::uint32_t member, RandomChoices& random) {
  const Entry& entry = entries_[member];
  std::vector<std::uint32_t> partners;
  if (by_group_ && !entry.tied.empty()) {
    const std::uint64_t size = search_.size_of(entry.smallest);
    std::ranges::copy_if(entry.tied, std::back_inserter(partners),
                         [&](std::uint32_t tuple) { return search_.size_of(tuple) == size; });
  } else {
    const std::uint64_t size =
        by_group_ ? entry.group : search_.tied(member, entry.distance, scratch_).size;
    search_.tied_of_size(member, entry.distance, size, scratch_, partners);
  }
  const auto at = partners.begin() + static_cast<std::ptrdiff_t>(random.one_of(partners.size()));
  std::ranges::nth_element(partners, at);
  return *at;
}

}  // namespace semveil
