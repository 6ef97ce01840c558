#include "release/made_column.h"

#include <fmt/format.h>

#include "base/trimmed.h"
#include "mechanisms/generalize/level_table.h"
#include "ontology/hierarchies/made_hierarchy.h"

namespace semveil {
namespace {

std::string made_name(const ColumnSettings& plan) {
  return fmt::format("hierarchy of {}", plan.name);
}

// A text means the concept with its letters, else what the rule says. A flat hierarchy has no rule:
// its texts are looked up as in any other.
void place_others(const HierarchyRule& rule, const Names& names, MappedColumn& column) {
  if (rule.settings().kind == HierarchySettings::Kind::kFlat) return;
  for (MappedValue& value : column.values) {
    const bool is_itself = is_code(value.how) && value.concept_id &&
                           names.id(*value.concept_id) == trimmed(value.value);
    if (is_itself) continue;
    const ConceptId c = place_by_rule(rule, names, value.value);
    value.how = c == kNoPlace ? How::kUnmapped : How::kLabel;
    value.concept_id = c == kNoPlace ? std::nullopt : std::optional(c);
    value.senses = c == kNoPlace ? std::vector<ConceptId>() : std::vector{c};
  }
}

Status add_made(const MadeHierarchy& made, MappedColumn& column) {
  Attribute attribute = *column.attribute;
  auto levels = level_table(made.levels, *attribute.names, *attribute.domain);
  if (!levels) return fail(levels.error());
  attribute.levels = *std::move(levels);
  if (!made.shares.empty()) {
    std::map<std::string_view, double> shares;
    for (std::size_t i = 0; i < made.shares.size(); ++i) {
      shares.emplace(made.levels.ids[i], made.shares[i]);
    }
    std::vector<double> by_concept;
    for (ConceptId c = 0; c < attribute.taxonomy().size(); ++c) {
      by_concept.push_back(shares.at(attribute.id(c)));
    }
    attribute.shares = std::make_shared<const std::vector<double>>(std::move(by_concept));
  }
  column.attribute = std::make_shared<const Attribute>(std::move(attribute));
  return {};
}

}  // namespace

Result<MappedColumn> map_to_made(const ColumnSettings& plan, ColumnTexts texts,
                                 bool missing_is_value, unsigned threads) {
  std::vector<std::string_view> own;
  for (const auto& [text, count] : texts.counted) {
    if (count > 0) own.push_back(text);
  }
  const Place place{.file = {}, .line = 0, .column = plan.name};
  HierarchySettings settings = *plan.hierarchy;
  settings.date_format = plan.format;
  Result<HierarchyRule> rule =
      HierarchyRule::fit(std::move(settings), plan.type == ColumnType::kNumeric, own);
  if (!rule) return fail(std::move(rule.error()).at(place));
  Result<MadeHierarchy> made = make_hierarchy(*rule, own, made_name(plan));
  if (!made) return fail(std::move(made.error()).at(place));

  ColumnSettings settled = plan;
  settled.ontology = made_name(plan);
  settled.type = ColumnType::kNominal;
  Ontologies ontologies;
  ontologies.add(settled.ontology, made->ontology);
  // Each text has one meaning: the unit is the concept.
  Result<MappedColumn> column =
      map_column(settled, ontologies, std::move(texts), missing_is_value, Unit::kConcept, threads);
  if (!column) return column;
  place_others(*rule, column->mapping.mapper->names(), *column);
  if (Status status = add_made(*made, *column); !status) return fail(status.error());
  column->plan.rule = std::make_shared<const HierarchyRule>(*std::move(rule));
  column->joined = std::move(made->ontology);
  return column;
}

ConceptId placed_by(const AttributeRecipe& plan, const Attribute& attribute,
                    std::string_view text) {
  const ConceptId c = place_by_rule(*plan.rule, *attribute.names, text);
  if (c == kNoPlace) return kMissing;
  return attribute.domain->in_domain(c).value_or(kMissing);
}

}  // namespace semveil
