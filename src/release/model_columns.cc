#include "release/model_columns.h"

#include <algorithm>
#include <functional>
#include <nlohmann/json.hpp>

#include "base/date_text.h"
#include "base/text.h"
#include "ontology/hierarchies/hierarchy_rule.h"
#include "release/value_column.h"

namespace semveil {
namespace {

// ---- Writing

Json saved_content(const InformationContent& ic) { return {{"of", ic.of}, {"max", ic.max}}; }

// The part of an ontology, and what measures there.
void save_space(const AttributeRecipe& plan, const Names& names, Json& json) {
  Json members = Json::array();
  if (plan.column.domain == DomainKind::kBranches) {
    for (const ConceptId c : plan.members) members.push_back(names.id(c));
  }
  json["ontology"] = plan.column.ontology;
  json["root"] = names.id(plan.root);  // "" for the virtual root
  json["root_was_named"] = !plan.column.root.empty();
  json["domain"] = plan.column.domain;
  json["members"] = std::move(members);
  json["measure"] = plan.column.measure;
  json["ic"] = plan.ic ? "seco" : plan.column.ic;
  json["lcs"] = plan.column.lcs;
  const FeatureWeights& weights = plan.column.weights;
  json["weights"] = {weights.names, weights.features, weights.neighbours};
  json["senses"] = plan.column.senses;
  json["deny"] = plan.column.deny;
  json["leaves_only"] = plan.column.leaves_only;
  json["min_depth"] = plan.column.min_depth;
  json["candidates"] = plan.column.candidates.value_or(CandidateKind::kAll);
  if (plan.ic) json["ic_values"] = saved_content(*plan.ic);
  if (plan.sense_ic) json["sense_ic_values"] = saved_content(*plan.sense_ic);
}

void save_mapping(const MappingSources& sources, Json& json) {
  json["decisions"] = sources.decisions;
  json["decisions_name"] = sources.decisions_name;
  json["via"] = sources.via;
  json["references"] = sources.references;
}

Json saved_units(const ValueUnits& values) {
  Json units = Json::array();
  for (const ValueUnit& unit : values.units) {
    Json meaning = Json::array();
    for (std::size_t o = 0; o < unit.meaning.size(); ++o) {
      const Names& names = values.bases[o].mapping.mapper->names();
      Json& senses = meaning.emplace_back(Json::array());
      for (const ConceptId c : unit.meaning[o]) senses.push_back(names.id(c));
    }
    const Names& names = values.bases.front().mapping.mapper->names();
    units.push_back(
        {unit.id, std::move(meaning), unit.resolved ? Json(names.id(*unit.resolved)) : Json()});
  }
  return units;
}

void save_values(const ValueUnits& values, Json& json) {
  Json bases = Json::array();
  for (const ValueUnits::Base& base : values.bases) {
    Json& of = bases.emplace_back();
    save_space(base.plan, base.mapping.mapper->names(), of);
    save_mapping(base.mapping.sources, of);
    of["has_values"] = base.space.measure != nullptr;
  }
  json["values"] = {{"units", saved_units(values)}, {"in", std::move(bases)}};
  if (!values.concepts) return;
  save_space(values.concepts->plan, values.bases.front().mapping.mapper->names(),
             json["values"]["concepts"]);
}

Json saved_rule(const HierarchyRule& rule) {
  const HierarchyRule::Fitted& fitted = rule.fitted();
  return {{"kind", fitted.settings.kind},
          {"width", fitted.settings.width},
          {"cuts", fitted.settings.cuts},
          {"by_weeks", fitted.settings.by_weeks},
          {"date_format", fitted.settings.date_format},
          {"as", fitted.settings.as},
          {"chosen", fitted.was_chosen},
          {"levels", fitted.levels},
          {"longest", fitted.longest},
          {"low", fitted.low},
          {"high", fitted.high}};
}

}  // namespace

Json saved_column(const ModelColumn& column) {
  const Attribute& attribute = *column.attribute;
  Json texts = Json::array();
  for (const auto& [text, known] : column.texts) {
    texts.push_back({text, saved_id(attribute, known.concept_id), known.count, known.is_mapped});
  }
  Json json{{"name", column.plan.name},
            {"role", column.plan.column.role},
            {"missing_is_value", attribute.missing_is_value},
            {"texts", std::move(texts)}};
  if (attribute.kind == Attribute::Kind::kText) {
    json["words"] = attribute.texts;
    return json;
  }
  if (attribute.is_numeric()) {
    json["numbers"] = attribute.digits;
    json["unit"] = attribute.unit;
    json["decimals"] = attribute.decimals;
    if (attribute.dates) {
      json["dates"] = {{"format", attribute.dates->format()},
                       {"zones", attribute.dates->zones()},
                       {"midnight", attribute.dates->midnight()}};
    }
    return json;
  }
  json["unmapped"] = column.plan.column.unmapped;
  json["write"] = column.write;
  if (column.plan.values) {
    json["ontology"] = column.plan.column.ontology;
    json["measure"] = column.plan.column.measure;
    save_values(*column.plan.values, json);
    return json;
  }
  save_space(column.plan, *attribute.names, json);
  if (column.plan.rule) json["hierarchy"] = saved_rule(*column.plan.rule);
  save_mapping(column.mapping.sources, json);
  return json;
}

// ---- Reading

namespace {

void read_texts(const Json& json, bool unmapped_is_missing, ModelColumn& column) {
  const SavedIds ids(*column.attribute);
  for (const Json& entry : json.at("texts")) {
    const ConceptId c = entry.at(1).is_null() ? kMissing : ids.concept_of(entry.at(1));
    const bool is_mapped = entry.at(3);
    const bool stands_for_missing =
        c == kMissing && !is_mapped && unmapped_is_missing && column.attribute->missing_is_value;
    column.texts.emplace(
        entry.at(0), ModelColumn::Known{stands_for_missing ? column.attribute->missing_value() : c,
                                        entry.at(2), is_mapped});
  }
}

void read_name(const Json& json, ModelColumn& column) {
  column.plan.column.name = column.plan.name = json.at("name");
  column.plan.column.role = json.at("role");
  if (column.plan.column.role > Role::kPseudonym) throw std::out_of_range("choice");
}

ModelColumn read_numeric_column(const Json& json) {
  ModelColumn column;
  read_name(json, column);
  column.plan.column.type = ColumnType::kNumeric;
  column.write = WriteAs::kData;
  std::shared_ptr<const DateForm> dates;
  if (json.contains("dates")) {
    const Json& saved = json.at("dates");
    column.plan.column.type = ColumnType::kDate;
    column.plan.column.format = saved.at("format");
    std::optional<DateForm> form =
        DateForm::restored(column.plan.column.format, saved.at("zones"), saved.at("midnight"));
    if (!form) throw std::out_of_range("dates");
    dates = std::make_shared<const DateForm>(*std::move(form));
  }
  std::vector<double> numbers;
  for (const Json& digits : json.at("numbers")) {
    const std::optional<double> number =
        cell_number(dates.get(), digits.get_ref<const std::string&>());
    if (!number || (!numbers.empty() && *number <= numbers.back())) {
      throw std::out_of_range("numbers");
    }
    numbers.push_back(*number);
  }
  Attribute attribute =
      numeric_attribute(column.plan.name, std::move(numbers), json.at("unit").get<double>());
  attribute.decimals = json.at("decimals");
  if (dates) attribute.digits = json.at("numbers").get<std::vector<std::string>>();
  attribute.dates = std::move(dates);
  attribute.missing_is_value = json.at("missing_is_value");
  column.attribute = std::make_shared<const Attribute>(std::move(attribute));
  read_texts(json, false, column);
  return column;
}

ModelColumn read_text_column(const Json& json, bool trims) {
  ModelColumn column;
  read_name(json, column);
  column.plan.column.type = ColumnType::kText;
  column.write = WriteAs::kData;
  auto words = json.at("words").get<std::vector<std::string>>();
  if (std::ranges::adjacent_find(words, std::greater_equal<>()) != words.end()) {
    throw std::out_of_range("words");
  }
  Attribute attribute = text_attribute(column.plan.name, std::move(words));
  attribute.missing_is_value = json.at("missing_is_value");
  column.attribute = std::make_shared<const Attribute>(std::move(attribute));
  column.trims = trims;
  read_texts(json, false, column);
  return column;
}

const Ontology& ontology_of(const Json& json, const Model::Impl& model) {
  const auto found = model.ontologies.find(json.at("ontology").get<std::string>());
  if (found == model.ontologies.end()) throw std::out_of_range("ontology");
  return found->second;
}

ConceptId saved_concept(const Names& names, const Json& id) {
  const std::string& text = id.get_ref<const std::string&>();
  for (const std::uint64_t entry : names.lookup(squeeze(text))) {
    const Term term = names.term(Names::term_of(entry));
    if (term.kind == TermKind::kId && term.text == text) return term.concept_id;
  }
  throw std::out_of_range("id");
}

std::shared_ptr<const InformationContent> read_content(const Json& json) {
  InformationContent ic;
  ic.of = json.at("of").get<std::vector<double>>();
  ic.max = json.at("max");
  return std::make_shared<const InformationContent>(std::move(ic));
}

void read_space(const Json& json, const Names& names, AttributeRecipe& out) {
  ColumnSettings& plan = out.column;
  plan.ontology = json.at("ontology");
  plan.domain = json.at("domain");
  plan.measure = json.at("measure");
  plan.ic = json.at("ic");
  plan.lcs = json.at("lcs");
  const Json& weights = json.at("weights");
  plan.weights = {weights.at(0), weights.at(1), weights.at(2)};
  plan.senses = json.at("senses");
  plan.deny = json.at("deny").get<std::vector<std::string>>();
  plan.leaves_only = json.at("leaves_only");
  plan.min_depth = json.at("min_depth");
  plan.candidates = json.at("candidates");
  const bool is_choice =
      plan.domain <= DomainKind::kBranches && *plan.candidates <= CandidateKind::kCodes;
  if (!is_choice) throw std::out_of_range("choice");
  if (json.contains("ic_values")) out.ic = read_content(json.at("ic_values"));
  if (json.contains("sense_ic_values")) out.sense_ic = read_content(json.at("sense_ic_values"));
  if (const std::string root = json.at("root"); !root.empty()) {
    out.root = saved_concept(names, json.at("root"));
    if (json.at("root_was_named").get<bool>()) plan.root = root;
  }
  for (const Json& id : json.at("members")) out.members.push_back(saved_concept(names, id));
}

// Levels and characters of a damaged file would be made one by one.
std::shared_ptr<const HierarchyRule> read_rule(const Json& json) {
  constexpr unsigned kMost = 1U << 20;
  HierarchyRule::Fitted fitted;
  fitted.settings.kind = json.at("kind");
  fitted.settings.width = json.at("width");
  fitted.settings.cuts = json.at("cuts").get<std::vector<double>>();
  fitted.settings.by_weeks = json.at("by_weeks");
  fitted.settings.date_format = json.at("date_format");
  fitted.settings.as = json.at("as");
  fitted.was_chosen = json.at("chosen");
  fitted.levels = json.at("levels");
  fitted.longest = json.at("longest");
  fitted.low = json.at("low");
  fitted.high = json.at("high");
  const bool has_width =
      fitted.settings.width > 0 || fitted.settings.kind != HierarchySettings::Kind::kIntervals;
  const bool sound = fitted.settings.kind <= HierarchySettings::Kind::kDate && has_width &&
                     fitted.levels <= kMost && fitted.longest <= kMost &&
                     DateForm::of(fitted.settings.date_format).has_value();
  if (!sound) throw std::out_of_range("hierarchy");
  return std::make_shared<const HierarchyRule>(std::move(fitted));
}

Result<TextMapping> read_mapping(const Json& json, const Ontology& ontology) {
  return make_text_mapping(ontology, {.decisions = json.at("decisions"),
                                      .decisions_name = json.at("decisions_name"),
                                      .via = json.at("via"),
                                      .references = json.at("references")});
}

// By ontology the senses of a unit, which lie in what is measured there.
Meaning read_meaning(const Json& json, const ValueUnits& values) {
  if (json.size() != values.bases.size()) throw std::out_of_range("values");
  Meaning meaning;
  for (std::size_t o = 0; o < values.bases.size(); ++o) {
    const ValueUnits::Base& base = values.bases[o];
    std::vector<ConceptId>& senses = meaning.emplace_back();
    for (const Json& id : json.at(o)) {
      senses.push_back(saved_concept(base.mapping.mapper->names(), id));
      const bool inside = !base.space.domain || base.space.domain->in_domain(senses.back());
      if (!inside) throw std::out_of_range("values");
    }
    std::ranges::sort(senses);
  }
  return meaning;
}

Status read_bases(const Json& json, const Model::Impl& model, const AttributeRecipe& plan,
                  ValueUnits& values) {
  for (const Json& entry : json.at("in")) {
    const Ontology& ontology = ontology_of(entry, model);
    Result<TextMapping> mapping = read_mapping(entry, ontology);
    if (!mapping) return fail(mapping.error());
    ValueUnits::Base& base =
        values.bases.emplace_back(ValueUnits::Base{plan, ontology, *std::move(mapping), {}});
    read_space(entry, base.mapping.mapper->names(), base.plan);
    if (!entry.at("has_values").get<bool>()) continue;
    Result<ConceptSpace> space = make_space(base.plan, ontology, Features::kAsTheyAre);
    if (!space) return fail(space.error());
    base.space = *std::move(space);
  }
  return values.bases.empty() ? throw std::out_of_range("values") : Status();
}

Result<ModelColumn> read_value_column(const Json& json, const Model::Impl& model,
                                      ModelColumn column, const SavedColumnRules& rules) {
  const Json& saved = json.at("values");
  const Ontology& joined = ontology_of(json, model);
  auto values = std::make_shared<ValueUnits>();
  const AttributeRecipe plan = column.plan;
  if (const Status status = read_bases(saved, model, plan, *values); !status) {
    return fail(status.error());
  }
  const ValueUnits::Base& first = values->bases.front();
  const Names& names = first.mapping.mapper->names();
  if (saved.contains("concepts")) {
    values->concepts.emplace(ValueUnits::Concepts{plan, nullptr});
    read_space(saved.at("concepts"), names, values->concepts->plan);
    auto attribute = make_attribute(values->concepts->plan, first.ontology, *first.mapping.mapper);
    if (!attribute) return fail(attribute.error());
    values->concepts->attribute = *std::move(attribute);
  }
  for (const Json& entry : saved.at("units")) {
    ValueUnit unit{entry.at(0), "", read_meaning(entry.at(1), *values), std::nullopt};
    if (!entry.at(2).is_null()) unit.resolved = saved_concept(names, entry.at(2));
    const bool is_next = values->units.empty() || values->units.back().id < unit.id;
    if (!is_next || unit.resolved.has_value() != values->concepts.has_value()) {
      throw std::out_of_range("values");
    }
    values->of_meaning.emplace(unit.meaning, values->units.size());
    values->units.push_back(std::move(unit));
  }
  if (!find_places(joined, *values)) throw std::out_of_range("values");
  column.plan.column.ontology = json.at("ontology");
  column.plan.column.measure = json.at("measure");
  column.mapping = first.mapping;
  column.plan.values = std::move(values);
  Result<std::shared_ptr<const Attribute>> attribute = make_unit_attribute(column.plan, joined);
  if (!attribute) return fail(attribute.error());
  column.attribute = *std::move(attribute);
  read_texts(json, rules.looked_up, column);
  return column;
}

Result<ModelColumn> read_nominal_column(const Json& json, const Model::Impl& model,
                                        const SavedColumnRules& rules) {
  ModelColumn column;
  read_name(json, column);
  column.plan.column.unmapped = json.at("unmapped");
  column.plan.missing_is_value = json.at("missing_is_value");
  column.write = json.at("write");
  if (column.plan.column.unmapped > UnmappedRule::kKeep || column.write > WriteAs::kId) {
    throw std::out_of_range("choice");
  }
  if (json.contains("values")) return read_value_column(json, model, std::move(column), rules);
  const Ontology& ontology = ontology_of(json, model);
  Result<TextMapping> mapping = read_mapping(json, ontology);
  if (!mapping) return fail(mapping.error());
  column.mapping = *std::move(mapping);
  column.ontology = ontology;
  read_space(json, column.mapping.mapper->names(), column.plan);
  if (json.contains("hierarchy")) column.plan.rule = read_rule(json.at("hierarchy"));
  Result<std::shared_ptr<const Attribute>> attribute =
      make_attribute(column.plan, ontology, *column.mapping.mapper);
  if (!attribute) return fail(attribute.error());
  column.attribute = *std::move(attribute);
  read_texts(json, rules.looked_up, column);
  return column;
}

}  // namespace

Result<ModelColumn> read_saved_column(const Json& json, const Model::Impl& model,
                                      const SavedColumnRules& rules) {
  if (json.contains("numbers")) return read_numeric_column(json);
  if (json.contains("words")) return read_text_column(json, rules.of_sets);
  return read_nominal_column(json, model, rules);
}

}  // namespace semveil
