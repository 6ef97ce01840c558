// How to read a description.
#include <algorithm>

#include "plan/column_names.h"
#include "release/passing_columns.h"
#include "release/survey.h"
#include "semveil/finding_guide.h"
#include "semveil/release_findings.h"

namespace semveil {

std::vector<Finding> findings_of(const Description& description) {
  std::vector<Finding> out;
  std::uint64_t sampled = 0;
  std::vector<std::string> both_ways;
  for (const PairDescription& pair : description.pairs) {
    sampled = std::max(sampled, pair.sampled);
    if (pair.clamped) {
      out.push_back(make_finding("sum-clamped", Severity::kNote, {pair.a, pair.b}));
    }
  }
  for (const ColumnDescription& column : description.columns) {
    sampled = std::max(sampled, column.sampled);
    if (column.domain && column.domain->symmetrised) both_ways.push_back(column.name);
  }
  if (sampled > 0) {
    out.push_back(make_finding("estimated-from-a-sample", Severity::kNote, {},
                               {{"sampled", static_cast<double>(sampled)}}));
  }
  if (!both_ways.empty()) {
    out.push_back(
        make_finding("distances-of-both-directions", Severity::kNote, std::move(both_ways)));
  }
  std::vector<std::string> shared;
  for (const SensitiveDescription& column : description.sensitive) {
    if (column.most_common == 1.0 && description.classes) shared.push_back(column.name);
  }
  if (!shared.empty()) {
    out.push_back(make_finding("class-shares-a-value", Severity::kWarning, std::move(shared)));
  }
  if (description.person_like) {
    // Without a word of persons or ids in the name it is a mere guess.
    const bool is_named = says_id(hint_of(description.person_like->column));
    out.push_back(make_finding("rows-may-be-persons",
                               is_named ? Severity::kWarning : Severity::kNote,
                               {description.person_like->column},
                               {{"records", static_cast<double>(description.person_like->rows)},
                                {"of", static_cast<double>(description.person_like->of)}}));
  }
  if (!description.classes) {
    out.push_back(make_finding("no-quasi-identifiers", Severity::kNote));
  }
  return out;
}

namespace {

void find_uniques(const Description& description, std::vector<Finding>& out) {
  if (!description.classes || description.classes->uniques == 0) return;
  std::vector<std::string> names;
  for (const ColumnDescription& column : description.columns) {
    if (column.role == Role::kQuasiIdentifier) names.push_back(column.name);
  }
  std::map<std::string, double> figures{
      {"uniques", static_cast<double>(description.classes->uniques)},
      {"records", static_cast<double>(description.records)}};
  if (description.persons) figures["persons"] = static_cast<double>(*description.persons);
  out.push_back(
      make_finding("uniques-in-table", Severity::kWarning, std::move(names), std::move(figures)));
}

void find_unmapped(const Survey::Impl& survey, std::vector<Finding>& out) {
  for (const SurveyColumn& column : survey.columns) {
    if (!column.mapped) continue;
    std::uint64_t values = 0, records = 0;
    for (const MappedValue& value : column.mapped->values) {
      if (is_mapped(value.how)) continue;
      ++values;
      records += value.count;
    }
    if (values == 0) continue;
    out.push_back(make_finding(
        "values-unmapped", Severity::kWarning, {column.plan.name},
        {{"values", static_cast<double>(values)}, {"records", static_cast<double>(records)}}));
  }
}

void find_undeclared(const Survey::Impl& survey, const PlanFile& plan, std::vector<Finding>& out) {
  std::vector<std::string> undeclared, like_identifiers;
  for (const Survey::PassedThrough& column : survey.others) {
    if (plan.find(column.name) == nullptr) undeclared.push_back(column.name);
    if (is_nearly_unique(column)) like_identifiers.push_back(column.name);
  }
  if (!like_identifiers.empty()) {
    out.push_back(make_finding("columns-look-like-identifiers", Severity::kWarning,
                               std::move(like_identifiers)));
  }
  if (!undeclared.empty()) {
    out.push_back(make_finding("columns-undeclared", Severity::kWarning, std::move(undeclared)));
  }
}

}  // namespace

std::vector<Finding> findings_of(const Survey& survey, const PlanFile& plan,
                                 const Description& description) {
  std::vector<Finding> out = findings_of(description);
  find_uniques(description, out);
  find_unmapped(survey.impl(), out);
  find_undeclared(survey.impl(), plan, out);
  rank(out);
  return out;
}

}  // namespace semveil
