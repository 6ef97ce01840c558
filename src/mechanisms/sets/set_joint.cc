#include "mechanisms/sets/set_joint.h"

#include <algorithm>

#include "mechanisms/sets/set_column.h"

namespace semveil {
namespace {

constexpr std::size_t kMostCells = std::size_t{1} << 20U;  // 8 MiB

double likelihood(const SetColumn& column, ConceptId v) {
  return static_cast<double>(column.weights[v]) / static_cast<double>(column.counts[v]);
}

std::vector<bool> certain_values(const SetColumn& column) {
  std::vector<bool> out;
  for (ConceptId v = 0; v < column.counts.size(); ++v) {
    if (!gives_itself_away(column, v)) continue;
    out.resize(column.counts.size());
    out[v] = true;
  }
  return out;
}

}  // namespace

SetJoint::SetJoint(const std::vector<SetColumn>& columns, std::vector<ConceptId> tuples,
                   std::vector<std::uint64_t> counts)
    : tuples_(std::move(tuples)), counts_(std::move(counts)), index_(columns.size()) {
  const std::size_t width = columns.size();
  for (const SetColumn& column : columns) {
    widths_.push_back(column.l);
    combinations_ = combinations_ > kMostCombinations / column.l ? 0 : combinations_ * column.l;
    if (combinations_ == 0) return;
    certain_.push_back(certain_values(column));
  }
  const bool in_table = make_places(columns);
  for (std::size_t t = 0; t < counts_.size(); ++t) {
    const auto tuple = std::span(tuples_).subspan(t * width, width);
    double weight = static_cast<double>(counts_[t]);
    for (std::size_t j = 0; j < width; ++j) weight *= likelihood(columns[j], tuple[j]);
    if (in_table) {
      std::size_t at = 0;
      for (std::size_t j = 0; j < width; ++j) at += places_[j][tuple[j]];
      table_[at] = weight;
    } else {
      index_.add(tuple);
      weights_.push_back(weight);
    }
  }
}

// Whether a table has room for all tuples.
bool SetJoint::make_places(const std::vector<SetColumn>& columns) {
  std::size_t cells = 1;
  for (const SetColumn& column : columns) {
    std::vector<std::size_t>& places = places_.emplace_back(column.counts.size(), 0);
    std::size_t values = 1;
    for (std::size_t v = 0; v < places.size(); ++v) {
      if (column.counts[v] > 0) places[v] = cells * values++;
    }
    if (values > kMostCells / cells) {
      places_.clear();
      return false;
    }
    cells *= values;
  }
  table_.resize(cells);
  return true;
}

double SetJoint::weight(std::span<const ConceptId> tuple) const {
  if (!table_.empty()) {
    std::size_t at = 0;
    for (std::size_t j = 0; j < tuple.size(); ++j) at += places_[j][tuple[j]];
    return table_[at];
  }
  const auto at = index_.find(tuple);
  return at ? weights_[*at] : 0;
}

// Beliefs in the true values of one record, together and by column.
class SetJoint::Row {
 public:
  explicit Row(const SetJoint& joint)
      : joint_(joint),
        sets_(joint.widths_.size()),
        truth_(sets_.size()),
        tuple_(sets_.size()),
        at_(sets_.size()),
        of_column_(sets_.size()) {}

  // False: a column has no set.
  bool look_at(const std::vector<std::span<const ConceptId>>& cells,
               const std::vector<std::vector<ConceptId>>& sets, std::size_t row) {
    for (std::size_t j = 0; j < sets_.size(); ++j) {
      sets_[j] = sets[j].data() + row * joint_.widths_[j];
      truth_[j] = cells[j][row];
      if (sets_[j][0] == kMissing) return false;
    }
    if (some_certain() || !weigh()) believe_alike();
    return true;
  }
  double together() const { return together_; }
  double of_column(std::size_t j) const { return of_column_[j]; }

 private:
  bool is_certain(std::size_t j) const {
    return !joint_.certain_[j].empty() && joint_.certain_[j][truth_[j]];
  }
  bool some_certain() const {
    for (std::size_t j = 0; j < sets_.size(); ++j) {
      if (is_certain(j)) return true;
    }
    return false;
  }

  // All combinations, the first column's values changing fastest. False: none is possible. No sum
  // of a column is above that of all: it adds some of the same terms, in the same order.
  bool weigh() {
    std::fill(at_.begin(), at_.end(), std::size_t{0});
    std::fill(of_column_.begin(), of_column_.end(), 0.0);
    for (std::size_t j = 0; j < sets_.size(); ++j) tuple_[j] = sets_[j][0];
    double sum = 0;
    for (std::size_t i = 0; i < joint_.combinations_; ++i) {
      const double weight = joint_.weight(tuple_);
      sum += weight;
      for (std::size_t j = 0; j < sets_.size(); ++j) {
        of_column_[j] += tuple_[j] == truth_[j] ? weight : 0;
      }
      for (std::size_t j = 0; j < sets_.size(); ++j) {
        at_[j] = at_[j] + 1 == joint_.widths_[j] ? 0 : at_[j] + 1;
        tuple_[j] = sets_[j][at_[j]];
        if (at_[j] > 0) break;
      }
    }
    if (sum == 0) return false;
    together_ = joint_.weight(truth_) / sum;
    for (double& belief : of_column_) belief /= sum;
    return true;
  }

  void believe_alike() {
    std::size_t left = 1;
    for (std::size_t j = 0; j < sets_.size(); ++j) {
      const std::size_t values = is_certain(j) ? 1 : joint_.widths_[j];
      of_column_[j] = 1 / static_cast<double>(values);
      left *= values;
    }
    together_ = 1 / static_cast<double>(left);
  }

  const SetJoint& joint_;
  std::vector<const ConceptId*> sets_;
  std::vector<ConceptId> truth_, tuple_;
  std::vector<std::size_t> at_;
  std::vector<double> of_column_;
  double together_ = 0;
};

void SetJoint::count(const std::vector<std::span<const ConceptId>>& cells,
                     const std::vector<std::vector<ConceptId>>& sets, std::size_t rows,
                     JointTally& tally) const {
  if (combinations_ == 0) return;
  Row beliefs(*this);
  for (std::size_t row = 0; row < rows; ++row) {
    if (!beliefs.look_at(cells, sets, row)) continue;
    ++tally.records;
    tally.posteriors.add(beliefs.together());
    tally.worst = std::max(tally.worst, beliefs.together());
    tally.columns.resize(widths_.size());
    for (std::size_t j = 0; j < widths_.size(); ++j) {
      tally.columns[j].posteriors.add(beliefs.of_column(j));
      tally.columns[j].worst = std::max(tally.columns[j].worst, beliefs.of_column(j));
    }
  }
}

}  // namespace semveil
