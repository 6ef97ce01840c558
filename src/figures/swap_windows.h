// Which originals a released value may have come from, column by column: the windows of
// window_linkage.h.
#pragma once

#include "figures/window_linkage.h"

namespace semveil {

// A set of original classes for each released value of a column.
class Reach {
 public:
  // `released`: ascending, each once.
  Reach(std::vector<ConceptId> released, std::size_t classes)
      : released_(std::move(released)),
        words_((classes + 63) / 64),
        bits_(released_.size() * words_, 0) {}

  std::span<const ConceptId> released() const { return released_; }
  std::size_t words() const { return words_; }
  // Nothing: the value is not in the release.
  std::optional<std::size_t> place(ConceptId value) const;
  std::span<const std::uint64_t> classes(std::size_t place) const {
    return std::span(bits_).subspan(place * words_, words_);
  }
  // From any thread.
  void add(std::size_t place, std::size_t original_class);

 private:
  std::vector<ConceptId> released_;
  std::size_t words_;
  std::vector<std::uint64_t> bits_;
};

// By column.
std::vector<Reach> swap_windows(const Paired& pairs, const Classes& before,
                                const WindowOptions& options);

}  // namespace semveil
