#include "release/common_column.h"

#include <algorithm>
#include <map>

#include "base/date_text.h"
#include "release/model.h"
#include "release/number_attribute.h"

namespace semveil {
namespace {

using TextMap = std::map<std::string, ConceptId, std::less<>>;

std::map<std::string, std::uint64_t, std::less<>> every_text(std::span<const TextCounts> tables) {
  std::map<std::string, std::uint64_t, std::less<>> texts;
  for (std::size_t t = 0; t < tables.size(); ++t) {
    for (Code code = 0; code < tables[t].texts->size(); ++code) {
      std::uint64_t& count = texts[std::string(tables[t].texts->text(code))];
      if (t == 0) count += tables[t].counts[code];
    }
  }
  return texts;
}

constexpr std::size_t kReleased = 2;  // tables that were released, or are the original of it

// What the virtual root is written as.
constexpr std::string_view kTopText = "*";

Result<TextMap> nominal(const PlanFile& plan, const ColumnSettings& column,
                        const Ontologies& ontologies, std::span<const TextCounts> tables,
                        unsigned threads, std::shared_ptr<const Attribute>& attribute) {
  const auto released = tables.first(std::min(tables.size(), kReleased));
  const auto known_texts = every_text(released);
  ColumnTexts texts;
  for (const auto& [text, count] : known_texts) texts.counted.emplace_back(text, count);
  for (const auto& [text, count] : every_text(tables.subspan(released.size()))) {
    if (!known_texts.contains(text)) texts.further.push_back(text);
  }
  Result<MappedColumn> mapped =
      map_column(column, ontologies, std::move(texts), missing_is_value(column, plan),
                 unit_of(column, plan), threads);
  if (!mapped) {
    Error error = mapped.error();
    if (error.place.file.empty()) error.place = {plan.path, column.line, column.name};
    return fail(std::move(error));
  }
  attribute = mapped->attribute;
  ModelColumn known;
  known.plan = std::move(mapped->plan);
  known.attribute = attribute;
  known.mapping = std::move(mapped->mapping);
  if (!known.plan.values) {
    known.ontology = mapped->joined ? *mapped->joined : ontologies.at(column.ontology);
  }
  TextMap meant;
  for (const MappedValue& value : mapped->values) {
    const bool has_concept = is_mapped(value.how) && value.concept_id;
    const auto c = has_concept ? attribute->domain->in_domain(*value.concept_id) : std::nullopt;
    known.texts.emplace(value.value, ModelColumn::Known{c.value_or(kMissing), value.count, true});
    if (c) meant.emplace(value.value, *c);
  }
  for (const TextCounts& others : tables.subspan(released.size())) {
    for (Code code = 0; code < others.texts->size(); ++code) {
      const std::string_view text = others.texts->text(code);
      if (known.texts.contains(text)) continue;
      const ConceptId c = known.map(text);
      if (c != kMissing) meant.emplace(text, c);
    }
  }
  if (attribute->taxonomy().has_virtual_root())
    meant.try_emplace(std::string(kTopText), Taxonomy::root());
  return meant;
}

TextMap numeric(const PlanFile& plan, const ColumnSettings& column,
                std::span<const TextCounts> tables, std::shared_ptr<const Attribute>& attribute) {
  std::vector<double> numbers;
  std::vector<std::pair<double, std::uint64_t>> original;
  std::map<std::string, double, std::less<>> by_text;
  std::shared_ptr<const DateForm> dates;
  if (column.type == ColumnType::kDate) {
    std::vector<std::string_view> texts;
    for (const TextCounts& table : tables) {
      for (Code code = 0; code < table.texts->size(); ++code) {
        texts.push_back(table.texts->text(code));
      }
    }
    dates = date_form(column, texts);
  }
  for (std::size_t t = 0; t < tables.size(); ++t) {
    for (Code code = 0; code < tables[t].texts->size(); ++code) {
      const std::string_view text = tables[t].texts->text(code);
      const std::optional<double> number = cell_number(dates.get(), text);
      if (!number) continue;  // an interval, a star: a text like any other
      numbers.push_back(*number);
      by_text.emplace(text, *number);
      if (t == 0) original.emplace_back(*number, tables[t].counts[code]);
    }
  }
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  Attribute made =
      numeric_attribute(column.name, std::move(numbers),
                        number_unit(column, usual_scale(column, plan), std::move(original)));
  made.missing_is_value = missing_is_value(column, plan);
  if (dates) {
    make_dates(std::move(dates), {by_text.begin(), by_text.end()}, made);
  }
  attribute = std::make_shared<const Attribute>(std::move(made));
  TextMap meant;
  for (const auto& [text, number] : by_text) {
    meant.emplace(text, *place_of_number(*attribute, number));
  }
  return meant;
}

TextMap text(const PlanFile& plan, const ColumnSettings& column, std::span<const TextCounts> tables,
             std::shared_ptr<const Attribute>& attribute) {
  std::vector<std::string> texts;
  TextMap meant;
  for (const auto& [text, count] : every_text(tables)) {
    meant.emplace_hint(meant.end(), text, static_cast<ConceptId>(texts.size()));
    texts.push_back(text);
  }
  Attribute made = text_attribute(column.name, std::move(texts));
  made.missing_is_value = missing_is_value(column, plan);
  attribute = std::make_shared<const Attribute>(std::move(made));
  return meant;
}

}  // namespace

Result<CommonColumn> common_column(const PlanFile& plan, const ColumnSettings& column,
                                   const Ontologies& ontologies, std::span<const TextCounts> tables,
                                   unsigned threads) {
  CommonColumn out;
  TextMap meant;
  if (is_nominal(column)) {
    Result<TextMap> mapped = nominal(plan, column, ontologies, tables, threads, out.attribute);
    if (!mapped) return fail(mapped.error());
    meant = *std::move(mapped);
  } else if (is_on_a_line(column)) {
    meant = numeric(plan, column, tables, out.attribute);
  } else {
    meant = text(plan, column, tables, out.attribute);
  }
  for (const TextCounts& table : tables) {
    std::vector<ConceptId>& values = out.values.emplace_back();
    for (Code code = 0; code < table.texts->size(); ++code) {
      const std::string_view cell = table.texts->text(code);
      auto known = meant.find(cell);
      if (known == meant.end()) {
        out.unmapped.emplace_back(cell);
        const auto beyond = out.attribute->missing_value() + out.unmapped.size();
        known = meant.emplace(cell, static_cast<ConceptId>(beyond)).first;
      }
      values.push_back(known->second);
    }
  }
  return out;
}

}  // namespace semveil
