#include "release/outcome.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>
#include <ranges>
#include <set>

#include "mechanisms/channel/repeated_draws.h"
#include "mechanisms/sets/set_repeats.h"
#include "ontology/hierarchies/hierarchy_rule.h"
#include "release/finish.h"
#include "release/outcome_aims.h"
#include "release/privacy.h"
#include "release/shifted_days.h"
#include "release/told_categories.h"
#include "semveil/classes.h"
#include "semveil/ean.h"
#include "semveil/finding_guide.h"
#include "semveil/method.h"
#include "semveil/noise.h"
#include "semveil/swap.h"
#include "statistics/cell_generality.h"
#include "statistics/information_loss.h"

namespace semveil {

using Places = std::vector<std::size_t>;

Outcome::Outcome(const Model::Impl& model, const FittedSteps& plan, const Survey::Impl* survey,
                 const OutcomeCounts& counts, const How& how, const WorkOptions& work)
    : model_(model), plan_(plan), survey_(survey), counts_(counts), how_(how), work_(work) {
  for (const OutcomeCounts::Place& place : counts.joined) {
    if (!how.describe) break;
    if (survey == nullptr) {
      const auto masked = std::ranges::find(counts.masked, place.column);
      joined_.push_back(static_cast<std::size_t>(masked - counts.masked.begin()));
    } else {
      joined_.push_back(
          static_cast<std::size_t>(survey->find(place.column) - survey->columns.data()));
    }
  }
}

bool Outcome::has_fitted_frequencies(std::size_t step) const {
  if (survey_ != nullptr) return true;
  const SetFit& fit = *set_fit(plan_.plan(step));
  const std::vector<std::size_t>& columns = plan_.step(step).columns;
  for (std::size_t j = 0; j < columns.size(); ++j) {
    if (counts_.columns[columns[j]].originals != fit.columns[j].counts) return false;
  }
  return true;
}

CountedColumn Outcome::counted(std::size_t j) const {
  const ColumnTally& tally = counts_.columns[j].tally;
  const Attribute& attribute = *plan_.released(j);
  const std::size_t size = attribute.size();
  CountedColumn column;
  column.name = attribute.name;
  column.role = model_.columns[j].plan.column.role;
  column.attribute = plan_.released(j);
  column.counts = tally.released;
  column.missing = counts_.columns[j].missing;
  if (plan_.is_set(j)) {  // nothing is said of a mean, or of distances
    column.attribute = nullptr;
    column.counts.resize(size);
    return column;
  }
  if (attribute.is_numeric()) {
    column.numeric = true;
    column.numbers = attribute.numbers;
    column.dates = attribute.is_date();
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
  const std::vector<std::uint64_t>& kept = counts_.columns[j].kept_texts;
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
  for (std::size_t t = 0; t < counts_.tuples.size(); ++t) {
    const Code code = counts_.tuples.tuple(t)[0];
    (code == kMissing ? column.missing : column.counts[code]) += counts_.tuples.count(t);
  }
}

// A column of shifted dates: texts that the survey did not see. `at`: its place in the survey.
void Outcome::count_shifted(std::size_t recoded, std::size_t at, CountedColumn& column) const {
  const auto place = std::ranges::find(joined_, at);
  if (place == joined_.end()) return;
  const auto i = static_cast<std::size_t>(place - joined_.begin());
  column.numbers = counts_.recoded[recoded].numbers;
  column.counts.assign(column.numbers.size(), 0);
  column.concepts.clear();
  column.missing = 0;
  for (const TupleCounter* tuples : {&counts_.tuples, &counts_.suppressed}) {
    for (std::size_t t = 0; t < tuples->size(); ++t) {
      const Code code = tuples->tuple(t)[i];
      (code == kMissing ? column.missing : column.counts[code]) += tuples->count(t);
    }
  }
}

// Whether who knows a person's value of a column knows what stands for it in the release: nothing
// was drawn or dealt in its place (audit/audit_class_findings.cc asks the same of an audit).
bool Outcome::is_known_as_released(const std::string& column) const {
  const RecodedModelColumn* const recoded = model_.find_recoded(column);
  if (recoded != nullptr && any_draws(recoded->recodings)) return false;
  const ModelColumn* const masked = model_.find(column);
  if (masked == nullptr) return true;
  const auto j = static_cast<std::size_t>(masked - model_.columns.data());
  return plan_.step_of(j).looks_up() || counts_.columns[j].tally.changed == 0;
}

// Classes of two or more who all have one value: whoever knows that somebody is in one of them
// knows the value.
void Outcome::find_shared_secret(const CountedTuples& counted,
                                 std::span<const std::size_t> known_by, std::size_t place,
                                 const std::string& name, std::vector<Finding>& findings) const {
  const auto found = shared_values(ClassValues(counted, known_by, place));
  if (!found || found->shared == 0) return;
  const std::string of = counted.persons != nullptr ? "persons" : "records";
  findings.push_back(make_finding("secret-shared", Severity::kDanger, {name},
                                  {{"classes", static_cast<double>(found->shared)},
                                   {of, static_cast<double>(found->sharing)}}));
}

void Outcome::find_shared_secrets(const Analysis& released, const Description& description,
                                  std::vector<Finding>& findings) const {
  std::vector<std::size_t> known_by, sensitive;  // places in the tuples
  for (std::size_t i = 0; i < released.joined().size(); ++i) {
    const Analysis::Column& column = released.columns()[released.joined()[i]];
    if (!is_known_as_released(column.name)) continue;
    if (column.role == Role::kQuasiIdentifier) known_by.push_back(i);
    if (column.role == Role::kSensitive) sensitive.push_back(i);
  }
  if (known_by.empty() || sensitive.empty()) return;
  const PersonPairs persons = released.tells_persons() ? released.persons() : PersonPairs();
  const CountedTuples counted(released.tuples(), released.tells_persons() ? &persons : nullptr);
  for (const std::size_t place : sensitive) {
    const std::string& name = released.columns()[released.joined()[place]].name;
    const auto figures =
        std::ranges::find(description.sensitive, name, &SensitiveDescription::name);
    if (figures != description.sensitive.end() && figures->l > 1) continue;  // each has several
    find_shared_secret(counted, known_by, place, name, findings);
  }
}

// Without a survey: of sensitive columns that no step masks.
void Outcome::find_shared_secrets(std::vector<Finding>& findings) const {
  std::vector<std::size_t> known_by;
  const std::size_t first = counts_.secret_tuples.width() - counts_.secrets.size();
  for (std::size_t i = 0; i < first; ++i) {
    const bool is_known = std::ranges::find(model_.quasi_identifiers, counts_.classed[i].column) !=
                          model_.quasi_identifiers.end();
    if (is_known) known_by.push_back(i);
  }
  if (known_by.empty()) return;
  const CountedTuples counted(counts_.secret_tuples,
                              model_.person.empty() ? nullptr : &counts_.secret_persons);
  for (std::size_t i = 0; i < counts_.secrets.size(); ++i) {
    if (!is_known_as_released(counts_.secrets[i])) continue;
    find_shared_secret(counted, known_by, first + i, counts_.secrets[i], findings);
  }
}

Description Outcome::describe_released(std::vector<Finding>& findings) const {
  std::vector<CountedColumn> columns;
  std::vector<std::size_t> joined = joined_;
  if (survey_ != nullptr) {
    columns = counted_columns(*survey_);
    for (std::size_t j = 0; j < counts_.columns.size(); ++j) {
      const auto at = survey_->find(counts_.masked[j]) - survey_->columns.data();
      columns[static_cast<std::size_t>(at)] = counted(j);
    }
  } else {
    for (std::size_t j = 0; j < counts_.columns.size(); ++j) columns.push_back(counted(j));
  }
  for (std::size_t i = 0; survey_ != nullptr && i < model_.recoded.size(); ++i) {
    if (counts_.recoded[i].numbers.empty()) continue;
    const auto at = survey_->find(model_.recoded[i].name) - survey_->columns.data();
    count_shifted(i, static_cast<std::size_t>(at), columns[static_cast<std::size_t>(at)]);
  }
  if (joined.size() == 1 && needs_tuples(counts_)) count_again(columns[joined.front()]);
  const std::uint64_t outside = counts_.suppressed_records;
  const std::uint64_t records = released_records();
  std::vector<CountedColumn> classed = columns;
  for (const std::size_t j : joined) {  // a single column is counted without tuples
    if (joined.size() == 1) classed[j].missing -= outside;
  }
  const Analysis in_classes(std::move(classed), joined, counts_.tuples, records - outside, {},
                            model_.person.empty() ? nullptr : &counts_.tuple_persons);
  Description description = describe(in_classes, model_.missing, work_);
  if (outside > 0) {  // columns have all records, classes and pairs those that were not suppressed
    TupleCounter all = counts_.tuples;
    for (std::size_t i = 0; i < counts_.suppressed.size(); ++i) {
      all.add(counts_.suppressed.tuple(i), counts_.suppressed.count(i));
    }
    Description whole = describe(Analysis(std::move(columns), std::move(joined), all, records),
                                 model_.missing, work_);
    description.records = whole.records;
    if (description.persons) {
      PersonPairs persons = counts_.tuple_persons;
      for (const std::uint64_t pair : counts_.suppressed_persons.all()) persons.add(pair);
      description.persons = count_persons(persons);
    }
    description.columns = std::move(whole.columns);
  }
  leave_out_person(description);
  if (survey_ == nullptr && !model_.masks_every_quasi_identifier) {
    // Classes over some of the quasi-identifiers would look larger than they are.
    description.classes.reset();
    description.sensitive.clear();
  } else {
    find_shared_secrets(in_classes, description, findings);
    find_shared_secrets(findings);
  }
  return description;
}

// It was counted for its persons alone.
void Outcome::leave_out_person(Description& description) const {
  const bool is_dropped =
      std::ranges::find(model_.identifiers, model_.person) != model_.identifiers.end();
  if (!is_dropped) return;
  std::erase_if(description.columns,
                [&](const ColumnDescription& column) { return column.name == model_.person; });
}

MaskedColumn Outcome::masked_column(std::size_t j) const {
  const ModelColumn& model = model_.columns[j];
  const ColumnTally& tally = counts_.columns[j].tally;
  MaskedColumn column;
  column.name = model.plan.name;
  column.write = model.write;
  if (model.plan.rule) {
    column.hierarchy = model.plan.rule->settings();
    column.hierarchy_was_chosen = model.plan.rule->fitted().was_chosen;
  }
  column.ambiguous = ambiguous_texts(column.name);
  column.set = set_release(j);
  // A cell that is missing before and after takes no part, as in an audit.
  column.cells = column.set ? tally.cells : tally.compared();
  column.changed = tally.changed;
  column.missing = counts_.columns[j].missing;
  column.rules = tally.rules;
  column.suppressed = of(j, Instead::kSuppressed);
  column.generalized = of(j, Instead::kGeneralized);
  column.kept = of(j, Instead::kKept);
  if (plan_.step_of(j).looks_up() && model.plan.column.unmapped == UnmappedRule::kGeneralize) {
    column.generalized = unmapped_cells(column.name);
  }
  column.filled = tally.filled;
  column.emptied = tally.emptied;
  column.method = plan_.step_of(j).method;
  const FittedMethod& plan = plan_.plan_of(j);
  const std::size_t place = plan_.place(j).column;
  if (const SwapFit* swap = swap_fit(plan)) {
    column.without_partner = swap->columns[place].kept;
    column.among_equals = swap->columns[place].among_equals;
  }
  if (column.set || tally.compared() == 0) return column;
  const auto cells = static_cast<double>(tally.compared());
  column.rmse = std::sqrt(tally.squared_distances.value() / cells);
  column.mean_distance = tally.distances.value() / cells;
  if (const NoiseFit* fit = noise_fit(plan)) {
    const auto drawn = static_cast<double>(tally.cells);
    column.target_rmse = std::sqrt(tally.squared_errors.value() / drawn);
    column.mean_error = tally.errors.value() / drawn;
    column.deviation = fit->columns[place].deviation;  // of numbers in the column's unit
    column.expected_variance = fit->expected_variance(place);
    if (fit->is_correlated()) column.drawn_variance = fit->drawn_variance(place);
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

// Records whose cells nobody else has as they are written, over these columns alone. Where persons
// are told, several may be one person's.
std::uint64_t Outcome::alone_as_written(const std::vector<std::string>& columns) const {
  std::vector<std::size_t> places;
  for (std::size_t i = 0; i < counts_.classed.size(); ++i) {
    const bool is_own = std::ranges::find(columns, counts_.classed[i].column) != columns.end();
    if (is_own) places.push_back(i);
  }
  const TupleCounter records = project({counts_.classes, nullptr}, places);
  const PersonPairs* const persons = model_.person.empty() ? nullptr : &counts_.class_persons;
  const TupleCounter sizes = project({counts_.classes, persons}, places);
  std::uint64_t alone = 0;
  for (std::size_t i = 0; i < records.size(); ++i) {
    if (sizes.count(*sizes.find(records.tuple(i))) == 1) alone += records.count(i);
  }
  return alone;
}

std::optional<MaskResult::Classes> Outcome::classes(std::size_t step) const {
  const ClassFit* const fit = class_fit(plan_.plan(step));
  const std::vector<std::size_t>& columns = plan_.step(step).columns;
  if (fit == nullptr) return std::nullopt;
  MaskResult::Classes out;
  out.k = fit->k;
  out.counts_persons = !model_.person.empty();
  out.suppressed = counts_.suppressed_records;
  out.suppressed_sensitive = counts_.suppressed_records > 0 && fit->suppresses_sensitive;
  if (!how_.recheck) out.loss = fit->loss;  // that of the fitted table
  for (std::size_t j = 0; fit->levels && j < fit->levels->size(); ++j) {
    out.levels.emplace(model_.columns[columns[j]].plan.name, (*fit->levels)[j]);
  }
  if (plan_.step(step).about().forms_classes) {
    for (const ModelColumn& column : model_.demanded) out.demanded.push_back(column.plan.name);
  }
  const std::vector<std::string> masked = model_.names_of(plan_.step(step));
  out.partial = std::ranges::any_of(model_.quasi_identifiers, [&](const std::string& name) {
    return std::ranges::find(masked, name) == masked.end();
  });
  if (model_.missing == MissingRule::kWildcard &&
      plan_.step(step).parameters.contains("suppress")) {
    out.alone_as_written = alone_as_written(masked);
  }
  return out;
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

void Outcome::find_linked_rows(std::vector<Finding>& findings) const {
  LinkedRows linked = linked_rows(model_, counts_);
  if (linked.columns.empty()) return;
  std::map<std::uint64_t, std::uint64_t> persons_with;  // by multiset of rows
  for (const std::uint64_t sum : counts_.row_sums) {
    if (sum != 0) ++persons_with[sum];
  }
  double alone = 0, persons = 0;
  for (const auto& [rows, count] : persons_with) {
    alone += count == 1 ? 1 : 0;
    persons += static_cast<double>(count);
  }
  findings.push_back(make_finding(
      "rows-linked", Severity::kDanger, std::move(linked.columns),
      {{"alone", alone}, {"persons", persons}, {"linked", static_cast<double>(linked.persons)}}));
}

// Methods that draw per cell: what several looks at one value of a person tell.
void Outcome::find_repeated_looks(std::vector<Finding>& findings) const {
  if (survey_ == nullptr || !survey_->person || !how_.describe) return;
  const std::vector<std::uint64_t>& rows_of = survey_->columns[*survey_->person].counts;
  const std::uint64_t most = rows_of.empty() ? 0 : std::ranges::max(rows_of);
  if (most < 2) return;
  const Analysis analysis(counted_columns(*survey_), survey_->joined, survey_->tuples,
                          survey_->records);
  for (std::size_t step = 0; step < plan_.size(); ++step) {
    const ModelStep& drawing = plan_.step(step);
    const MethodDescription& method = drawing.about();
    if (drawing.by_person() || !method.draws_per_cell() || method.releases_sets) continue;
    find_repeated_looks(step, analysis, most, findings);
  }
}

void Outcome::find_repeated_looks(std::size_t step, const Analysis& analysis, std::uint64_t most,
                                  std::vector<Finding>& findings) const {
  const std::vector<std::string> names = model_.names_of(plan_.step(step));
  const FrequencyTable table = analysis.frequencies(names);
  find_averaged_noise(step, most, findings);
  for (std::size_t j = 0; j < names.size(); ++j) {
    const std::unique_ptr<const Channel> channel = channel_of(plan_.plan(step), table, j);
    if (channel == nullptr) continue;
    std::map<std::string, double> figures{{"most_rows", static_cast<double>(most)}};
    const auto look = [&](const std::string& name, std::uint64_t rows) {
      if (rows > most) return;
      const std::optional<RepeatedLook> found = repeated_look(*channel, rows);
      if (!found) return;
      figures[name] = found->vulnerability;
      if (found->half_width) figures["width"] = std::max(figures["width"], *found->half_width);
    };
    look("looks_1", 1);
    look("looks_2", 2);
    look("looks_5", 5);
    look("looks_most", most);
    if (!figures.contains("looks_1") || !figures.contains("looks_most")) continue;
    constexpr double kGrave = 0.1;
    const bool is_grave = figures["looks_most"] - figures["looks_1"] > kGrave;
    findings.push_back(make_finding("rows-looked-at-together",
                                    is_grave ? Severity::kWarning : Severity::kNote, {names[j]},
                                    std::move(figures)));
  }
}

// Errors of numbers have mean 0: that of r rows of one value is off by deviation / √r.
void Outcome::find_averaged_noise(std::size_t step, std::uint64_t most,
                                  std::vector<Finding>& findings) const {
  const NoiseFit* const fit = noise_fit(plan_.plan(step));
  if (fit == nullptr) return;
  // Of the column's variance: as an audit takes noise to be weak.
  constexpr double kWeak = 0.1;
  for (const std::size_t j : plan_.step(step).columns) {
    if (!plan_.released(j)->is_numeric()) continue;
    const NoiseColumn& column = fit->columns[plan_.place(j).column];
    if (column.deviation <= 0) continue;
    const double averaged = column.deviation / std::sqrt(static_cast<double>(most));
    const bool is_grave = averaged * averaged <= kWeak * column.variance;
    findings.push_back(make_finding(
        "rows-averaged", is_grave ? Severity::kWarning : Severity::kNote, {plan_.released(j)->name},
        {{"most_rows", static_cast<double>(most)},
         {"deviation", column.deviation},
         {"averaged", averaged},
         {"error", averaged / std::sqrt(column.variance)}}));
  }
}

// Only classes can have what is demanded, and other methods make none.
void Outcome::find_demands(std::vector<Finding>& findings) const {
  if (survey_ == nullptr || model_.about().forms_classes) return;
  std::vector<std::string> demanded;
  for (const SurveyColumn& column : survey_->columns) {
    if (column.plan.demand) demanded.push_back(column.plan.name);
  }
  if (demanded.empty()) return;
  findings.push_back(make_finding("demand-not-looked-at", Severity::kWarning, std::move(demanded)));
}

MaskResult Outcome::result() const {
  MaskResult out;
  out.records = counts_.records;
  out.dropped_records = counts_.dropped_records;
  // Columns that must not be there were refused before anything was masked.
  for (const std::size_t at : dropped_columns(model_, {}, counts_.names).value_or(Places())) {
    out.dropped_columns.push_back(counts_.names[at]);
  }
  out.unmasked = unmasked(out.dropped_columns);
  for (std::size_t j = 0; j < counts_.columns.size(); ++j) {
    const ColumnTally& tally = counts_.columns[j].tally;
    out.masked.push_back(masked_column(j));
    out.changed += tally.changed;
    out.truncated += truncated_cells(tally.rules);
  }
  out.recoded = recoded();
  for (const MaskResult::Recoded& recoded : out.recoded) out.changed += recoded.changed;
  for (std::size_t i = 0; i < plan_.size(); ++i) {
    const std::vector<std::string> columns = model_.names_of(plan_.step(i));
    MaskResult::Step step{
        plan_.step(i).method, plan_.step(i).parameters, columns, classes(i), sets(i), std::nullopt};
    if (const SwapFit* swap = swap_fit(plan_.plan(i))) {
      step.swapped = {swap->uniques, swap->unchanged_uniques, swap->risk};
    }
    if (!out.classes) out.classes = step.classes;
    if (!out.sets) out.sets = step.sets;
    if (!out.swapped) out.swapped = step.swapped;
    out.steps.push_back(std::move(step));
  }
  out.persons = counts_.persons.persons();
  out.of_records = counts_.persons.rows();
  if (const auto links = find_person_links(counts_.links, model_.draw_by())) {
    out.findings.push_back(*links);
  }
  find_linked_rows(out.findings);
  find_repeated_looks(out.findings);
  find_demands(out.findings);
  for (std::size_t i = 0; i < plan_.size() && survey_ != nullptr; ++i) {
    const SetFit* const fit = set_fit(plan_.plan(i));
    if (fit == nullptr) continue;
    const std::vector<Finding> told =
        find_told_categories(*survey_, *fit, model_.names_of(plan_.step(i)));
    out.findings.insert(out.findings.end(), told.begin(), told.end());
  }
  if (counts_.intervals) {
    MaskResult::Shifted shifted;
    for (const RecodedModelColumn& column : model_.recoded) {
      if (shifted_form(column.recodings) != nullptr) shifted.columns.push_back(column.name);
    }
    shifted.persons = counts_.intervals->persons;
    shifted.alone = counts_.intervals->alone;
    if (survey_ != nullptr) shifted.tells = survey_->shift_told;
    out.shifted = std::move(shifted);
  }
  if (!how_.describe) return out;
  if (plan_.knows_origins()) out.single_origin = counts_.single_origin;
  out.after = describe_released(out.findings);
  const bool some_unread = survey_ == nullptr && !model_.masks_every_quasi_identifier;
  if (some_unread && !model_.quasi_identifiers.empty()) {
    out.findings.push_back(make_finding("classes-not-counted", Severity::kNote));
  }
  if (survey_ != nullptr && model_.looks_up()) out.after->person_like = survey_->person_like;
  if (survey_ != nullptr) {
    out.before = describe_survey(*survey_, model_.missing, work_);
    leave_out_person(*out.before);
  }
  find_partial(out);
  find_what_missed(plan_, out);
  return out;
}

std::vector<MaskResult::Recoded> Outcome::recoded() const {
  std::vector<MaskResult::Recoded> out;
  for (std::size_t i = 0; i < model_.recoded.size(); ++i) {
    const RecodedModelColumn& column = model_.recoded[i];
    for (std::size_t r = 0; r < column.recodings.size(); ++r) {
      const ColumnRecoding& recoding = column.recodings[r];
      out.push_back({column.name, recoding.method, recoding.parameters, counts_.recoded[i].cells,
                     counts_.recoded[i].changed[r]});
    }
  }
  return out;
}

// Classes over some of the quasi-identifiers, beside other steps: what all of them have.
void Outcome::find_partial(MaskResult& out) const {
  const bool several =
      model_.steps.size() > 1 ||
      std::ranges::any_of(model_.quasi_identifiers, [&](const std::string& name) {
        return model_.find_recoded(name) != nullptr && model_.find(name) == nullptr;
      });
  const bool partial = std::ranges::any_of(out.steps, [](const MaskResult::Step& step) {
    return step.classes && step.classes->partial && method_named(step.method).forms_classes;
  });
  if (!several || !partial || !out.after || !out.after->classes) return;
  const ClassDescription& classes = *out.after->classes;
  std::map<std::string, double> figures{{"k", static_cast<double>(classes.smallest)},
                                        {"uniques", static_cast<double>(classes.uniques)},
                                        {"promised", static_cast<double>(out.classes->k)}};
  if (!model_.person.empty()) figures["of_persons"] = 1;
  out.findings.insert(out.findings.begin(),  // it is told first
                      make_finding("partial-classes", Severity::kDanger, model_.quasi_identifiers,
                                   std::move(figures)));
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
  // Looked up by name: a table may have very many columns.
  const std::set<std::string_view> left_out(dropped.begin(), dropped.end());
  const std::set<std::string_view> masked(counts_.masked.begin(), counts_.masked.end());
  std::map<std::string_view, const Survey::PassedThrough*> others, telling;
  if (survey_ != nullptr) {
    for (const Survey::PassedThrough& other : survey_->others) others[other.name] = &other;
    for (const Survey::PassedThrough& one : survey_->telling) telling.emplace(one.name, &one);
  }
  for (const std::string& name : counts_.names) {
    if (masked.contains(name) || left_out.contains(name)) continue;
    if (model_.find_recoded(name) != nullptr) continue;
    Survey::PassedThrough column{name, 0, 0, {}};
    if (survey_ != nullptr) {
      if (const auto other = others.find(name); other != others.end()) column = *other->second;
      if (const SurveyColumn* counted = survey_->find(name)) {
        column.sampled = survey_->records;
        column.distinct = counted->texts.size();
      }
      const auto tells = telling.find(name);
      if (tells != telling.end()) column.tells = tells->second->tells;
    }
    out.push_back(std::move(column));
  }
  return out;
}

Result<std::vector<std::size_t>> dropped_columns(const Model::Impl& model, const std::string& table,
                                                 const std::vector<std::string>& names) {
  Places dropped;
  for (std::size_t at = 0; at < names.size(); ++at) {
    const bool declared = std::ranges::find(model.declared, names[at]) != model.declared.end();
    if (!declared && model.undeclared == UndeclaredRule::kError) {
      return fail(undeclared_error(table, names[at]));
    }
    const bool identifies =
        std::ranges::find(model.identifiers, names[at]) != model.identifiers.end();
    if (declared ? identifies : model.undeclared == UndeclaredRule::kDrop) dropped.push_back(at);
  }
  return dropped;
}

}  // namespace semveil
