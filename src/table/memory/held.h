// Structs of the Arrow C data interface: what they hold, and who releases them.
//
// The interface lets whoever gets a struct move its children out of it, each to be released alone.
// So every struct that is given away has an owner of its own, also where all share one memory.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "semveil/arrow_c.h"

namespace semveil {

// Released when it goes; given away by moving.
template <class Struct>
class Owned {
 public:
  Owned() = default;
  explicit Owned(Struct* given) {
    if (given == nullptr) return;
    held_ = *given;
    given->release = nullptr;
  }
  Owned(Owned&& other) noexcept : held_(other.held_) { other.held_.release = nullptr; }
  Owned& operator=(Owned&& other) noexcept {
    if (this != &other) {
      reset();
      held_ = other.held_;
      other.held_.release = nullptr;
    }
    return *this;
  }
  ~Owned() { reset(); }

  Struct& operator*() { return held_; }
  const Struct& operator*() const { return held_; }
  Struct* operator->() { return &held_; }
  const Struct* operator->() const { return &held_; }
  Struct* get() { return &held_; }
  bool is_there() const { return held_.release != nullptr; }
  void move_to(Struct* out) {
    *out = held_;
    held_.release = nullptr;
  }

 private:
  void reset() {
    if (held_.release != nullptr) held_.release(&held_);
    held_.release = nullptr;
  }

  Struct held_{};
};

using SharedArray = std::shared_ptr<const ArrowArray>;
// Keeps an array for as many as want it.
SharedArray share(Owned<ArrowArray> array);
// A child that keeps the whole alive.
inline SharedArray child_of(const SharedArray& array, std::size_t i) {
  return {array, array->children[i]};
}

struct HeldSchema {
  std::string format, name, metadata;
  std::vector<ArrowSchema> children;
  std::vector<ArrowSchema*> child_places;
  ArrowSchema dictionary{};

  static void give(std::unique_ptr<HeldSchema> held, std::int64_t flags, ArrowSchema* out);
};

struct HeldArray {
  std::vector<std::shared_ptr<const void>> owners;
  std::vector<const void*> buffers;
  std::vector<ArrowArray> children;
  std::vector<ArrowArray*> child_places;
  ArrowArray dictionary{};

  // The bytes of a vector as the next buffer.
  template <class T>
  void add_buffer(std::vector<T> items) {
    // A buffer of nothing has an address, too.
    if (items.capacity() == 0) items.reserve(1);
    auto kept = std::make_shared<const std::vector<T>>(std::move(items));
    buffers.push_back(kept->data());
    owners.push_back(std::move(kept));
  }
  void add_no_buffer() { buffers.push_back(nullptr); }

  static void give(std::unique_ptr<HeldArray> held, std::int64_t length, std::int64_t nulls,
                   ArrowArray* out);
};

// Cells of an array without a copy: `length` of them from `first` on.
void give_shared(const SharedArray& array, std::int64_t first, std::int64_t length,
                 ArrowArray* out);

}  // namespace semveil
