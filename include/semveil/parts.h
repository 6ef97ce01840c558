// A table in parts: its rows are counted where they are, and what was counted is merged.
//
//   SurveyPart::count(batch, plan, first_row)   anywhere, without ontologies
//   part.merge(other)                           in any order; to and from bytes on the way
//   Survey::from(part, plan)                    once: equals the survey of the whole table
//   Model::fit(survey, plan, key)
//   model.mask(batch, …)                        anywhere (batch.h): gives an OutcomePart
//   finish(model, outcome)                      once: verifies the whole, makes the summary
//
// Row numbers are those of the whole table, dropped records included. That every row was counted
// once is checked. Parts hold the table's texts: they are as secret as the table itself.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "semveil/arrow_c.h"
#include "semveil/plan_file.h"
#include "semveil/release.h"
#include "semveil/result.h"
#include "semveil/table.h"

namespace [[gnu::visibility("default")]] semveil {

// What the first pass counts of some rows: texts, how often, in which combinations, in which rows
// for the first time, the order hash, and the first 16,384 records as far as they are among them.
class SurveyPart {
 public:
  // The rows of `table` are those from `first_row` on. Of the options `figures`, `every_column`,
  // `progress` and `stop` count; Survey::from needs the same of the first two.
  static Result<SurveyPart> count(const Table& table, const PlanFile& plan, std::uint64_t first_row,
                                  const WorkOptions& options = {});
  // A batch in memory, which is moved from (memory_table.h).
  static Result<SurveyPart> count(ArrowSchema* schema, ArrowArray* batch, const PlanFile& plan,
                                  std::uint64_t first_row, const WorkOptions& options = {});
  ~SurveyPart();
  SurveyPart(const SurveyPart&) = delete;
  SurveyPart& operator=(const SurveyPart&) = delete;
  SurveyPart(SurveyPart&&) noexcept;
  SurveyPart& operator=(SurveyPart&&) noexcept;

  // Of other rows of the same table, under the same plan.
  Status merge(const SurveyPart& other);
  // Version and checksum come first.
  std::string to_bytes() const;
  static Result<SurveyPart> from_bytes(std::string_view bytes);

  std::uint64_t records() const;

  class Impl;
  Impl& impl() { return *impl_; }
  const Impl& impl() const { return *impl_; }
  explicit SurveyPart(std::unique_ptr<Impl> impl);

 private:
  std::unique_ptr<Impl> impl_;
};

// What masking counted of some rows, and what verifying them needs: how often which values came out
// together, what was dealt out, the order hash of what was read. Made by Model::mask.
class OutcomePart {
 public:
  ~OutcomePart();
  OutcomePart(const OutcomePart&) = delete;
  OutcomePart& operator=(const OutcomePart&) = delete;
  OutcomePart(OutcomePart&&) noexcept;
  OutcomePart& operator=(OutcomePart&&) noexcept;

  Status merge(const OutcomePart& other);  // of the same model and release
  std::string to_bytes() const;
  static Result<OutcomePart> from_bytes(std::string_view bytes);

  std::uint64_t records() const;
  std::uint64_t dropped_records() const;

  class Impl;
  Impl& impl() { return *impl_; }
  const Impl& impl() const { return *impl_; }
  explicit OutcomePart(std::unique_ptr<Impl> impl);

 private:
  std::unique_ptr<Impl> impl_;
};

struct FinishOptions {
  WorkOptions work;
  // Of the table that was masked: the summary then tells the table before, too.
  const Survey* survey = nullptr;
  // How many records the table has, where the caller knows it: then no part can be missing at the
  // end. A recheck without a survey needs it.
  std::optional<std::uint64_t> records;
  bool recheck = false;  // as ApplyOptions::recheck
  bool describe = true;  // the result's statistics are wanted
};

// Verifies a release that was masked in parts: that every row was masked once (where records are
// drawn by person, rows need no numbers, and nobody can tell), that the table is the fitted one
// where it must be, that all values were dealt out, that classes have k records and what is
// demanded of them. What comes out is what apply() tells of the whole table. A release that
// this refuses must not be used.
Result<MaskResult> finish(const Model& model, const OutcomePart& outcome,
                          const FinishOptions& options = {});

}  // namespace semveil
