// What the first pass counts of a table, or of some of its rows: texts, how often, in which
// combinations and where. No concepts: what a text means depends on all others, so that is found
// once, when everything was counted.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/person_pairs.h"
#include "base/row_ranges.h"
#include "base/tuple_counter.h"
#include "release/first_records.h"
#include "release/survey_columns.h"
#include "release/table_digest.h"
#include "semveil/parts.h"

namespace semveil {

struct CountedTexts {
  std::size_t column = 0;  // of the table
  Dictionary texts;
  std::vector<std::uint64_t> counts;  // by code
  std::uint64_t missing = 0;
  std::optional<std::uint64_t> first_missing;  // row
  std::optional<OrderHash> order;
  std::vector<std::uint64_t> first_rows;  // by code; only of parts
};

class SurveyPart::Impl {
 public:
  std::string table;               // its name
  std::vector<std::string> names;  // of all its columns
  std::uint64_t records = 0;
  RowRanges rows;
  std::vector<CountedTexts> columns;
  std::vector<std::size_t> joined;        // places in `columns` that tuples are over
  TupleCounter tuples{0};                 // empty where one column is joined
  std::vector<std::uint64_t> first_rows;  // by tuple; only of parts
  std::optional<std::size_t> person;      // place in `columns`
  // By tuple, or by code of the one column that is joined (kMissing: no cell): whose records have
  // it, persons by code.
  PersonPairs persons;
  FirstRecords first;
  FirstRecords person_like;  // of columns that may tell persons apart

  // Texts and tuples numbered as they come in the table, whichever part was merged first.
  void sort_by_row();
};

// A pass over a table, whose first row is `first_row` of the whole one.
enum class Rows : bool { kAll, kPart };
Result<std::unique_ptr<SurveyPart::Impl>> count_table(const Table& table,
                                                      const SurveyColumns& columns, Rows rows,
                                                      std::uint64_t first_row,
                                                      const WorkOptions& options);

}  // namespace semveil
