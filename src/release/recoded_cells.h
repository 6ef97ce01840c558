// Recodings in a pass of masking: the cells of each batch, recoded before anything looks at them.
//
// A column has two dictionaries: of its texts as they stand in the table, and of those after all
// recodings. Each text is recoded once, and its code then stands for the other one's. A recoding
// that needs its record's person would be asked here row by row (recode()), with the person's text.
#pragma once

#include <vector>

#include "release/column_recoding.h"
#include "release/table_digest.h"
#include "semveil/table.h"

namespace semveil {

class RecodedCells {
 public:
  // `place`: of the column among those that are read. `recodings` must outlive it.
  RecodedCells(std::string name, std::size_t place, const std::vector<ColumnRecoding>& recodings)
      : name_(std::move(name)), place_(place), recodings_(&recodings) {}

  const std::string& name() const { return name_; }
  std::size_t place() const { return place_; }
  std::size_t recodings() const { return recodings_->size(); }
  bool empties() const;  // whether cells may become missing
  // What the table's own texts are numbered by.
  Dictionary& own() { return own_; }

  // Gives the batch the codes of `texts`, which grow; cells as they stood are kept until the next.
  Status recode(TableBatch& batch, const std::string& table, Dictionary& texts);
  // Of the batch that was recoded last, in the whole table's rows.
  void add_order(std::uint64_t first_row, OrderHash& order) const {
    order.add(first_row, codes_, own_);
  }
  // By recoding, how many cells of the last batch it changed; rows that are left out do not count.
  void count_changed(const std::vector<bool>& dropped, std::vector<std::uint64_t>& changed) const;

 private:
  Status recode_new_texts(const std::string& table, Dictionary& texts);

  std::string name_;
  std::size_t place_;
  const std::vector<ColumnRecoding>* recodings_;
  Dictionary own_;
  std::vector<Code> code_of_;               // by own code
  std::vector<std::vector<bool>> changed_;  // by own code, then recoding
  std::vector<Code> codes_;                 // own ones, of the last batch
};

}  // namespace semveil
