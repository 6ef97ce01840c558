// What the texts of a table mean, after the first pass has counted them.
#include "release/survey.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/bytes.h"
#include "base/date_text.h"
#include "base/text.h"
#include "base/trimmed.h"
#include "mechanisms/generalize/level_table.h"
#include "release/model_column.h"
#include "release/number_attribute.h"
#include "release/passing_columns.h"
#include "release/person_like.h"
#include "release/recoded_counts.h"
#include "release/rows_of_table.h"
#include "release/shift_tells.h"
#include "release/table_counts.h"
#include "semveil/plan_text.h"
#include "semveil/stop.h"

namespace semveil {

Survey::Survey(std::unique_ptr<const Impl> impl) : impl_(std::move(impl)) {}
Survey::~Survey() = default;
Survey::Survey(Survey&&) noexcept = default;
std::uint64_t Survey::records() const { return impl_->records; }
std::vector<std::string> Survey::described_columns() const {
  std::vector<std::string> names;
  for (const std::size_t j : impl_->joined) names.push_back(impl_->columns[j].plan.name);
  return names;
}
const std::vector<Survey::PassedThrough>& Survey::telling() const { return impl_->telling; }

const SurveyColumn* Survey::Impl::find(std::string_view name) const {
  const auto found = std::find_if(columns.begin(), columns.end(),
                                  [&](const SurveyColumn& c) { return c.plan.name == name; });
  return found == columns.end() ? nullptr : &*found;
}

std::optional<Code> code_of_cell(const SurveyColumn& column, std::string_view cell) {
  if (column.recodings.empty() || any_draws(column.recodings)) return column.texts.find(cell);
  const Result<RecodedText> text = recoded(column.recodings, cell);
  return text && text->text ? column.texts.find(*text->text) : std::nullopt;
}

std::vector<const SurveyColumn*> columns_to_mask(const Survey::Impl& survey, const MaskStep& step) {
  std::vector<const SurveyColumn*> columns;
  for (const SurveyColumn& column : survey.columns) {
    if (is_masked(column.plan, step)) columns.push_back(&column);
  }
  return columns;
}

bool drops_records(const ColumnSettings& column, bool is_masked) {
  return column.role == Role::kQuasiIdentifier || is_masked;
}

Unit unit_of(const ColumnSettings& column, const PlanFile& plan) {
  const bool is_written_as_concept = column.write && *column.write != WriteAs::kData;
  const MaskStep* const step = plan.step_of(column);
  const bool needs_concepts = step != nullptr ? !step->about().takes_several_ontologies
                                              : plan.has_step([](const MethodDescription& method) {
                                                  return !method.takes_several_ontologies;
                                                });
  return is_written_as_concept || needs_concepts ? Unit::kConcept : Unit::kValue;
}

bool missing_is_value(const ColumnSettings& column, const PlanFile& plan) {
  const MaskStep* const step = plan.step_of(column);
  if (step != nullptr && step->about().releases_sets) return false;  // no category has it: it stays
  if (plan.missing == MissingRule::kCategory) return true;
  // Methods that form classes know no cell that takes no part: keep is category for them.
  return plan.missing == MissingRule::kKeep && step != nullptr && step->about().forms_classes;
}

std::optional<ConceptId> instead_of_meaning(const ColumnSettings& column, const PlanFile& plan,
                                            const Attribute& attribute) {
  const MaskStep* const step = plan.step_of(column);
  if (step == nullptr || !step->about().looks_up()) return std::nullopt;
  if (column.unmapped == UnmappedRule::kGeneralize) return Taxonomy::root();
  if (attribute.missing_is_value) return attribute.missing_value();
  return std::nullopt;
}

namespace {

// A part that was counted under another plan has other columns.
bool is_of(const SurveyPart::Impl& counts, const SurveyColumns& columns) {
  const auto same = [](const CountedTexts& counted, const SurveyColumns::Counted& column) {
    return counted.column == column.column && counted.order.has_value() == column.ordered;
  };
  return counts.joined == columns.joined && counts.person == columns.person &&
         std::ranges::equal(counts.columns, columns.counted, same);
}

Status check(const SurveyPart::Impl& part, const SurveyColumns& columns) {
  if (!is_of(part, columns)) {
    return fail(usage_error("the parts were counted under another plan, or for other figures"));
  }
  return check_no_gap(part.rows, "counted");
}

// What the counted texts mean.
class Surveyor {
 public:
  // All must outlive it.
  Surveyor(const std::string& table, const SurveyColumns& columns, const PlanFile& plan,
           const WorkOptions& options)
      : shape_(columns), plan_(plan), options_(options), found_(std::make_unique<Survey::Impl>()) {
    found_->table = table;
    found_->missing = plan.missing;
    found_->ontology_sources = plan.ontologies;
    found_->joined = columns.joined;
    found_->dropped = columns.dropped;
    for (const SurveyColumns::Counted& counted : columns.counted) {
      SurveyColumn& column = found_->columns.emplace_back();
      column.column = counted.column;
      column.plan = plan.after_recodings(*counted.plan);
      if (is_lifted(column.plan)) column.plan.hierarchy.emplace().kind = Kind::kFlat;
    }
  }

