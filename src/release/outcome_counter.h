// Counts what a pass of masking releases, batch by batch.
#pragma once

#include <span>

#include "release/outcome_counts.h"
#include "release/read_columns.h"

namespace semveil {

struct Unmapped {  // a cell without a concept
  std::uint32_t row;
  Instead instead;
};

// A batch as it was released.
struct ReleasedBatch {
  std::unique_ptr<TableBatch> batch;
  // By masked column, then row: a value of its attribute, kMissing, or first_kept() + the code of a
  // text that was kept; of sets FittedMethod::width() values for each row.
  std::vector<std::vector<Code>> values;
  std::vector<std::vector<Unmapped>> unmapped;  // by masked column, ascending rows
  std::uint64_t single_origin = 0;              // rows
  std::vector<bool> suppressed;                 // rows; empty: none
};

// What tuples are over: of a joined column by its name, and what classes are verified by.
OutcomeCounts::Place joined_place(const Model::Impl& model, const FittedSteps& plan,
                                  const std::string& column);
std::vector<OutcomeCounts::Place> classed_places(const Model::Impl& model, const FittedSteps& plan);
// The masked columns among these, in their order: those of steps that look tuples up.
std::vector<std::size_t> classed_columns(const FittedSteps& plan);

class OutcomeCounter {
 public:
  struct What {
    bool described = true;            // the tuples of `joined`
    std::vector<std::string> joined;  // columns that are described together
    bool originals = false;           // of sets
    // Sensitive columns that no step masks, which are read: what classes tell of them.
    std::vector<std::string> secrets = {};
  };
  // All must outlive it.
  OutcomeCounter(const Model::Impl& model, const FittedSteps& plan, const ReadColumns& columns,
                 const std::vector<std::string>& names, What what);

  // `first_row`: of the whole table.
  void add(const ReleasedBatch& released, std::uint64_t first_row);
  OutcomeCounts& counts() { return counts_; }

 private:
  struct Joined {
    std::optional<std::size_t> masked;  // which of the masked columns it is, or
    std::size_t place = 0;              // among those that are read
    bool is_emptied = false;            // in suppressed records
  };
  void find_joined(const std::vector<std::string>& names);
  void find_linking(const std::vector<std::string>& names);
  void count_column(const ReleasedBatch& released, std::size_t j);
  void count_emptied_texts(const ReleasedBatch& released, std::size_t j);
  void count_originals(const TableBatch& batch, std::size_t j);
  void count_tuples(const ReleasedBatch& released);
  void count_classes(const ReleasedBatch& released);
  void count_secrets(const ReleasedBatch& released);
  void count_recoded(const TableBatch& batch);
  Code demanded_value(std::size_t demanded, const ReleasedBatch& released, std::size_t row) const;
  void count_persons(const ReleasedBatch& released, std::uint64_t first_row);
  void count_links(const ReleasedBatch& released);
  bool tells_persons() const { return !counts_.person.empty(); }
  std::uint32_t person_of(const TableBatch& batch, std::size_t row) const {
    return batch.codes[*columns_.counted_person()][row];
  }
  using CellTexts = std::vector<std::optional<std::string_view>>;
  CellTexts released_texts(const TableBatch& batch, std::size_t column) const;
  // By masked column that draws by person: what was kept of it; empty: no text is.
  std::vector<CellTexts> kept_texts(const TableBatch& batch) const;
  std::uint64_t released_hash(const ReleasedBatch& released, std::size_t row, std::size_t j,
                              const std::vector<CellTexts>& kept, std::uint64_t hash) const;
  bool is_released_empty(const ReleasedBatch& released, std::size_t row, std::size_t j) const;
  void count_masked_links(const ReleasedBatch& released, std::span<const std::uint64_t> whose);

  const Model::Impl& model_;
  const FittedSteps& plan_;
  const ReadColumns& columns_;
  What what_;
  std::vector<Joined> joined_;
  std::vector<std::size_t> classed_;                            // masked columns
  std::vector<std::optional<std::size_t>> masked_of_demanded_;  // which of the masked ones it is
  bool suppresses_sensitive_ = false;
  bool counts_links_ = false;         // whether rows of a person can be told to be theirs
  std::vector<std::size_t> secrets_;  // places of these columns among those that are read
  // As those of row_links: columns of the table that come through, then masked ones whose draws
  // are by person.
  std::vector<std::size_t> linking_, linking_masked_;
  // Quasi-identifiers that are released: masked ones by place in the model, others by column.
  std::vector<std::size_t> known_masked_, known_others_;
  OutcomeCounts counts_;
};

}  // namespace semveil
