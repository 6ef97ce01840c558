// What sets in the place of values promise and cost.
#include <algorithm>
#include <numeric>
#include <ranges>

#include "mechanisms/sets/set_repeats.h"
#include "release/outcome.h"
#include "semveil/ean.h"
#include "semveil/method.h"
#include "statistics/cell_generality.h"
#include "statistics/information_loss.h"

namespace semveil {

bool Outcome::has_fitted_frequencies(std::size_t step) const {
  if (survey_ != nullptr) return true;
  const SetFit& fit = *set_fit(plan_.plan(step));
  const std::vector<std::size_t>& columns = plan_.step(step).columns;
  for (std::size_t j = 0; j < columns.size(); ++j) {
    if (counts_.columns[columns[j]].originals != fit.columns[j].counts) return false;
  }
  return true;
}

std::optional<SetRelease> Outcome::set_release(std::size_t j) const {
  const SetFit* const fit = set_fit(plan_.plan_of(j));
  if (fit == nullptr) return std::nullopt;
  const ColumnTally& tally = counts_.columns[j].tally;
  const SetColumn& column = fit->columns[plan_.place(j).column];
  SetRelease out;
  out.l = column.l;
  out.categories = column.categories.list.size();
  out.information_loss = information_loss(out.l);
  const std::vector<std::uint64_t>& counts = column.counts;
  const auto records =
      static_cast<double>(std::accumulate(counts.begin(), counts.end(), std::uint64_t{0}));
  if (records > 0) {
    out.most_frequent = static_cast<double>(*std::ranges::max_element(counts)) / records;
  }
  if (!plan_.step_of(j).by_person()) {
    out.revealed_by_two = revealed_by_two_releases(column, fit->by_category, fit->draw);
  }
  for (const Categories::Category& category : column.categories.list) {
    out.values += category.values.size();
    std::uint64_t inside = 0;
    for (const ConceptId value : category.values) {
      out.unused += counts[value] == 0 ? 1 : 0;
      inside += counts[value];
    }
    const double share = records > 0 ? static_cast<double>(inside) / records : 0;
    if (fit->by_category) out.each.push_back({category.name, category.values.size(), share});
  }
  if (tally.cells == 0 || !has_fitted_frequencies(plan_.place(j).step)) return out;
  const auto cells = static_cast<double>(tally.cells);
  out.posterior = {tally.posteriors.value() / cells, tally.worst_posterior,
                   tally.guesses.value() / cells};
  return out;
}

// What a record lost, on average: its other quasi-identifiers are released as they came, which may
// be as concepts that an earlier step generalised to.
std::optional<double> Outcome::record_loss() const {
  std::vector<double> sets, known;
  const auto records = static_cast<double>(released_records());
  for (std::size_t j = 0; j < counts_.columns.size(); ++j) {
    if (!plan_.is_set(j)) continue;
    const unsigned l = set_fit(plan_.plan_of(j))->columns[plan_.place(j).column].l;
    const auto missing = static_cast<double>(counts_.columns[j].missing);
    const auto emptied = static_cast<double>(of(j, Instead::kSuppressed));
    sets.push_back(records == 0 ? information_loss(l)
                                : ((records - missing) * information_loss(l) + emptied) / records);
  }
  for (const std::string& name : model_.quasi_identifiers) {
    const ModelColumn* const masked = model_.find(name);
    const auto j = static_cast<std::size_t>(masked - model_.columns.data());
    if (masked != nullptr && plan_.is_set(j)) continue;
    if (masked != nullptr && !plan_.step_of(j).about().releases_ancestors) return std::nullopt;
    const std::optional<double> loss = masked != nullptr ? lifted_loss(j) : unmasked_loss(name);
    if (!loss) return std::nullopt;
    known.push_back(*loss);
  }
  return information_loss(known, sets);
}

// Of a column that another step generalised.
std::optional<double> Outcome::lifted_loss(std::size_t j) const {
  if (released_records() == 0) return 0;
  const Attribute& attribute = *plan_.released(j);
  const std::vector<std::uint64_t>& released = counts_.columns[j].tally.released;
  ColumnGenerality generality(attribute);
  for (ConceptId c = 0; c < attribute.size() && c < released.size(); ++c) {
    if (released[c] > 0) generality.add(c, c, released[c]);
  }
  return generality.mean_of_records(released_records()).lm;
}

// Nothing where its cells were not looked at.
std::optional<double> Outcome::unmasked_loss(const std::string& name) const {
  const SurveyColumn* const column = survey_ != nullptr ? survey_->find(name) : nullptr;
  if (column == nullptr || !counted_tuples()) return std::nullopt;
  if (!column->mapped || released_records() == 0) return 0;  // nothing but leaves
  const auto place = static_cast<std::size_t>(column - survey_->columns.data());
  const auto joined = std::ranges::find(joined_, place);
  if (joined == joined_.end()) return std::nullopt;
  const auto at = static_cast<std::size_t>(joined - joined_.begin());
  ColumnGenerality generality(*column->attribute);  // a cell that is missing takes no part
  for (std::size_t t = 0; t < counts_.tuples.size(); ++t) {
    const Code code = counts_.tuples.tuple(t)[at];
    if (code == kMissing || column->concepts[code] == kMissing) continue;
    if (!column->stands_in.empty() && column->stands_in[code]) continue;
    generality.add(column->concepts[code], column->concepts[code], counts_.tuples.count(t));
  }
  return generality.mean_of_records(released_records()).lm;
}

std::optional<MaskResult::Sets> Outcome::sets(std::size_t step) const {
  const JointTally& joint = counts_.steps[step].joint;
  const SetFit* const fit = set_fit(plan_.plan(step));
  if (fit == nullptr) return std::nullopt;
  MaskResult::Sets out;
  out.by_category = fit->by_category;
  out.reread = how_.reread;
  out.information_loss = record_loss();
  out.combinations = fit->combinations;
  out.as_fitted = has_fitted_frequencies(step);
  if (joint.records == 0 || survey_ == nullptr) return out;  // that they go together as they did
  const auto records = static_cast<double>(joint.records);
  out.joint = {joint.records, joint.posteriors.value() / records, joint.worst, {}};
  for (const JointTally::Column& column : joint.columns) {
    out.joint->columns.push_back({column.posteriors.value() / records, column.worst, 0});
  }
  return out;
}

}  // namespace semveil
