// Recodings in a pass of masking: the cells of each batch, recoded before anything looks at them.
//
// A column has two dictionaries: of its texts as they stand in the table, and of those after all
// recodings. Each text is recoded once, and its code then stands for the other one's; where a
// recoding needs its record's person, each text of each person.
#pragma once

#include <optional>
#include <unordered_map>
#include <vector>

#include "release/column_recoding.h"
#include "release/table_digest.h"
#include "semveil/table.h"

namespace semveil {

class RecodedCells {
 public:
  // `place`: of the column among those that are read.
  RecodedCells(std::string name, std::size_t place, std::vector<ColumnRecoding> recodings)
      : name_(std::move(name)),
        place_(place),
        recodings_(std::move(recodings)),
        needs_person_(any_needs_person(recodings_)),
        draws_(any_draws(recodings_)) {}

  const std::string& name() const { return name_; }
  std::size_t place() const { return place_; }
  std::size_t recodings() const { return recodings_.size(); }
  const std::vector<ColumnRecoding>& all() const { return recodings_; }
  bool empties() const;  // whether cells may become missing
  bool needs_person() const { return needs_person_; }
  // Whether a key decides how texts come out, so that no survey tells them.
  bool draws() const { return draws_; }
  // What the table's own texts are numbered by.
  Dictionary& own() { return own_; }
  const Dictionary& own() const { return own_; }
  const std::vector<Code>& own_codes() const { return codes_; }  // of the batch recoded last

  // Gives the batch the codes of `texts`, which grow; cells as they stood are kept until the next.
  struct Persons {  // of the batch's records
    const std::vector<Code>& codes;
    const Dictionary& texts;
  };
  Status recode(TableBatch& batch, const std::string& table, Dictionary& texts,
                const std::optional<Persons>& persons);
  // Of the batch that was recoded last, in the whole table's rows.
  void add_order(std::uint64_t first_row, OrderHash& order) const {
    order.add(first_row, codes_, own_);
  }
  // By recoding, how many cells of the last batch it changed; rows that are left out do not count.
  void count_changed(const std::vector<bool>& dropped, std::vector<std::uint64_t>& changed) const;

 private:
  Status add(Code own, std::string_view person, const std::string& table, Dictionary& texts);
  Status recode_new_texts(const std::string& table, Dictionary& texts);
  // By text and person.
  Status recode_rows(const Persons& persons, const std::string& table, Dictionary& texts);

  std::string name_;
  std::size_t place_;
  std::vector<ColumnRecoding> recodings_;
  bool needs_person_, draws_;
  Dictionary own_;
  // What is recoded: own codes or, where persons are needed, pairs with their codes, as they came.
  std::unordered_map<std::uint64_t, Code> thing_of_;  // by pair
  std::vector<Code> code_of_;                         // by thing
  std::vector<std::vector<bool>> changed_;            // by thing, then recoding
  std::vector<Code> codes_, things_;                  // own codes and things, of the last batch
};

}  // namespace semveil
