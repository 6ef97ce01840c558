#include "release/outcome.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "base/hash_joined.h"
#include "mechanisms/sets/set_repeats.h"
#include "release/outcome_aims.h"
#include "semveil/classes.h"
#include "semveil/ean.h"
#include "semveil/noise.h"
#include "semveil/swap.h"
#include "statistics/cell_generality.h"
#include "statistics/information_loss.h"

namespace semveil {

static std::vector<std::size_t> joined_columns(const Model::Impl& model,
                                               const Survey::Impl* survey) {
  std::vector<std::size_t> joined;
  if (survey == nullptr) {
    if (!model.sets) joined.resize(model.columns.size());
    std::iota(joined.begin(), joined.end(), std::size_t{0});
    return joined;
  }
  for (const std::size_t j : survey->joined) {
    const auto is_it = [&](const ModelColumn& column) {
      return column.plan.name == survey->columns[j].plan.name;
    };
    if (!model.sets || std::ranges::none_of(model.columns, is_it)) joined.push_back(j);
  }
  return joined;
}

Outcome::Outcome(const Model::Impl& model, const Plan& plan, const Table& table,
                 const Survey::Impl* survey, const ReadColumns& columns,
                 const ApplyOptions& options)
    : model_(model),
      plan_(plan),
      table_(table),
      survey_(survey),
      columns_(columns),
      options_(options),
      counts_(model.columns.size()),
      joined_(joined_columns(model, survey)),
      tuples_(joined_.size()),
      suppressed_(joined_.size()) {}

// The masked column that stands at a place of the joined ones, if one does.
std::optional<std::size_t> Outcome::masked_at(std::size_t joined) const {
  if (survey_ == nullptr) return joined_[joined];
  for (std::size_t j = 0; j < columns_.masked().size(); ++j) {
    const std::size_t column = columns_.column_of(columns_.masked()[j]);
    if (column == survey_->columns[joined_[joined]].column) return j;
  }
  return std::nullopt;
}

bool Outcome::is_emptied(std::size_t joined) const {
  if (masked_at(joined)) return true;
  const ClassFit* const fit = class_fit(plan_);
  const Role role = survey_->columns[joined_[joined]].plan.role;
  return role == Role::kQuasiIdentifier ||
         (role == Role::kSensitive && fit != nullptr && fit->suppresses_sensitive);
}

void Outcome::add(const ReleasedBatch& released) {
  const TableBatch& batch = *released.batch;
  for (std::size_t j = 0; j < counts_.size(); ++j) count_column(released, j);
  if (counts_tuples()) count_tuples(released);
  records_ += batch.rows;
  dropped_records_ +=
      static_cast<std::uint64_t>(std::count(batch.dropped.begin(), batch.dropped.end(), true));
  bytes_ += batch.bytes;
  suppressed_records_ += static_cast<std::uint64_t>(
      std::count(released.suppressed.begin(), released.suppressed.end(), true));
  single_origin_ += released.single_origin;
  if (released.persons > 0) {
    persons_ = released.persons;
    of_records_ = batch.rows;
  }
  if (plan_.needs_persons() && !person_links_.is_full()) link_persons(released);
}

void Outcome::link_persons(const ReleasedBatch& released) {
  const TableBatch& batch = *released.batch;
  const auto persons = batch.texts(*columns_.person());
  for (std::size_t row = 0; row < batch.rows; ++row) {
    if (!batch.dropped.empty() && batch.dropped[row]) continue;
    std::uint64_t hash = 0;
    for (std::size_t j = 0; j < released.values.size(); ++j) {
      const std::size_t width = plan_.width(j);
      for (std::size_t i = 0; i < width; ++i) {
        hash = hash_joined(hash, released.values[j][row * width + i]);
      }
    }
    person_links_.add(hash, std::hash<std::string_view>()(persons[row].value_or("")));
  }
}

void Outcome::count_column(const ReleasedBatch& released, std::size_t j) {
  const TableBatch& batch = *released.batch;
  const Code kept = first_kept(*plan_.released()[j]);
  const std::size_t width = plan_.width(j);
  Counts& counts = counts_[j];
  for (std::size_t row = 0; row < batch.rows; ++row) {
    if (!batch.dropped.empty() && batch.dropped[row]) continue;
    const Code value = released.values[j][row * width];
    if (value == kMissing) {
      ++counts.missing;
    } else if (value >= kept) {
      if (value - kept >= counts.kept_texts.size()) counts.kept_texts.resize(value - kept + 1);
      ++counts.kept_texts[value - kept];
    }
  }
  if (model_.sets && survey_ == nullptr && options_.describe) count_originals(batch, j);
  for (const Unmapped& cell : released.unmapped[j]) {
    ++counts.instead[static_cast<std::size_t>(cell.instead)];
  }
}

void Outcome::count_originals(const TableBatch& batch, std::size_t j) {
  const ReadColumns::Masked& masked = columns_.masked()[j];
  std::vector<std::uint64_t>& originals = counts_[j].originals;
  originals.resize(masked.model->attribute->size());
  for (std::size_t row = 0; row < batch.rows; ++row) {
    const Code code = batch.codes[masked.place][row];
    if (code == kMissing || (!batch.dropped.empty() && batch.dropped[row])) continue;
    if (masked.concepts[code] != kMissing) ++originals[masked.concepts[code]];
  }
}

bool Outcome::has_fitted_frequencies() const {
  if (survey_ != nullptr) return true;
  const SetFit& fit = *set_fit(plan_);
  for (std::size_t j = 0; j < counts_.size(); ++j) {
    if (counts_[j].originals != fit.columns[j].counts) return false;
  }
  return true;
}

void Outcome::count_tuples(const ReleasedBatch& released) {
  const TableBatch& batch = *released.batch;
  std::vector<std::span<const Code>> columns;
  for (std::size_t i = 0; i < joined_.size(); ++i) {
    if (const auto j = masked_at(i)) {
      columns.emplace_back(released.values[*j]);
    } else {
      const std::size_t column = survey_->columns[joined_[i]].column;
      columns.emplace_back(batch.codes[*columns_.place_of(column)]);
    }
  }
  if (batch.dropped.empty() && released.suppressed.empty()) return tuples_.add_rows(columns);
  std::vector<Code> tuple(columns.size());
  for (std::size_t row = 0; row < batch.rows; ++row) {
    if (!batch.dropped.empty() && batch.dropped[row]) continue;
    for (std::size_t i = 0; i < columns.size(); ++i) tuple[i] = columns[i][row];
    if (released.suppressed.empty() || !released.suppressed[row]) {
      tuples_.add(tuple);
      continue;
    }
    for (std::size_t i = 0; i < tuple.size(); ++i) {
      if (is_emptied(i)) tuple[i] = kMissing;
    }
    suppressed_.add(tuple);
  }
}

CountedColumn Outcome::counted(std::size_t j, const ColumnTally& tally) const {
  const Attribute& attribute = *plan_.released()[j];
  const std::size_t size = attribute.size();
  CountedColumn column;
  column.name = attribute.name;
  column.role = columns_.masked()[j].model->plan.column.role;
  column.attribute = plan_.released()[j];
  column.counts = tally.released;
  column.missing = counts_[j].missing;
  if (model_.sets) {  // nothing is said of a mean, or of distances
    column.attribute = nullptr;
    column.counts.resize(size);
    return column;
  }
  if (attribute.is_numeric()) {
    column.numeric = true;
    column.numbers = attribute.numbers;
    column.counts.resize(size);
    return column;
  }
  if (!attribute.is_nominal()) {
    column.counts.resize(size);
    column.concepts.resize(size);
    std::iota(column.concepts.begin(), column.concepts.end(), ConceptId{0});
    return column;
  }
  column.counts.resize(size + 1);
  column.counts[size] = 0;  // missing ones are counted as such
  column.counts[Taxonomy::root()] += of(j, Instead::kGeneralized);
  const std::vector<std::uint64_t>& kept = counts_[j].kept_texts;
  column.counts.insert(column.counts.end(), kept.begin(), kept.end());
  column.concepts.resize(column.counts.size(), kMissing);
  for (ConceptId c = 0; c < size; ++c) {
    column.concepts[c] = attribute.taxonomy().is_virtual(c) ? kMissing : c;
  }
  return column;
}

// A column that is not masked, without the records that were left out.
void Outcome::count_again(CountedColumn& column) const {
  std::ranges::fill(column.counts, 0U);
  column.missing = 0;
  for (std::size_t t = 0; t < tuples_.size(); ++t) {
    const Code code = tuples_.tuple(t)[0];
    (code == kMissing ? column.missing : column.counts[code]) += tuples_.count(t);
  }
}

Description Outcome::describe_released(const std::vector<ColumnTally>& tallies) const {
  std::vector<CountedColumn> columns;
  std::vector<std::size_t> joined = joined_;
  if (survey_ != nullptr) {
    columns = counted_columns(*survey_);
    for (std::size_t j = 0; j < counts_.size(); ++j) {
      const std::size_t column = columns_.column_of(columns_.masked()[j]);
      const auto at = std::ranges::find(survey_->columns, column, &SurveyColumn::column);
      columns[static_cast<std::size_t>(at - survey_->columns.begin())] = counted(j, tallies[j]);
    }
  } else {
    for (std::size_t j = 0; j < counts_.size(); ++j) columns.push_back(counted(j, tallies[j]));
  }
  if (model_.sets && joined.size() == 1) count_again(columns[joined.front()]);
  const std::uint64_t outside = suppressed_records_;
  const std::uint64_t records = released_records();
  std::vector<CountedColumn> classed = columns;
  for (const std::size_t j : joined) {  // a single column is counted without tuples
    if (joined.size() == 1) classed[j].missing -= outside;
  }
  Description description =
      describe(Analysis(std::move(classed), joined, tuples_, records - outside), model_.missing,
               options_.work);
  if (outside > 0) {  // columns have all records, classes and pairs those that were not suppressed
    TupleCounter all = tuples_;
    for (std::size_t i = 0; i < suppressed_.size(); ++i) {
      all.add(suppressed_.tuple(i), suppressed_.count(i));
    }
    Description whole = describe(Analysis(std::move(columns), std::move(joined), all, records),
                                 model_.missing, options_.work);
    description.records = whole.records;
    description.columns = std::move(whole.columns);
  }
  if (survey_ == nullptr && !model_.masks_every_quasi_identifier) {
    // Classes over some of the quasi-identifiers would look larger than they are.
    description.classes.reset();
    description.sensitive.clear();
  }
  return description;
}

MaskedColumn Outcome::masked_column(std::size_t j, const ColumnTally& tally) const {
  const ModelColumn& model = *columns_.masked()[j].model;
  MaskedColumn column;
  column.name = model.plan.name;
  column.write = model.write;
  column.ambiguous = ambiguous_texts(column.name);
  column.set = set_release(j, tally);
  column.cells = tally.cells;
  column.changed = tally.changed;
  column.missing = counts_[j].missing;
  column.rules = tally.rules;
  column.suppressed = of(j, Instead::kSuppressed);
  column.generalized = of(j, Instead::kGeneralized);
  column.kept = of(j, Instead::kKept);
  if (model_.looks_up) {
    const bool generalized = model.plan.column.unmapped == UnmappedRule::kGeneralize;
    (generalized ? column.generalized : column.suppressed) = unmapped_cells(column.name);
  }
  column.filled = tally.filled;
  column.emptied = tally.emptied;
  if (const SwapFit* swap = swap_fit(plan_)) {
    column.without_partner = swap->columns[j].kept;
    column.among_equals = swap->columns[j].among_equals;
  }
  if (column.set || tally.compared() == 0) return column;
  const auto cells = static_cast<double>(tally.compared());
  column.rmse = std::sqrt(tally.squared_distances.value() / cells);
  column.mean_distance = tally.distances.value() / cells;
  if (const NoiseFit* fit = noise_fit(plan_)) {
    const auto drawn = static_cast<double>(tally.cells);
    column.target_rmse = std::sqrt(tally.squared_errors.value() / drawn);
    column.mean_error = tally.errors.value() / drawn;
    column.deviation = fit->columns[j].deviation;
    column.expected_variance = fit->expected_variance(j);
    if (fit->is_correlated()) column.drawn_variance = fit->drawn_variance(j);
  }
  return column;
}

// Texts that mean nothing: the plan saw them as values.
std::uint64_t Outcome::unmapped_cells(const std::string& name) const {
  const SurveyColumn* column = survey_ != nullptr ? survey_->find(name) : nullptr;
  if (column == nullptr || !column->mapped) return 0;
  std::uint64_t cells = 0;
  for (const MappedValue& value : column->mapped->values) {
    if (!is_mapped(value.how)) cells += value.count;
  }
  return cells;
}

std::optional<MaskResult::Classes> Outcome::classes() const {
  const ClassFit* const fit = class_fit(plan_);
  if (fit == nullptr) return std::nullopt;
  MaskResult::Classes out;
  out.k = fit->k;
  out.suppressed = suppressed_records_;
  out.suppressed_sensitive = suppressed_records_ > 0 && fit->suppresses_sensitive;
  if (!options_.recheck) out.loss = fit->loss;  // that of the fitted table
  for (std::size_t j = 0; fit->levels && j < fit->levels->size(); ++j) {
    out.levels.emplace(model_.columns[j].plan.name, (*fit->levels)[j]);
  }
  for (const ModelColumn& column : model_.demanded) out.demanded.push_back(column.plan.name);
  out.partial = !model_.masks_every_quasi_identifier;
  return out;
}

std::optional<SetRelease> Outcome::set_release(std::size_t j, const ColumnTally& tally) const {
  const SetFit* const fit = set_fit(plan_);
  if (fit == nullptr) return std::nullopt;
  SetRelease out;
  out.l = fit->columns[j].l;
  out.categories = fit->columns[j].categories.list.size();
  out.information_loss = information_loss(out.l);
  const std::vector<std::uint64_t>& counts = fit->columns[j].counts;
  const auto records =
      static_cast<double>(std::accumulate(counts.begin(), counts.end(), std::uint64_t{0}));
  if (records > 0) {
    out.most_frequent = static_cast<double>(*std::ranges::max_element(counts)) / records;
  }
  if (!model_.by_person) {
    out.revealed_by_two = revealed_by_two_releases(fit->columns[j], fit->by_category, fit->draw);
  }
  for (const Categories::Category& category : fit->columns[j].categories.list) {
    out.values += category.values.size();
    std::uint64_t inside = 0;
    for (const ConceptId value : category.values) {
      out.unused += counts[value] == 0 ? 1 : 0;
      inside += counts[value];
    }
    const double share = records > 0 ? static_cast<double>(inside) / records : 0;
    if (fit->by_category) out.each.push_back({category.name, category.values.size(), share});
  }
  if (tally.cells == 0 || !has_fitted_frequencies()) return out;
  const auto cells = static_cast<double>(tally.cells);
  out.posterior = {tally.posteriors.value() / cells, tally.worst_posterior,
                   tally.guesses.value() / cells};
  return out;
}

std::vector<std::uint64_t> Outcome::missing_cells() const {
  std::vector<std::uint64_t> out;
  for (const Counts& counts : counts_) out.push_back(counts.missing);
  return out;
}

// What a record lost, on average: its other quasi-identifiers are released as they came, which may
// be as concepts that an earlier step generalised to.
std::optional<double> Outcome::record_loss() const {
  const auto is_masked = [&](const std::string& name) {
    return std::ranges::any_of(model_.columns,
                               [&](const ModelColumn& c) { return c.plan.name == name; });
  };
  std::vector<double> sets, known;
  const auto records = static_cast<double>(released_records());
  for (std::size_t j = 0; j < counts_.size(); ++j) {
    const unsigned l = set_fit(plan_)->columns[j].l;
    const auto missing = static_cast<double>(counts_[j].missing);
    const auto emptied = static_cast<double>(of(j, Instead::kSuppressed));
    sets.push_back(records == 0 ? information_loss(l)
                                : ((records - missing) * information_loss(l) + emptied) / records);
  }
  for (const std::string& name : model_.quasi_identifiers) {
    if (is_masked(name)) continue;
    const std::optional<double> loss = unmasked_loss(name);
    if (!loss) return std::nullopt;
    known.push_back(*loss);
  }
  return information_loss(known, sets);
}

// Nothing where its cells were not looked at.
std::optional<double> Outcome::unmasked_loss(const std::string& name) const {
  const SurveyColumn* const column = survey_ != nullptr ? survey_->find(name) : nullptr;
  if (column == nullptr || !counts_tuples()) return std::nullopt;
  if (!column->mapped || released_records() == 0) return 0;  // nothing but leaves
  const auto place = static_cast<std::size_t>(column - survey_->columns.data());
  const auto joined = std::ranges::find(joined_, place);
  if (joined == joined_.end()) return std::nullopt;
  const auto at = static_cast<std::size_t>(joined - joined_.begin());
  ColumnGenerality generality(*column->attribute);  // a cell that is missing takes no part
  for (std::size_t t = 0; t < tuples_.size(); ++t) {
    const Code code = tuples_.tuple(t)[at];
    if (code == kMissing || column->concepts[code] == kMissing) continue;
    if (!column->stands_in.empty() && column->stands_in[code]) continue;
    generality.add(column->concepts[code], column->concepts[code], tuples_.count(t));
  }
  return generality.mean_of_records(released_records()).lm;
}

std::optional<MaskResult::Sets> Outcome::sets(const JointTally& joint) const {
  const SetFit* const fit = set_fit(plan_);
  if (fit == nullptr) return std::nullopt;
  MaskResult::Sets out;
  out.by_category = fit->by_category;
  out.reread = reread_;
  out.information_loss = record_loss();
  out.combinations = fit->combinations;
  out.as_fitted = has_fitted_frequencies();
  if (joint.records == 0 || survey_ == nullptr) return out;  // that they go together as they did
  const auto records = static_cast<double>(joint.records);
  out.joint = {joint.records, joint.posteriors.value() / records, joint.worst, {}};
  for (const JointTally::Column& column : joint.columns) {
    out.joint->columns.push_back({column.posteriors.value() / records, column.worst, 0});
  }
  return out;
}

MaskResult Outcome::result(const std::vector<ColumnTally>& tallies, const JointTally& joint,
                           std::vector<std::string> dropped_columns) const {
  MaskResult out;
  out.records = records_;
  out.dropped_records = dropped_records_;
  out.unmasked = unmasked(dropped_columns);
  out.dropped_columns = std::move(dropped_columns);
  for (std::size_t j = 0; j < counts_.size(); ++j) {
    out.masked.push_back(masked_column(j, tallies[j]));
    out.changed += tallies[j].changed;
    out.truncated += truncated_cells(tallies[j].rules);
  }
  out.classes = classes();
  out.sets = sets(joint);
  out.persons = persons_;
  out.of_records = of_records_;
  if (const SwapFit* swap = swap_fit(plan_)) {
    out.swapped = {swap->uniques, swap->unchanged_uniques, swap->risk};
  }
  if (const auto links = find_person_links(person_links_, model_.draw_by)) {
    out.findings.push_back(*links);
  }
  if (!options_.describe) return out;
  if (plan_.knows_origins()) out.single_origin = single_origin_;
  out.after = describe_released(tallies);
  if (survey_ != nullptr) {
    const Analysis analysis(counted_columns(*survey_), survey_->joined, survey_->tuples,
                            survey_->records);
    out.before = describe(analysis, model_.missing, options_.work);
  }
  find_what_missed(model_, plan_, out);
  return out;
}

std::uint64_t Outcome::ambiguous_texts(const std::string& name) const {
  const SurveyColumn* column = survey_ != nullptr ? survey_->find(name) : nullptr;
  if (column == nullptr || !column->mapped) return 0;
  return static_cast<std::uint64_t>(std::ranges::count_if(
      column->mapped->values,
      [](const MappedValue& value) { return is_mapped(value.how) && value.senses.size() > 1; }));
}

std::vector<Survey::PassedThrough> Outcome::unmasked(
    const std::vector<std::string>& dropped) const {
  std::vector<Survey::PassedThrough> out;
  for (std::size_t at = 0; at < table_.columns().size(); ++at) {
    const std::string& name = table_.columns()[at];
    const bool is_masked = std::ranges::any_of(
        columns_.masked(), [&](const auto& masked) { return columns_.column_of(masked) == at; });
    if (is_masked || std::ranges::find(dropped, name) != dropped.end()) continue;
    Survey::PassedThrough column{name, 0, 0, {}};
    if (survey_ != nullptr) {
      for (const Survey::PassedThrough& other : survey_->others) {
        if (other.name == name) column = other;
      }
      if (const SurveyColumn* counted = survey_->find(name)) {
        column.sampled = survey_->records;
        column.distinct = counted->texts.size();
      }
      const auto telling = std::ranges::find(survey_->telling, name, &Survey::PassedThrough::name);
      if (telling != survey_->telling.end()) column.tells = telling->tells;
    }
    out.push_back(std::move(column));
  }
  return out;
}

}  // namespace semveil
