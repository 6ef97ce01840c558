// From two files to pairs of records (release/table_pair.h).
//
//   1. both tables are read: distinct tuples of texts, the tuple of each record
//   2. every column's texts, of all tables together, become values of one attribute
//   3. records are paired by position, key or row map, and counted as pairs of tuples
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <map>

#include "audit/value_names.h"
#include "release/common_column.h"
#include "release/method_choice.h"
#include "release/model.h"
#include "release/pair_sets.h"
#include "release/row_keys.h"
#include "release/row_map.h"
#include "release/survey.h"
#include "release/table_pair.h"
#include "release/table_rows.h"

namespace semveil {

TablePair::TablePair(std::unique_ptr<const Impl> impl) : impl_(std::move(impl)) {}
TablePair::~TablePair() = default;
TablePair::TablePair(TablePair&&) noexcept = default;

std::string TablePair::Impl::label(std::size_t column, ConceptId value) const {
  const Column& of = columns[column];
  const Attribute& attribute = *of.attribute;
  if (value <= attribute.missing_value()) return label_of(attribute, value);
  return of.unmapped[value - attribute.missing_value() - 1];
}

namespace {

class Pairing {
 public:
  Pairing(const Table& original, const Table& masked, const PlanFile& plan,
          const PairOptions& options)
      : original_(original),
        masked_(masked),
        plan_(plan),
        options_(options),
        out_(std::make_unique<TablePair::Impl>()) {
    out_->missing = plan.missing;
    out_->mask = plan.mask;
  }

  Result<TablePair> run() && {
    if (const Status status = find_columns(); !status) return fail(status.error());
    if (const Status status = open_ontologies(); !status) return fail(status.error());
    if (const Status status = fit(); !status) return fail(status.error());
    if (const Status status = read(); !status) return fail(status.error());
    if (const Status status = understand(); !status) return fail(status.error());
    count_sides();
    if (const Status status = pair(); !status) return fail(status.error());
    return TablePair(std::move(out_));
  }

 private:
  // ---- Columns

  bool is_looked_at(const ColumnPlan& column) const {
    if (column.role == Role::kIdentifier) return false;
    return column.role != Role::kOther || is_nominal(column) ||
           column.type == ColumnType::kNumeric || (plan_.mask && is_masked(column, *plan_.mask));
  }

  Status find_columns() {
    std::map<std::size_t, const ColumnPlan*> by_place;
    for (const ColumnPlan& column : plan_.columns) {
      const Result<std::size_t> at = original_.column(column.name);
      if (!at) {
        return fail(
            Error(at.error())
                .hinting(fmt::format("the plan names it in line {}{}{}", column.line,
                                     at.error().hint.empty() ? "" : "; ", at.error().hint)));
      }
      if (is_looked_at(column)) by_place.emplace(*at, &column);
    }
    if (by_place.empty()) {
      return fail(data_error("there is nothing to audit: declare quasi-identifiers, sensitive "
                             "columns, or columns with an ontology")
                      .at(plan_.path));
    }
    for (const auto& [place, column] : by_place) {
      if (const Status status = add_column(place, *column); !status) return status;
    }
    const bool none_is_there = std::ranges::none_of(
        in_masked_, [](const std::optional<std::size_t>& place) { return place.has_value(); });
    if (none_is_there && set_places_.empty()) {
      return fail(data_error(fmt::format("the table has none of the plan's columns, but {}: is it "
                                         "the masked table of this plan?",
                                         fmt::join(masked_.columns(), ", ")))
                      .at(masked_.name(), 1));
    }
    find_others();
    return {};
  }

  // Columns of the release that nobody looks at.
  void find_others() {
    std::vector<bool> is_set(masked_.columns().size(), false);
    for (const std::vector<std::size_t>& places : set_places_) {
      for (const std::size_t place : places) is_set[place] = true;
    }
    for (std::size_t at = 0; at < masked_.columns().size(); ++at) {
      const std::string& name = masked_.columns()[at];
      const bool looked_at =
          is_set[at] || std::ranges::find(out_->columns, name, &TablePair::Impl::Column::name) !=
                            out_->columns.end();
      const bool is_known =
          std::ranges::find(original_.columns(), name) != original_.columns().end();
      if (looked_at || !is_known) continue;
      const ColumnPlan* const plan = plan_.find(name);
      const bool identifies = plan != nullptr && plan->role == Role::kIdentifier;
      (identifies ? out_->identifiers : out_->others).push_back(name);
    }
  }

