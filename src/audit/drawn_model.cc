#include "audit/drawn_model.h"

#include <algorithm>

#include "release/analysis.h"
#include "release/survey.h"
#include "semveil/finding_guide.h"
#include "semveil/method.h"

namespace semveil {
namespace {

bool has_measures_of(const PlanFile& plan, const Model::Impl& model) {
  return std::ranges::all_of(plan.columns, [&](const ColumnSettings& column) {
    return std::ranges::none_of(model.columns, [&](const ModelColumn& fitted) {
      return fitted.plan.name == column.name && fitted.plan.column.measure != column.measure;
    });
  });
}

}  // namespace

Status DrawnModel::fit(const std::function<Result<Survey>()>& survey_original, const PlanFile& plan,
                       const PairOptions& options, TablePair::Impl& out) {
  if (!plan.has_step([](const MethodDescription& method) { return method.draws_per_cell(); })) {
    return {};
  }
  if (options.survey != nullptr && options.model != nullptr) {
    use(options.survey->impl(), options.model->impl(), out);
    out.judged_as_drawn = has_measures_of(plan, *model);
    return {};
  }
  Result<Survey> surveyed = survey_original();
  if (!surveyed) return fail(surveyed.error());
  // Probabilities do not depend on the key.
  Result<Model> fitted = Model::fit(*surveyed, plan, Key::fresh(), options.work);
  if (!fitted) {
    if (!out.sets.empty()) return fail(fitted.error());
    out.notes.emplace_back(
        "the channel of the method is not told: it cannot be fitted on this "
        "original table with this plan");
    out.findings.push_back(make_finding("channel-untold", Severity::kNote));
    return {};
  }
  survey_.emplace(*std::move(surveyed));
  own_.emplace(*std::move(fitted));
  use(survey_->impl(), own_->impl(), out);
  return {};
}

void DrawnModel::use(const Survey::Impl& survey, const Model::Impl& fitted, TablePair::Impl& out) {
  std::vector<bool> drop;
  for (const SurveyColumn& column : survey.columns) {
    drop.push_back(std::ranges::find(fitted.drop_if_missing, column.plan.name) !=
                   fitted.drop_if_missing.end());
  }
  const Analysis analysis(counted_columns(survey), survey.joined, survey.tuples, survey.records,
                          std::move(drop));
  for (const ModelStep& step : fitted.steps) {
    if (!step.about().draws_per_cell()) continue;
    out.drawn.push_back(
        {step.plan,
         std::make_shared<const FrequencyTable>(analysis.frequencies(fitted.names_of(step))),
         step.sets.has_value()});
  }
  model = &fitted;
}

}  // namespace semveil
