#include "release/rows_of_table.h"

#include <algorithm>

namespace semveil {
namespace {

void take_column(const RowsOfTable& counted, std::size_t place, CountedTexts& column) {
  const Dictionary& texts = counted.rows.texts[place];
  for (Code code = 0; code < texts.size(); ++code) column.texts.add(texts.text(code), 0);
  column.counts = counted.rows.counts[place];
  const TupleCounter& tuples = counted.rows.tuples;
  for (std::size_t t = 0; t < tuples.size(); ++t) {
    if (tuples.tuple(t)[place] != kMissing) continue;
    column.missing += tuples.count(t);
    const std::uint64_t row = counted.first_rows[t];
    column.first_missing = std::min(column.first_missing.value_or(row), row);
  }
}

void take_tuples(const RowsOfTable& counted, const std::vector<std::size_t>& places,
                 SurveyPart::Impl& counts) {
  const TupleCounter& tuples = counted.rows.tuples;
  counts.tuples = TupleCounter(counts.joined.size());
  std::vector<Code> joined(counts.joined.size());
  for (std::size_t t = 0; t < tuples.size() && joined.size() > 1; ++t) {
    for (std::size_t j = 0; j < joined.size(); ++j) {
      joined[j] = tuples.tuple(t)[places[counts.joined[j]]];
    }
    counts.tuples.add(joined, tuples.count(t));
  }
}

}  // namespace

Result<SurveyPart::Impl> counts_of(const RowsOfTable& counted, const SurveyColumns& columns) {
  SurveyPart::Impl counts;
  counts.names = counted.heading.columns();
  counts.records = counted.rows.records;
  counts.joined = columns.joined;
  std::vector<std::size_t> places;  // by column: among those counted
  for (const SurveyColumns::Counted& column : columns.counted) {
    const auto at = std::ranges::find(counted.columns, column.plan->name);
    if (at == counted.columns.end()) {
      return fail(data_error("the column was not counted")
                      .at({counted.heading.name(), 0, column.plan->name}));
    }
    places.push_back(static_cast<std::size_t>(at - counted.columns.begin()));
    take_column(counted, places.back(), counts.columns.emplace_back());
  }
  take_tuples(counted, places, counts);
  return counts;
}

}  // namespace semveil
