#include "release/category_rules.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/trimmed.h"
#include "plan/plan_reader.h"

namespace semveil {
namespace {

// Texts of the table that the file does not have: mostly one of the two is misspelt.
Status check_texts(const Survey::Impl& survey, const SurveyColumn& column,
                   const std::string& file) {
  std::vector<std::string_view> listed;
  for (const CategoryLine& line : column.categories) {
    listed.insert(listed.end(), line.values.begin(), line.values.end());
  }
  std::ranges::sort(listed);
  std::optional<Code> first;
  std::uint64_t values = 0, records = 0;
  for (Code code = 0; code < column.texts.size(); ++code) {
    if (std::ranges::binary_search(listed, trimmed(column.texts.text(code)))) continue;
    if (!first) first = code;
    ++values;
    records += column.counts[code];
  }
  if (!first) return {};
  const std::string text(trimmed(column.texts.text(*first)));
  return fail(data_error(fmt::format("{} value{} ({} record{}) in no category of {}: correct the "
                                     "cell, list it in missing_values, or add it to a category "
                                     "(values there are separated by commas)",
                                     values, values == 1 ? "" : "s", records,
                                     records == 1 ? " is" : "s are", file))
                  .at({survey.table, column.texts.first_line(*first), column.plan.name})
                  .quoting(text)
                  .hinting(fmt::format("the nearest there is \"{}\"", nearest(text, listed))));
}

Result<Categories> listed(const Survey::Impl& survey, const SurveyColumn& column,
                          const std::string& file, const FrequencyColumn& counted) {
  if (!column.mapped) {
    if (const Status status = check_texts(survey, column, file); !status) {
      return fail(status.error());
    }
    const ValueOf place = [&](std::string_view text) {
      return place_of_text(*counted.attribute, text);
    };
    return listed_categories(column.categories, file, place, counted);
  }
  std::map<std::string_view, ConceptId> meant;
  for (const MappedValue& value : column.mapped->values) {
    if (!is_mapped(value.how) || !value.concept_id) continue;
    if (const auto c = counted.attribute->domain->in_domain(*value.concept_id)) {
      meant.emplace(value.value, *c);
    }
  }
  const ValueOf concept_of = [&](std::string_view text) -> std::optional<ConceptId> {
    const auto at = meant.find(text);
    return at == meant.end() ? std::nullopt : std::optional(at->second);
  };
  return listed_categories(column.categories, file, concept_of, counted);
}

Result<Categories> below(const SurveyColumn& column, const std::vector<std::string>& names,
                         const FrequencyColumn& counted) {
  std::vector<ConceptId> roots;
  for (const std::string& name : names) {
    const Result<ConceptId> root = column.mapped->mapping.mapper->only(name);
    if (!root) return fail(root.error());
    const auto c = counted.attribute->domain->in_domain(*root);
    if (!c) {
      return fail(data_error("this root of a category has no value of the column below it: leave "
                             "it out of roots, or give the column a wider root")
                      .quoting(name));
    }
    roots.push_back(*c);
  }
  return categories_below(roots, counted);
}

}  // namespace

std::vector<CategoryRule> category_rules(const Survey::Impl& survey,
                                         const std::vector<const SurveyColumn*>& columns,
                                         const PlanFile& plan) {
  std::vector<CategoryRule> rules;
  for (const SurveyColumn* const column : columns) {
    const CategoriesSettings* const categories = plan.categories_of(column->plan);
    if (categories == nullptr) {
      rules.emplace_back();
      continue;
    }
    rules.emplace_back([=, &survey, &plan](const FrequencyColumn& counted) {
      Result<Categories> made =
          !categories->file.empty()    ? listed(survey, *column, categories->file, counted)
          : !categories->roots.empty() ? below(*column, categories->roots, counted)
          : categories->depth > 0      ? categories_at_depth(categories->depth, counted)
                                       : balanced_categories(categories->count, counted);
      if (!made && made.error().place.file.empty()) {
        made.error().place = {plan.path, categories->line, column->plan.name};
      }
      return made;
    });
  }
  return rules;
}

}  // namespace semveil
