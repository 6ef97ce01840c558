// Values are dealt out by occurrence: how many records before this one had the same cells.
#pragma once

#include <vector>

#include "base/tuple_counter.h"
#include "release/batch_cells.h"
#include "semveil/batch.h"

namespace semveil {

class DealtCells {
 public:
  // `before`: what batches before the first one counted; null where there are none, ignored where
  // they are of another model. All must outlive it.
  DealtCells(const Model::Impl& model, const Occurrences* before);

  // Numbers the occurrences of a batch, which comes after those that were counted.
  void count(Job& job);
  // By step that deals values out.
  std::vector<TupleCounter> take() && { return std::move(occurred_); }

 private:
  std::uint64_t before(std::size_t dealing, std::span<const Code> tuple) const;

  const Model::Impl& model_;
  const Occurrences* before_;
  std::vector<std::size_t> dealing_;    // steps
  std::vector<TupleCounter> occurred_;  // by these
};

}  // namespace semveil
