// The first pass: which texts each column has, how often, in which combinations; and what they
// mean.
#include "release/survey.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/bytes.h"
#include "base/stop.h"
#include "base/text.h"
#include "base/trimmed.h"
#include "mechanisms/generalize/level_table.h"
#include "release/number_attribute.h"
#include "release/passing_columns.h"
#include "semveil/plan_text.h"
#include "semveil/stop.h"

namespace semveil {

Survey::Survey(std::unique_ptr<const Impl> impl) : impl_(std::move(impl)) {}
Survey::~Survey() = default;
Survey::Survey(Survey&&) noexcept = default;
std::uint64_t Survey::records() const { return impl_->records; }
const std::vector<Survey::PassedThrough>& Survey::telling() const { return impl_->telling; }

const SurveyColumn* Survey::Impl::find(std::string_view name) const {
  const auto found = std::find_if(columns.begin(), columns.end(),
                                  [&](const SurveyColumn& c) { return c.plan.name == name; });
  return found == columns.end() ? nullptr : &*found;
}

std::vector<const SurveyColumn*> columns_to_mask(const Survey::Impl& survey, const PlanFile& plan) {
  std::vector<const SurveyColumn*> columns;
  for (const SurveyColumn& column : survey.columns) {
    const bool wanted = is_masked(column.plan, plan.mask.value_or(MaskPlan()));
    if (wanted) columns.push_back(&column);
  }
  return columns;
}

Error undeclared_error(const std::string& table, const std::string& column) {
  return data_error(fmt::format("the plan does not speak of column '{}': declare it, or set "
                                "undeclared = \"keep\" or \"drop\"",
                                column))
      .at(table, 1);
}

bool drops_records(const ColumnPlan& column, bool is_masked) {
  return column.role == Role::kQuasiIdentifier || is_masked;
}

Unit unit_of(const ColumnPlan& column, const PlanFile& plan) {
  const bool is_written_as_concept = column.write && *column.write != WriteAs::kData;
  const bool needs_concepts = plan.mask && !plan.mask->about().takes_several_ontologies;
  return is_written_as_concept || needs_concepts ? Unit::kConcept : Unit::kValue;
}

bool missing_is_value(const ColumnPlan& column, const PlanFile& plan) {
  const bool masked = plan.mask && is_masked(column, *plan.mask);
  if (masked && plan.mask->about().releases_sets) return false;  // no category has it: it stays
  if (plan.missing == MissingRule::kCategory) return true;
  // Methods that form classes know no cell that takes no part: keep is category for them.
  return plan.missing == MissingRule::kKeep && masked && plan.mask->about().forms_classes;
}

std::optional<ConceptId> instead_of_meaning(const ColumnPlan& column, const PlanFile& plan,
                                            const Attribute& attribute) {
  if (!plan.mask || !plan.mask->about().looks_up() || !is_masked(column, *plan.mask)) {
    return std::nullopt;
  }
  if (column.unmapped == UnmappedRule::kGeneralize) return Taxonomy::root();
  if (attribute.missing_is_value) return attribute.missing_value();
  return std::nullopt;
}

namespace {

// Whether masking needs the column: to mask it, or for what is demanded of it.
bool is_asked_for(const ColumnPlan& column, const std::optional<MaskPlan>& mask) {
  if (!mask) return false;
  return is_masked(column, *mask) || (mask->about().forms_classes && column.demand.has_value());
}

// Whether a column is looked at together with others: for the figures of a description or, where
// nobody wants these, because it is masked or its missing cells matter.
bool is_joined(const ColumnPlan& plan, const PlanFile& file, bool figures) {
  const bool strict =
      file.missing == MissingRule::kDropRecord || file.missing == MissingRule::kError;
  if (is_nominal(plan) || is_asked_for(plan, file.mask)) return true;
  if (!figures) {
    // Classes are verified whether or not somebody reads of them.
    const bool verified = file.mask && file.mask->about().looks_up();
    return (strict || verified) && plan.role == Role::kQuasiIdentifier;
  }
  return plan.type == ColumnType::kNumeric || plan.role == Role::kQuasiIdentifier ||
         plan.role == Role::kSensitive;
}

class Surveyor {
 public:
  Surveyor(const Table& table, const PlanFile& plan, const WorkOptions& options)
      : table_(table), plan_(plan), options_(options), found_(std::make_unique<Survey::Impl>()) {
    found_->table = table.name();
    found_->missing = plan.missing;
    found_->ontology_sources = plan.ontologies;
  }

  Result<Survey> run() && {
    if (const Status status = prepare(); !status) return fail(status.error());
    if (const Status status = count(); !status) return fail(status.error());
    if (const Status status = understand(); !status) return fail(status.error());
    look_at_passing(table_, plan_.mask, sampled_, *found_);
    return Survey(std::move(found_));
  }

