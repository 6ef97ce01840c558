#include "release/finish.h"

#include <fmt/format.h>

#include <algorithm>

#include "release/guard.h"
#include "release/outcome.h"
#include "release/outcome_counter.h"
#include "semveil/stop.h"

namespace semveil {

Error not_the_fitted_table(const std::string& table) {
  return data_error(
             "the table is not the one that was fitted, or it changed while it was read: "
             "fit it again")
      .at(table);
}

Error other_frequencies(const Model::Impl& model, const std::string& table) {
  return {ErrorCode::kGuarantee,
          fmt::format("the table has other values, or has them more or less often, "
                      "than the one the model was fitted on: fit it again on this "
                      "table{}",
                      model.looks_up() ? ", or let a recheck see whether what was "
                                         "promised holds for it, too"
                                       : ""),
          {.file = table, .line = 0, .column = {}},
          {},
          {}};
}

Error unnamed_release() {
  return usage_error(
      "masking anything but the table the model was fitted on needs a release name "
      "that no other release of this model has: two releases must never share their errors");
}

static bool was_dealt_out(std::uint64_t slots, const OutcomeCounts::Step& counts) {
  std::uint64_t sum = 0;
  for (std::uint64_t slot = 0; slot < slots; ++slot) sum += slot_hash(slot);
  return counts.dealt == slots && counts.dealt_slots == sum;
}

LinkedRows linked_rows(const Model::Impl& model, const OutcomeCounts& counts) {
  if (model.person.empty()) return {};
  const bool is_dropped =
      std::ranges::find(model.identifiers, model.person) != model.identifiers.end();
  return linked_rows(counts.row_links, is_dropped ? std::string() : model.person);
}

// Classes of single rows promise nothing about somebody whose rows can be told to be theirs.
static Status verify_unlinked(const Model::Impl& model, const OutcomeCounts& counts) {
  const LinkedRows linked = linked_rows(model, counts);
  if (linked.columns.empty() || model.allow_linked_rows) return {};
  const bool is_masked = model.find(linked.columns.front()) != nullptr;
  return fail(
      Error{ErrorCode::kGuarantee,
            fmt::format("column {} links the rows of a person ({} of {} who have several), so "
                        "that classes of single rows promise nothing about the person: {}, or set "
                        "allow_linked_rows = true in the plan",
                        linked.columns.front(), linked.persons, linked.of,
                        is_masked ? "leave draw_by out" : "drop it"),
            {"", 0, linked.columns.front()},
            {},
            {}});
}

Status verify_counts(const Model::Impl& model, const FittedSteps& plan, const OutcomeCounts& counts,
                     const std::string& table) {
  for (std::size_t i = 0; i < plan.size(); ++i) {
    const std::optional<std::uint64_t> slots = plan.plan(i).deals();
    if (slots && !was_dealt_out(*slots, counts.steps[i])) return fail(not_the_fitted_table(table));
  }
  if (!model.looks_up()) return {};
  if (const Status linked = verify_unlinked(model, counts); !linked) {
    return fail(Error(linked.error()).at({table, 0, linked.error().place.column}));
  }
  const Status status = verify_release(model, plan, counts);
  if (status) return {};
  return fail(Error(status.error()).at({table, 0, status.error().place.column}));
}

namespace {

class Finishing {
 public:
  Finishing(const Model::Impl& model, const OutcomePart::Impl& part, const FinishOptions& options)
      : model_(model), part_(part), counts_(part.counts), options_(options) {
    if (options.survey != nullptr) survey_ = &options.survey->impl();
    table_ = survey_ != nullptr ? survey_->table : "the table";
  }

  Result<MaskResult> run() {
    if (counts_.model != model_.fingerprint()) {
      return fail(usage_error("the parts were masked by another model"));
    }
    if (const Status status = check_rows(); !status) return fail(status.error());
    if (const Status status = check_table(); !status) return fail(status.error());
    const Result<FittedSteps> plan = model_.fitted_for(counts_.release);
    if (!plan) return fail(plan.error());
    if (const Status status = check_places(*plan); !status) return fail(status.error());
    if (const Status status = take_codes_of_survey(); !status) return fail(status.error());
    if (const Status status = verify_counts(model_, *plan, counts_, table_); !status) {
      return fail(status.error());
    }
    const Outcome::How how{.describe = options_.describe, .recheck = options_.recheck};
    return Outcome(model_, *plan, survey_, counts_, how, options_.work).result();
  }

