// What one pass over a table found.
#pragma once

#include <deque>
#include <map>
#include <optional>

#include "base/person_pairs.h"
#include "base/tuple_counter.h"
#include "mechanisms/sets/categories.h"
#include "release/analysis.h"
#include "release/column_recoding.h"
#include "release/first_records.h"
#include "release/mapped_column.h"
#include "release/survey_columns.h"
#include "release/table_digest.h"
#include "semveil/method.h"
#include "semveil/noise.h"
#include "semveil/release.h"

namespace semveil {

struct SurveyColumn {
  std::size_t column = 0;  // of the table
  ColumnSettings plan;
  Dictionary texts;
  std::vector<std::uint64_t> counts;  // by code
  std::uint64_t missing = 0;
  std::optional<std::uint64_t> first_missing;  // row
  std::optional<OrderHash> order;              // of nominal columns, and of those masking asks for

  std::optional<MappedColumn> mapped;          // columns with an ontology
  std::shared_ptr<const Attribute> attribute;  // of these, and of numeric ones
  std::vector<ConceptId> concepts;             // by code: value of the attribute; kMissing: none
  std::vector<bool> stands_in;                 // by code: for a text without meaning; empty: none
  std::vector<double> numbers;                 // by code: numeric columns
  std::shared_ptr<const DateForm> dates;       // how they are written, of columns of dates
  std::vector<CategoryLine> categories;        // sets: the file, if there is one
  // What was done to its cells before all this, in the plan's order; texts are those after it.
  std::vector<ColumnRecoding> recodings;
};

class Survey::Impl {
 public:
  struct Passing {
    std::size_t column = 0;  // of the table
    std::string name;
  };
  std::string table;
  std::uint64_t records = 0;
  Ontologies ontologies;
  std::map<std::string, std::string> ontology_sources;
  std::vector<SurveyColumn> columns;  // in the table's order
  // Places in `columns` of those that are looked at together: nominal and numeric ones,
  // quasi-identifiers, sensitive ones. Tuples are over them; empty where there is one.
  std::vector<std::size_t> joined;
  TupleCounter tuples{0};
  // Place in `columns` of the one that tells persons apart, and whose records have each tuple (of a
  // single joined column each code; kMissing: no cell), persons by code.
  std::optional<std::size_t> person;
  PersonPairs persons;
  std::optional<Description::PersonLike> person_like;  // where the plan names no person
  MissingRule missing = MissingRule::kKeep;
  std::vector<std::string> dropped;    // columns that will not come out
  std::vector<PassedThrough> others;   // columns of the table that were not counted, and come out
  std::vector<ShiftTold> shift_told;   // in the table's order
  std::vector<PassedThrough> telling;  // in the table's order
  std::optional<NoiseStatistics> declared;  // the plan's, where there is no table
  // Of sets, whose categories are known when they are fitted: the first records, and the columns of
  // the table that pass through.
  FirstRecords first;
  std::vector<Passing> passing;
  // Where cells of quasi-identifiers or sensitive columns are recoded: what was counted of these
  // columns before, by place in `columns`, and of the combinations. Classes of the original are
  // those of its own cells.
  struct Original {
    std::map<std::size_t, CountedColumn> columns;
    TupleCounter tuples{0};  // over `joined`; the other columns as they are in `columns`
    PersonPairs persons;
  };
  std::optional<Original> original;

  const SurveyColumn* find(std::string_view name) const;
  const PersonPairs* told_persons() const { return person ? &persons : nullptr; }
};

struct RowsOfTable;  // release/rows_of_table.h
// All that a fit asks for. Nothing is known of columns that pass through, and the digest is none:
// no model of it may mask.
Result<Survey> survey_of_rows(const RowsOfTable& counted, const PlanFile& plan,
                              const WorkOptions& options);

// The code of a text that stands in the table, after all recodings; nothing: it has none.
std::optional<Code> code_of_cell(const SurveyColumn& column, std::string_view cell);

// The columns as an analysis takes them.
std::vector<CountedColumn> counted_columns(const Survey::Impl& survey);
// Statistics of the columns are those of the cells that steps are fitted on, after recodings.
// Classes, what they tell, and how many values a column has are those of the table as it came.
Description describe_survey(const Survey::Impl& survey, MissingRule missing,
                            const WorkOptions& options);

// The columns that a step masks, in the table's order.
std::vector<const SurveyColumn*> columns_to_mask(const Survey::Impl& survey, const MaskStep& step);

// Whether a record is to be left out for what is missing in it (missing = "drop-record"): a cell of
// a quasi-identifier or of a masked column.
bool drops_records(const ColumnSettings& column, bool is_masked);

// What a cell of the column is to the plan's method, and so to everything that is told of the
// release: methods that work with distances alone, and those who only look, take values with all
// their senses. A cell that is to be written as a concept must be one.
Unit unit_of(const ColumnSettings& column, const PlanFile& plan);

// Whether a missing cell is one more value of the column.
bool missing_is_value(const ColumnSettings& column, const PlanFile& plan);
// What a text that means nothing is to the method: one that looks tuples up has it in a class, too.
// Nothing: it takes no part.
std::optional<ConceptId> instead_of_meaning(const ColumnSettings& column, const PlanFile& plan,
                                            const Attribute& attribute);

}  // namespace semveil
