// From a survey to a model: the plan's rules are asked, and every step is fitted.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "ontology/hierarchies/hierarchy_rule.h"
#include "release/category_rules.h"
#include "release/declared_statistics.h"
#include "release/model.h"
#include "release/survey.h"
#include "release/value_column.h"
#include "semveil/classes.h"
#include "semveil/ean.h"
#include "semveil/method.h"
#include "semveil/stop.h"

namespace semveil {
namespace {

// As much of a cell as a message can bear.
std::string quoted(const std::string& cell) {
  constexpr std::size_t kLongest = 100;
  if (cell.size() <= kLongest) return cell;
  std::size_t end = kLongest;
  while (end > 0 && (static_cast<unsigned char>(cell[end]) & 0xC0U) == 0x80U) --end;
  return cell.substr(0, end) + "…";
}

// What values are not that no place in the column's hierarchy has, and what can be done about it.
struct NoPlace {
  std::string what, correct;  // after "means" or "is"; and what else than setting unmapped
  bool is_date = false;
  bool is_word = true;  // else of numbers or dates, of which nobody meant another
};
NoPlace no_place(const SurveyColumn& column) {
  using Kind = HierarchySettings::Kind;
  const bool in_table = column.plan.has_several_ontologies() || column.mapped->plan.rule;
  NoPlace out;
  out.what = "no concept of the domain";
  out.correct = in_table ? "correct them in the table"
                         : "correct them in a mapping file (`semveil map … -o FILE`, then "
                           "mapping = \"FILE\")";
  if (!column.mapped->plan.rule) return out;
  const HierarchySettings& settings = column.mapped->plan.rule->settings();
  const std::string& format = settings.date_format;
  out.is_date = settings.kind == Kind::kDate;
  out.is_word = !out.is_date && settings.kind != Kind::kIntervals && settings.kind != Kind::kCuts;
  if (out.is_date) {
    out.what = format.empty() ? "no date of the calendar as 2024-02-29 or 2024-02-29T10:30"
                              : fmt::format("no date of the calendar of the format {}", format);
    out.correct += format.empty() ? ", say how dates are written, as format = \"%d.%m.%Y\""
                                  : ", correct format";
  } else if (!out.is_word) {
    out.what += " (numbers have a point and no other mark)";
  }
  return out;
}

// Values that mapping could not place, with what may have been meant: for the steward's terminal.
Error unmapped_error(const Survey::Impl& survey, const SurveyColumn& column,
                     std::string_view rules) {
  constexpr std::size_t kShown = 20;
  std::uint64_t values = 0;
  std::uint64_t records = 0;
  std::string list;
  const NoPlace no = no_place(column);
  const MappedValue* first = nullptr;
  for (const MappedValue& value : column.mapped->values) {
    if (is_mapped(value.how) || !column.texts.find(value.value)) continue;
    if (first == nullptr) first = &value;
    records += value.count;
    if (values++ >= kShown) continue;
    std::string meant;
    for (const Suggestion& s : value.suggestions) {
      if (!no.is_word) break;  // another date or number was not meant
      meant += meant.empty() ? "; did you mean " : ", ";
      meant += column.plan.has_several_ontologies()
                   ? s.text
                   : fmt::format("{} ({})", s.text,
                                 column.mapped->mapping.mapper->names().id(s.concept_id));
    }
    list += fmt::format("\n  \"{}\": {} record{}, {}{}", quoted(value.value), value.count,
                        value.count == 1 ? "" : "s", to_string(value.how), meant);
  }
  if (values > kShown) list += fmt::format("\n  … and {} more", values - kShown);
  const auto code = column.texts.find(first->value);
  return data_error(
             fmt::format(
                 "{} value{} ({} record{}) {} {}: {}, or set unmapped = {} for the column", values,
                 values == 1 ? "" : "s", records, records == 1 ? "" : "s",
                 no.is_date ? (values == 1 ? "is" : "are") : (values == 1 ? "means" : "mean"),
                 no.what, no.correct, rules))
      .at({survey.table, code ? column.texts.first_line(*code) : 0, column.plan.name})
      .quoting(quoted(first->value))
      .hinting(std::move(list));
}

// One step: which columns it masks, and what its method says of them.
class StepFitting {
 public:
  StepFitting(const Survey::Impl& survey, const PlanFile& plan, const MaskStep& step,
              const WorkOptions& options)
      : survey_(survey), plan_(plan), mask_(step), options_(options) {}

