// Sets of numbers that are joined with others, the smaller one always taken into the larger.
//
// Numbers stand in ascending order; new ones in a list beside it, which is merged when it has
// become four times the root of the others: a set that many small ones join is not written anew
// each time.
#pragma once

#include <algorithm>
#include <cstdint>
#include <span>
#include <vector>

namespace semveil {

template <class Number>
class GrowingSet {
 public:
  GrowingSet() = default;
  explicit GrowingSet(std::span<const Number> ascending)
      : main_(ascending.begin(), ascending.end()) {}

  std::size_t size() const { return main_.size() + side_.size(); }
  bool contains(Number number) const {
    return std::ranges::binary_search(main_, number) || std::ranges::binary_search(side_, number);
  }
  // Returns whether it is new.
  bool insert(Number number) {
    if (std::ranges::binary_search(main_, number)) return false;
    const auto at = std::ranges::lower_bound(side_, number);
    if (at != side_.end() && *at == number) return false;
    side_.insert(at, number);
    if (side_.size() * side_.size() > kLeast + 16 * main_.size()) merge();
    return true;
  }
  // The other one is left empty.
  void take(GrowingSet& other) {
    if (other.size() > size()) std::swap(*this, other);
    add(other, [](Number) {});
    other = {};
  }
  // `added` hears of every number that is new, in no order.
  template <class Added>
  void add(const GrowingSet& other, const Added& added) {
    for (const auto* const list : {&other.main_, &other.side_}) {
      for (const Number number : *list) {
        if (insert(number)) added(number);
      }
    }
  }

 private:
  static constexpr std::size_t kLeast = 4096;
  void merge() {
    if (side_.empty()) return;
    const auto middle = static_cast<std::ptrdiff_t>(main_.size());
    main_.insert(main_.end(), side_.begin(), side_.end());
    std::inplace_merge(main_.begin(), main_.begin() + middle, main_.end());
    side_.clear();
  }

  std::vector<Number> main_, side_;
};

}  // namespace semveil