  Status add_column(std::size_t place, const ColumnPlan& plan) {
    const std::size_t at = out_->columns.size();
    TablePair::Impl::Column& column = out_->columns.emplace_back();
    plans_.push_back(&plan);
    column.name = plan.name;
    column.role = plan.role;
    column.is_masked = plan_.mask && is_masked(plan, *plan_.mask);
    column.is_set = column.is_masked && releases_sets(plan_.mask->method);
    if (plan.role == Role::kQuasiIdentifier) out_->quasi_identifiers.push_back(at);
    if (plan.role == Role::kSensitive) out_->sensitive.push_back(at);
    in_original_.push_back(place);
    in_masked_.push_back(std::nullopt);
    in_control_.push_back(std::nullopt);
    if (options_.control != nullptr && !column.is_set) {
      const Result<std::size_t> in_control = options_.control->column(plan.name);
      if (!in_control) return fail(in_control.error());
      in_control_.back() = *in_control;
    }
    if (column.is_set) return add_set(at, plan);
    const Result<std::size_t> in_masked = masked_.column(plan.name);
    if (in_masked) {
      in_masked_.back() = *in_masked;
    } else if (std::ranges::count(masked_.columns(), plan.name) > 1) {
      return fail(in_masked.error());
    } else {
      out_->notes.push_back(fmt::format(
          "column {} IS NOT IN THE MASKED TABLE: its cells count as emptied", plan.name));
    }
    return {};
  }

