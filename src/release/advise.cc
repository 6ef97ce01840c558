// Which method fits a table and a purpose.
//
// Paper: framework Table 9: one column → uncorrelated errors around the mean; two columns of one
//        domain → correlated errors, around the mean to keep the means or around the partner to
//        keep the correlation; several domains or more columns → correlated, mean or root.
//        Rank swapping §5: values that only change places keep every column's distribution;
//        swapping whole records keeps more of the correlation than column by column.
#include <fmt/format.h>

#include <algorithm>

#include "release/survey.h"

namespace semveil {
Result<std::vector<Advice>> advise(const Survey& survey, const PlanFile& plan, Keep keep) {
  std::vector<const SurveyColumn*> columns = columns_to_mask(survey.impl(), plan);
  std::erase_if(columns, [](const SurveyColumn* column) { return !column->mapped; });
  if (columns.empty()) {
    return fail(data_error("there is no column to advise on: give a quasi-identifier an ontology")
                    .at(plan.path));
  }
  const bool one_domain = std::all_of(columns.begin(), columns.end(), [&](const SurveyColumn* c) {
    return same_domain(*c->mapped->attribute, *columns.front()->mapped->attribute);
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

}  // namespace semveil
