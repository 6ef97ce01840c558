// From a survey to a model: the plan's rules are asked, the mechanism is fitted.
#include "release/model.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "base/hex.h"
#include "base/text.h"
#include "base/trimmed.h"
#include "release/category_rules.h"
#include "release/declared_statistics.h"
#include "release/survey.h"
#include "release/value_column.h"
#include "semveil/classes.h"
#include "semveil/ean.h"
#include "semveil/method.h"
#include "semveil/stop.h"

namespace semveil {

Model::Model(std::unique_ptr<const Impl> impl) : impl_(std::move(impl)) {}
Model::~Model() = default;
Model::Model(Model&&) noexcept = default;
std::string Model::method() const { return impl_->method; }
std::map<std::string, std::string> Model::parameters() const { return impl_->parameters; }
TableOptions Model::table_options() const { return impl_->table; }
bool Model::has_key() const { return impl_->key.has_value(); }
std::string Model::release() const { return impl_->release; }
bool Model::shuffles() const { return impl_->shuffle; }
std::vector<std::string> Model::masked_columns() const { return impl_->masked_names(); }

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

std::string Model::Impl::fingerprint() const {
  std::string all = digest + '\n' + method + '\n' + mechanism + '\n';
  for (const ModelColumn& column : columns) all += fmt::format("masked {}\n", column.plan.name);
  for (const ModelColumn& column : demanded) all += fmt::format("demanded {}\n", column.plan.name);
  if (!person.empty()) all += fmt::format("person {}\n", person);
  return hash_of(all);
}

std::vector<std::string> Model::Impl::masked_names() const {
  std::vector<std::string> names;
  for (const ModelColumn& column : columns) names.push_back(column.plan.name);
  return names;
}

std::optional<Model::Statistics> Model::statistics() const {
  const NoiseFit* const fit = impl_->plan ? noise_fit(*impl_->plan) : nullptr;
  if (fit == nullptr) return std::nullopt;
  Statistics out;
  for (std::size_t j = 0; j < fit->columns.size(); ++j) {
    const ModelColumn& column = impl_->columns[j];
    out.columns.push_back({column.plan.name,
                           std::string(column.attribute->id(fit->columns[j].mean)),
                           fit->columns[j].variance});
  }
  out.covariance = fit->covariance;
  out.digest =
      hex({reinterpret_cast<const unsigned char*>(impl_->digest.data()), impl_->digest.size()});
  return out;
}

namespace {

bool is_below(const Taxonomy& taxonomy, ConceptId c, ConceptId root) {
  const auto above = taxonomy.ancestors(c);
  return std::ranges::find(above, root, &Ancestor::concept_id) != above.end();
}

// From the fitted values; the fit has made all of it once.
std::optional<SenseChoice> choice_of_senses(const ModelColumn& column) {
  std::vector<std::pair<std::string, std::uint64_t>> counted;
  for (const auto& [text, known] : column.texts) counted.emplace_back(text, known.count);
  Result<SenseChoice> choice =
      sense_choice(column.plan, *column.ontology, *column.mapping.mapper, std::move(counted));
  if (!choice) return std::nullopt;
  return *std::move(choice);
}

}  // namespace

ConceptId ModelColumn::map(std::string_view text) const {
  if (attribute->is_numeric()) {
    const std::optional<double> number = number_of(text);
    return number ? place_of_number(*attribute, *number).value_or(kMissing) : kMissing;
  }
  if (!attribute->is_nominal()) {
    return place_of_text(*attribute, trims ? trimmed(text) : text).value_or(kMissing);
  }
  if (plan.values) return plan.values->find(text);
  const bool has_root = !plan.column.root.empty();
  std::vector<ConceptId> senses = mapping.mapper->match(text).senses;
  if (has_root) {
    const auto taxonomy = ontology->taxonomy();
    const auto is_outside = [&](ConceptId c) { return !is_below(**taxonomy, c, plan.root); };
    if (taxonomy) std::erase_if(senses, is_outside);
  }
  if (senses.empty()) return kMissing;
  ConceptId sense = senses.front();
  if (senses.size() > 1 && plan.column.senses != "first") {
    const std::optional<SenseChoice>& choice =
        choice_->get([&] { return choice_of_senses(*this); });
    if (choice) sense = choice->of_word(senses);
  }
  return attribute->domain->in_domain(sense).value_or(kMissing);
}

std::optional<IdForm> ModelColumn::id_form(const OntologyInfo& info) const {
  if (plan.values) return std::nullopt;  // units are written as the data has them
  std::vector<IdForm::Cell> cells;
  for (const auto& [text, known] : texts) {
    const bool has_concept = known.is_mapped && known.concept_id < attribute->taxonomy().size();
    if (!has_concept) continue;
    cells.push_back({trimmed(text), attribute->domain->in_ontology(known.concept_id), known.count});
  }
  return IdForm::of(cells, info, *attribute->names);
}

Key Model::Impl::stream(const Key& secret, const std::string& wanted_release) const {
  return by_person ? person_stream_key(secret) : stream_key(secret, digest, wanted_release);
}

Result<std::shared_ptr<const FittedMethod>> Model::Impl::fitted_for(
    const std::string& wanted_release) const {
  if (plan && (by_person || looks_up || wanted_release == release)) return plan;
  if (!key) {
    return fail(usage_error("the model holds no key: name the key file"));
  }
  std::vector<std::shared_ptr<const Attribute>> attributes;
  for (const ModelColumn& column : columns) attributes.push_back(column.attribute);
  auto loaded =
      load_fitted(mechanism, saved(), std::move(attributes), stream(*key, wanted_release));
  if (!loaded) return fail(loaded.error());
  if (Status status = check_shape(**loaded, method_named(method)); !status) {
    return fail(std::move(status.error()));
  }
  return std::shared_ptr<const FittedMethod>(*std::move(loaded));
}

Result<std::shared_ptr<const FittedMethod>> Model::Impl::kept_fitted_for(
    const std::string& wanted_release) const {
  const std::scoped_lock lock(kept_plans_->mutex);
  constexpr std::size_t kMostKept = 16;
  if (kept_plans_->plans.size() >= kMostKept && !kept_plans_->plans.contains(wanted_release)) {
    kept_plans_->plans.clear();
  }
  std::shared_ptr<const FittedMethod>& kept = kept_plans_->plans[wanted_release];
  if (kept == nullptr) {
    Result<std::shared_ptr<const FittedMethod>> made = fitted_for(wanted_release);
    if (!made) return made;
    kept = *std::move(made);
  }
  return kept;
}

void Model::Impl::finish_columns() {
  for (ModelColumn& column : columns) {
    // `data`: the most frequent spelling of a concept, of several the smallest bytes.
    std::map<ConceptId, std::pair<std::uint64_t, std::string>> best;
    for (const auto& [text, known] : column.texts) {
      if (known.concept_id == kMissing || !known.is_mapped) continue;
      const auto [at, is_new] = best.try_emplace(known.concept_id, known.count, text);
      if (!is_new && known.count > at->second.first) at->second = {known.count, text};
    }
    std::map<ConceptId, std::string> in_data;
    for (const auto& [c, entry] : best) {
      in_data.emplace(c, sets ? trimmed(entry.second) : std::string_view(entry.second));
    }
    if (!column.attribute->is_nominal()) {
      const auto at = static_cast<std::size_t>(&column - columns.data());
      const Attribute& released = plan ? *plan->released()[at] : *column.attribute;
      // Numbers that were made have no spelling in the data, and texts that were trimmed another.
      const bool as_in_data = &released == column.attribute.get() && !column.trims;
      column.spelling.emplace(released, as_in_data ? in_data : std::map<ConceptId, std::string>());
      continue;
    }
    const OntologyInfo& info = ontologies.at(column.plan.column.ontology).info();
    column.spelling.emplace(*column.attribute, info, column.write, !column.plan.column.root.empty(),
                            column.plan.values ? nullptr : column.mapping.file.get(),
                            table.missing_values, in_data, column.mapping.mapper.get(),
                            column.id_form(info));
  }
}

namespace {

// As much of a cell as a message can bear.
std::string quoted(const std::string& cell) {
  constexpr std::size_t kLongest = 100;
  if (cell.size() <= kLongest) return cell;
  std::size_t end = kLongest;
  while (end > 0 && (static_cast<unsigned char>(cell[end]) & 0xC0U) == 0x80U) --end;
  return cell.substr(0, end) + "…";
}

// Values that mapping could not place, with what may have been meant: for the steward's terminal.
Error unmapped_error(const Survey::Impl& survey, const SurveyColumn& column,
                     std::string_view rules) {
  constexpr std::size_t kShown = 20;
  std::uint64_t values = 0;
  std::uint64_t records = 0;
  std::string list;
  const MappedValue* first = nullptr;
  for (const MappedValue& value : column.mapped->values) {
    if (is_mapped(value.how) || !column.texts.find(value.value)) continue;
    if (first == nullptr) first = &value;
    records += value.count;
    if (values++ >= kShown) continue;
    std::string meant;
    for (const Suggestion& s : value.suggestions) {
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
  return data_error(fmt::format(
                        "{} value{} ({} record{}) {} no concept of the domain: {}, or set unmapped "
                        "= {} for the column",
                        values, values == 1 ? "" : "s", records, records == 1 ? "" : "s",
                        values == 1 ? "means" : "mean",
                        column.plan.has_several_ontologies()
                            ? "correct them in the table"
                            : "correct them in a mapping file (`semveil map … -o FILE`, then "
                              "mapping = \"FILE\")",
                        rules))
      .at({survey.table, code ? column.texts.first_line(*code) : 0, column.plan.name})
      .quoting(quoted(first->value))
      .hinting(std::move(list));
}

class Fitting {
 public:
  Fitting(const Survey::Impl& survey, const PlanFile& plan, const Key& key,
          const WorkOptions& options)
      : survey_(survey),
        plan_(plan),
        key_(key),
        options_(options),
        model_(std::make_unique<Model::Impl>()) {}

  Result<Model> run() && {
    if (!plan_.mask) {
      return fail(
          data_error("the plan has no [mask] table: say there which method to use").at(plan_.path));
    }
    if (plan_.declares_statistics() && !survey_.declared) {
      return fail(data_error("the plan declares statistics that stand for a table, and there is "
                             "one: leave out mean, variance and covariance, or fit without a "
                             "table")
                      .at(plan_.path));
    }
    if (const Status status = choose_columns(); !status) return fail(status.error());
    if (const Status status = check_missing(); !status) return fail(status.error());
    copy_rules();
    if (const Status status = check_table(); !status) return fail(status.error());
    const auto mechanism = make_mechanism();
    if (!mechanism) return fail(Error(mechanism.error()).at(plan_.path, plan_.mask->line));
    for (const SurveyColumn* column : masked_) {
      add_column(*column, method().about().invents_concepts, model_->columns);
    }
    for (const auto& [name, demand] : model_->demands) {
      add_column(*survey_.find(name), false, model_->demanded);
    }
    if (const Status status = fit(**mechanism); !status) return fail(status.error());
    model_->finish_columns();
    if (const Status status = check_separator(); !status) return fail(status.error());
    return Model(std::move(model_));
  }

 private:
  const Method& method() const { return *plan_.mask->method; }

  // Besides "error".
  std::string_view unmapped_rules() const {
    if (method().about().releases_sets) return "\"suppress\"";
    if (method().about().looks_up()) return "\"suppress\" or \"generalize\"";
    return "\"suppress\", \"generalize\" or \"keep\"";
  }

  Status choose_columns() {
    for (const SurveyColumn* wanted : columns_to_mask(survey_, plan_)) {
      const SurveyColumn& column = *wanted;
      const bool numbers = method().about().takes_numbers;
      if (!column.attribute || (column.attribute->is_numeric() && !numbers)) {
        return fail(data_error("the method needs an ontology for this column: add `ontology = …`")
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
                      .at(plan_.path, plan_.mask->line));
    }
    return {};
  }

  Status check_missing() {
    for (const SurveyColumn& column : survey_.columns) {
      const bool is_masked = std::ranges::find(names_, column.plan.name) != names_.end();
      const bool asked_for = drops_records(column.plan, is_masked);
      drop_.push_back(plan_.missing == MissingRule::kDropRecord && asked_for);
      if (drop_.back()) model_->drop_if_missing.push_back(column.plan.name);
      if (plan_.missing != MissingRule::kError || !asked_for) continue;
      if (column.missing == 0) continue;
      return fail(data_error(fmt::format("{} cell{} missing, the first in record {}: complete the "
                                         "table, or change missing = \"error\" in the plan",
                                         column.missing, column.missing == 1 ? " is" : "s are",
                                         *column.first_missing + 1))
                      .at({survey_.table, 0, column.plan.name}));
    }
    return {};
  }

  // Joined values must come apart again where they were joined, whatever stands beside them.
  Status check_separator() const {
    if (!model_->sets || model_->sets->kind != SetForm::Kind::kJoined) return {};
    const std::string& separator = model_->sets->separator;
    const SetFit& fit = *set_fit(*model_->plan);
    for (std::size_t j = 0; j < fit.columns.size(); ++j) {
      const std::vector<std::string_view>& texts = model_->columns[j].spelling->texts();
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

  // The line of a categories file that has the value, else the plan.
  Place place_of_category(const SurveyColumn& column, std::string_view value) const {
    for (const CategoryLine& line : column.categories) {
      if (std::ranges::find(line.values, value) == line.values.end()) continue;
      return {plan_.categories_of(column.plan)->file, line.line, column.plan.name};
    }
    return {plan_.path, plan_.mask->line, column.plan.name};
  }

  // What the method cannot do with these columns, or not promise.
  Status check_table() const {
    TableCheck check{.plan = plan_, .mask = *plan_.mask, .columns = {}};
    for (const SurveyColumn* column : masked_) {
      const auto is_kept = [](const MappedValue& value) { return !is_mapped(value.how); };
      const bool keeps_unmapped = column->plan.unmapped == UnmappedRule::kKeep && column->mapped &&
                                  std::ranges::any_of(column->mapped->values, is_kept);
      check.columns.push_back(
          {&column->plan, column->missing, column->mapped.has_value(), keeps_unmapped});
    }
    return method().check_table(check);
  }

  Result<std::unique_ptr<const Mechanism>> make_mechanism() {
    mask_ = *plan_.mask;
    method().settle(survey_.records, mask_);
    if (const Status status = method().check_settings(mask_); !status) return fail(status.error());
    return method().make(mask_, {.columns = names_,
                                 .categories = category_rules(survey_, masked_, plan_),
                                 .declared = survey_.declared ? &*survey_.declared : nullptr,
                                 .threads = options_.threads,
                                 .traced = options_.traced});
  }

  void copy_rules() {
    model_->method = method().name();
    model_->draw_by = plan_.mask->draw_by;
    model_->person = plan_.person;
    model_->allow_linked_rows = plan_.allow_linked_rows;
    model_->by_person = !plan_.mask->draw_by.empty();
    model_->deals = method().about().deals();
    model_->looks_up = method().about().looks_up();
    model_->sets = method().set_form(*plan_.mask);
    if (method().about().forms_classes) {
      for (const ColumnSettings& column : plan_.columns) {
        if (column.demand) model_->demands.emplace(column.name, *column.demand);
      }
    }
    model_->release = plan_.release;
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
      if (column.role == Role::kQuasiIdentifier &&
          std::find(names_.begin(), names_.end(), column.name) == names_.end()) {
        model_->masks_every_quasi_identifier = false;
      }
      if (column.role == Role::kIdentifier) model_->identifiers.push_back(column.name);
      if (column.role == Role::kSensitive) model_->sensitive.push_back(column.name);
      if (column.role == Role::kQuasiIdentifier) model_->quasi_identifiers.push_back(column.name);
    }
  }

  void add_column(const SurveyColumn& from, bool invents_concepts,
                  std::vector<ModelColumn>& columns) {
    ModelColumn& column = columns.emplace_back();
    column.attribute = from.attribute;
    for (Code code = 0; code < from.texts.size(); ++code) {
      column.texts.emplace(from.texts.text(code),
                           ModelColumn::Known{from.concepts[code], from.counts[code], true});
    }
    if (from.mapped) {
      for (const MappedValue& value : from.mapped->values) {
        // What only a categories file has is known, too.
        const auto c =
            value.concept_id ? from.attribute->domain->in_domain(*value.concept_id) : std::nullopt;
        const auto [known, is_new] = column.texts.try_emplace(
            value.value, ModelColumn::Known{c.value_or(kMissing), value.count, true});
        known->second.is_mapped = is_mapped(value.how);
      }
    }
    if (!from.mapped) {
      column.plan.name = from.plan.name;
      column.plan.column = from.plan;
      column.write = WriteAs::kData;
      column.trims = method().about().releases_sets;
      return;
    }
    column.plan = from.mapped->plan;
    column.mapping = from.mapped->mapping;
    const WriteAs usual = !invents_concepts          ? WriteAs::kData
                          : from.mapped->came_as_ids ? WriteAs::kId
                                                     : WriteAs::kLabel;
    column.write = from.plan.write.value_or(usual);
    const std::string& name = column.plan.column.ontology;
    const Ontology& ontology = survey_.ontologies.at(name);
    model_->ontologies.try_emplace(name, ontology);
    if (!column.plan.values) {
      column.ontology = ontology;
      return;
    }
    for (const ValueUnits::Base& base : column.plan.values->bases) {
      model_->ontologies.try_emplace(base.plan.column.ontology, base.ontology);
    }
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

  Status fit(const Mechanism& mechanism) {
    const Analysis analysis(counted_columns(survey_), survey_.joined, survey_.tuples,
                            survey_.records, drop_, survey_.told_persons());
    const FrequencyTable table = analysis.frequencies(names_, model_->demands);
    const bool tells_persons = table.persons.are_told();
    const std::uint64_t size =
        model_->looks_up && tells_persons ? table.persons.different() : table.records;
    if (model_->looks_up && size < plan_.mask->k()) {
      return fail(Error{
          ErrorCode::kGuarantee,
          table.records == 0
              ? "the table has no records to form classes of"
              : fmt::format("k = {} cannot be had of {} {}{}: choose a smaller k", plan_.mask->k(),
                            size, tells_persons ? "person" : "record", size == 1 ? "" : "s"),
          {survey_.table, 0, {}},
          {},
          {}});
    }
    if (model_->sets) {
      const Result<std::string> categories = digest_categories(table);
      if (!categories) return fail(categories.error());
      model_->categories = *categories;
    }
    for (const SurveyColumn* column : masked_) {
      model_->orders.push_back(column->order.value_or(OrderHash()).digest());
    }
    std::vector<std::string> orders = model_->orders;
    if (model_->sets) orders.push_back(model_->categories);
    model_->mechanism = mechanism.name();
    model_->parameters = method().parameters(mask_);
    model_->frequencies = table.digest();
    model_->digest = table_digest(table, orders, method().about(), model_->parameters);
    if (survey_.declared) model_->digest = digest_of_statistics(plan_, model_->digest, survey_);
    auto plan = mechanism.fit(table, model_->stream(key_, model_->release));
    if (!plan) {
      Error error = plan.error();
      if (error.place.file.empty() && model_->sets) {  // the plan asks for what cannot be
        error.place.file = plan_.path;
        error.place.line = plan_.mask->line;
      } else if (error.place.file.empty()) {
        error.place.file = survey_.table;
      }
      return fail(std::move(error));
    }
    model_->plan = *std::move(plan);
    return check_shape(*model_->plan, method().about());
  }

  const Survey::Impl& survey_;
  const PlanFile& plan_;
  const Key& key_;
  const WorkOptions& options_;
  std::unique_ptr<Model::Impl> model_;
  std::vector<const SurveyColumn*> masked_;
  std::vector<std::string> names_;
  std::vector<bool> drop_;  // by column of the survey
  MaskStep mask_;           // the plan's, settled for this table
};

}  // namespace

Result<Model> Model::fit(const Survey& survey, const PlanFile& plan, const Key& key,
                         const WorkOptions& options) {
  return stoppable(options.stop, [&] { return Fitting(survey.impl(), plan, key, options).run(); });
}

}  // namespace semveil
