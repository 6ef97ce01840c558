// What a report says besides its figures: which files, which method, which edition.
#pragma once

#include <map>
#include <string>

#include "semveil/plan_file.h"
#include "semveil/report.h"

namespace [[gnu::visibility("default")]] semveil {

// Before-counts of fewer records are pooled in public: the plan's k, else this.
inline constexpr std::uint64_t kUsualPool = 5;
std::uint64_t pool_of(const PlanFile& plan);

// What an edition shows.
Audit shown_to(const Audit& audit, Edition edition, const PlanFile& plan);
Comparison shown_to(const Comparison& comparison, Edition edition, const PlanFile& plan);

struct ReportFiles {
  std::string original, masked;  // as the user named them; what is no file has no hash
  std::string masked_bytes;      // where the masked table's bytes can be read; empty: `masked`
  std::string version;           // of the program
  std::string command;           // that repeats the work, without its secrets
  bool seeded = false;
  bool is_audit = false;  // of a table of anybody: nobody knows whether there was a seed
};
// Reads the files for their hashes, the original for a steward alone. `parameters`: of a model,
// else those of the plan.
Result<ReportFacts> report_facts(const PlanFile& plan, const ReportFiles& files, Edition edition,
                                 const std::string& method,
                                 const std::map<std::string, std::string>& parameters);

}  // namespace semveil
