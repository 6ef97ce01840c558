#include "release/declared_statistics.h"

#include <fmt/format.h>
#include <sodium.h>

#include <algorithm>
#include <cmath>

#include "mechanisms/noise/noise_method.h"
#include "release/table_digest.h"
#include "semveil/stop.h"

namespace semveil {

bool PlanFile::declares_statistics() const {
  const bool of_columns = std::ranges::any_of(columns, [](const ColumnSettings& column) {
    return !column.mean.empty() || column.variance.has_value();
  });
  return of_columns || std::ranges::any_of(steps, [](const MaskStep& step) {
           return !noise_settings(step).covariance.empty();
         });
}

namespace {

class StatisticsReader {
 public:
  StatisticsReader(const PlanFile& plan, const WorkOptions& options)
      : plan_(plan),
        said_(noise_settings(plan.steps.empty() ? MaskStep() : plan.steps.front())),
        options_(options),
        found_(std::make_unique<Survey::Impl>()) {
    found_->table = plan.path;
    found_->missing = plan.missing;
    found_->ontology_sources = plan.ontologies;
  }

  Result<Survey> run() && {
    if (const Status status = check_mask(); !status) return fail(status.error());
    NoiseStatistics& declared = found_->declared.emplace();
    for (const ColumnSettings& column : plan_.columns) {
      if (plan_.step_of(column) == nullptr) continue;
      if (const Status status = add_column(column); !status) return fail(status.error());
      declared.variances.push_back(*column.variance);
    }
    if (const Status status = read_covariance(); !status) return fail(status.error());
    found_->tuples = TupleCounter(found_->joined.size());
    return Survey(std::move(found_));
  }

 private:
  tl::unexpected<Error> wrong(std::string message) const {
    const std::uint64_t line = plan_.steps.empty() ? 0 : plan_.steps.front().line;
    return fail(data_error(std::move(message)).at(plan_.path, line));
  }
  tl::unexpected<Error> wrong(const ColumnSettings& column, std::string message) const {
    return fail(data_error(std::move(message)).at({plan_.path, column.line, column.name}));
  }

  Status check_mask() const {
    if (!plan_.masks()) {
      return wrong("the plan has no [mask] table: say there which method to use");
    }
    if (plan_.steps.size() != 1 || !plan_.recodings.empty()) {
      return wrong(
          "a plan of several steps needs the records themselves: name the table; noise alone can "
          "be "
          "fitted on declared statistics");
    }
    if (!plan_.steps.front().about().fits_statistics) {
      return wrong(
          fmt::format("{} needs the records themselves: name the table; noise alone can "
                      "be fitted on declared statistics",
                      plan_.steps.front().about().name));
    }
    return {};
  }

  Status add_column(const ColumnSettings& plan) {
    if (is_on_a_line(plan)) {
      return wrong(plan,
                   "only statistics of words can be declared: name the table, or leave the "
                   "column out of `columns`");
    }
    if (plan.mean.empty() || !plan.variance) {
      return wrong(plan,
                   "without a table the statistics of every masked column must be declared: write "
                   "mean = \"CONCEPT\" and variance = NUMBER, or name the table");
    }
    if (*plan.variance == 0 && !said_.options.allow_unmasked) {
      return fail(Error{ErrorCode::kGuarantee,
                        "variance = 0 leaves the values as they are: leave the column out of "
                        "`columns`, or set allow_unmasked = true",
                        {plan_.path, plan.line, plan.name},
                        {},
                        {}});
    }
    if (const Status opened = found_->ontologies.open_for(plan_, plan, options_.use_cache);
        !opened) {
      return opened;
    }
    const bool whole = found_->ontologies.at(plan.ontology).info().format == "vgh";
    if (plan.domain == DomainKind::kBranches || (plan.root.empty() && !whole)) {
      return wrong(plan,
                   "without a table there are no values that the domain could be found from: "
                   "name it with root = \"CONCEPT\", and leave domain = \"branches\" out");
    }
    auto mapped = map_column(plan, found_->ontologies, {}, missing_is_value(plan, plan_),
                             Unit::kConcept, options_.threads);
    if (!mapped) {
      Error error = mapped.error();
      if (error.place.file.empty()) error.place = {plan_.path, plan.line, plan.name};
      return fail(std::move(error));
    }
    const Result<ConceptId> mean = mapped->mapping.mapper->only(plan.mean);
    if (!mean) return fail(Error(mean.error()).at({plan_.path, plan.line, plan.name}));
    const auto inside = mapped->attribute->domain->in_domain(*mean);
    if (!inside || mapped->attribute->taxonomy().is_virtual(*inside)) {
      return wrong(plan, "the mean lies outside the column's domain: correct mean or root");
    }
    found_->declared->means.push_back(*inside);
    found_->joined.push_back(found_->columns.size());
    SurveyColumn& column = found_->columns.emplace_back();
    column.plan = plan;
    column.attribute = mapped->attribute;
    column.mapped = *std::move(mapped);
    return {};
  }

  Status read_covariance() {
    const NumberRows& rows = said_.covariance;
    if (!said_.options.correlated) return {};
    const std::size_t width = found_->columns.size();
    bool sound = rows.size() == width;
    for (std::size_t a = 0; sound && a < width; ++a) {
      sound = rows[a].size() == width && rows[a][a] >= 0;
      for (std::size_t b = 0; sound && b < a; ++b) sound = rows[a][b] == rows[b][a];
    }
    if (!sound) {
      return wrong(
          fmt::format("correlated = true without a table needs covariance in [mask]: a "
                      "list of {0} rows of {0} numbers, the masked columns in the plan's "
                      "order, symmetric, none below 0 on the diagonal",
                      width));
    }
    for (const auto& row : rows) {
      auto& all = found_->declared->covariance;
      all.insert(all.end(), row.begin(), row.end());
    }
    return {};
  }

  const PlanFile& plan_;
  const NoiseSettings said_;
  const WorkOptions& options_;
  std::unique_ptr<Survey::Impl> found_;
};

}  // namespace

Result<Survey> survey_of_statistics(const PlanFile& plan, const WorkOptions& options) {
  return stoppable(options.stop, [&] { return StatisticsReader(plan, options).run(); });
}

std::string digest_of_statistics(const PlanFile& plan, const std::string& digest_of_options,
                                 const Survey::Impl& survey) {
  const std::string digest = noise_settings(plan.steps.front()).digest;
  if (!digest.empty()) {
    std::string bytes(digest.size() / 2, '\0');
    sodium_hex2bin(reinterpret_cast<unsigned char*>(bytes.data()), bytes.size(), digest.data(),
                   digest.size(), nullptr, nullptr, nullptr);
    return bytes;
  }
  std::string all = digest_of_options;
  for (std::size_t j = 0; j < survey.columns.size(); ++j) {
    const std::string_view id = survey.columns[j].attribute->id(survey.declared->means[j]);
    all += fmt::format("{}:{}{:a}\n", id.size(), id, survey.declared->variances[j]);
  }
  for (const double x : survey.declared->covariance) all += fmt::format("{:a}\n", x);
  return hash_of(all);
}

}  // namespace semveil
