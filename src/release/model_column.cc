#include "release/model_column.h"

#include <algorithm>

#include "base/date_text.h"
#include "base/text.h"
#include "base/trimmed.h"
#include "release/made_column.h"
#include "release/value_column.h"

namespace semveil {

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
    const std::optional<double> number = cell_number(attribute->dates.get(), text);
    if (!number) return kMissing;
    if (const auto place = place_of_number(*attribute, *number)) return *place;
    return place_beyond(*number);
  }
  if (!attribute->is_nominal()) {
    return place_of_text(*attribute, trims ? trimmed(text) : text).value_or(kMissing);
  }
  if (plan.values) return plan.values->find(text);
  if (plan.rule) {
    if (const ConceptId c = placed_by(plan, *attribute, text); c != kMissing) return c;
  }
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

// Beyond the ends that the fit saw nobody knows what the number is like.
ConceptId ModelColumn::place_beyond(double number) const {
  const std::vector<double>& seen = attribute->numbers;
  if (!numbers_released || seen.empty() || number < seen.front() || number > seen.back()) {
    return kMissing;
  }
  return static_cast<ConceptId>(attribute->size() + 1 + nearest_number(*numbers_released, number));
}

std::string_view ModelColumn::id(ConceptId cell) const {
  if (cell <= attribute->size() || !numbers_released) return attribute->id(cell);
  return numbers_released->id(static_cast<ConceptId>(cell - attribute->size() - 1));
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

ModelColumn model_column(const SurveyColumn& from, const ColumnWriting& writing,
                         const Ontologies& ontologies) {
  ModelColumn column;
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
    column.trims = writing.trims;
    return column;
  }
  column.plan = from.mapped->plan;
  column.mapping = from.mapped->mapping;
  const WriteAs usual = !writing.invents_concepts  ? WriteAs::kData
                        : from.mapped->came_as_ids ? WriteAs::kId
                                                   : WriteAs::kLabel;
  column.write = from.plan.write.value_or(usual);
  if (!column.plan.values) column.ontology = ontologies.at(column.plan.column.ontology);
  return column;
}

void spell(ModelColumn& column, const Attribute& released, const SpellingRules& rules,
           const OntologyInfo* info) {
  // `data`: the most frequent spelling of a concept, of several the smallest bytes.
  std::map<ConceptId, std::pair<std::uint64_t, std::string>> best;
  for (const auto& [text, known] : column.texts) {
    if (known.concept_id == kMissing || !known.is_mapped) continue;
    const auto [at, is_new] = best.try_emplace(known.concept_id, known.count, text);
    if (!is_new && known.count > at->second.first) at->second = {known.count, text};
  }
  std::map<ConceptId, std::string> in_data;
  for (const auto& [c, entry] : best) {
    in_data.emplace(c, rules.of_sets ? trimmed(entry.second) : std::string_view(entry.second));
  }
  if (!column.attribute->is_nominal()) {
    // Numbers that were made have no spelling in the data, and texts that were trimmed another.
    const bool as_in_data = &released == column.attribute.get() && !column.trims;
    column.spelling.emplace(released, as_in_data ? in_data : std::map<ConceptId, std::string>());
    return;
  }
  const OntologyInfo& about = info != nullptr ? *info : column.ontology->info();
  column.spelling.emplace(*column.attribute, about, column.write, !column.plan.column.root.empty(),
                          column.plan.values ? nullptr : column.mapping.file.get(),
                          rules.missing_values, in_data, column.mapping.mapper.get(),
                          column.id_form(about));
}

namespace {

class ModelMeaning final : public ColumnMeaning {
 public:
  explicit ModelMeaning(std::shared_ptr<const ModelColumn> column) : column_(std::move(column)) {}

  const Attribute& attribute() const override { return *column_->attribute; }
  ConceptId concept_of(std::string_view text) const override {
    const auto known = column_->texts.find(text);
    return known != column_->texts.end() ? known->second.concept_id : column_->map(text);
  }
  std::string_view text_of(ConceptId c) const override { return column_->spelling->texts()[c]; }

 private:
  std::shared_ptr<const ModelColumn> column_;
};

}  // namespace

std::shared_ptr<const ColumnMeaning> column_meaning(std::shared_ptr<const ModelColumn> column) {
  return std::make_shared<const ModelMeaning>(std::move(column));
}

}  // namespace semveil
