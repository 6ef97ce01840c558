// What the plan's method does to the original table, told without drawing: for channels and sets.
#pragma once

#include <functional>
#include <optional>

#include "audit/table_pair.h"
#include "release/model.h"

namespace semveil {

class DrawnModel {
 public:
  // Fills `drawn` and `fitted` of `out` where the method draws per cell; a note where it cannot be
  // fitted, and an error where sets cannot be read without it. The original is surveyed where the
  // options have no survey of it.
  Status fit(const std::function<Result<Survey>()>& survey_original, const PlanFile& plan,
             const PairOptions& options, TablePair::Impl& out);

  const Model::Impl* model = nullptr;  // of methods that draw per cell

 private:
  void use(const Survey::Impl& survey, const Model::Impl& fitted, TablePair::Impl& out);

  std::optional<Survey> survey_;
  std::optional<Model> own_;
};

}  // namespace semveil
