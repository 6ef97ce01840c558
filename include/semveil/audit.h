// Audit: what a masked table kept of the original, and what risk it leaves. It works on any pair of
// tables, whoever masked them; the plan says what the columns mean.
//
//   pair_tables(original, masked, plan)   both tables as values of common attributes, which record
//                                         became which
//   audit(pair)                           every figure of utility and risk
//   public_edition(audit)                 what may be shown to anybody
//
// docs/audit.md defines every figure; explain_figure() gives the same words one at a time.
#pragma once

#include <string>
#include <vector>

#include "semveil/audit_figures.h"
#include "semveil/release.h"

namespace [[gnu::visibility("default")]] semveil {

// ---- From two tables to figures -----------------------------------------------------------------

struct PairOptions {
  WorkOptions work;
  std::string key;      // a column of both tables that says which records belong together
  std::string row_map;  // a file (docs/formats/row_map.md); at most one of the two
  const std::vector<std::uint64_t>* rows = nullptr;  // what a row map says, without a file
  // Of the original table under this plan; else methods that draw are fitted again.
  const Survey* survey = nullptr;
  const Model* model = nullptr;
  const Table* control = nullptr;  // other records of the population, never masked
  bool unpaired = false;           // only what needs no pairs is wanted
  bool compares_cells = true;      // what came through as it was is wanted: one more pass
};

class TablePair {  // immutable; as confidential as the original table
 public:
  ~TablePair();
  TablePair(const TablePair&) = delete;
  TablePair& operator=(const TablePair&) = delete;
  TablePair(TablePair&&) noexcept;
  TablePair& operator=(TablePair&&) = delete;
  class Impl;
  const Impl& impl() const { return *impl_; }
  explicit TablePair(std::unique_ptr<const Impl> impl);

 private:
  std::unique_ptr<const Impl> impl_;
};
// Without key and row map records are paired by position, if the tables show that they belong
// together (audit/believed_pairs.h), else it is an error. Tables of different lengths are then
// not paired, and record-wise figures are left out.
Result<TablePair> pair_tables(const Table& original, const Table& masked, const PlanFile& plan,
                              const PairOptions& options);

struct AuditOptions {
  WorkOptions work;
  std::size_t clusters = 14;  // 0: none; kBestClusters: as many as part the records best
  // What compares all tuples with all is tried on so many records where there are more tuples.
  std::size_t most_attacked = 100'000;
  bool attacks = true;        // linkage by meaning and the attacks, which cost tuples²
  bool guesses = true;        // of `attacks`: singling out, linkability, inference
  bool origins = true;        // what each released value may have been
  bool contributions = true;  // what linkage would be without each column: as many linkages more
  std::string target;         // of the classifier; empty: the first sensitive column, if any
};
Result<Audit> audit(const TablePair& pair, const AuditOptions& options);
// Where the table was masked here and now: what masking raised that stands against the release or
// has to be weighed (semveil/release_findings.h), and that the audit has not told itself.
void add_findings_of_masking(const std::vector<Finding>& masking, Audit& audit);

// Whether a method changes records on their own or with a partner, so that no class of equal ones
// hides anybody: noise, naive, probabilistic, swap and its baselines.
bool changes_records_alone(std::string_view method);

// Without what only the steward may see: values that the release does not contain, figures by
// original value, exact figures of the original (three digits are left). Shares of values that
// fewer than k original records have are pooled, with at least two values and k records in a pool;
// where that cannot be, the distribution is left out.
Audit public_edition(const Audit& audit, std::uint64_t k);

}  // namespace semveil
