#include "release/survey_columns.h"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

#include "semveil/method.h"
#include "table/column_named.h"

namespace semveil {

Error undeclared_error(const std::string& table, const std::string& column) {
  // A name that stands in the table alone may tell of persons, as a cell may.
  return data_error(
             "the plan does not speak of this column of the table: declare it, or set undeclared = "
             "\"keep\" or \"drop\"")
      .at(table, 1)
      .quoting(column);
}

bool is_asked_for(const ColumnSettings& column, const PlanFile& plan) {
  if (plan.step_of(column) != nullptr) return true;
  return column.demand.has_value() &&
         plan.has_step([](const MethodDescription& method) { return method.forms_classes; });
}

namespace {

// Whether a column is looked at together with others: for the figures of a description or, where
// nobody wants these, because it is masked or its missing cells matter.
bool is_joined(const ColumnSettings& plan, const PlanFile& file, bool figures) {
  const bool strict =
      file.missing == MissingRule::kDropRecord || file.missing == MissingRule::kError;
  if (is_nominal(plan) || is_asked_for(plan, file) || file.recodes(plan)) return true;
  if (!figures) {
    // Classes are verified whether or not somebody reads of them.
    const bool verified =
        file.has_step([](const MethodDescription& method) { return method.looks_up(); });
    return (strict || verified) && plan.role == Role::kQuasiIdentifier;
  }
  return is_on_a_line(plan) || plan.role == Role::kQuasiIdentifier || plan.role == Role::kSensitive;
}

// A table as far as its columns are found in it.
struct Header {
  const std::string& table;
  const std::vector<std::string>& names;
  std::function<Result<std::size_t>(std::string_view)> column;
};

// By column of the table: what the plan says of it, or null.
Result<std::vector<const ColumnSettings*>> plans_by_place(const Header& header,
                                                          const PlanFile& plan) {
  std::vector<const ColumnSettings*> by_place(header.names.size(), nullptr);
  for (const ColumnSettings& column : plan.columns) {
    const Result<std::size_t> at = header.column(column.name);
    if (!at) {
      const std::string& hint = at.error().hint;
      return fail(Error(at.error())
                      .hinting(fmt::format("the plan names it in line {}{}{}", column.line,
                                           hint.empty() ? "" : "; ", hint)));
    }
    by_place[*at] = &column;
  }
  return by_place;
}

// Where nothing is masked, only what nobody counts is looked at.
void find_sampled(const PlanFile& plan, SurveyColumns& found) {
  found.passing = found.others;
  if (!plan.masks()) return;
  std::vector<std::size_t> counted;
  for (const SurveyColumns::Counted& column : found.counted) {
    if (plan.changes(*column.plan)) {
      found.masked.push_back(column.column);
    } else if (column.plan->role != Role::kIdentifier) {
      counted.push_back(column.column);
    }
  }
  if (found.masked.empty()) return;
  found.passing.insert(found.passing.end(), counted.begin(), counted.end());
  std::ranges::sort(found.passing);
}

bool may_be_person(const ColumnSettings* column, const PlanFile& plan) {
  if (column == nullptr) return plan.undeclared != UndeclaredRule::kDrop;
  if (plan.changes(*column)) return false;
  return !is_nominal(*column) && !is_on_a_line(*column);
}

Result<SurveyColumns> find_columns(const Header& header, const PlanFile& plan,
                                   const WorkOptions& options) {
  const Result<std::vector<const ColumnSettings*>> by_place = plans_by_place(header, plan);
  if (!by_place) return fail(by_place.error());
  SurveyColumns found;
  for (std::size_t at = 0; at < header.names.size(); ++at) {
    const ColumnSettings* const column = (*by_place)[at];
    if (column == nullptr && plan.undeclared == UndeclaredRule::kError) {
      return fail(undeclared_error(header.table, header.names[at]));
    }
    const bool dropped = column != nullptr ? column->role == Role::kIdentifier
                                           : plan.undeclared == UndeclaredRule::kDrop;
    const bool is_pseudonym = column != nullptr && column->role == Role::kPseudonym;
    const bool joins =
        column != nullptr && !dropped && !is_pseudonym && is_joined(*column, plan, options.figures);
    if (dropped) found.dropped.push_back(header.names[at]);
    const bool is_person = column != nullptr && column->name == plan.person;
    if (joins || is_person || is_pseudonym || (column != nullptr && options.every_column)) {
      if (joins) found.joined.push_back(found.counted.size());
      if (is_person) found.person = found.counted.size();
      const bool ordered =
          is_nominal(*column) || is_asked_for(*column, plan) || plan.recodes(*column);
      found.counted.push_back({at, column, ordered});
    } else if (!dropped) {
      found.others.push_back(at);
    }
  }
  find_sampled(plan, found);
  for (std::size_t at = 0; at < header.names.size() && plan.person.empty(); ++at) {
    const ColumnSettings* const column = (*by_place)[at];
    if (column != nullptr && column->role == Role::kIdentifier) {
      found.identifiers.push_back(at);
    } else if (may_be_person(column, plan)) {
      found.person_like.push_back(at);
    }
  }
  return found;
}

}  // namespace

Result<SurveyColumns> SurveyColumns::find(const Table& table, const PlanFile& plan,
                                          const WorkOptions& options) {
  const auto column = [&](std::string_view name) { return table.column(name); };
  return find_columns({table.name(), table.columns(), column}, plan, options);
}

Result<SurveyColumns> SurveyColumns::find(const std::string& table,
                                          const std::vector<std::string>& names,
                                          const PlanFile& plan, const WorkOptions& options) {
  const auto column = [&](std::string_view name) {
    return column_named(name, names, {table, 0, {}});
  };
  return find_columns({table, names, column}, plan, options);
}

}  // namespace semveil
