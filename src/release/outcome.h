// What came out of a pass of masking: counted batch by batch, then described.
#pragma once

#include <array>

#include "release/read_columns.h"

namespace semveil {

// What a text of a masked column is replaced by if it means no concept.
enum class Instead : std::uint8_t { kConcept, kSuppressed, kGeneralized, kKept };

struct Unmapped {  // a cell without a concept
  std::uint32_t row;
  Instead instead;
};

// A batch as it was released.
struct ReleasedBatch {
  std::unique_ptr<TableBatch> batch;
  // By masked column, then row: a value of its attribute, kMissing, or first_kept() + the code of a
  // text that was kept.
  std::vector<std::vector<Code>> values;
  std::vector<std::vector<Unmapped>> unmapped;  // by masked column, ascending rows
  std::uint64_t single_origin = 0;              // rows
  std::vector<bool> suppressed;                 // rows; empty: none
};

class Outcome {
 public:
  // `survey`: of the table that is masked, or null. All must outlive it.
  Outcome(const Model::Impl& model, const Plan& plan, const Table& table,
          const Survey::Impl* survey, const ReadColumns& columns, const ApplyOptions& options);

  static Code first_kept(const Attribute& attribute) { return attribute.missing_value() + 1; }

  void add(const ReleasedBatch& released);
  std::uint64_t bytes() const { return bytes_; }  // of the table, read so far

  MaskResult result(const std::vector<ColumnTally>& tallies,
                    std::vector<std::string> dropped_columns) const;

 private:
  struct Counts {                           // of a masked column
    std::vector<std::uint64_t> kept_texts;  // by code
    std::uint64_t missing = 0;
    std::array<std::uint64_t, 4> instead{};  // unmapped cells, by Instead
  };

  std::size_t joined_width() const;
  bool counts_tuples() const { return options_.describe && joined_width() > 1; }
  std::optional<std::size_t> masked_at(std::size_t joined) const;
  bool is_emptied(std::size_t joined) const;  // in suppressed records
  void count_column(const ReleasedBatch& released, std::size_t j);
  void count_tuples(const ReleasedBatch& released);
  std::uint64_t of(std::size_t j, Instead instead) const {
    return counts_[j].instead[static_cast<std::size_t>(instead)];
  }
  CountedColumn counted(std::size_t j, const ColumnTally& tally) const;
  Description describe_released(const std::vector<ColumnTally>& tallies) const;
  MaskedColumn masked_column(std::size_t j, const ColumnTally& tally) const;
  std::optional<MaskResult::Classes> classes() const;
  std::uint64_t unmapped_cells(const std::string& name) const;
  std::uint64_t ambiguous_texts(const std::string& name) const;
  std::vector<Survey::PassedThrough> unmasked(const std::vector<std::string>& dropped) const;

  const Model::Impl& model_;
  const Plan& plan_;
  const Table& table_;
  const Survey::Impl* survey_;
  const ReadColumns& columns_;
  const ApplyOptions& options_;
  std::vector<Counts> counts_;
  TupleCounter tuples_, suppressed_;  // of records that are in a class, and of the others
  std::uint64_t records_ = 0, dropped_records_ = 0, bytes_ = 0, single_origin_ = 0;
  std::uint64_t suppressed_records_ = 0;
};

}  // namespace semveil
