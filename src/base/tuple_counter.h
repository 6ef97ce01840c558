// Counts distinct tuples of codes: 4 bytes a code, 8 a count and about 8 of index for each.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

namespace semveil {

class TupleCounter {
 public:
  using Code = std::uint32_t;
  explicit TupleCounter(std::size_t width) : width_(width), slots_(kFirstSlots, kEmpty) {}

  std::size_t width() const { return width_; }
  std::size_t size() const { return counts_.size(); }
  std::span<const Code> tuple(std::size_t i) const {
    return std::span(codes_).subspan(i * width_, width_);
  }
  std::uint64_t count(std::size_t i) const { return counts_[i]; }

  // Returns the tuple's place.
  std::size_t add(std::span<const Code> tuple, std::uint64_t count = 1);
  std::optional<std::size_t> find(std::span<const Code> tuple) const;
  // One tuple per row of columns of equal length.
  void add_rows(std::span<const std::span<const Code>> columns);

 private:
  static constexpr std::size_t kFirstSlots = 64;
  static constexpr std::uint32_t kEmpty = 0xFFFFFFFF;
  // The slot that holds the tuple, or the empty one it belongs into.
  std::size_t slot_of(std::span<const Code> tuple) const;
  void grow();

  std::size_t width_;
  std::vector<Code> codes_;
  std::vector<std::uint64_t> counts_;
  std::vector<std::uint32_t> slots_;  // open addressing, at most half full
};

}  // namespace semveil