  const std::vector<const SurveyColumn*>& masked() const { return masked_; }
  const Method& method() const { return *mask_.method; }
  const MethodDescription& about() const { return mask_.about(); }
  const MaskStep& step() const { return mask_; }

  Status choose_columns() {
    for (const SurveyColumn* wanted : columns_to_mask(survey_, mask_)) {
      const SurveyColumn& column = *wanted;
      const bool taken =
          column.attribute &&
          (!column.attribute->is_numeric() ||
           (column.attribute->is_date() ? about().takes_dates : about().takes_numbers));
      if (!taken) {
        return fail(
            data_error("the method needs an ontology for this column: add `ontology = …`, or "
                       "`hierarchy = …`")
                .at({plan_.path, column.plan.line, column.plan.name}));
      }
      if (column.mapped && column.plan.unmapped == UnmappedRule::kError) {
        for (const MappedValue& value : column.mapped->values) {
          // What only a categories file has is told with its line.
          if (!is_mapped(value.how) && column.texts.find(value.value)) {
            return fail(unmapped_error(survey_, column, unmapped_rules()));
          }
        }
      }
      masked_.push_back(&column);
      names_.push_back(column.plan.name);
    }
    if (masked_.empty()) {
      return fail(data_error("there is nothing to mask: no quasi-identifier has an ontology, and "
                             "[mask] names no columns")
                      .at(plan_.path, mask_.line));
    }
    return {};
  }

  // What the method cannot do with these columns, or not promise.
  Status check_table() const {
    TableCheck check{.plan = plan_, .mask = mask_, .columns = {}};
    for (const SurveyColumn* column : masked_) {
      const auto is_kept = [](const MappedValue& value) { return !is_mapped(value.how); };
      const bool keeps_unmapped = column->plan.unmapped == UnmappedRule::kKeep && column->mapped &&
                                  std::ranges::any_of(column->mapped->values, is_kept);
      check.columns.push_back(
          {&column->plan, column->missing, column->mapped.has_value(), keeps_unmapped});
    }
    return method().check_table(check);
  }

  Status make_mechanism() {
    method().settle(survey_.records, mask_);
    if (const Status status = method().check_settings(mask_); !status) return status;
    auto made = method().make(mask_, {.columns = names_,
                                      .categories = category_rules(survey_, masked_, plan_),
                                      .declared = survey_.declared ? &*survey_.declared : nullptr,
                                      .threads = options_.threads,
                                      .traced = options_.traced,
                                      .most_hours = options_.most_hours,
                                      .missing = plan_.missing});
    if (!made) return fail(made.error());
    mechanism_ = *std::move(made);
    return {};
  }

  void describe(ModelStep& out) const {
    out.method = method().name();
    out.draw_by = mask_.draw_by;
    out.sets = method().set_form(mask_);
    out.mechanism = mechanism_->name();
    out.parameters = method().parameters(mask_);
  }

