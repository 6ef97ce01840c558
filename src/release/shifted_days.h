// The days of shifted dates, as a pass of masking finds them: who is alone with the days between
// their own.
//
// Memory: 16 bytes for each shifted cell, 4 for each record.
#pragma once

#include <optional>
#include <vector>

#include "figures/date_tells.h"
#include "release/read_columns.h"

namespace semveil {

class ShiftedDays {
 public:
  // Nothing where no column is shifted.
  static std::optional<ShiftedDays> of(const ReadColumns& columns);

  // The records of a batch, after it was recoded; those that are left out do not count.
  void add(const TableBatch& batch, const ReadColumns& columns);
  using Counting = IntervalFigures(std::span<const std::string_view>, std::span<const DayCells>);
  IntervalFigures figures(const ReadColumns& columns, Counting* counting) const;
  // By code of the column's texts, dates as numbers.
  static std::vector<double> numbers(const RecodedCells& column, const Dictionary& texts);

 private:
  struct Column {
    std::size_t place = 0;
    const DateForm* form = nullptr;
    std::vector<std::int64_t> day_of;  // by code
    DayCells days;                     // by record
  };
  std::vector<Column> columns_;
  std::vector<Code> persons_;  // by record
};

// How the dates of a recoded column are written, where one of its recodings shifts them; else null.
const DateForm* shifted_form(const std::vector<ColumnRecoding>& recodings);

}  // namespace semveil
