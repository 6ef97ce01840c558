#include "release/outcome.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <ranges>
#include <set>

#include "mechanisms/cells/pseudonym_method.h"
#include "ontology/hierarchies/hierarchy_rule.h"
#include "release/finish.h"
#include "release/outcome_aims.h"
#include "release/person_links.h"
#include "release/shifted_days.h"
#include "release/told_categories.h"
#include "semveil/classes.h"
#include "semveil/ean.h"
#include "semveil/finding_guide.h"
#include "semveil/method.h"
#include "semveil/noise.h"
#include "semveil/swap.h"

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
    column.target_rmse = fit->columns[place].distance();
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
    shifted.links_rows = links_rows();
    const IntervalFigures& seen =
        shifted.links_rows ? *counts_.intervals : *counts_.intervals_of_rows;
    shifted.persons = seen.persons;
    shifted.alone = seen.alone;
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

// Whether whoever holds the release can tell which rows are one person's.
bool Outcome::links_rows() const {
  const auto gives_pseudonyms = [](const RecodedModelColumn& column) {
    return std::ranges::any_of(column.recodings, [](const ColumnRecoding& recoding) {
      return recoding.method == pseudonym_method().name();
    });
  };
  return !model_.draw_by().empty() || std::ranges::any_of(model_.recoded, gives_pseudonyms) ||
         !linked_rows(model_, counts_).columns.empty();
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

std::uint64_t Outcome::ambiguous_texts(const std::string& name) const {
  const SurveyColumn* column = survey_ != nullptr ? survey_->find(name) : nullptr;
  if (column == nullptr || !column->mapped) return 0;
  return static_cast<std::uint64_t>(std::ranges::count_if(
      column->mapped->values,
      [](const MappedValue& value) { return is_mapped(value.how) && value.senses.size() > 1; }));
}

// Cells of a column; where the plan names a person, equal ones of a person once.
static std::uint64_t values_of_persons(const Survey::Impl& survey, const SurveyColumn& column) {
  const auto at = static_cast<std::size_t>(&column - survey.columns.data());
  const auto joined = std::ranges::find(survey.joined, at);
  if (!survey.person || joined == survey.joined.end()) return survey.records;
  if (survey.joined.size() == 1) return survey.persons.all().size();  // by code
  const auto place = static_cast<std::size_t>(joined - survey.joined.begin());
  PersonPairs of_values;
  for (const std::uint64_t pair : survey.persons.all()) {
    const Code value = survey.tuples.tuple(PersonPairs::tuple_of(pair))[place];
    of_values.add(value == kMissing ? static_cast<Code>(column.texts.size()) : value,
                  PersonPairs::person_of(pair));
  }
  of_values.settle();
  return of_values.all().size();
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
        column.sampled = values_of_persons(*survey_, *counted);
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
