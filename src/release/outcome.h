// What came out of a pass of masking: counted batch by batch, then described.
#pragma once

#include <array>

#include "release/person_links.h"
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
  // text that was kept; of sets Plan::width() values for each row.
  std::vector<std::vector<Code>> values;
  std::vector<std::vector<Unmapped>> unmapped;  // by masked column, ascending rows
  std::uint64_t single_origin = 0;              // rows
  std::vector<bool> suppressed;                 // rows; empty: none
  std::uint64_t persons = 0;  // different ones, in the first batch of a plan that draws by them
};

class Outcome {
 public:
  // `survey`: of the table that is masked, or null. All must outlive it.
  Outcome(const Model::Impl& model, const Plan& plan, const Table& table,
          const Survey::Impl* survey, const ReadColumns& columns, const ApplyOptions& options);

  static Code first_kept(const Attribute& attribute) { return attribute.missing_value() + 1; }

  void add(const ReleasedBatch& released);
  std::uint64_t bytes() const { return bytes_; }  // of the table, read so far
  std::uint64_t released_records() const { return records_ - dropped_records_; }
  std::vector<std::uint64_t> missing_cells() const;  // released, by masked column
  void note_reread(bool reread) { reread_ = reread; }

  MaskResult result(const std::vector<ColumnTally>& tallies, const JointTally& joint,
                    std::vector<std::string> dropped_columns) const;

 private:
  struct Counts {                           // of a masked column
    std::vector<std::uint64_t> kept_texts;  // by code
    std::uint64_t missing = 0;
    std::array<std::uint64_t, 4> instead{};  // unmapped cells, by Instead
    std::vector<std::uint64_t> originals;    // of sets without a survey: true values
  };

  // A single column that is masked is counted without tuples.
  bool counts_tuples() const { return options_.describe && joined_.size() > (model_.sets ? 0 : 1); }
  std::optional<std::size_t> masked_at(std::size_t joined) const;
  bool is_emptied(std::size_t joined) const;  // in suppressed records
  void count_column(const ReleasedBatch& released, std::size_t j);
  void count_originals(const TableBatch& batch, std::size_t j);
  // Whether the released records have the frequencies that posteriors were made for.
  bool has_fitted_frequencies() const;
  void count_tuples(const ReleasedBatch& released);
  void link_persons(const ReleasedBatch& released);
  std::uint64_t of(std::size_t j, Instead instead) const {
    return counts_[j].instead[static_cast<std::size_t>(instead)];
  }
  CountedColumn counted(std::size_t j, const ColumnTally& tally) const;
  void count_again(CountedColumn& column) const;
  Description describe_released(const std::vector<ColumnTally>& tallies) const;
  MaskedColumn masked_column(std::size_t j, const ColumnTally& tally) const;
  std::optional<MaskResult::Classes> classes() const;
  std::optional<SetRelease> set_release(std::size_t j, const ColumnTally& tally) const;
  std::optional<MaskResult::Sets> sets(const JointTally& joint) const;
  std::optional<double> record_loss() const;
  std::optional<double> unmasked_loss(const std::string& name) const;
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
  // What tuples are counted over: places in the survey's columns, or masked columns where there is
  // no survey. A column of sets is looked at alone.
  std::vector<std::size_t> joined_;
  TupleCounter tuples_, suppressed_;  // of records that are in a class, and of the others
  std::uint64_t records_ = 0, dropped_records_ = 0, bytes_ = 0, single_origin_ = 0;
  std::uint64_t suppressed_records_ = 0;
  bool reread_ = false;
  std::uint64_t persons_ = 0, of_records_ = 0;
  PersonLinks person_links_;
};

}  // namespace semveil
