#include "base/person_pairs.h"

#include <algorithm>
#include <new>
#include <utility>

namespace semveil {

PersonPairs::PersonPairs(const PersonPairs& other) : settled_(other.settled_) {
  resize(other.used_);
  std::copy_n(other.pairs_.get(), other.used_, pairs_.get());
  used_ = other.used_;
}

PersonPairs& PersonPairs::operator=(const PersonPairs& other) {
  if (this != &other) PersonPairs(other).swap(*this);
  return *this;
}

void PersonPairs::swap(PersonPairs& other) noexcept {
  std::swap(pairs_, other.pairs_);
  std::swap(used_, other.used_);
  std::swap(room_, other.room_);
  std::swap(settled_, other.settled_);
}

void PersonPairs::resize(std::size_t room) {
  if (room == room_) return;
  if (room == 0) {
    pairs_.reset();
  } else {
    // NOLINTNEXTLINE(cppcoreguidelines-no-malloc): rooms grow where they are
    void* const moved = std::realloc(pairs_.get(), room * sizeof(std::uint64_t));
    if (moved == nullptr) throw std::bad_alloc();
    pairs_.release();  // NOLINT(bugprone-unused-return-value): realloc has taken it
    pairs_.reset(static_cast<std::uint64_t*>(moved));
  }
  room_ = room;
}

void PersonPairs::sort() {
  if (settled_) return;
  std::uint64_t* const first = pairs_.get();
  std::sort(first, first + used_);
  used_ = static_cast<std::size_t>(std::unique(first, first + used_) - first);
  settled_ = true;
}

void PersonPairs::make_room() {
  sort();
  if (room_ < kFirstRoom) return resize(kFirstRoom);
  if (used_ * 2 > room_) resize(used_ * 2);
}

void PersonPairs::settle() {
  sort();
  resize(used_);
}

}  // namespace semveil