  Status fit(const Analysis& analysis, const std::map<std::string, Demand>& demands, const Key& key,
             const std::string& release, ModelStep& out) const {
    const FrequencyTable table = analysis.frequencies(
        names_, about().forms_classes ? demands : std::map<std::string, Demand>());
    if (const Status status = check_k(table); !status) return status;
    std::vector<std::string> parts;
    for (const SurveyColumn* column : masked_) {
      parts.push_back(column->order.value_or(OrderHash()).digest());
    }
    if (out.sets) {
      const Result<std::string> categories = digest_categories(table);
      if (!categories) return fail(categories.error());
      out.categories = *categories;
      parts.push_back(out.categories);
    }
    for (const SurveyColumn* column : masked_) add_recodings(column->recodings, parts);
    out.frequencies = table.digest();
    out.digest = table_digest(table, parts, about(), out.parameters);
    if (survey_.declared) out.digest = digest_of_statistics(plan_, out.digest, survey_);
    auto plan = mechanism_->fit(table, out.stream(key, release));
    if (!plan) return fail(placed(plan.error()));
    out.plan = *std::move(plan);
    return check_shape(*out.plan, about());
  }

  // Joined values must come apart again where they were joined, whatever stands beside them.
  Status check_separator(const ModelStep& step, const std::vector<ModelColumn>& columns) const {
    if (!step.sets || step.sets->kind != SetForm::Kind::kJoined) return {};
    const std::string& separator = step.sets->separator;
    const SetFit& fit = *set_fit(*step.plan);
    for (std::size_t j = 0; j < fit.columns.size(); ++j) {
      const std::vector<std::string_view>& texts = columns[step.columns[j]].spelling->texts();
      for (const Categories::Category& category : fit.columns[j].categories.list) {
        for (const ConceptId value : category.values) {
          const std::string joined = separator + std::string(texts[value]) + separator;
          if (joined.find(separator, 1) == joined.size() - separator.size()) continue;
          return fail(
              data_error(fmt::format("the value cannot be told from the separator \"{}\" of "
                                     "sets: choose another separator, or output = "
                                     "\"list\" or \"columns\"",
                                     separator))
                  .at(place_of_category(*masked_[j], texts[value]))
                  .quoting(std::string(texts[value])));
        }
      }
    }
    return {};
  }

 private:
  // Besides "error".
  std::string_view unmapped_rules() const {
    if (about().releases_sets) return "\"suppress\"";
    if (about().looks_up()) return "\"suppress\" or \"generalize\"";
    return "\"suppress\", \"generalize\" or \"keep\"";
  }

  // The line of a categories file that has the value, else the plan.
  Place place_of_category(const SurveyColumn& column, std::string_view value) const {
    for (const CategoryLine& line : column.categories) {
      if (std::ranges::find(line.values, value) == line.values.end()) continue;
      return {plan_.categories_of(column.plan)->file, line.line, column.plan.name};
    }
    return {plan_.path, mask_.line, column.plan.name};
  }

  Status check_k(const FrequencyTable& table) const {
    const std::uint64_t k = mask_.k();
    const bool tells_persons = table.persons.are_told();
    const std::uint64_t size = tells_persons ? table.persons.different() : table.records;
    if (!about().looks_up() || size >= k) return {};
    return fail(
        Error{ErrorCode::kGuarantee,
              table.records == 0
                  ? "the table has no records to form classes of"
                  : fmt::format("k = {} cannot be had of {} {}{}: choose a smaller k", k, size,
                                tells_persons ? "person" : "record", size == 1 ? "" : "s"),
              {survey_.table, 0, {}},
              {},
              {}});
  }

  // Other categories draw other sets: comparing two releases place by place must tell nothing.
  Result<std::string> digest_categories(const FrequencyTable& table) const {
    const std::vector<CategoryRule> rules = category_rules(survey_, masked_, plan_);
    std::string all;
    for (std::size_t j = 0; j < rules.size(); ++j) {
      all += fmt::format("column {}\n", j);
      if (!rules[j]) continue;
      const Result<Categories> categories = rules[j](table.columns[j]);
      if (!categories) return fail(categories.error());
      for (const Categories::Category& category : categories->list) {
        for (const ConceptId value : category.values) {
          const std::string_view id = table.columns[j].attribute->id(value);
          all += fmt::format("{}:{}", id.size(), id);
        }
        all += '\n';
      }
    }
    return hash_of(all);
  }