 private:
  Status check_rows() const {
    if (options_.records && *options_.records != counts_.records) {
      return fail(usage_error(fmt::format("the parts have {} records, and the table has {}",
                                          counts_.records, *options_.records)));
    }
    if (model_.looks_up() && options_.recheck && survey_ == nullptr && !options_.records) {
      return fail(
          usage_error("say how many records the table has: nothing else tells whether a "
                      "part is missing at its end"));
    }
    // Drawn by person, a record needs no number.
    if (model_.by_person()) return {};
    if (counts_.some_rows_twice) {
      return fail(usage_error("some rows are in two parts: mask every row once"));
    }
    return check_no_gap(counts_.rows, "masked");
  }

  bool has_orders(const std::vector<std::string>& orders) const {
    const auto digest = [](const OutcomeCounts::Column& column) { return column.order.digest(); };
    return std::ranges::equal(counts_.columns, orders, {}, digest);
  }

  // As apply() asks for the fitted table.
  Status check_table() const {
    if (survey_ != nullptr) {
      std::vector<std::string> read;
      for (const std::string& name : counts_.masked) {
        const SurveyColumn* const column = survey_->find(name);
        if (column == nullptr || !column->order) return fail(not_the_fitted_table(table_));
        read.push_back(column->order->digest());
      }
      if (!has_orders(read) || survey_->records != counts_.records) return fail(changed());
    }
    const bool fitted_only = model_.deals() || (model_.looks_up() && !options_.recheck);
    const bool needs_name = model_.needs_release() && counts_.release == model_.release;
    if (!(fitted_only || needs_name) || has_orders(model_.orders)) return {};
    return fail(fitted_only ? other_frequencies(model_, table_) : unnamed_release());
  }

  Error changed() const {
    return data_error("the table changed while it was read: mask it again").at(table_);
  }

  // Classes over some of the columns would look larger than they are.
  Status check_places(const FittedSteps& plan) const {
    const auto is_set = [&](const std::string& name) {
      const ModelColumn* const masked = model_.find(name);
      return masked != nullptr &&
             plan.is_set(static_cast<std::size_t>(masked - model_.columns.data()));
    };
    std::vector<std::string> described =
        survey_ != nullptr ? options_.survey->described_columns() : counts_.masked;
    std::erase_if(described, is_set);
    std::vector<OutcomeCounts::Place> joined;
    for (const std::string& name : described) joined.push_back(joined_place(model_, plan, name));
    if (counts_.joined == joined && counts_.classed == classed_places(model_, plan)) return {};
    return fail(
        usage_error("the parts were counted to be described with other columns: give every "
                    "batch the described columns of the survey, or none and no survey"));
  }

  // So that a text that comes out as it went in has one code before and after.
  Status take_codes_of_survey() {
    for (const auto& [name, texts] : part_.texts) {
      const SurveyColumn* const column = survey_ != nullptr ? survey_->find(name) : nullptr;
      if (column == nullptr) continue;
      std::vector<Code> code_of;
      for (Code code = 0; code < texts.size(); ++code) {
        const std::optional<Code> known = column->texts.find(texts.text(code));
        if (!known) return fail(changed());
        code_of.push_back(*known);
      }
      counts_.recode(name, code_of);
    }
    return {};
  }

  const Model::Impl& model_;
  const OutcomePart::Impl& part_;
  OutcomeCounts counts_;
  const FinishOptions& options_;
  const Survey::Impl* survey_ = nullptr;
  std::string table_;
};

}  // namespace

Result<MaskResult> finish(const Model& model, const OutcomePart& outcome,
                          const FinishOptions& options) {
  return stoppable(options.work.stop,
                   [&] { return Finishing(model.impl(), outcome.impl(), options).run(); });
}

}  // namespace semveil
