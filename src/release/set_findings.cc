#include "release/set_findings.h"

#include <algorithm>

#include "semveil/ean.h"
#include "semveil/finding_guide.h"

namespace semveil {
namespace {

// One step that releases sets.
struct SetStep {
  const MaskResult::Step& told;
  std::vector<const MaskedColumn*> columns;
  const MaskResult& result;
  const ReleaseFacts& facts;
  const MaskResult::Sets& sets() const { return *told.sets; }
};

// What is believed of a true value at worst, alone or together with the other columns.
double worst_belief(const SetStep& step, std::size_t column) {
  const auto& posterior = step.columns[column]->set->posterior;
  const auto& joint = step.sets().joint;
  const double alone = posterior ? posterior->worst : 0;
  const bool is_told = joint && column < joint->columns.size();
  return is_told ? std::max(alone, joint->columns[column].worst) : alone;
}

void find_certain(const SetStep& step, std::vector<Finding>& out) {
  constexpr double kCertain = 0.99;
  std::vector<std::string> names;
  for (std::size_t j = 0; j < step.columns.size(); ++j) {
    if (worst_belief(step, j) > kCertain) names.push_back(step.columns[j]->name);
  }
  if (names.empty()) return;
  out.push_back(make_finding("sets-give-values-away", Severity::kWarning, std::move(names)));
}

void find_repeated(const SetStep& step, std::vector<Finding>& out) {
  if (!step.facts.draw_by.empty()) {
    const bool by_model =
        step.facts.key == KeyOrigin::kModel || step.facts.key == KeyOrigin::kKeyFile;
    if (!by_model) out.push_back(make_finding("sets-by-one-model", Severity::kWarning));
    return;
  }
  std::vector<std::string> names;
  std::map<std::string, double> shares;
  for (const MaskedColumn* const column : step.columns) {
    names.push_back(column->name);
    if (column->set->revealed_by_two) {
      shares["share." + column->name] = *column->set->revealed_by_two;
    }
  }
  out.push_back(
      make_finding("sets-released-once", Severity::kWarning, std::move(names), std::move(shares)));
}

// Why somebody believes more than 1/l of a value; null: nearly nobody does.
const char* uneven_belief(const SetRelease& set, const SetStep& step) {
  constexpr double kNear = 1.1, kAlone = 1.05;
  if (set.posterior->worst * set.l <= kNear) return nullptr;
  if (!step.sets().by_category) return "sets-of-related-values";
  const auto draw = step.told.parameters.find("draw");
  const bool by_frequency = draw != step.told.parameters.end() && draw->second == "\"frequency\"";
  if (!by_frequency) return "frequent-values-stand-out";
  return set.posterior->worst <= kAlone * set.most_frequent ? "one-value-stands-out"
                                                            : "large-categories-stand-out";
}

void find_beliefs(const MaskedColumn& column, const SetStep& step, std::vector<Finding>& out) {
  const SetRelease& set = *column.set;
  const auto add = [&](std::string_view id, std::map<std::string, double> figures = {}) {
    out.push_back(make_finding(id, Severity::kNote, {column.name}, std::move(figures)));
  };
  if (set.unused > 0) {
    add("sets-hold-unused-values",
        {{"unused", static_cast<double>(set.unused)}, {"values", static_cast<double>(set.values)}});
  }
  if (!step.sets().as_fitted) add("belief-untold");
  if (!set.posterior) return;
  if (const char* const why = uneven_belief(set, step)) {
    add(why, {{"most_frequent", set.most_frequent}});
  }
}

void find_warnings(const SetStep& step, std::vector<Finding>& out) {
  find_certain(step, out);
  find_repeated(step, out);
  for (const MaskedColumn* const column : step.columns) {
    find_beliefs(*column, step, out);
    std::map<std::string, double> held{{"values", column->set->l}};
    if (step.sets().by_category) held["categories"] = column->set->l;
    out.push_back(
        make_finding("sets-verified", Severity::kPromise, {column->name}, std::move(held)));
  }
  if (step.columns.size() > 1 && step.result.after && !step.sets().joint) {
    std::map<std::string, double> why;
    if (step.sets().combinations > kMostCombinations) {
      why["combinations"] = step.sets().combinations;
    }
    out.push_back(make_finding("belief-together-untold", Severity::kNote, {}, std::move(why)));
  }
}

}  // namespace

void find_set_warnings(const MaskResult& result, const ReleaseFacts& facts,
                       std::vector<Finding>& out) {
  if (!result.sets) return;
  const std::vector<MaskResult::Step> steps = steps_of(result, facts);
  for (const MaskResult::Step& step : steps) {
    if (step.sets) find_warnings({step, columns_of(step, result), result, facts}, out);
  }
  out.push_back(make_finding("other-columns-uncounted", Severity::kNote));
}

}  // namespace semveil
