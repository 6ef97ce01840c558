// An array that grows without clearing what nobody has written yet, and keeps its memory when it is
// emptied.
#pragma once

#include <algorithm>
#include <cstring>
#include <memory>
#include <span>
#include <type_traits>

namespace semveil {

template <class T>
class Growing {
  static_assert(std::is_trivially_copyable_v<T>);

 public:
  T* data() { return items_.get(); }
  const T* data() const { return items_.get(); }
  std::size_t size() const { return size_; }
  std::size_t capacity() const { return capacity_; }
  bool empty() const { return size_ == 0; }
  const T& operator[](std::size_t i) const { return items_[i]; }
  const T& back() const { return items_[size_ - 1]; }
  // NOLINTNEXTLINE(google-explicit-constructor): as a vector's
  operator std::span<const T>() const { return {items_.get(), size_}; }

  // At most the capacity; what is new has no value yet.
  void set_size(std::size_t size) { size_ = size; }
  // Room for `more` items behind the present ones.
  void make_room(std::size_t more) {
    if (capacity_ - size_ >= more) return;
    const std::size_t larger = std::max(size_ + more, capacity_ * 2);
    std::unique_ptr<T[]> items = std::make_unique_for_overwrite<T[]>(larger);
    if (size_ > 0) std::memcpy(items.get(), items_.get(), size_ * sizeof(T));
    items_ = std::move(items);
    capacity_ = larger;
  }
  void push_back(const T& item) {
    make_room(1);
    items_[size_++] = item;
  }
  void append(const T* items, std::size_t count) {
    make_room(count);
    if (count > 0) std::memcpy(items_.get() + size_, items, count * sizeof(T));
    size_ += count;
  }

 private:
  std::unique_ptr<T[]> items_;
  std::size_t size_ = 0, capacity_ = 0;
};

}  // namespace semveil
