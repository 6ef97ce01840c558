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
  // After all recodings: the combinations.
  void recode_tuples();

 private:
  void recode_persons(const std::vector<Code>& things);

  SurveyPart::Impl& counts_;
  std::vector<std::vector<Code>> code_of_;  // by column: of the codes that were counted
};

}  // namespace semveil