  // The columns of the masked table that a set stands in.
  Status add_set(std::size_t at, const ColumnPlan& plan) {
    SetPair& set = out_->sets.emplace_back();
    set.column = at;
    std::vector<std::size_t>& places = set_places_.emplace_back();
    if (plan_.mask->output != "columns") {
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

  Status open_ontologies() {
    for (const ColumnPlan* column : plans_) {
      if (!is_nominal(*column)) continue;
      const Status opened = ontologies_.open_for(plan_, *column, options_.work.use_cache);
      if (!opened) return opened;
    }
    return {};
  }

  // ---- What the method does, told without drawing

  Status fit() {
    if (!plan_.mask || !draws_per_cell(plan_.mask->method)) return {};
    if (options_.survey != nullptr && options_.model != nullptr) {
      use_model(options_.survey->impl(), options_.model->impl());
      return {};
    }
    Result<Survey> surveyed = survey(original_, plan_, options_.work);
    if (!surveyed) return fail(surveyed.error());
    // Probabilities do not depend on the key.
    Result<Model> model = Model::fit(*surveyed, plan_, Key::fresh(), options_.work);
    if (!model) {
      if (!out_->sets.empty()) return fail(model.error());
      out_->notes.push_back(
          "the channel of the method is not told: it cannot be fitted on this "
          "original table with this plan");
      return {};
    }
    survey_.emplace(*std::move(surveyed));
    own_model_.emplace(*std::move(model));
    use_model(survey_->impl(), own_model_->impl());
    return {};
  }

  void use_model(const Survey::Impl& survey, const Model::Impl& model) {
    std::vector<std::string> names;
    for (const ModelColumn& column : model.columns) names.push_back(column.plan.name);
    std::vector<bool> drop;
    for (const SurveyColumn& column : survey.columns) {
      drop.push_back(std::ranges::find(model.drop_if_missing, column.plan.name) !=
                     model.drop_if_missing.end());
    }
    const Analysis analysis(counted_columns(survey), survey.joined, survey.tuples, survey.records,
                            std::move(drop));
    out_->fitted = std::make_shared<const FrequencyTable>(analysis.frequencies(names));
    out_->drawn = model.plan;
    model_ = &model;
  }

  // ---- Reading

  Status read() {
    const auto all = [](const std::vector<std::size_t>& places) {
      return std::vector<std::optional<std::size_t>>(places.begin(), places.end());
    };
    std::vector<std::size_t> key_of_original, apart_of_masked;
    if (!options_.key.empty()) {
      const Result<std::size_t> in_original = original_.column(options_.key);
      if (!in_original) return fail(in_original.error());
      const Result<std::size_t> in_masked = masked_.column(options_.key);
      if (!in_masked) return fail(in_masked.error());
      key_of_original.push_back(*in_original);
      apart_of_masked.push_back(*in_masked);
    }
    for (const std::vector<std::size_t>& places : set_places_) {
      apart_of_masked.insert(apart_of_masked.end(), places.begin(), places.end());
    }
    Result<TableRows> original =
        read_rows(original_, all(in_original_), key_of_original, options_.work.progress);
    if (!original) return fail(original.error());
    Result<TableRows> masked =
        read_rows(masked_, in_masked_, apart_of_masked, options_.work.progress);
    if (!masked) return fail(masked.error());
    rows_.push_back(*std::move(original));
    rows_.push_back(*std::move(masked));
    if (options_.control != nullptr) {
      Result<TableRows> control =
          read_rows(*options_.control, in_control_, {}, options_.work.progress);
      if (!control) return fail(control.error());
      rows_.push_back(*std::move(control));
    }
    for (const std::size_t table : {kOriginal, kMasked}) {
      if (rows_[table].records > 0) continue;
      return fail(data_error("the table has no records: there is nothing to audit")
                      .at((table == kOriginal ? original_ : masked_).name()));
    }
    out_->original_records = rows_[kOriginal].records;
    if (out_->mask) out_->mask = with_k(*out_->mask, out_->original_records);
    out_->masked_records = rows_[kMasked].records;
    return {};
  }

  // ---- Meaning

  Status understand() {
    for (std::size_t j = 0; j < out_->columns.size(); ++j) {
      TablePair::Impl::Column& column = out_->columns[j];
      if (column.is_set) {
        use_fitted(j);
        continue;
      }
      std::vector<TextCounts> tables;
      for (const TableRows& rows : rows_) tables.push_back({&rows.texts[j], rows.counts[j]});
      Result<CommonColumn> common =
          common_column(plan_, *plans_[j], ontologies_, tables, options_.work.threads);
      if (!common) return fail(common.error());
      column.attribute = common->attribute;
      if (column.attribute->is_nominal() && column.attribute->measure->is_symmetrised()) {
        out_->notes.push_back(
            fmt::format("distances of column {} by {} are the mean of both "
                        "directions, as the measure is not symmetric",
                        column.name, column.attribute->measure->name()));
      }
      column.unmapped = std::move(common->unmapped);
      values_.push_back(std::move(common->values));
      count_unmapped(j);
      // To the method, such a text of the original is something.
      if (const auto instead = instead_of_meaning(*plans_[j], plan_, *column.attribute)) {
        for (ConceptId& value : values_[j][kOriginal]) {
          if (value > column.attribute->missing_value()) value = *instead;
        }
      }
    }
    for (std::size_t i = 0; i < out_->sets.size(); ++i) {
      if (const Status status = read_sets(i); !status) return status;
    }
    return {};
  }

  void count_unmapped(std::size_t j) {
    TablePair::Impl::Column& column = out_->columns[j];
    const auto unmapped = [&](std::size_t table, std::size_t code) {
      return values_[j][table][code] > column.attribute->missing_value();
    };
    const auto records = [&](std::size_t table) {
      std::uint64_t sum = 0;
      for (std::size_t code = 0; code < values_[j][table].size(); ++code) {
        if (unmapped(table, code)) sum += rows_[table].counts[j][code];
      }
      return sum;
    };
    column.original_unmapped = records(kOriginal);
    column.masked_unmapped = records(kMasked);
    for (Code code = 0; code < values_[j][kMasked].size(); ++code) {
      if (!unmapped(kMasked, code)) continue;
      column.left_unmapped += rows_[kOriginal].texts[j].find(rows_[kMasked].texts[j].text(code))
                                  ? rows_[kMasked].counts[j][code]
                                  : 0;
    }
  }

  // Of a column of sets the values are those the sets are made of.
  void use_fitted(std::size_t j) {
    TablePair::Impl::Column& column = out_->columns[j];
    const ModelColumn& fitted = fitted_column(column.name);
    column.attribute = fitted.attribute;
    std::vector<ConceptId> values;
    for (Code code = 0; code < rows_[kOriginal].texts[j].size(); ++code) {
      const auto known = fitted.texts.find(rows_[kOriginal].texts[j].text(code));
      const ConceptId value = known == fitted.texts.end() ? kMissing : known->second.concept_id;
      values.push_back(value == kMissing ? fitted.attribute->missing_value() : value);
    }
    values_.push_back({std::move(values), {}, {}});
  }

  const ModelColumn& fitted_column(const std::string& name) const {
    const std::vector<ModelColumn>& columns = model_->columns;
    return *std::ranges::find(columns, name,
                              [](const ModelColumn& column) { return column.plan.name; });
  }

  // The sets of every record of the masked table, as values.
  Status read_sets(std::size_t i) {
    SetPair& set = out_->sets[i];
    const std::string& name = out_->columns[set.column].name;
    const ModelColumn& fitted = fitted_column(name);
    const auto place = static_cast<std::size_t>(&fitted - model_->columns.data());
    set.fitted = set_fit(*out_->drawn)->columns[place];
    set.l = set.fitted.l;
    std::size_t first = options_.key.empty() ? 0 : 1;
    for (std::size_t before = 0; before < i; ++before) first += set_places_[before].size();
    SetForm form = *model_->sets;
    form.width = set.l;
    Result<std::vector<ConceptId>> released = released_sets({.table = masked_.name(),
                                                             .column = name,
                                                             .form = std::move(form),
                                                             .fitted = set.fitted,
                                                             .spelling = fitted.spelling->texts(),
                                                             .rows = rows_[kMasked],
                                                             .first = first,
                                                             .columns = set_places_[i].size()});
    if (!released) return fail(released.error());
    set.released = *std::move(released);
    return {};
  }

  // ---- Counting

  std::vector<std::shared_ptr<const Attribute>> attributes() const {
    std::vector<std::shared_ptr<const Attribute>> out;
    for (const auto& column : out_->columns) out.push_back(column.attribute);
    return out;
  }

  ConceptId value(std::size_t table, std::size_t tuple, std::size_t j) const {
    const Code code = rows_[table].tuples.tuple(tuple)[j];
    return code == kMissing ? out_->columns[j].attribute->missing_value() : values_[j][table][code];
  }

  // Distinct tuples of values, and the class of every tuple of texts.
  Classes side(std::size_t table) {
    Paired alone;
    alone.attributes = attributes();
    for (std::size_t t = 0; t < rows_[table].tuples.size(); ++t) {
      for (std::size_t j = 0; j < alone.attributes.size(); ++j) {
        alone.before.push_back(value(table, t, j));
      }
      alone.counts.push_back(rows_[table].tuples.count(t));
    }
    alone.after = alone.before;
    return classes_of(alone, Side::kBefore);
  }

  void count_sides() {
    const auto count = [&](std::size_t table, Classes& out) {
      out = side(table);
      class_of_tuple_.push_back(std::move(out.of));
      out.of.clear();
    };
    count(kOriginal, out_->original);
    count(kMasked, out_->masked);
    if (options_.control != nullptr) {
      if (plan_.missing == MissingRule::kDropRecord) drop_incomplete(rows_[kControl]);
      out_->control = side(kControl);
      out_->control->of.clear();
    }
  }

  // Records that masking would have left out are nobody's control.
  void drop_incomplete(TableRows& rows) const {
    TupleCounter kept(rows.tuples.width());
    for (std::size_t t = 0; t < rows.tuples.size(); ++t) {
      bool complete = true;
      for (std::size_t j = 0; j < out_->columns.size(); ++j) {
        const auto& column = out_->columns[j];
        const bool asked = drops_records(*plans_[j], column.is_masked) && !column.is_set;
        complete = complete && !(asked && rows.tuples.tuple(t)[j] == kMissing);
      }
      if (complete) kept.add(rows.tuples.tuple(t), rows.tuples.count(t));
    }
    rows.tuples = std::move(kept);
  }

  // ---- Who is who

  Status pair() {
    const TableRows& original = rows_[kOriginal];
    const TableRows& masked = rows_[kMasked];
    std::vector<std::uint64_t> input;  // by row of the masked table; empty: the same row
    if (options_.rows != nullptr) {
      input = *options_.rows;
      out_->pairing = "masking";
    } else if (!options_.row_map.empty()) {
      auto rows = read_row_map(options_.row_map, original.records, masked.records);
      if (!rows) return fail(rows.error());
      input = *std::move(rows);
      out_->pairing = "row-map";
    } else if (!options_.key.empty()) {
      auto rows = rows_by_key(original, masked, {original_.name(), masked_.name(), options_.key},
                              out_->notes);
      if (!rows) return fail(rows.error());
      input = *std::move(rows);
      out_->pairing = "key";
    } else if (original.records == masked.records) {
      out_->pairing = "position";
      if (plan_.shuffle) {
        out_->notes.push_back(
            "the plan shuffles rows, but records were paired by position: give --row-map, else "
            "every figure about single records is about strangers");
      }
    } else {
      out_->unpaired_why = fmt::format(
          "the tables have {} and {} records, and nothing says which belong together: name a "
          "column that is in both with --key, or the --row-map that mask wrote",
          original.records, masked.records);
      return {};
    }
    TupleCounter both(2);
    for (std::uint64_t row = 0; row < masked.records; ++row) {
      const std::uint64_t from = input.empty() ? row : input[row];
      if (from == kNobody) continue;
      both.add(std::array{class_of_tuple_[kOriginal][original.of[from]],
                          class_of_tuple_[kMasked][masked.of[row]]});
      if (!out_->sets.empty()) keep_sets(row, from);
    }
    Paired& pairs = out_->pairs;
    pairs.attributes = attributes();
    for (std::size_t i = 0; i < both.size(); ++i) {
      const auto was = out_->original.tuple(both.tuple(i)[0]);
      const auto is = out_->masked.tuple(both.tuple(i)[1]);
      pairs.before.insert(pairs.before.end(), was.begin(), was.end());
      pairs.after.insert(pairs.after.end(), is.begin(), is.end());
      pairs.counts.push_back(both.count(i));
    }
    for (SetPair& set : out_->sets) set.released.swap(set_of_pairs_[set.column]);
    return {};
  }

  void keep_sets(std::uint64_t row, std::uint64_t from) {
    for (SetPair& set : out_->sets) {
      const std::size_t tuple = rows_[kOriginal].of[from];
      const ConceptId truth = value(kOriginal, tuple, set.column);
      const bool none = truth == out_->columns[set.column].attribute->missing_value();
      set.truth.push_back(none ? kMissing : truth);
      const auto values = std::span(set.released).subspan(row * set.l, set.l);
      std::vector<ConceptId>& kept = set_of_pairs_[set.column];
      kept.insert(kept.end(), values.begin(), values.end());
    }
  }

  static constexpr std::size_t kOriginal = 0, kMasked = 1, kControl = 2;

  const Table& original_;
  const Table& masked_;
  const PlanFile& plan_;
  const PairOptions& options_;
  std::unique_ptr<TablePair::Impl> out_;
  std::vector<const ColumnPlan*> plans_;  // by column
  std::vector<std::size_t> in_original_;
  std::vector<std::optional<std::size_t>> in_masked_, in_control_;
  std::vector<std::vector<std::size_t>> set_places_;  // by set: columns of the masked table
  Ontologies ontologies_;
  std::optional<Survey> survey_;
  std::optional<Model> own_model_;
  const Model::Impl* model_ = nullptr;                       // of methods that draw per cell
  std::vector<TableRows> rows_;                              // by table
  std::vector<std::vector<std::vector<ConceptId>>> values_;  // by column, table, code
  std::vector<std::vector<std::uint32_t>> class_of_tuple_;   // by table, then tuple of texts
  std::map<std::size_t, std::vector<ConceptId>> set_of_pairs_;
};

}  // namespace

Result<TablePair> pair_tables(const Table& original, const Table& masked, const PlanFile& plan,
                              const PairOptions& options) {
  return Pairing(original, masked, plan, options).run();
}

}  // namespace semveil
