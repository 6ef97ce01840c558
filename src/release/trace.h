// The trace of a masking (docs/formats/plan.md): what happened, for the steward alone.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "release/model.h"
#include "semveil/classes.h"
#include "semveil/files.h"

namespace semveil {

class Trace {
 public:
  // A file that has no name yet. `fresh`: the plan was just fitted; else it comes from a model.
  static Result<Trace> open(const std::string& path, const Model::Impl& model,
                            const ModelStep& step, const FittedMethod& plan, bool fresh);

  // Of noise, cell by cell: made on any thread, appended in order.
  static std::string text(const Model::Impl& model, const ModelStep& step,
                          const std::vector<TraceLine>& lines);
  Status append(std::string_view text) { return file_.append(text); }
  // Of a swap: which slots the rows of a batch had.
  void add_slots(std::uint64_t first_row, const std::vector<std::uint64_t>& slots);
  // What is known only at the end.
  Result<PendingFile> finish() &&;

 private:
  Trace(PendingFile file, const Model::Impl& model, const ModelStep& step, const FittedMethod& plan)
      : file_(std::move(file)), model_(&model), step_(&step), plan_(&plan) {}
  const ModelColumn& column(std::size_t place) const {
    return model_->columns[step_->columns[place]];
  }
  Status write_head();
  Status write_steps(const std::vector<FuseStep>& steps);
  Status write_swaps();

  PendingFile file_;
  const Model::Impl* model_;
  const ModelStep* step_;
  const FittedMethod* plan_;
  std::vector<std::uint64_t> row_of_slot_;
};

// Of all steps that have one: a single one has the name that was asked for. Of several each has a
// file of its own, the step's number before the ending: trace.1.csv, trace.3.csv.
class Traces {
 public:
  static Result<Traces> open(const std::string& path, const Model::Impl& model,
                             const FittedSteps& plan, bool fresh);
  bool has(std::size_t step) const { return by_step_[step].has_value(); }
  Status add(std::size_t step, std::string_view text, std::uint64_t first_row,
             const std::vector<std::uint64_t>& slots);
  Result<std::vector<PendingFile>> finish() &&;

 private:
  std::vector<std::optional<Trace>> by_step_;
};

}  // namespace semveil
