// What an audit counts of two tables, made of parts: for tables that no one machine holds.
//
//   on many machines:  PairPart part = *PairPart::count(&schema, &original, &schema_2, &masked,
//   plan,
//                                                       {.first_row = 20'000});
//                      send(part.to_bytes());
//   on one:            PairPart all;
//                      for (…) all.merge(*PairPart::from_bytes(received));
//                      audit(*pair_tables(all, plan, {.key = "patient"}), {});
//
// Whoever counts has paired the records: row i of the one table became row i of the other. Rows are
// numbered over all parts; that order is the one in which the whole tables would be read. A part
// holds texts and numbers and needs no ontology: what texts mean is found once, of all together.
// Every figure and finding is then that of the whole tables, but for two things:
//   - columns that come out as sets (ean, an) are kept by record and are in no part: the finding
//     sets-left-out names them
//   - whether records that stand at the same place belong together is not asked: that is the
//     caller's word
//
// AS SECRET AS BOTH TABLES: a part holds their texts, which became which, and hashes of the cells
// of first records. Its bytes are not encrypted; their checksum finds accidents, not forgers.
//
// Memory: the distinct texts, tuples and pairs of tuples; 16 bytes for each of the first 16,384
// cells of every column of both tables; with draw_by 24 bytes for each of the first million
// records.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "semveil/arrow_c.h"
#include "semveil/audit.h"

namespace [[gnu::visibility("default")]] semveil {

// Which rows of the whole tables a part is.
struct PairedRows {
  std::uint64_t first_row = 0;
  // By row of the part: the table has no such record, whatever stands in its place there (after an
  // outer join: nulls). Empty: all are in both tables.
  std::vector<bool> not_in_original, not_in_masked;
};

class PairPart {
 public:
  PairPart();  // of nothing: what is merged into it stays as it is
  ~PairPart();
  PairPart(const PairPart&) = delete;
  PairPart& operator=(const PairPart&) = delete;
  PairPart(PairPart&&) noexcept;
  PairPart& operator=(PairPart&&) noexcept;

  // A batch of each table, a struct of columns, with as many rows. Structs are moved from, also
  // where the call fails. A column that the plan names may have any type that memory_table.h lists.
  static Result<PairPart> count(ArrowSchema* original_schema, ArrowArray* original,
                                ArrowSchema* masked_schema, ArrowArray* masked,
                                const PlanFile& plan, const PairedRows& rows = {},
                                const WorkOptions& options = {});
  // Tables with as many rows; opened with the plan's missing values.
  static Result<PairPart> count(const Table& original, const Table& masked, const PlanFile& plan,
                                const PairedRows& rows = {}, const WorkOptions& options = {});

  // In any order, with the same result, bytes included. An error, and nothing changed, where the
  // other was counted under another plan or of other tables, or has rows that are here already.
  Status merge(const PairPart& other);

  std::string to_bytes() const;  // docs/formats/pair_part.md
  static Result<PairPart> from_bytes(std::string_view bytes);

  class Impl;
  const Impl& impl() const { return *impl_; }

 private:
  std::unique_ptr<Impl> impl_;
};

// What all parts together say. The plan is the one they were counted under; one that differs in
// nothing that is counted (k, alpha, ontologies) may be used. Of the options, `key` only names what
// the caller paired by, and row_map, rows and unpaired are not asked for. An error where some row
// below the last is in no part.
Result<TablePair> pair_tables(const PairPart& all, const PlanFile& plan,
                              const PairOptions& options = {});

}  // namespace semveil
