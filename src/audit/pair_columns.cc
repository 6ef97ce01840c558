#include "audit/pair_columns.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "release/survey.h"
#include "semveil/finding_guide.h"
#include "semveil/method.h"
#include "table/column_named.h"

namespace semveil {
namespace {

class ColumnFinder {
 public:
  ColumnFinder(const Table& original, const Table& masked, const PlanFile& plan,
               const PairOptions& options, TablePair::Impl& out, SetColumns sets)
      : original_(original),
        masked_(masked),
        plan_(plan),
        options_(options),
        out_(out),
        sets_(sets) {}

  Result<PairColumns> run() && {
    std::map<std::size_t, const ColumnSettings*> by_place;
    for (const ColumnSettings& column : plan_.columns) {
      const Result<std::size_t> at = original_.column(column.name);
      if (!at) {
        return fail(
            Error(at.error())
                .hinting(fmt::format("the plan names it in line {}{}{}", column.line,
                                     at.error().hint.empty() ? "" : "; ", at.error().hint)));
      }
      if (!is_looked_at(column)) continue;
      if (is_set(column) && sets_ == SetColumns::kLeftOut) {
        left_out_.push_back(column.name);
      } else {
        by_place.emplace(*at, &column);
      }
    }
    if (!left_out_.empty()) {
      out_.findings.push_back(make_finding("sets-left-out", Severity::kWarning, left_out_));
    }
    if (by_place.empty() && !left_out_.empty()) {
      return fail(data_error("every column that an audit looks at comes out as sets, which parts "
                             "of tables do not hold: audit the whole tables")
                      .at(plan_.path));
    }
    if (by_place.empty()) {
      return fail(data_error("there is nothing to audit: declare quasi-identifiers, sensitive "
                             "columns, or columns with an ontology")
                      .at(plan_.path));
    }
    for (const auto& [place, column] : by_place) {
      if (const Status status = add_column(place, *column); !status) return fail(status.error());
    }
    const bool none_is_there = std::ranges::none_of(
        found_.in_masked,
        [](const std::optional<std::size_t>& place) { return place.has_value(); });
    if (none_is_there && found_.set_places.empty()) {
      return fail(data_error("the table has none of the plan's columns: is it the masked table of "
                             "this plan?")
                      .at(masked_.name(), 1)
                      .hinting("it has: " + listed_columns(masked_.columns())));
    }
    find_identifiers();
    find_compared();
    return std::move(found_);
  }

 private:
  bool is_looked_at(const ColumnSettings& column) const {
    if (column.role == Role::kIdentifier || column.role == Role::kPseudonym) return false;
    return column.role != Role::kOther || is_nominal(column) || is_on_a_line(column) ||
           plan_.changes(column);
  }

  bool is_set(const ColumnSettings& column) const {
    const MaskStep* const step = plan_.step_of(column);
    return step != nullptr && step->about().releases_sets;
  }

  Status add_column(std::size_t place, const ColumnSettings& plan) {
    const std::size_t at = out_.columns.size();
    TablePair::Impl::Column& column = out_.columns.emplace_back();
    found_.plans.push_back(&plan);
    column.name = plan.name;
    column.role = plan.role;
    column.demand = plan.demand;
    column.is_masked = plan_.step_of(plan) != nullptr;
    column.is_recoded = plan_.recodes(plan);
    column.is_redrawn = std::ranges::any_of(plan_.recodings, [&](const MaskStep& step) {
      return step.about().draws && semveil::is_masked(plan, step);
    });
    column.plan = plan_.after_recodings(plan);
    column.is_set = is_set(plan);
    if (plan.role == Role::kQuasiIdentifier) out_.quasi_identifiers.push_back(at);
    if (plan.role == Role::kSensitive) out_.sensitive.push_back(at);
    found_.in_original.push_back(place);
    found_.in_masked.emplace_back(std::nullopt);
    found_.in_control.emplace_back(std::nullopt);
    if (options_.control != nullptr && !column.is_set) {
      const Result<std::size_t> in_control = options_.control->column(plan.name);
      if (!in_control) return fail(in_control.error());
      found_.in_control.back() = *in_control;
    }
    if (column.is_set) return add_set(at, plan);
    const Result<std::size_t> in_masked = masked_.column(plan.name);
    if (in_masked) {
      found_.in_masked.back() = *in_masked;
    } else if (std::ranges::count(masked_.columns(), plan.name) > 1) {
      return fail(in_masked.error());
    } else {
      out_.notes.push_back(fmt::format(
          "column {} IS NOT IN THE MASKED TABLE: its cells count as emptied", plan.name));
      out_.findings.push_back(make_finding("column-absent", Severity::kWarning, {plan.name}));
    }
    return {};
  }

