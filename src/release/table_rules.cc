#include "release/table_rules.h"

#include <fmt/format.h>

#include <algorithm>

#include "release/finish.h"

namespace semveil {

Status check_table(const AskedRelease& asked, ReadColumns& columns) {
  const Model::Impl& model = asked.model;
  const ApplyOptions& options = asked.options;
  const Survey::Impl* const survey = asked.survey;
  const bool whole_only = model.deals() || model.looks_up();
  if (whole_only && (options.flush || options.first_row != 0)) {
    return fail(usage_error(fmt::format(
        "{} a stream or a part of a table; name the whole table",
        model.deals()
            ? "swapping deals values out to the records of the fitted table: it cannot mask"
            : "classes are those of the whole table, and are verified before anything is "
              "written: this model cannot mask")));
  }
  const bool needs_name = model.needs_release() && asked.release == model.release;
  const bool fitted_only = model.deals() || (model.looks_up() && !options.recheck);
  const bool is_part = survey == nullptr && (options.flush || options.first_row != 0);
  if (needs_name && is_part) return fail(unnamed_release());
  if (!(needs_name || fitted_only)) return {};
  if (survey != nullptr) {  // most likely that of the fitted table
    const auto order = [](const SurveyColumn* column) {
      return column == nullptr || !column->order ? "" : column->order->digest();
    };
    const auto column = [&](const ModelColumn& c) { return order(survey->find(c.plan.name)); };
    if (std::ranges::equal(model.columns, model.orders, {}, column)) return {};
    return fail(fitted_only ? other_frequencies(model, asked.table.name()) : unnamed_release());
  }
  const Result<TableDigests> digests = digests_of(asked.table, model, columns);
  if (!digests) return fail(digests.error());
  if (fitted_only && digests->frequencies != model.frequencies) {
    return fail(other_frequencies(model, asked.table.name()));
  }
  return needs_name && digests->whole != model.digest ? fail(unnamed_release()) : Status();
}

Status check_part(const Model::Impl& model, const std::string& release, bool fitted) {
  if (model.shuffle) {
    return fail(usage_error(
        "shuffle = true needs the whole table: a batch cannot be put in another order"));
  }
  const bool needs_name = std::ranges::any_of(model.steps, [](const ModelStep& step) {
    return !step.by_person() && !step.looks_up() && !step.deals();
  });
  if (!needs_name || fitted || release != model.release) return {};
  return fail(unnamed_release());
}

}  // namespace semveil
