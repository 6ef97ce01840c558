// The columns that a pass of masking reads, and what their texts mean.
#pragma once

#include <optional>
#include <vector>

#include "release/model.h"
#include "release/recoded_cells.h"
#include "release/survey.h"

namespace semveil {

class ReadColumns {
 public:
  struct Masked {
    const ModelColumn* model = nullptr;
    std::size_t place = 0;            // among those read
    std::vector<ConceptId> concepts;  // by code of the text; kMissing: none
    std::size_t known = 0;            // texts of the survey
  };

  // The masked columns, those whose missing cells drop a record, and others that are `described`.
  // With a survey the same texts get the same codes. `release`: what recodings draw for.
  static Result<ReadColumns> find(const Model::Impl& model, const Table& table,
                                  const Survey::Impl* survey,
                                  const std::vector<std::string>& described,
                                  const std::string& release);

  const std::vector<std::size_t>& columns() const { return columns_; }  // of the table
  const std::vector<Masked>& masked() const { return masked_; }         // in the model's order
  // Sensitive columns of which something is demanded, in the model's order: only read.
  const std::vector<Masked>& demanded() const { return demanded_; }
  // Places of the columns whose missing cells drop the record.
  const std::vector<std::size_t>& drop_if_missing() const { return drop_if_missing_; }
  std::optional<std::size_t> person() const { return person_; }  // column of the table: draw_by
  // Place of the column that tells persons apart, where they are counted.
  std::optional<std::size_t> counted_person() const { return counted_person_; }
  // Every record of a batch has a person.
  Status check_persons(const TableBatch& batch, std::uint64_t first_row, const Place& column) const;
  std::optional<std::size_t> place_of(std::size_t column) const;
  std::size_t column_of(const Masked& masked) const { return columns_[masked.place]; }

  // By place; they grow. Of a recoded column the texts after that.
  std::vector<Dictionary>& dictionaries() { return dictionaries_; }
  const std::vector<Dictionary>& dictionaries() const { return dictionaries_; }
  const std::vector<RecodedCells>& recoded() const { return recoded_; }  // in the model's order
  // Of the column at a place among those read; null: it is not recoded.
  const RecodedCells* recoded_at(std::size_t place) const;

  // The next batch, recoded; null at the end.
  Result<std::unique_ptr<TableBatch>> next(TableSource& source, const std::string& table);
  // Hashes which text stood in which row of the last batch, before anything was recoded.
  void add_order(std::size_t place, std::uint64_t first_row, const TableBatch& batch,
                 OrderHash& order) const;
  // What texts that are new mean, after a batch was read.
  Status map_new_texts(const std::string& table);

 private:
  std::size_t want(std::size_t column);
  enum class Unmeant : bool { kLet, kByRule };  // texts that mean nothing
  Status map_new_texts(const std::string& table, Masked& column, Unmeant unmeant) const;

  bool surveyed_ = false;
  std::vector<std::size_t> columns_;
  std::vector<Masked> masked_, demanded_;
  std::vector<std::size_t> drop_if_missing_;
  std::optional<std::size_t> person_, counted_person_;
  std::vector<Dictionary> dictionaries_;
  std::vector<RecodedCells> recoded_;
};

// A value that sets cannot be made of.
Error no_category_error(std::string_view value);

// What tells the fitted table from others: all of it, and its counts alone.
struct TableDigests {
  std::string whole, frequencies;
};
// Reads the table once. `columns` must have been found without a survey.
Result<TableDigests> digests_of(const Table& table, const Model::Impl& model, ReadColumns& columns);

}  // namespace semveil
