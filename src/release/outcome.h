// What came out of masking, told: from what was counted of it.
#pragma once

#include "release/model.h"
#include "release/outcome_counts.h"
#include "release/privacy.h"
#include "release/survey.h"

namespace semveil {

class Outcome {
 public:
  struct How {
    bool describe = true;  // the statistics are wanted
    bool recheck = false;  // the table need not be the fitted one
    bool reread = false;   // sets were verified in what was written
  };
  // `survey`: of the table that is masked, or null; codes of texts are then its own. All must
  // outlive it.
  Outcome(const Model::Impl& model, const FittedSteps& plan, const Survey::Impl* survey,
          const OutcomeCounts& counts, const How& how, const WorkOptions& work);

  MaskResult result() const;

 private:
  std::uint64_t released_records() const { return counts_.released_records(); }
  // Whether the released records have the frequencies that posteriors were made for.
  bool has_fitted_frequencies(std::size_t step) const;
  bool counted_tuples() const { return how_.describe && needs_tuples(counts_); }
  std::uint64_t of(std::size_t j, Instead instead) const {
    return counts_.columns[j].instead[static_cast<std::size_t>(instead)];
  }
  CountedColumn counted(std::size_t j) const;
  void count_again(CountedColumn& column) const;
  std::uint64_t alone_as_written(const std::vector<std::string>& columns) const;
  void count_shifted(std::size_t recoded, std::size_t at, CountedColumn& column) const;
  // Adds what the released classes tell of sensitive values.
  Description describe_released(std::vector<Finding>& findings) const;
  bool is_known_as_released(const std::string& column) const;
  void find_shared_secrets(const Analysis& released, const Description& description,
                           std::vector<Finding>& findings) const;
  void find_shared_secrets(std::vector<Finding>& findings) const;
  struct Secret {
    std::size_t place = 0;  // in the tuples
    std::string name;
    Code empty = kMissing;  // of missing cells, where they count as a value
  };
  void find_shared_secret(const CountedTuples& counted, std::span<const std::size_t> known_by,
                          const Secret& secret, std::vector<Finding>& findings) const;
  void leave_out_person(Description& description) const;
  MaskedColumn masked_column(std::size_t j) const;
  std::optional<MaskResult::Classes> classes(std::size_t step) const;
  std::optional<SetRelease> set_release(std::size_t j) const;
  std::optional<MaskResult::Sets> sets(std::size_t step) const;
  std::optional<double> record_loss() const;
  std::vector<MaskResult::Recoded> recoded() const;
  void find_partial(MaskResult& out) const;
  bool links_rows() const;
  std::optional<double> lifted_loss(std::size_t j) const;
  std::optional<double> unmasked_loss(const std::string& name) const;
  std::uint64_t unmapped_cells(const std::string& name) const;
  std::uint64_t ambiguous_texts(const std::string& name) const;
  void find_demands(std::vector<Finding>& findings) const;
  void find_linked_rows(std::vector<Finding>& findings) const;
  void find_repeated_looks(std::vector<Finding>& findings) const;
  void find_repeated_looks(std::size_t step, const Analysis& analysis, std::uint64_t most,
                           std::vector<Finding>& findings) const;
  void find_averaged_noise(std::size_t step, std::uint64_t most,
                           std::vector<Finding>& findings) const;
  std::vector<Survey::PassedThrough> unmasked(const std::vector<std::string>& dropped) const;

  const Model::Impl& model_;
  const FittedSteps& plan_;
  const Survey::Impl* survey_;
  const OutcomeCounts& counts_;
  How how_;
  const WorkOptions& work_;
  // What tuples are over: places in the survey's columns, or masked columns where there is no
  // survey.
  std::vector<std::size_t> joined_;
};

// Of a table's columns, those that a release leaves out.
Result<std::vector<std::size_t>> dropped_columns(const Model::Impl& model, const std::string& table,
                                                 const std::vector<std::string>& names);

}  // namespace semveil