  Error placed(Error error) const {
    if (!error.place.file.empty()) return error;
    if (about().releases_sets) {  // the plan asks for what cannot be
      error.place.file = plan_.path;
      error.place.line = mask_.line;
    } else {
      error.place.file = survey_.table;
    }
    return error;
  }

  const Survey::Impl& survey_;
  const PlanFile& plan_;
  MaskStep mask_;  // the plan's, settled for this table
  const WorkOptions& options_;
  std::vector<const SurveyColumn*> masked_;
  std::vector<std::string> names_;
  std::unique_ptr<const Mechanism> mechanism_;
};

class Fitting {
 public:
  Fitting(const Survey::Impl& survey, const PlanFile& plan, const Key& key,
          const WorkOptions& options)
      : survey_(survey), plan_(plan), key_(key), model_(std::make_unique<Model::Impl>()) {
    for (const MaskStep& step : plan.steps) steps_.emplace_back(survey, plan, step, options);
  }

  Result<Model> run() && {
    if (!plan_.masks()) {
      return fail(
          data_error("the plan has no [mask] table: say there which method to use").at(plan_.path));
    }
    if (plan_.declares_statistics() && !survey_.declared) {
      return fail(data_error("the plan declares statistics that stand for a table, and there is "
                             "one: leave out mean, variance and covariance, or fit without a "
                             "table")
                      .at(plan_.path));
    }
    for (StepFitting& step : steps_) {
      if (const Status status = step.choose_columns(); !status) return fail(status.error());
    }
    if (const Status status = check_missing(); !status) return fail(status.error());
    copy_rules();
    for (StepFitting& step : steps_) {
      if (const Status status = step.check_table(); !status) return fail(status.error());
    }
    for (StepFitting& step : steps_) {
      const Status made = step.make_mechanism();
      if (!made) return fail(Error(made.error()).at(plan_.path, step.step().line));
    }
    add_columns();
    if (const Status status = fit(); !status) return fail(status.error());
    model_->finish_columns();
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      const Status status = steps_[i].check_separator(model_->steps[i], model_->columns);
      if (!status) return fail(status.error());
    }
    return Model(std::move(model_));
  }

 private:
  Status check_missing() {
    for (const SurveyColumn& column : survey_.columns) {
      const bool asked_for = drops_records(column.plan, plan_.changes(column.plan));
      drop_.push_back(plan_.missing == MissingRule::kDropRecord && asked_for);
      if (drop_.back()) model_->drop_if_missing.push_back(column.plan.name);
      if (plan_.missing != MissingRule::kError || !asked_for) continue;
      if (column.missing == 0) continue;
      const std::string first =
          column.first_missing ? fmt::format(", the first in record {}", *column.first_missing + 1)
                               : "";
      return fail(
          data_error(fmt::format("{} cell{} missing{}: complete the table, or change "
                                 "missing = \"error\" in the plan",
                                 column.missing, column.missing == 1 ? " is" : "s are", first))
              .at({survey_.table, 0, column.plan.name}));
    }
    return {};
  }

  bool forms_classes() const {
    return plan_.has_step([](const MethodDescription& method) { return method.forms_classes; });
  }

  void copy_rules() {
    if (forms_classes()) {
      for (const ColumnSettings& column : plan_.columns) {
        if (column.demand) model_->demands.emplace(column.name, *column.demand);
      }
    }
    model_->release = plan_.release;
    model_->person = plan_.person;
    model_->allow_linked_rows = plan_.allow_linked_rows;
    model_->missing = plan_.missing;
    model_->undeclared = plan_.undeclared;
    model_->shuffle = plan_.shuffle;
    model_->table.separator = plan_.separator;
    model_->table.quote = plan_.quote;
    model_->table.missing_values = plan_.missing_values;
    model_->key = key_;
    model_->masks_every_quasi_identifier = true;
    for (const ColumnSettings& column : plan_.columns) {
      model_->declared.push_back(column.name);
      if (column.role == Role::kQuasiIdentifier && plan_.step_of(column) == nullptr) {
        model_->masks_every_quasi_identifier = false;
      }
      if (column.role == Role::kIdentifier) model_->identifiers.push_back(column.name);
      if (column.role == Role::kSensitive) model_->sensitive.push_back(column.name);
      if (column.role == Role::kQuasiIdentifier) model_->quasi_identifiers.push_back(column.name);
    }
  }

