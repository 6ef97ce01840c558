#include "mechanisms/microaggregate/mdav.h"

#include <algorithm>

#include "base/stop.h"
#include "mechanisms/microaggregate/mdav_column.h"
#include "mechanisms/microaggregate/tuple_sums.h"

namespace semveil {
namespace {

__extension__ using Wide = unsigned __int128;

std::vector<std::uint32_t> tuples_of(const ClassTable& table, std::uint64_t k, bool frequent) {
  std::vector<std::uint32_t> out;
  for (std::uint32_t t = 0; t < table.size(); ++t) {
    if ((table.size_of(t) >= k) == frequent) out.push_back(t);
  }
  return out;
}

// How many persons the tuples have that are left, or records where persons are not told.
class SizeLeft {
 public:
  explicit SizeLeft(const ClassTable& table) : table_(table) {
    const auto& persons = table.persons.persons;
    if (!persons.empty()) tuples_.resize(std::size_t{std::ranges::max(persons)} + 1, 0);
  }
  void add(std::uint32_t t) {
    if (!table_.persons.are_told()) size_ += table_.counts[t];
    for (const std::uint32_t person : persons_of(t)) size_ += tuples_[person]++ == 0 ? 1 : 0;
  }
  void remove(std::uint32_t t) {
    if (!table_.persons.are_told()) size_ -= table_.counts[t];
    for (const std::uint32_t person : persons_of(t)) size_ -= --tuples_[person] == 0 ? 1 : 0;
  }
  std::uint64_t get() const { return size_; }

 private:
  std::span<const std::uint32_t> persons_of(std::uint32_t t) const {
    return table_.persons.are_told() ? table_.persons.of(t) : std::span<const std::uint32_t>();
  }
  const ClassTable& table_;
  std::vector<std::uint32_t> tuples_;  // by person
  std::uint64_t size_ = 0;
};

class Mdav {
 public:
  Mdav(const ClassTable& table, std::uint64_t k, unsigned threads)
      : table_(table),
        k_(k),
        columns_(mdav_columns(table, threads)),
        rows_(table.width()),
        spaces_(table.width()),
        left_(table),
        frequent_(tuples_of(table, k, true)),
        frequent_sums_(table, frequent_),
        sums_(table, tuples_of(table, k, false)) {
    for (const std::uint32_t t : frequent_) groups_.push_back({t});
    for (const std::uint32_t t : sums_.rest()) {
      left_.add(t);
      for (std::size_t j = 0; j < table.width(); ++j) {
        columns_[j]->add(table.tuple(t)[j], table.counts[t]);
      }
    }
  }

  TupleGroups run() && {
    if (left_.get() < k_) {
      for (const std::uint32_t t : sums_.rest()) {
        look_from(t);
        join(t, nearest_frequent());
      }
    }
    while (left_.get() >= 3 * k_) {     // 1
      place(farthest_from_centroid());  // 2-3
      if (left_.get() < 2 * k_) break;
      place(sums_.tuple(sums_.greatest()));  // 4-5
    }
    while (left_.get() >= 2 * k_) place(farthest_from_centroid());  // 6
    if (left_.get() > 0) {                                          // 7
      groups_.emplace_back();
      take_rest();
    }
    return std::move(groups_);
  }

 private:
  std::uint32_t farthest_from_centroid() {
    check_stop();
    for (std::size_t j = 0; j < columns_.size(); ++j) {
      columns_[j]->from_rest(spaces_[j]);
      rows_[j] = spaces_[j];
    }
    sums_.sum(rows_);
    return sums_.tuple(sums_.greatest());
  }

  void look_from(std::uint32_t tuple) {
    check_stop();
    for (std::size_t j = 0; j < columns_.size(); ++j) {
      rows_[j] = columns_[j]->row(table_.tuple(tuple)[j], spaces_[j]);
    }
  }

  void place(std::uint32_t centre) {
    look_from(centre);
    sums_.sum(rows_);
    const std::uint64_t own = table_.counts[centre];
    std::uint64_t records = own;
    SizeUpTo size(table_, k_);
    size.add(centre);
    Wide squares = 0;  // Σ records · squared distance to the centre
    std::vector<std::pair<std::size_t, std::uint32_t>> members;  // slots, sums
    const auto add = [&](std::size_t slot) {
      members.emplace_back(slot, sums_.sum_of(slot));
      sums_.hide(slot);
    };
    add(sums_.slot(centre));  // before others at distance 0
    while (!size.is_reached()) {
      add(sums_.least());
      const std::uint32_t t = sums_.tuple(members.back().first);
      const std::uint64_t more = table_.counts[t];
      size.add(t);
      records += more;
      squares += Wide{more} * members.back().second;
    }
    if (!frequent_.empty()) {
      const Frequent to = nearest_frequent();
      const std::uint64_t there = table_.counts[frequent_[to.place]];
      if (Wide{kJoinShare.over} * there * to.squared * records <
          Wide{kJoinShare.of} * (own + there) * squares) {
        for (const auto& [slot, sum] : members) sums_.show(slot, sum);
        join(centre, to);
        return;
      }
    }
    groups_.emplace_back();
    for (const auto& [slot, sum] : members) take(slot);
    if (left_.get() < k_) take_rest();
  }

  struct Frequent {
    std::size_t place;  // in frequent_, and of its group
    std::uint32_t squared;
  };
  // From where rows_ look.
  Frequent nearest_frequent() {
    frequent_sums_.sum(rows_);
    const std::size_t slot = frequent_sums_.least();
    const auto at = std::ranges::lower_bound(frequent_, frequent_sums_.tuple(slot));
    return {static_cast<std::size_t>(at - frequent_.begin()), frequent_sums_.sum_of(slot)};
  }

  void join(std::uint32_t tuple, const Frequent& to) {
    groups_[to.place].push_back(tuple);
    remove(sums_.slot(tuple));
  }
  void take(std::size_t slot) {
    groups_.back().push_back(sums_.tuple(slot));
    remove(slot);
  }
  void take_rest() {
    for (const std::uint32_t t : sums_.rest()) take(sums_.slot(t));
  }
  void remove(std::size_t slot) {
    check_stop();
    const std::uint32_t t = sums_.tuple(slot);
    sums_.remove(slot);
    left_.remove(t);
    for (std::size_t j = 0; j < columns_.size(); ++j) {
      columns_[j]->remove(table_.tuple(t)[j], table_.counts[t]);
    }
  }

  const ClassTable& table_;
  std::uint64_t k_;
  std::vector<std::unique_ptr<MdavColumn>> columns_;
  std::vector<std::span<const std::uint32_t>> rows_;
  std::vector<std::vector<std::uint32_t>> spaces_;
  SizeLeft left_;                        // of tuples with fewer than k that are in no group
  std::vector<std::uint32_t> frequent_;  // tuples of k records or more, ascending
  TupleSums frequent_sums_, sums_;       // the others
  TupleGroups groups_;                   // those of frequent_ first
};

}  // namespace

TupleGroups mdav_groups(const ClassTable& table, std::uint64_t k, unsigned threads) {
  return Mdav(table, k, threads).run();
}

}  // namespace semveil
