// What stands against a release by what was counted of it.
#include <algorithm>
#include <cmath>
#include <map>
#include <ranges>

#include "mechanisms/channel/repeated_draws.h"
#include "release/finish.h"
#include "release/outcome.h"
#include "semveil/classes.h"
#include "semveil/finding_guide.h"
#include "semveil/method.h"
#include "semveil/noise.h"

namespace semveil {

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
                                 std::span<const std::size_t> known_by, const Secret& secret,
                                 std::vector<Finding>& findings) const {
  const auto found = shared_values(ClassValues(counted, known_by, secret.place), secret.empty);
  if (!found || found->shared == 0) return;
  const std::string of = counted.persons != nullptr ? "persons" : "records";
  findings.push_back(make_finding("secret-shared", Severity::kDanger, {secret.name},
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
    const Analysis::Column& column = released.columns()[released.joined()[place]];
    const std::string& name = column.name;
    const auto figures =
        std::ranges::find(description.sensitive, name, &SensitiveDescription::name);
    if (figures != description.sensitive.end() && figures->l > 1) continue;  // each has several
    find_shared_secret(counted, known_by, {place, name, column.empty()}, findings);
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
    find_shared_secret(counted, known_by, {first + i, counts_.secrets[i]}, findings);
  }
}

void Outcome::find_linked_rows(std::vector<Finding>& findings) const {
  if (!model_.looks_up()) return;
  std::optional<Finding> found =
      semveil::find_linked_rows(linked_rows(model_, counts_), counts_.row_sums);
  if (found) findings.push_back(*std::move(found));
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

}  // namespace semveil