  Result<Survey> run(const RowsOfTable& counted) && {
    if (const Status status = prepare(); !status) return fail(status.error());
    if (const Status status = take(counted); !status) return fail(status.error());
    if (const Status status = understand(); !status) return fail(status.error());
    return Survey(std::move(found_));
  }

 private:
  Status prepare() {
    if (const Status status = find_columns(); !status) return status;
    if (const Status status = open_ontologies(); !status) return status;
    return read_category_files();
  }

  Status understand() {
    for (SurveyColumn& column : found_->columns) {
      if (const Status status = understand(column); !status) return status;
    }
    return {};
  }

  bool joins(const ColumnPlan& plan) const { return is_joined(plan, plan_, options_.figures); }

  Status find_columns() {
    std::vector<const ColumnPlan*> by_place(table_.columns().size(), nullptr);
    for (const ColumnPlan& column : plan_.columns) {
      const Result<std::size_t> at = table_.column(column.name);
      if (!at)
        return fail(
            Error(at.error())
                .hinting(where(column) + (at.error().hint.empty() ? "" : "; ") + at.error().hint));
      by_place[*at] = &column;
    }
    for (std::size_t at = 0; at < by_place.size(); ++at) {
      const std::string& name = table_.columns()[at];
      const ColumnPlan* plan = by_place[at];
      if (plan == nullptr && plan_.undeclared == UndeclaredRule::kError) {
        return fail(undeclared_error(table_.name(), name));
      }
      const bool dropped = plan != nullptr ? plan->role == Role::kIdentifier
                                           : plan_.undeclared == UndeclaredRule::kDrop;
      if (dropped) found_->dropped.push_back(name);
      const bool counted = plan != nullptr && (joins(*plan) || options_.every_column);
      if (counted && !(dropped && !options_.every_column)) {
        if (joins(*plan) && !dropped) found_->joined.push_back(found_->columns.size());
        found_->columns.emplace_back().column = at;
        found_->columns.back().plan = *plan;
      } else if (!dropped) {
        sampled_.push_back(at);
        found_->others.push_back({name, 0, 0, {}});
      }
    }
    return {};
  }

  std::string where(const ColumnPlan& column) const {
    return fmt::format("the plan names it in line {}", column.line);
  }

  Status open_ontologies() {  // before the table is read: a wrong path is told at once
    for (const SurveyColumn& column : found_->columns) {
      if (!is_nominal(column.plan)) continue;
      const Status opened = found_->ontologies.open_for(plan_, column.plan, options_.use_cache);
      if (!opened) return opened;
    }
    return {};
  }

  bool is_set(const ColumnPlan& column) const {
    return plan_.mask && plan_.mask->about().releases_sets && is_masked(column, *plan_.mask);
  }

  bool is_missing(std::string_view text) const {
    return std::ranges::find(plan_.missing_values, text) != plan_.missing_values.end();
  }

  // A drawn value would look like a cell without one.
  Status refuse_missing(const CategoryLine& line, const std::string& file,
                        const ColumnPlan& column) const {
    for (const std::string& value : line.values) {
      if (!is_missing(value)) continue;
      return fail(
          data_error("the value stands for a missing cell: take it out of the categories, or "
                     "out of missing_values")
              .at({file, line.line, column.name})
              .quoting(value));
    }
    return {};
  }

  Status read_category_files() {
    for (SurveyColumn& column : found_->columns) {
      if (!is_set(column.plan)) continue;
      const CategoriesPlan* const categories = plan_.categories_of(column.plan);
      if (categories == nullptr || categories->file.empty()) continue;
      const Result<FileBytes> file = FileBytes::read(categories->file);
      if (!file) return fail(file.error());
      auto lines = semveil::read_categories(file->view(), categories->file);
      if (!lines) return fail(lines.error());
      for (const CategoryLine& line : *lines) {
        if (const Status status = refuse_missing(line, categories->file, column.plan); !status) {
          return status;
        }
      }
      column.categories = *std::move(lines);
    }
    return {};
  }

  Status count() {
    std::vector<std::size_t> wanted;
    std::vector<Dictionary> dictionaries(found_->columns.size());
    for (const SurveyColumn& column : found_->columns) wanted.push_back(column.column);
    found_->tuples = TupleCounter(found_->joined.size());
    const bool tuples = found_->joined.size() > 1;

    Result<std::unique_ptr<TableSource>> source = table_.read(std::move(wanted), Cells::kWanted);
    if (!source) return fail(source.error());
    std::uint64_t bytes = 0;
    for (;;) {
      check_stop();
      Result<std::unique_ptr<TableBatch>> next = (*source)->next(dictionaries);
      if (!next) return fail(next.error());
      if (*next == nullptr) break;
      const TableBatch& batch = **next;
      for (std::size_t j = 0; j < found_->columns.size(); ++j) {
        count_codes(batch, j, dictionaries[j]);
      }
      if (tuples) {
        std::vector<std::span<const Code>> columns;
        for (const std::size_t j : found_->joined) columns.emplace_back(batch.codes[j]);
        found_->tuples.add_rows(columns);
      }
      found_->records += batch.rows;
      bytes += batch.bytes;
      if (options_.progress) options_.progress("reading", bytes, table_.bytes());
    }
    for (std::size_t j = 0; j < dictionaries.size(); ++j) {
      found_->columns[j].texts = std::move(dictionaries[j]);
    }
    return {};
  }

