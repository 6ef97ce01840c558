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
  if (!description.classes) {
    out.push_back(make_finding("no-quasi-identifiers", Severity::kNote));
  }
  return out;
}

}  // namespace semveil
