// Verifies what methods that release sets promise: l values in every set, of different categories
// (ean) or different (an).
//
// The written table is read again, as anybody would read it, before it has a name. What goes to a
// pipe or a device cannot be read again: there the codes are looked at before they are written.
//
// Cost: one more pass over the output; memory: a batch.
#pragma once

#include "release/outcome_counter.h"
#include "semveil/ean.h"

namespace semveil {

class SetGuard {  // of one step
 public:
  // All must outlive it.
  SetGuard(const Model::Impl& model, const FittedSteps& plan, std::size_t step,
           const ReadColumns& columns);

  // Whether every text that was read so far has a category; the error names the first that has not.
  Status check_values(const std::string& table);
  Status check(const ReleasedBatch& released) const;  // thread-safe
  // After sink.finish(). False: it cannot be read again.
  Result<bool> reread(const TableSink& sink, const OutcomeCounts& counts,
                      const WorkOptions& work) const;

 private:
  class Written;

  std::size_t column(std::size_t j) const { return step_->columns[j]; }  // of the model

  const Model::Impl* model_;
  const ModelStep* step_;
  const SetFit* fit_;
  const ReadColumns* columns_;
  std::vector<std::size_t> checked_;  // texts, by column of the step
};

}  // namespace semveil