  void count_codes(const TableBatch& batch, std::size_t j, const Dictionary& texts) {
    SurveyColumn& column = found_->columns[j];
    column.counts.resize(texts.size());
    const std::vector<Code>& codes = batch.codes[j];
    if (is_nominal(column.plan) || is_asked_for(column.plan, plan_.mask)) {
      column.order.add(batch.first_row, codes, texts);
    }
    for (std::size_t row = 0; row < codes.size(); ++row) {
      if (codes[row] == kMissing) {
        ++column.missing;
        if (!column.first_missing) column.first_missing = batch.first_row + row;
      } else {
        ++column.counts[codes[row]];
      }
    }
  }

  Status take(const RowsOfTable& counted) {
    std::vector<std::size_t> places;  // by column: among those counted
    for (SurveyColumn& column : found_->columns) {
      const auto at = std::ranges::find(counted.columns, column.plan.name);
      if (at == counted.columns.end()) {
        return fail(
            data_error("the column was not counted").at({table_.name(), 0, column.plan.name}));
      }
      places.push_back(static_cast<std::size_t>(at - counted.columns.begin()));
      take_column(counted, places.back(), column);
    }
    found_->records = counted.rows.records;
    found_->tuples = TupleCounter(found_->joined.size());
    if (found_->joined.size() > 1) take_tuples(counted, places);
    return {};
  }

  static void take_column(const RowsOfTable& counted, std::size_t place, SurveyColumn& column) {
    const Dictionary& texts = counted.rows.texts[place];
    for (Code code = 0; code < texts.size(); ++code) column.texts.add(texts.text(code), 0);
    column.counts = counted.rows.counts[place];
    const TupleCounter& tuples = counted.rows.tuples;
    for (std::size_t t = 0; t < tuples.size(); ++t) {
      if (tuples.tuple(t)[place] != kMissing) continue;
      column.missing += tuples.count(t);
      const std::uint64_t row = counted.first_rows[t];
      column.first_missing = std::min(column.first_missing.value_or(row), row);
    }
  }

  void take_tuples(const RowsOfTable& counted, const std::vector<std::size_t>& places) {
    const TupleCounter& tuples = counted.rows.tuples;
    std::vector<Code> joined(found_->joined.size());
    for (std::size_t t = 0; t < tuples.size(); ++t) {
      for (std::size_t j = 0; j < joined.size(); ++j) {
        joined[j] = tuples.tuple(t)[places[found_->joined[j]]];
      }
      found_->tuples.add(joined, tuples.count(t));
    }
  }

  Status understand(SurveyColumn& column) {
    if (is_nominal(column.plan)) return map(column);
    if (column.plan.type == ColumnType::kNumeric) return parse_numbers(column);
    return is_asked_for(column.plan, plan_.mask) ? sort_texts(column) : Status();
  }

  Status map(SurveyColumn& column) {
    std::vector<std::pair<std::string, std::uint64_t>> values;
    for (Code code = 0; code < column.texts.size(); ++code) {
      values.emplace_back(column.texts.text(code), column.counts[code]);
    }
    // What only the categories file has may be released, too.
    for (const CategoryLine& category : column.categories) {
      for (const std::string& value : category.values) {
        if (!column.texts.find(value)) values.emplace_back(value, 0);
      }
    }
    Result<MappedColumn> mapped = map_column(column.plan, found_->ontologies, {std::move(values)},
                                             missing_is_value(column.plan, plan_),
                                             unit_of(column.plan, plan_), options_.threads);
    if (!mapped) {
      Error error = mapped.error();
      if (error.place.file.empty()) error.place = {plan_.path, column.plan.line, column.plan.name};
      return fail(std::move(error));
    }
    column.mapped = *std::move(mapped);
    if (column.mapped->joined) {
      found_->ontologies.add(column.mapped->plan.column.ontology, *column.mapped->joined);
    }
    if (const Status status = add_levels(*column.mapped); !status) return status;
    column.attribute = column.mapped->attribute;
    column.concepts.assign(column.texts.size(), kMissing);
    for (const MappedValue& value : column.mapped->values) {
      if (!is_mapped(value.how) || !value.concept_id) continue;
      const auto c = column.mapped->attribute->domain->in_domain(*value.concept_id);
      const auto code = column.texts.find(value.value);
      if (c && code) column.concepts[*code] = *c;
    }
    // What means nothing is in a class, too.
    if (const auto instead = instead_of_meaning(column.plan, plan_, *column.attribute)) {
      for (ConceptId& c : column.concepts) {
        column.stands_in.push_back(c == kMissing);
        if (c == kMissing) c = *instead;
      }
    }
    return {};
  }