  // In the table's order, whichever step masks them.
  void add_columns() {
    model_->steps.resize(steps_.size());
    for (std::size_t i = 0; i < steps_.size(); ++i) steps_[i].describe(model_->steps[i]);
    for (const SurveyColumn& column : survey_.columns) {
      for (std::size_t i = 0; i < steps_.size(); ++i) {
        if (std::ranges::find(steps_[i].masked(), &column) == steps_[i].masked().end()) continue;
        model_->steps[i].columns.push_back(model_->columns.size());
        const MethodDescription& about = steps_[i].about();
        add_column(column, {about.invents_concepts, about.releases_sets}, model_->columns);
        model_->orders.push_back(column.order.value_or(OrderHash()).digest());
      }
      if (column.recodings.empty()) continue;
      model_->recoded.push_back(
          {column.plan.name, column.plan.type == ColumnType::kNumeric, column.recodings});
      for (const ColumnRecoding& recoding : column.recodings) {
        if (recoding.meaning == nullptr) continue;
        const std::string& name = recoding.meaning->plan.column.ontology;
        model_->ontologies.try_emplace(name, survey_.ontologies.at(name));
      }
    }
    for (const auto& [name, demand] : model_->demands) {
      add_column(*survey_.find(name), {}, model_->demanded);
    }
  }

  void add_column(const SurveyColumn& from, const ColumnWriting& writing,
                  std::vector<ModelColumn>& columns) {
    columns.push_back(model_column(from, writing, survey_.ontologies));
    const ModelColumn& column = columns.back();
    if (!from.mapped) return;
    const std::string& name = column.plan.column.ontology;
    model_->ontologies.try_emplace(name, survey_.ontologies.at(name));
    if (!column.plan.values) return;
    for (const ValueUnits::Base& base : column.plan.values->bases) {
      model_->ontologies.try_emplace(base.plan.column.ontology, base.ontology);
    }
  }

  Status fit() {
    const Analysis analysis(counted_columns(survey_), survey_.joined, survey_.tuples,
                            survey_.records, drop_, survey_.told_persons());
    std::vector<std::string> digests, frequencies;
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      ModelStep& step = model_->steps[i];
      const Status fitted = steps_[i].fit(analysis, model_->demands, key_, model_->release, step);
      if (!fitted) return fitted;
      digests.push_back(step.digest);
      frequencies.push_back(step.frequencies);
    }
    if (steps_.empty()) {  // nothing is drawn; rows may be shuffled
      for (const SurveyColumn& column : survey_.columns) {
        if (column.order) digests.push_back(column.order->digest());
        add_recodings(column.recodings, digests);
      }
    }
    model_->digest = Model::Impl::joined_digest(digests);
    model_->frequencies = Model::Impl::joined_digest(frequencies);
    return {};
  }

  const Survey::Impl& survey_;
  const PlanFile& plan_;
  const Key& key_;
  std::unique_ptr<Model::Impl> model_;
  std::vector<StepFitting> steps_;
  std::vector<bool> drop_;  // by column of the survey
};

}  // namespace

Result<Model> Model::fit(const Survey& survey, const PlanFile& plan, const Key& key,
                         const WorkOptions& options) {
  return stoppable(options.stop, [&] { return Fitting(survey.impl(), plan, key, options).run(); });
}

}  // namespace semveil
