#include "release/dealt_cells.h"

#include "release/batch.h"

namespace semveil {

DealtCells::DealtCells(const Model::Impl& model, const Occurrences* before)
    : model_(model), before_(before) {
  for (std::size_t i = 0; i < model_.steps.size(); ++i) {
    if (!model_.steps[i].deals()) continue;
    dealing_.push_back(i);
    occurred_.emplace_back(model_.steps[i].columns.size());
  }
}

void DealtCells::count(Job& job) {
  job.occurrences.resize(model_.steps.size());
  for (std::size_t i = 0; i < dealing_.size(); ++i) {
    const std::vector<std::size_t>& columns = model_.steps[dealing_[i]].columns;
    TupleCounter& occurred = occurred_[i];
    std::vector<Code> tuple(columns.size());
    for (std::size_t row = 0; row < job.batch->rows; ++row) {
      for (std::size_t j = 0; j < tuple.size(); ++j) tuple[j] = job.cells[columns[j]][row];
      job.occurrences[dealing_[i]].push_back(occurred.count(occurred.add(tuple)) - 1 +
                                             before(i, tuple));
    }
  }
}

std::uint64_t DealtCells::before(std::size_t dealing, std::span<const Code> tuple) const {
  if (before_ == nullptr) return 0;
  const std::vector<TupleCounter>& steps = before_->impl().steps;
  const bool fits = dealing < steps.size() && steps[dealing].width() == tuple.size();
  const auto at = fits ? steps[dealing].find(tuple) : std::nullopt;
  return at ? steps[dealing].count(*at) : 0;
}

}  // namespace semveil
