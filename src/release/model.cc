// A fitted model, asked.
#include "release/model.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/hex.h"
#include "semveil/classes.h"
#include "semveil/ean.h"
#include "semveil/method.h"
#include "semveil/noise.h"

namespace semveil {

Model::Model(std::unique_ptr<const Impl> impl) : impl_(std::move(impl)) {}
Model::~Model() = default;
Model::Model(Model&&) noexcept = default;
std::string Model::method() const { return impl_->method(); }
std::map<std::string, std::string> Model::parameters() const { return impl_->parameters(); }
TableOptions Model::table_options() const { return impl_->table; }
bool Model::has_key() const { return impl_->key.has_value(); }
std::string Model::release() const { return impl_->release; }
bool Model::shuffles() const { return impl_->shuffle; }
std::string Model::draw_by() const { return impl_->draw_by(); }
std::vector<std::string> Model::masked_columns() const { return impl_->masked_names(); }

// Recodings of one step of the plan are told together, in the plan's order.
static std::vector<StepFacts> recoding_steps(const std::vector<RecodedModelColumn>& recoded) {
  std::vector<std::pair<std::size_t, StepFacts>> steps;
  for (const RecodedModelColumn& column : recoded) {
    for (const ColumnRecoding& recoding : column.recodings) {
      const auto same = std::ranges::find_if(steps, [&](const auto& step) {
        return step.first == recoding.step && step.second.method == recoding.method &&
               step.second.parameters == recoding.parameters;
      });
      if (same != steps.end()) {
        same->second.columns.push_back(column.name);
      } else {
        steps.push_back({recoding.step, {recoding.method, recoding.parameters, {column.name}}});
      }
    }
  }
  std::ranges::stable_sort(steps, {}, [](const auto& step) { return step.first; });
  std::vector<StepFacts> out;
  for (auto& [place, step] : steps) out.push_back(std::move(step));
  return out;
}

std::vector<StepFacts> Model::steps() const {
  std::vector<StepFacts> out = recoding_steps(impl_->recoded);
  for (const ModelStep& step : impl_->steps) {
    out.push_back({step.method, step.parameters, impl_->names_of(step)});
  }
  return out;
}

Status check_shape(const FittedMethod& plan, const MethodDescription& about) {
  const auto lacks = [&](std::string_view what) {
    return fail(usage_error(
        fmt::format("method {} says that it {}, and its plans do not: correct its description",
                    about.name, what)));
  };
  if (about.looks_up() && class_fit(plan) == nullptr) return lacks("looks tuples up");
  if (about.releases_sets && set_fit(plan) == nullptr) return lacks("releases sets");
  if (about.deals() && !plan.deals()) return lacks("deals values out");
  return {};
}

// ---- All steps together -------------------------------------------------------------------------

std::string Model::Impl::method() const {
  std::vector<std::string> names;
  for (const StepFacts& step : recoding_steps(recoded)) {
    if (std::ranges::find(names, step.method) == names.end()) names.push_back(step.method);
  }
  for (const ModelStep& step : steps) names.push_back(step.method);
  return fmt::format("{}", fmt::join(names, kStepsJoint));
}

std::map<std::string, std::string> Model::Impl::parameters() const {
  if (steps.size() == 1 && recoded.empty()) return steps.front().parameters;
  if (!steps.empty()) return {};
  const std::vector<StepFacts> recodings = recoding_steps(recoded);
  return recodings.size() == 1 ? recodings.front().parameters
                               : std::map<std::string, std::string>();
}

const MethodDescription& Model::Impl::about() const { return method_named(method()); }

bool Model::Impl::deals() const { return std::ranges::any_of(steps, &ModelStep::deals); }
bool Model::Impl::looks_up() const { return std::ranges::any_of(steps, &ModelStep::looks_up); }
bool Model::Impl::draws_by_row() const {
  return std::ranges::any_of(
      steps, [](const ModelStep& step) { return !step.by_person() && !step.looks_up(); });
}
bool Model::Impl::needs_release() const {
  const auto depends = [](const ColumnRecoding& each) {
    return each.recoding->depends_on_release();
  };
  return draws_by_row() || std::ranges::any_of(recoded, [&](const RecodedModelColumn& column) {
           return std::ranges::any_of(column.recodings, depends);
         });
}
bool Model::Impl::by_person() const {
  return !steps.empty() && std::ranges::all_of(steps, &ModelStep::by_person);
}

std::string Model::Impl::draw_by() const {
  const auto step = std::ranges::find_if(steps, &ModelStep::by_person);
  return step == steps.end() ? "" : step->draw_by;
}

const ModelStep& Model::Impl::step_of(std::size_t column) const {
  return *std::ranges::find_if(steps, [&](const ModelStep& step) {
    return std::ranges::find(step.columns, column) != step.columns.end();
  });
}

std::vector<std::string> Model::Impl::names_of(const ModelStep& step) const {
  std::vector<std::string> names;
  for (const std::size_t j : step.columns) names.push_back(columns[j].plan.name);
  return names;
}

std::vector<std::string> Model::Impl::masked_names() const {
  std::vector<std::string> names;
  for (const ModelColumn& column : columns) names.push_back(column.plan.name);
  return names;
}

const ModelColumn* Model::Impl::find(const std::string& masked) const {
  const auto at = std::ranges::find(columns, masked,
                                    [](const ModelColumn& column) { return column.plan.name; });
  return at == columns.end() ? nullptr : &*at;
}

const RecodedModelColumn* Model::Impl::find_recoded(const std::string& column) const {
  const auto at = std::ranges::find(recoded, column, &RecodedModelColumn::name);
  return at == recoded.end() ? nullptr : &*at;
}

std::string Model::Impl::fingerprint() const {
  std::string all = digest + '\n';
  for (const ModelStep& step : steps) all += step.method + '\n' + step.mechanism + '\n';
  for (const ModelColumn& column : columns) all += fmt::format("masked {}\n", column.plan.name);
  for (const ModelColumn& column : demanded) all += fmt::format("demanded {}\n", column.plan.name);
  for (const RecodedModelColumn& column : recoded) {
    for (const ColumnRecoding& recoding : column.recodings) {
      all += fmt::format("recoded {} {} {}\n", column.name, recoding.method,
                         recoding.recoding->save());
    }
  }
  if (!person.empty()) all += fmt::format("person {}\n", person);
  return hash_of(all);
}

std::string Model::Impl::joined_digest(const std::vector<std::string>& of_steps) {
  if (of_steps.size() == 1) return of_steps.front();
  std::string all;
  for (const std::string& digest : of_steps) all += fmt::format("{}:{}", digest.size(), digest);
  return hash_of(all);
}

// Of the only step that draws errors.
std::optional<Model::Statistics> Model::statistics() const {
  const ModelStep* noisy = nullptr;
  for (const ModelStep& step : impl_->steps) {
    if (!step.plan || noise_fit(*step.plan) == nullptr) continue;
    if (noisy != nullptr) return std::nullopt;
    noisy = &step;
  }
  if (noisy == nullptr) return std::nullopt;
  const NoiseFit* const fit = noise_fit(*noisy->plan);
  Statistics out;
  for (std::size_t j = 0; j < fit->columns.size(); ++j) {
    const ModelColumn& column = impl_->columns[noisy->columns[j]];
    const NoiseColumn& fitted = fit->columns[j];
    out.columns.push_back({column.plan.name,
                           fitted.average ? fmt::format("{}", *fitted.average)
                                          : std::string(column.attribute->id(fitted.mean)),
                           fitted.variance});
  }
  out.covariance = fit->covariance;
  out.digest =
      hex({reinterpret_cast<const unsigned char*>(noisy->digest.data()), noisy->digest.size()});
  return out;
}

// ---- Plans --------------------------------------------------------------------------------------

// Whether the step's plan, as it is, belongs to the release.
static bool is_fitted_for(const ModelStep& step, const std::string& wanted, const std::string& of) {
  return step.plan && (step.by_person() || step.looks_up() || wanted == of);
}

Status Model::Impl::check_key(const std::string& wanted_release, const std::string& file) const {
  if (key) return {};
  const bool draws = shuffle ||
                     std::ranges::any_of(recoded, any_draws, &RecodedModelColumn::recodings) ||
                     !std::ranges::all_of(steps, [&](const ModelStep& step) {
                       return is_fitted_for(step, wanted_release, release);
                     });
  if (!draws) return {};
  return fail(usage_error("the model was written without its key, by which it masks: name the key "
                          "file, or give the seed that it was fitted with")
                  .at(file));
}

Result<FittedSteps> Model::Impl::fitted_for(const std::string& wanted_release) const {
  if (Status lacking = check_key(wanted_release); !lacking) return fail(lacking.error());
  std::vector<std::shared_ptr<const FittedMethod>> plans;
  for (const ModelStep& step : steps) {
    if (is_fitted_for(step, wanted_release, release)) {
      plans.push_back(step.plan);
      continue;
    }
    std::vector<std::shared_ptr<const Attribute>> attributes;
    for (const std::size_t j : step.columns) attributes.push_back(columns[j].attribute);
    auto loaded = load_fitted(step.mechanism, step.saved(), std::move(attributes),
                              step.stream(*key, wanted_release));
    if (!loaded) return fail(loaded.error());
    if (Status status = check_shape(**loaded, step.about()); !status) {
      return fail(std::move(status.error()));
    }
    plans.emplace_back(*std::move(loaded));
  }
  return FittedSteps(steps, std::move(plans));
}

Result<FittedSteps> Model::Impl::kept_fitted_for(const std::string& wanted_release) const {
  const std::scoped_lock lock(kept_plans_->mutex);
  constexpr std::size_t kMostKept = 16;
  const auto known = kept_plans_->plans.find(wanted_release);
  if (known != kept_plans_->plans.end()) return known->second;
  Result<FittedSteps> made = fitted_for(wanted_release);
  if (!made) return made;
  if (kept_plans_->plans.size() >= kMostKept) kept_plans_->plans.clear();
  kept_plans_->plans.emplace(wanted_release, *made);
  return made;
}

void Model::Impl::finish_columns(const std::vector<std::shared_ptr<const FittedMethod>>& known) {
  for (std::size_t s = 0; s < steps.size(); ++s) {
    const ModelStep& step = steps[s];
    const FittedMethod* const plan = step.plan          ? step.plan.get()
                                     : s < known.size() ? known[s].get()
                                                        : nullptr;
    const bool draws = plan != nullptr && noise_fit(*plan) != nullptr;
    for (std::size_t i = 0; i < step.columns.size(); ++i) {
      ModelColumn& column = columns[step.columns[i]];
      const bool moves_numbers = draws && !column.attribute->is_nominal();
      column.numbers_released = moves_numbers ? plan->released()[i] : nullptr;
      const Attribute& released = plan != nullptr ? *plan->released()[i] : *column.attribute;
      const bool has_ontology = column.attribute->is_nominal();
      spell(column, released, {table.missing_values, step.sets.has_value()},
            has_ontology ? &ontologies.at(column.plan.column.ontology).info() : nullptr);
    }
  }
}

}  // namespace semveil
