// What a release tells of whole persons, found in the two tables: which of its columns tell the
// rows of a person (release/row_links.h), which tell by how many days dates were shifted
// (release/shift_tells.h), and who is alone with the days between theirs (figures/date_tells.h).
// Masking looks at the same as it writes, and raises the same findings.
//
// Cost:   one pass over the release; where dates are shifted a survey of the original, unless there
//         is one.
// Memory: what these need, and 16 bytes for each shifted date.
#pragma once

#include <functional>
#include <string_view>
#include <vector>

#include "semveil/finding.h"
#include "semveil/plan_file.h"
#include "semveil/release.h"
#include "semveil/table.h"

namespace semveil {

// Whether the plan asks for any of it.
bool tells_of_persons(const PlanFile& plan);
bool shifts_dates(const PlanFile& plan);

struct PersonsInRelease {
  const Table& masked;
  const PlanFile& plan;        // names a person
  const Survey::Impl* survey;  // of the original; null where no dates are shifted
  // By row of the masked table: its person, as a text and as a number, which live as long as this.
  std::function<std::string_view(std::uint64_t)> person;
  std::function<std::uint32_t(std::uint64_t)> number;
  const WorkProgress& progress;
};
Result<std::vector<Finding>> find_told_of_persons(const PersonsInRelease& release);

}  // namespace semveil
