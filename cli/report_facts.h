// What a report says besides its figures: which files, which method, which command.
#pragma once

#include "plan_options.h"
#include "semveil/files.h"
#include "semveil/report_facts.h"

namespace semveil::cli {

struct ReportOptions {
  std::string file;                // empty: no report
  std::string edition = "public";  // public | steward
};
void add_report_options(CLI::App& verb, ReportOptions& options);  // --report, --edition
void add_edition_option(CLI::App& verb, ReportOptions& options);
Edition edition_of(const ReportOptions& options);

// A report that has no name yet; a steward's only its owner can read.
Result<PendingFile> prepare_report(const std::string& path, std::string_view html, Edition edition);

// The plan, the ontology and what else the command line says in place of it, as it was written
// there: " --plan p.toml --alpha 0.5 --correlated".
std::string plan_arguments(const PlanOptions& plan, Edition edition);

// A file as a page names it: its folder is told to stewards alone. The same as a word of a command.
std::string shown_path(const std::string& path, Edition edition);
std::string file_word(const std::string& path, Edition edition);
// A word of a shell's command line, quoted where it must be.
std::string shell_word(std::string_view text);

}  // namespace semveil::cli
