// Which persons' records have which tuple: different pairs of numbers, 8 bytes each and as much
// room again while they are counted.
//
// Pairs are put behind one another. When the room is used up they are sorted, those that are there
// twice are left out, and if more than half of the room is still taken it is doubled: never more
// than 16 bytes for each different pair, beyond a first room of kFirstRoom pairs.
//
// Cost: a pair is sorted about log(pairs) times among as many that are new.
#pragma once

#include <cstdint>
#include <cstdlib>
#include <memory>
#include <span>

namespace semveil {

class PersonPairs {
 public:
  static constexpr std::size_t kFirstRoom = 1024;

  PersonPairs() = default;
  PersonPairs(const PersonPairs& other);
  PersonPairs& operator=(const PersonPairs& other);
  PersonPairs(PersonPairs&& other) noexcept { swap(other); }
  PersonPairs& operator=(PersonPairs&& other) noexcept {
    swap(other);
    return *this;
  }
  ~PersonPairs() = default;

  void add(std::uint32_t tuple, std::uint32_t person) { add(pair_of(tuple, person)); }
  void add(std::uint64_t pair) {
    if (used_ > 0 && pairs_.get()[used_ - 1] == pair) return;  // rows of one person stand together
    if (used_ == room_) make_room();
    settled_ = settled_ && (used_ == 0 || pairs_.get()[used_ - 1] < pair);
    pairs_.get()[used_++] = pair;
  }
  // Each pair once, ascending, and no more room than they need. Until then all() says nothing.
  void settle();
  // By tuple, then person. After settle(), or where they came in this order.
  std::span<const std::uint64_t> all() const { return {pairs_.get(), used_}; }
  bool is_settled() const { return settled_; }
  bool empty() const { return used_ == 0; }
  std::size_t bytes() const { return room_ * sizeof(std::uint64_t); }

  static std::uint64_t pair_of(std::uint32_t tuple, std::uint32_t person) {
    return std::uint64_t{tuple} << 32U | person;
  }
  static std::uint32_t tuple_of(std::uint64_t pair) {
    return static_cast<std::uint32_t>(pair >> 32U);
  }
  static std::uint32_t person_of(std::uint64_t pair) { return static_cast<std::uint32_t>(pair); }

 private:
  struct Free {
    // NOLINTNEXTLINE(cppcoreguidelines-no-malloc): it came from realloc
    void operator()(std::uint64_t* pairs) const { std::free(pairs); }
  };
  void swap(PersonPairs& other) noexcept;
  void sort();
  void make_room();
  void resize(std::size_t room);

  // From realloc: large rooms grow where they are, without a second one beside them.
  std::unique_ptr<std::uint64_t, Free> pairs_;
  std::size_t used_ = 0, room_ = 0;
  bool settled_ = true;
};

}  // namespace semveil
