// Which methods come into question for a table and a purpose. What they bring about on the table is
// measured by propose().
//
// Paper: framework Table 9: one column → uncorrelated errors around the mean; two columns of one
//        domain → correlated errors, around the mean to keep the means or around the partner to
//        keep the correlation; several domains or more columns → correlated, mean or root.
//        Rank swapping §5: values that only change places keep every column's distribution;
//        swapping whole records keeps more of the correlation than column by column.
//        Thesis ch. 4 and 5, ARX, µ-ANT: records that are alone in their quasi-identifiers are
//        found whatever few errors they get; only classes make them one of k. EAN: sensitive values
//        among others of other categories; drawn by frequency and with categories of equal counts,
//        a set tells 1/l (ean.h).
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>

#include "release/survey.h"
#include "semveil/method.h"

namespace semveil {
namespace {

constexpr unsigned kUsualL = 5;
constexpr unsigned kUsualK = 5;

// Every quasi-identifier takes part in a class, with an ontology or without.
std::vector<Advice> advise_classes(const Survey::Impl& survey, const PlanFile& plan) {
  std::vector<std::string> names;
  bool all_have_ontologies = true, all_have_one_at_most = true;
  for (const ColumnSettings& column : plan.columns) {
    if (column.role != Role::kQuasiIdentifier) continue;
    names.push_back(column.name);
    all_have_ontologies = all_have_ontologies && is_nominal(column);
    all_have_one_at_most = all_have_one_at_most && !column.has_several_ontologies();
  }
  if (names.empty()) return {};
  const std::string shared = fmt::format(
      "every record shares {} with {}", fmt::join(names, ", "),
      plan.person.empty() ? fmt::format("at least {} others", kUsualK - 1)
                          : fmt::format("those of at least {} other persons", kUsualK - 1));
  const auto classes = [&](const std::string& method, const std::string& how) {
    const auto k = std::min<std::uint64_t>(kUsualK, std::max<std::uint64_t>(survey.records, 2));
    return Advice{method,
                  {{"method", toml_text(method)}, {"k", std::to_string(k)}},
                  fmt::format("{}: {}", shared, how)};
  };
  std::vector<Advice> out{classes("fuse", "those that mean nearly the same take one's values")};
  if (all_have_one_at_most) {
    out.push_back(classes("microaggregate", "groups of near records take their typical values"));
    if (all_have_ontologies) {
      out.push_back(classes("generalize", "values become what they have in common"));
    }
  }
  return out;
}

// Of a column of words with an ontology; without one the steward must say what is related.
Advice advise_sets(const Survey::Impl& survey, const SurveyColumn& column) {
  Advice advice{"ean", {{"method", "\"ean\""}, {"draw", "\"frequency\""}}, ""};
  const std::string about = fmt::format("sensitive column {}: ", column.plan.name);
  advice.parameters["categories"] = toml_text(column.plan.name + ".categories");
  advice.why = about +
               "each value stands among one of every other category, the quasi-identifiers stay as "
               "they are; write the file, one category of related values per line, with about "
               "equally many records in each";
  if (!column.mapped) return advice;
  const Analysis analysis(counted_columns(survey), survey.joined, survey.tuples, survey.records);
  const FrequencyTable table = analysis.frequencies({column.plan.name});
  FrequencyColumn counted = table.columns.front();  // sets need one concept for each value
  counted.values = concept_counts(*counted.attribute, counted.values);
  if (counted.attribute->resolved) counted.attribute = counted.attribute->resolved->attribute;
  const auto l =
      static_cast<unsigned>(std::min<std::size_t>(kUsualL, counted.values.values.size()));
  const Result<Categories> categories =
      l < 2 ? fail(data_error("one value")) : balanced_categories(l, counted);
  if (!categories) return advice;
  std::uint64_t greatest = 0;
  for (const Categories::Category& category : categories->list) {
    std::uint64_t records = 0;
    for (std::size_t i = 0; i < counted.values.values.size(); ++i) {
      const bool inside = std::ranges::binary_search(category.values, counted.values.values[i]);
      if (inside) records += counted.values.counts[i];
    }
    greatest = std::max(greatest, records);
  }
  advice.parameters["categories"] =
      fmt::format("{{ontology = {}, count = {}}}", toml_text(column.plan.ontology), l);
  advice.why = fmt::format(
      "{}each value stands among one of every other category, the quasi-identifiers stay as they "
      "are; drawn by frequency from {} categories of about equally many records, a set tells at "
      "most {:.3g} of the true value (1/l is {:.3g})",
      about, l, static_cast<double>(greatest) / static_cast<double>(counted.values.total()),
      1.0 / l);
  return advice;
}

// One for all of them: what one leaves open, another may tell.
std::vector<Advice> advise_on_sensitive(const Survey::Impl& survey, const PlanFile& plan) {
  std::vector<Advice> each;
  std::vector<std::string> names;
  for (const SurveyColumn& column : survey.columns) {
    const bool is_word = !is_on_a_line(column.plan);
    if (column.plan.role != Role::kSensitive || !is_word) continue;
    if (column.plan.has_several_ontologies()) continue;  // sets need one taxonomy
    each.push_back(advise_sets(survey, column));
    names.push_back(column.plan.name);
  }
  if (each.empty()) return {};
  Advice all = each.front();
  for (std::size_t i = 1; i < each.size(); ++i) {
    all.why += "; " + each[i].why;
    const bool has_own = plan.find(names[i])->categories.has_value();
    if (each[i].parameters["categories"] == all.parameters["categories"] || has_own) continue;
    all.why += fmt::format("; write categories = {} into [column.{}]",
                           each[i].parameters["categories"], names[i]);
  }
  if (plan.find(names.front())->categories) all.parameters.erase("categories");
  return {all};
}

std::vector<Advice> advise_on_masked(const std::vector<const SurveyColumn*>& columns, Keep keep) {
  const bool one_domain = std::all_of(columns.begin(), columns.end(), [&](const SurveyColumn* c) {
    return same_domain(concepts_of(*c->mapped->attribute),
                       concepts_of(*columns.front()->mapped->attribute));
  });
  const auto noise = [](bool correlated, std::string_view reference, std::string why) {
    return Advice{"noise",
                  {{"method", "\"noise\""},
                   {"alpha", "0.3"},
                   {"correlated", correlated ? "true" : "false"},
                   {"reference", fmt::format("\"{}\"", reference)}},
                  std::move(why)};
  };
  const bool one = columns.size() == 1;
  const Advice swap{
      "swap",
      {{"method", "\"swap\""},
       {"k", "10"},
       {"algorithm", one ? "\"dynamic\"" : "\"multivariate\""}},
      "values change places with one of the k nearest: every column keeps exactly its values, and "
      "how often each occurs; for the whole table at once, not for streams or later tables"};
  std::vector<Advice> advice;
  const bool several = std::ranges::any_of(
      columns, [](const SurveyColumn* column) { return column->plan.has_several_ontologies(); });
  if (several) return {swap};  // noise needs one taxonomy
  if (keep == Keep::kDistributions) advice.push_back(swap);
  if (one) {
    advice.push_back(
        noise(false, "mean",
              "one column: there is no correlation to keep, and errors around the mean "
              "keep the mean"));
    if (keep != Keep::kDistributions) advice.push_back(swap);
    return advice;
  }
  const bool correlation = keep == Keep::kCorrelation;
  if (columns.size() == 2 && one_domain) {
    const Advice mean = noise(true, "mean",
                              "two columns of one domain: correlated errors around the means keep "
                              "the means, and much of the correlation");
    const Advice pair = noise(true, "pair",
                              "two columns of one domain: errors around the partner's value keep "
                              "the correlation best, the means less well");
    advice.push_back(correlation ? pair : mean);
    advice.push_back(correlation ? mean : pair);
  } else {
    const std::string which =
        fmt::format("{} columns{}", columns.size(), one_domain ? "" : " of several domains");
    const Advice mean =
        noise(true, "mean", which + ": correlated errors around the means keep the means");
    const Advice root = noise(
        true, "root", which + ": errors around the domains' roots keep the correlations better");
    advice.push_back(correlation ? root : mean);
    advice.push_back(correlation ? mean : root);
  }
  if (keep != Keep::kDistributions) advice.push_back(swap);
  return advice;
}

}  // namespace

Result<std::vector<Advice>> advise(const Survey& survey, const PlanFile& plan, Keep keep) {
  PlanFile others = plan;  // than sensitive ones
  std::erase_if(others.steps, [](const MaskStep& step) { return step.about().releases_sets; });
  std::vector<const SurveyColumn*> columns =
      columns_to_mask(survey.impl(), others.steps.empty() ? MaskStep() : others.steps.front());
  std::erase_if(columns, [](const SurveyColumn* column) { return !column->mapped; });
  std::vector<Advice> advice;
  if (!columns.empty()) advice = advise_on_masked(columns, keep);
  for (Advice& classes : advise_classes(survey.impl(), plan)) advice.push_back(std::move(classes));
  for (Advice& sets : advise_on_sensitive(survey.impl(), plan)) {
    advice.push_back(std::move(sets));
  }
  if (advice.empty()) {
    return fail(
        data_error("there is no column to advise on: declare a quasi-identifier, give it an "
                   "ontology if there is one, or declare a sensitive column")
            .at(plan.path));
  }
  return advice;
}

}  // namespace semveil
