// How to read a description.
#include <algorithm>

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
    out.push_back(make_finding("rows-may-be-persons", Severity::kWarning,
                               {description.person_like->column},
                               {{"records", static_cast<double>(description.person_like->rows)},
                                {"of", static_cast<double>(description.person_like->of)}}));
  }
  if (!description.classes) {
    out.push_back(make_finding("no-quasi-identifiers", Severity::kNote));
  }
  return out;
}

}  // namespace semveil