  // What needs no table: a wrong path is told before one is read.
  Status prepare() {
    if (const Status status = open_ontologies(); !status) return status;
    return read_category_files();
  }

  Result<Survey> run(SurveyPart::Impl counts) && {
    if (const Status status = recode(counts); !status) return fail(status.error());
    found_->records = counts.records;
    found_->tuples = std::move(counts.tuples);
    found_->person = counts.person;
    found_->persons = std::move(counts.persons);
    for (const std::size_t at : shape_.others)
      found_->others.push_back({counts.names[at], 0, 0, {}});
    for (std::size_t j = 0; j < counts.columns.size(); ++j) {
      SurveyColumn& column = found_->columns[j];
      column.texts = std::move(counts.columns[j].texts);
      column.counts = std::move(counts.columns[j].counts);
      column.missing = counts.columns[j].missing;
      column.first_missing = counts.columns[j].first_missing;
      column.order = std::move(counts.columns[j].order);
      if (const Status status = understand(column); !status) return fail(status.error());
    }
    if (const Status status = check_persons(); !status) return fail(status.error());
    if (!found_->person) found_->person_like = person_like(counts, shape_);
    look_at_passing(shape_, counts.names, counts.first, *found_);
    found_->shift_told = told_of_shifts(shape_, counts.names, counts.first, *found_, plan_);
    if (plan_.has_step([](const MethodDescription& method) { return method.releases_sets; })) {
      for (const std::size_t at : shape_.passing) found_->passing.push_back({at, counts.names[at]});
      found_->first = std::move(counts.first);
    }
    return Survey(std::move(found_));
  }

 private:
  using Kind = HierarchySettings::Kind;

  // Whether a recoding lifts its cells along a hierarchy that is made of them: what comes out are
  // words that only * stands above.
  bool is_lifted(const ColumnSettings& column) const {
    return has_made_ontology(column) &&
           std::ranges::any_of(plan_.recodings, [&](const MaskStep& step) {
             return step.about().takes_concepts && is_masked(column, step);
           });
  }

  Status open_ontologies() {
    for (const SurveyColumn& column : found_->columns) {
      if (!is_nominal(column.plan)) continue;
      const Status opened = found_->ontologies.open_for(plan_, column.plan, options_.use_cache);
      if (!opened) return opened;
    }
    return {};
  }

  // A record without a person would be in a class of its own, or count for nobody.
  Status check_persons() const {
    if (!found_->person) return {};
    const SurveyColumn& column = found_->columns[*found_->person];
    const std::optional<Code> blank = column.texts.find("");
    const std::uint64_t blanks = blank ? column.counts[*blank] : 0;
    const std::uint64_t missing = column.missing + blanks;
    if (missing == 0) return {};
    const std::string first =
        column.missing > 0 ? fmt::format(", the first in record {}", *column.first_missing + 1)
                           : "";
    return fail(data_error(fmt::format("{} record{} no person{}: complete the column, or leave "
                                       "person out of the plan",
                                       missing, missing == 1 ? " has" : "s have", first))
                    .at({found_->table, 0, column.plan.name}));
  }

  bool is_set(const ColumnSettings& column) const {
    const MaskStep* const step = plan_.step_of(column);
    return step != nullptr && step->about().releases_sets;
  }

  bool is_missing(std::string_view text) const {
    return std::ranges::find(plan_.missing_values, text) != plan_.missing_values.end();
  }

