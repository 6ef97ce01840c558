// Recodings in a survey: what the first pass counted, recoded as if the table had been read so.
//
// Cells without a person are recoded text by text, and combinations are merged: nothing is read
// again, and parts of a table are counted before anything is recoded. The hash of which text stands
// in which row stays that of the table as it is.
//
// A recoding that draws waits for its key. Its column is counted as it is, and no step is fitted on
// it.
#pragma once

#include "release/survey.h"
#include "release/table_counts.h"

namespace semveil {

class CountRecoder {
 public:
  explicit CountRecoder(SurveyPart::Impl& counts);

  // What a recoding is made of: the column's texts as they are by now.
  std::vector<RecodedColumn::Text> texts(std::size_t column) const;
  // Recodes the column's texts; `table` and `name` are for messages.
  Status recode(std::size_t column, const Recoding& recoding, const std::string& table,
                const std::string& name);
  // The column as it was counted; null: nothing was recoded in it.
  const CountedTexts* original(std::size_t column) const {
    return code_of_[column].empty() ? nullptr : &originals_[column];
  }
  // After all recodings: the combinations, and whose records have them. `kept`: by column, whether
  // its cells are taken as they were counted.
  struct Combinations {
    TupleCounter tuples;
    PersonPairs persons;
  };
  Combinations combined(const std::vector<bool>& kept) const;
  void recode_tuples();

 private:
  PersonPairs persons_of(const std::vector<Code>& things) const;

  SurveyPart::Impl& counts_;
  std::vector<std::vector<Code>> code_of_;  // by column: of the codes that were counted
  std::vector<CountedTexts> originals_;     // by column; empty: it is not recoded
};

}  // namespace semveil