  // The columns of the masked table that a set stands in.
  Status add_set(std::size_t at, const ColumnSettings& plan) {
    SetPair& set = out_.sets.emplace_back();
    set.column = at;
    std::vector<std::size_t>& places = found_.set_places.emplace_back();
    const MaskStep& step = *plan_.step_of(plan);
    if (step.method->set_form(step)->kind != SetForm::Kind::kColumns) {
      const Result<std::size_t> place = masked_.column(plan.name);
      if (!place) return fail(place.error());
      places.push_back(*place);
      return {};
    }
    for (unsigned i = 1;; ++i) {
      const Result<std::size_t> place = masked_.column(fmt::format("{}_{}", plan.name, i));
      if (!place && i == 1) return fail(place.error());
      if (!place) return {};
      places.push_back(*place);
    }
  }

  bool is_in_both(const std::string& name) const {
    return std::ranges::count(original_.columns(), name) == 1 &&
           std::ranges::count(masked_.columns(), name) == 1;
  }

  void find_identifiers() {
    for (const std::string& name : masked_.columns()) {
      const ColumnSettings* const plan = plan_.find(name);
      const bool identifies = plan != nullptr && plan->role == Role::kIdentifier;
      if (identifies && std::ranges::count(original_.columns(), name) > 0) {
        out_.identifiers.push_back(name);
      }
    }
  }

  // What is in both tables, but for identifiers, which should be in neither, and sets.
  void find_compared() {
    for (std::size_t at = 0; at < masked_.columns().size(); ++at) {
      const std::string& name = masked_.columns()[at];
      const ColumnSettings* const plan = plan_.find(name);
      const Role role = plan == nullptr ? Role::kOther : plan->role;
      const bool masked = plan != nullptr && plan_.changes(*plan);
      if (role == Role::kIdentifier || (plan != nullptr && is_set(*plan)) || is_of_a_set(at) ||
          !is_in_both(name))
        continue;
      ComparedColumn& column = out_.compared.emplace_back();
      column.name = name;
      column.in_original = *original_.column(name);
      column.in_masked = at;
      column.should_pass = plan_.masks() ? !masked : role == Role::kOther;
      column.goes_with_suppressed = plan_.about().looks_up() && role != Role::kOther;
    }
  }

  bool is_of_a_set(std::size_t at) const {
    return std::ranges::any_of(found_.set_places, [&](const std::vector<std::size_t>& places) {
      return std::ranges::find(places, at) != places.end();
    });
  }

  const Table& original_;
  const Table& masked_;
  const PlanFile& plan_;
  const PairOptions& options_;
  TablePair::Impl& out_;
  SetColumns sets_;
  std::vector<std::string> left_out_;  // columns of sets
  PairColumns found_;
};

}  // namespace

Result<PairColumns> find_pair_columns(const Table& original, const Table& masked,
                                      const PlanFile& plan, const PairOptions& options,
                                      TablePair::Impl& out, SetColumns sets) {
  return ColumnFinder(original, masked, plan, options, out, sets).run();
}

std::optional<std::size_t> person_column(const Table& original, const PlanFile& plan) {
  const std::string name = plan.draw_by();
  if (name.empty()) return std::nullopt;
  const Result<std::size_t> at = original.column(name);
  return at ? std::optional(*at) : std::nullopt;
}

}  // namespace semveil