  // A drawn value would look like a cell without one.
  Status refuse_missing(const CategoryLine& line, const std::string& file,
                        const ColumnSettings& column) const {
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
      const CategoriesSettings* const categories = plan_.categories_of(column.plan);
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

  // ---- What is done to cells before anything else

  Status recode(SurveyPart::Impl& counts) {
    if (plan_.recodings.empty()) return {};
    CountRecoder recoder(counts);
    for (const MaskStep& step : plan_.recodings) {
      if (const Status status = step.method->check_settings(step); !status) {
        return fail(Error(status.error()).at(plan_.path, step.line));
      }
      TableCheck check{plan_, step, {}};
      for (const SurveyColumn& column : found_->columns) {
        if (is_masked(column.plan, step)) check.columns.push_back({.plan = &column.plan});
      }
      if (Status status = step.method->check_table(check); !status) return status;
      for (std::size_t j = 0; j < found_->columns.size(); ++j) {
        if (!is_masked(found_->columns[j].plan, step)) continue;
        if (const Status status = recode(step, j, recoder); !status) return status;
      }
    }
    keep_original(recoder);
    recoder.recode_tuples();
    return {};
  }

  // What classes of the original are made of.
  void keep_original(const CountRecoder& recoder) {
    std::vector<bool> kept(found_->columns.size(), false);
    Survey::Impl::Original original;
    for (const std::size_t j : found_->joined) {
      const CountedTexts* const counted = recoder.original(j);
      const Role role = found_->columns[j].plan.role;
      const bool is_told = role == Role::kQuasiIdentifier || role == Role::kSensitive;
      if (counted == nullptr || !is_told) continue;
      kept[j] = true;
      original.columns.emplace(j, original_column(j, *counted));
    }
    if (original.columns.empty()) return;
    CountRecoder::Combinations combined = recoder.combined(kept);
    original.tuples = std::move(combined.tuples);
    original.persons = std::move(combined.persons);
    found_->original = std::move(original);
  }

  // What a recoding did not ask the meaning of is told apart by its texts alone, but for numbers.
  CountedColumn original_column(std::size_t j, const CountedTexts& counted) const {
    const ColumnSettings& plan = *plan_.find(found_->columns[j].plan.name);
    CountedColumn out;
    out.name = plan.name;
    out.role = plan.role;
    out.counts = counted.counts;
    out.missing = counted.missing;
    if (const auto meant = meant_before_.find(j); meant != meant_before_.end()) {
      out.attribute = meant->second.attribute;
      out.concepts = meant->second.concepts;
      return out;
    }
    if (!is_on_a_line(plan)) return out;
    std::vector<std::string_view> texts;
    for (Code code = 0; code < counted.texts.size(); ++code) {
      texts.push_back(counted.texts.text(code));
    }
    const std::shared_ptr<const DateForm> form =
        plan.type == ColumnType::kDate ? date_form(plan, texts) : nullptr;
    std::vector<double> numbers;
    for (const std::string_view text : texts) {
      const std::optional<double> number = cell_number(form.get(), text);
      if (!number) return out;
      numbers.push_back(*number);
    }
    out.numeric = true;
    out.numbers = std::move(numbers);
    out.dates = form != nullptr;
    return out;
  }

  Status recode(const MaskStep& step, std::size_t j, CountRecoder& recoder) {
    SurveyColumn& column = found_->columns[j];
    RecodedColumn found{.plan = column.plan, .texts = recoder.texts(j)};
    ColumnRecoding made{std::string(step.about().name), step.method->parameters(step), nullptr,
                        nullptr, static_cast<std::size_t>(&step - plan_.recodings.data())};
    if (is_nominal(column.plan) && step.about().takes_concepts) {
      // The hierarchy of cells that are lifted is the plan's.
      const ColumnSettings& seen =
          is_lifted(column.plan) ? *plan_.find(column.plan.name) : column.plan;
      std::vector<ConceptId> concepts;
      Result<std::shared_ptr<const ModelColumn>> meaning = meaning_of(seen, found.texts, concepts);
      if (!meaning) return fail(meaning.error());
      made.meaning = *std::move(meaning);
      if (column.recodings.empty()) {
        meant_before_[j] = {made.meaning->attribute, std::move(concepts)};
      }
      found.meaning = column_meaning(made.meaning);
    }
    auto recoding = step.method->make_recoding(step, found);
    if (!recoding) return fail(Error(recoding.error()).at(plan_.path, step.line));
    made.recoding = *std::move(recoding);
    column.recodings.push_back(made);
    return recoder.recode(j, *made.recoding, found_->table, column.plan.name);
  }

  // Of the texts that a recoding of concepts found. `concepts`: of each text.
  Result<std::shared_ptr<const ModelColumn>> meaning_of(
      const ColumnSettings& plan, const std::vector<RecodedColumn::Text>& texts,
      std::vector<ConceptId>& concepts) {
    SurveyColumn column;
    column.plan = plan;
    std::vector<std::pair<std::string, std::uint64_t>> values;
    for (const RecodedColumn::Text& text : texts) {
      values.emplace_back(text.text, text.count);
      column.texts.add(text.text, text.line);
      column.counts.push_back(text.count);
    }
    Result<MappedColumn> mapped = map_column(plan, found_->ontologies, {std::move(values)}, false,
                                             Unit::kConcept, options_.threads);
    if (!mapped) return fail(at_column(mapped.error(), plan));
    column.mapped = *std::move(mapped);
    if (column.mapped->joined) {  // what comes out gets another ontology, by the usual name
      column.mapped->plan.column.ontology += ", before recodings";
      found_->ontologies.add(column.mapped->plan.column.ontology, *column.mapped->joined);
    }
    if (const Status status = add_levels(*column.mapped); !status) return fail(status.error());
    column.attribute = column.mapped->attribute;
    concepts = column.concepts = concepts_of_texts(column);
    auto meaning = std::make_shared<ModelColumn>(
        model_column(column, {.invents_concepts = true}, found_->ontologies));
    spell(*meaning, *meaning->attribute, {.missing_values = plan_.missing_values});
    return std::shared_ptr<const ModelColumn>(std::move(meaning));
  }

  Error at_column(Error error, const ColumnSettings& plan) const {
    if (error.place.file.empty()) error.place = {plan_.path, plan.line, plan.name};
    return error;
  }

  static std::vector<ConceptId> concepts_of_texts(const SurveyColumn& column) {
    std::vector<ConceptId> concepts(column.texts.size(), kMissing);
    for (const MappedValue& value : column.mapped->values) {
      if (!is_mapped(value.how) || !value.concept_id) continue;
      const auto c = column.mapped->attribute->domain->in_domain(*value.concept_id);
      const auto code = column.texts.find(value.value);
      if (c && code) concepts[*code] = *c;
    }
    return concepts;
  }

  Status understand(SurveyColumn& column) {
    if (is_nominal(column.plan)) return map(column);
    if (is_on_a_line(column.plan)) return parse_numbers(column);
    return is_asked_for(column.plan, plan_) ? sort_texts(column) : Status();
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
    if (!mapped) return fail(at_column(mapped.error(), column.plan));
    column.mapped = *std::move(mapped);
    if (column.mapped->plan.rule) column.plan.type = ColumnType::kNominal;  // as the method sees it
    if (column.mapped->joined) {
      found_->ontologies.add(column.mapped->plan.column.ontology, *column.mapped->joined);
    }
    const bool lifts =
        plan_.has_step([](const MethodDescription& m) { return m.releases_ancestors; });
    if (const Status status = lifts ? add_levels(*column.mapped) : Status(); !status) return status;
    column.attribute = column.mapped->attribute;
    column.concepts = concepts_of_texts(column);
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
    if (!is_vgh) return {};
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
                      .at({found_->table, column.texts.first_line(code), column.plan.name})
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
    if (column.plan.type == ColumnType::kDate) {
      std::vector<std::string_view> texts;
      for (Code code = 0; code < column.texts.size(); ++code) {
        texts.push_back(column.texts.text(code));
      }
      column.dates = date_form(column.plan, texts);
    }
    for (Code code = 0; code < column.texts.size(); ++code) {
      const std::string_view text = column.texts.text(code);
      const std::optional<double> number = cell_number(column.dates.get(), text);
      if (!number) {
        return fail(data_error(no_number(column.plan, text))
                        .at({found_->table, column.texts.first_line(code), column.plan.name})
                        .quoting(std::string(text)));
      }
      column.numbers.push_back(*number);
    }
    if (!is_asked_for(column.plan, plan_)) return {};
    column.attribute = std::make_shared<const Attribute>(numeric_attribute(column));
    for (const double number : column.numbers) {
      column.concepts.push_back(*place_of_number(*column.attribute, number));
    }
    return {};
  }

  // 2314,39 or 2.314,39
  static bool has_decimal_comma(std::string_view text) {
    std::string with_point;
    for (const char c : trimmed(text)) {
      if (c != '.') with_point += c == ',' ? '.' : c;
    }
    return text.find(',') != text.npos && number_of(with_point).has_value();
  }

  static std::string no_number(const ColumnSettings& column, std::string_view text) {
    if (column.type != ColumnType::kDate && has_decimal_comma(text)) {
      return "a number with a comma, but numbers are read with a point and no other mark: write "
             "the column so (2314.39), or leave type = \"numeric\" out, and its cells are texts";
    }
    if (column.type != ColumnType::kDate) {
      return "not a number, but the plan says type = \"numeric\": correct the cell, list it in "
             "missing_values, or change the type";
    }
    return fmt::format(
        "not a date {}, but the plan says type = \"date\": correct the cell, list it in "
        "missing_values, or {}",
        column.format.empty() ? "as 2024-02-29 or 2024-02-29T10:30"
                              : fmt::format("of the format {}", column.format),
        column.format.empty() ? "say how dates are written, as format = \"%d.%m.%Y\""
                              : "correct format");
  }

  Attribute numeric_attribute(const SurveyColumn& column) const {
    Attribute attribute = number_attribute(column, usual_scale(column.plan, plan_));
    const MaskStep* const step = plan_.step_of(column.plan);
    const bool is_looked_up =
        step != nullptr ? step->about().looks_up()
                        : plan_.has_step([](const MethodDescription& m) { return m.looks_up(); });
    attribute.missing_is_value = is_looked_up && missing_is_value(column.plan, plan_);
    return attribute;
  }

  struct Meant {
    std::shared_ptr<const Attribute> attribute;
    std::vector<ConceptId> concepts;  // by code
  };
  const SurveyColumns& shape_;
  const PlanFile& plan_;
  const WorkOptions& options_;
  std::unique_ptr<Survey::Impl> found_;
  // By column: what its texts meant before its first recoding, where that worked on concepts.
  std::map<std::size_t, Meant> meant_before_;
};

Result<Survey> survey_table(const Table& table, const PlanFile& plan, const WorkOptions& options) {
  const Result<SurveyColumns> columns = SurveyColumns::find(table, plan, options);
  if (!columns) return fail(columns.error());
  Surveyor surveyor(table.name(), *columns, plan, options);
  if (const Status status = surveyor.prepare(); !status) return fail(status.error());
  auto counts = count_table(table, *columns, Rows::kAll, 0, options);
  if (!counts) return fail(counts.error());
  return std::move(surveyor).run(std::move(**counts));
}

Result<Survey> survey_part(SurveyPart::Impl part, const PlanFile& plan,
                           const WorkOptions& options) {
  const Result<SurveyColumns> columns = SurveyColumns::find(part.table, part.names, plan, options);
  if (!columns) return fail(columns.error());
  if (const Status status = check(part, *columns); !status) return fail(status.error());
  Surveyor surveyor(part.table, *columns, plan, options);
  if (const Status status = surveyor.prepare(); !status) return fail(status.error());
  part.sort_by_row();
  return std::move(surveyor).run(std::move(part));
}

}  // namespace

Result<Survey> survey(const Table& table, const PlanFile& plan, const WorkOptions& options) {
  return stoppable(options.stop, [&] { return survey_table(table, plan, options); });
}

Result<Survey> Survey::from(SurveyPart part, const PlanFile& plan, const WorkOptions& options) {
  return stoppable(options.stop,
                   [&] { return survey_part(std::move(part.impl()), plan, options); });
}

Result<Survey> survey_of_rows(const RowsOfTable& counted, const PlanFile& asked,
                              const WorkOptions& options) {
  PlanFile plan = asked;
  plan.person.clear();  // whose records they are was not counted
  const Result<SurveyColumns> columns = SurveyColumns::find(counted.heading, plan, options);
  if (!columns) return fail(columns.error());
  Surveyor surveyor(counted.heading.name(), *columns, plan, options);
  if (const Status status = surveyor.prepare(); !status) return fail(status.error());
  Result<SurveyPart::Impl> counts = counts_of(counted, *columns);
  if (!counts) return fail(counts.error());
  return std::move(surveyor).run(*std::move(counts));
}

}  // namespace semveil