  // Of a VGH the levels are the columns of its file, which its taxonomy alone does not tell.
  Status add_levels(MappedColumn& column) const {
    constexpr std::string_view kScheme = "vgh:";
    if (column.joined) return {};
    const std::string& source = plan_.ontologies.at(column.plan.column.ontology);
    const bool is_vgh = found_->ontologies.at(column.plan.column.ontology).info().format == "vgh";
    if (!plan_.mask || !plan_.mask->about().releases_ancestors || !is_vgh) return {};
    if (!source.starts_with(kScheme)) {
      return fail(data_error("the levels of a hierarchy are the columns of its file, which a "
                             "snapshot does not hold: write source = \"vgh:FILE\"")
                      .at({plan_.path, column.plan.column.line, column.plan.name}));
    }
    Attribute attribute = *column.attribute;
    auto levels = read_levels(source_path(source), *attribute.names, *attribute.domain);
    if (!levels) return fail(levels.error());
    attribute.levels = *std::move(levels);
    column.attribute = std::make_shared<const Attribute>(std::move(attribute));
    return {};
  }

  Status sort_texts(SurveyColumn& column) const {
    const bool set = is_set(column.plan);
    const auto meant = [&](Code code) {
      return set ? trimmed(column.texts.text(code)) : column.texts.text(code);
    };
    std::vector<std::string> texts;
    for (Code code = 0; code < column.texts.size(); ++code) {
      texts.emplace_back(meant(code));
      if (!set || !(texts.back().empty() || is_missing(texts.back()))) continue;
      return fail(data_error("but for its blanks the cell is missing: correct it, or list it as it "
                             "stands in missing_values")
                      .at({table_.name(), column.texts.first_line(code), column.plan.name})
                      .quoting(std::string(column.texts.text(code))));
    }
    for (const CategoryLine& category : column.categories) {
      texts.insert(texts.end(), category.values.begin(), category.values.end());
    }
    std::sort(texts.begin(), texts.end());
    texts.erase(std::unique(texts.begin(), texts.end()), texts.end());
    Attribute attribute = text_attribute(column.plan.name, std::move(texts));
    attribute.missing_is_value = missing_is_value(column.plan, plan_);
    column.attribute = std::make_shared<const Attribute>(std::move(attribute));
    for (Code code = 0; code < column.texts.size(); ++code) {
      column.concepts.push_back(*place_of_text(*column.attribute, meant(code)));
    }
    return {};
  }

  Status parse_numbers(SurveyColumn& column) const {
    for (Code code = 0; code < column.texts.size(); ++code) {
      const std::string_view text = column.texts.text(code);
      const std::optional<double> number = number_of(text);
      if (!number) {
        return fail(data_error("not a number, but the plan says type = \"numeric\": correct the "
                               "cell, list it in missing_values, or change the type")
                        .at({table_.name(), column.texts.first_line(code), column.plan.name})
                        .quoting(std::string(text)));
      }
      column.numbers.push_back(*number);
    }
    if (!is_asked_for(column.plan, plan_.mask)) return {};
    column.attribute = std::make_shared<const Attribute>(numeric_attribute(column));
    for (const double number : column.numbers) {
      column.concepts.push_back(*place_of_number(*column.attribute, number));
    }
    return {};
  }

  Attribute numeric_attribute(const SurveyColumn& column) const {
    Attribute attribute = number_attribute(column, usual_scale(column.plan, plan_.mask));
    attribute.missing_is_value =
        plan_.mask && plan_.mask->about().looks_up() && missing_is_value(column.plan, plan_);
    return attribute;
  }

  const Table& table_;
  const PlanFile& plan_;
  const WorkOptions& options_;
  std::unique_ptr<Survey::Impl> found_;
  std::vector<std::size_t> sampled_;  // columns of the table, as found_->others
};

}  // namespace

Result<Survey> survey(const Table& table, const PlanFile& plan, const WorkOptions& options) {
  return stoppable(options.stop, [&] { return Surveyor(table, plan, options).run(); });
}

Result<Survey> survey_of_rows(const RowsOfTable& counted, const PlanFile& plan,
                              const WorkOptions& options) {
  return Surveyor(counted.heading, plan, options).run(counted);
}

}  // namespace semveil
