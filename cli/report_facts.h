// What a report says besides its figures: which files, which method, which command.
#pragma once

#include "plan_options.h"
#include "semveil/files.h"
#include "semveil/report.h"

namespace semveil::cli {

struct ReportOptions {
  std::string file;                // empty: no report
  std::string edition = "public";  // public | steward
};
void add_report_options(CLI::App& verb, ReportOptions& options);  // --report, --edition
void add_edition_option(CLI::App& verb, ReportOptions& options);
Edition edition_of(const ReportOptions& options);

// Before-counts of fewer records are pooled in public: the plan's k, else this.
inline constexpr std::uint64_t kUsualPool = 5;
std::uint64_t pool_of(const PlanFile& plan);

// What an edition shows of an audit.
Audit shown_to(const Audit& audit, Edition edition, const PlanFile& plan);
// A report that has no name yet; a steward's only its owner can read.
Result<PendingFile> prepare_report(const std::string& path, std::string_view html, Edition edition);

struct ReportFiles {
  std::string original, masked;  // as the user named them; "-": no hash
  std::string masked_bytes;      // where the masked table's bytes can be read; empty: `masked`
  std::string command;           // that repeats the work, without its secrets
  bool seeded = false;
  bool is_audit = false;  // of a table of anybody: nobody knows whether there was a seed
};
// Reads the files for their hashes, the original for a steward alone. `parameters`: of a model,
// else those of the plan.
Result<ReportFacts> report_facts(const PlanFile& plan, const ReportFiles& files, Edition edition,
                                 const std::string& method,
                                 const std::map<std::string, std::string>& parameters);

// The plan, the ontology and what else the command line says in place of it, as it was written
// there: " --plan p.toml --alpha 0.5 --correlated".
std::string plan_arguments(const PlanOptions& plan, Edition edition);

// A file as a page names it: its folder is told to stewards alone. The same as a word of a command.
std::string shown_path(const std::string& path, Edition edition);
std::string file_word(const std::string& path, Edition edition);
// A word of a shell's command line, quoted where it must be.
std::string shell_word(std::string_view text);

}  // namespace semveil::cli
