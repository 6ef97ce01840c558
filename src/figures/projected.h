// Classes by some of their columns, and which class each belongs to.
#pragma once

#include "figures/paired.h"

namespace semveil {

// `of` by class of the given ones.
inline Classes projected(const Classes& classes,
                         const std::vector<std::shared_ptr<const Attribute>>& attributes,
                         std::span<const std::size_t> columns) {
  Paired some;
  for (const std::size_t j : columns) some.attributes.push_back(attributes[j]);
  for (std::size_t c = 0; c < classes.size(); ++c) {
    for (const std::size_t j : columns) some.before.push_back(classes.tuple(c)[j]);
  }
  some.counts = classes.counts;
  return classes_of(some, Side::kBefore);
}

}  // namespace semveil
