// What masking counts of some rows of a table, so that what was promised can be verified and what
// happened be told: integers and texts, which add up to the same for any batches, threads and
// parts.
#pragma once

#include <array>
#include <map>
#include <string>
#include <vector>

#include "base/person_pairs.h"
#include "base/row_ranges.h"
#include "base/tuple_counter.h"
#include "figures/date_tells.h"
#include "release/person_links.h"
#include "release/row_links.h"
#include "release/table_digest.h"
#include "semveil/mechanism.h"
#include "semveil/parts.h"

namespace semveil {

// What a text of a masked column is replaced by if it means no concept.
enum class Instead : std::uint8_t { kConcept, kSuppressed, kGeneralized, kKept };

struct OutcomeCounts {
  struct Column {  // masked
    ColumnTally tally;
    std::uint64_t missing = 0;
    std::array<std::uint64_t, 4> instead{};  // unmapped cells, by Instead
    std::vector<std::uint64_t> kept_texts;   // by code
    std::vector<std::uint64_t> originals;    // of sets without a survey: true values
    OrderHash order;                         // of what was read; only of parts
  };
  // A column that tuples are over: values from `first_text` on are codes of its texts.
  struct Place {
    std::string column;
    Code first_text = 0;
    friend bool operator==(const Place&, const Place&) = default;
  };

  std::string model;               // which one masked: Model::Impl::fingerprint()
  std::vector<std::string> names;  // the table's columns
  std::string release;
  RowRanges rows;
  bool some_rows_twice = false;
  std::uint64_t records = 0, dropped_records = 0, suppressed_records = 0;
  std::uint64_t single_origin = 0;  // records; where the method can tell
  // By step of the model. Records that got what was theirs, by a swap; the sum of the hashes of
  // their slots; what is believed of sets together.
  struct Step {
    std::uint64_t dealt = 0, dealt_slots = 0;
    JointTally joint;
  };
  std::vector<Step> steps;
  // Of columns that are recoded, in the model's order: cells, and how many each recoding changed.
  struct Recoded {
    std::uint64_t cells = 0;
    std::vector<std::uint64_t> changed;
    std::vector<double> numbers = {};  // of shifted dates, by code; not of parts
  };
  std::vector<Recoded> recoded;
  std::vector<std::string> masked;  // columns, in the model's order
  std::vector<Column> columns;      // of these
  // Of records that are in a class, and of the others: what is described together, and what classes
  // are verified by (columns of steps that look tuples up, then those of which something is
  // demanded).
  std::vector<Place> joined, classed;
  TupleCounter tuples{0}, suppressed{0};
  TupleCounter classes{0}, outside{0};
  std::vector<TupleCounter> demanded;  // by column: its values alone, of all released records
  // Where the model tells persons apart: whose records have each of these tuples, persons by code
  // of their texts. Where one column is joined, each of its codes, and kMissing.
  std::string person;  // the column; empty: persons are not told
  PersonPairs tuple_persons, suppressed_persons, class_persons, outside_persons;
  std::vector<PersonPairs> demanded_persons;
  // Where there is no survey, and classes are told by masked columns alone: of records in a class,
  // tuples of these columns (as `classed` has them) and of sensitive ones that no step masks, as
  // codes of their texts. Not of parts.
  std::vector<std::string> secrets;  // the sensitive columns
  TupleCounter secret_tuples{0};
  PersonPairs secret_persons;
  // Of methods that look tuples up, and where dates are shifted: released columns that may link a
  // person's rows, and by person a sum of hashes of their released rows, which tells multisets of
  // rows apart.
  RowLinks row_links;
  std::vector<std::uint64_t> row_sums;
  FirstPersons persons;
  PersonLinks links;
  // Where dates are shifted: as one sees them who can tell the rows of a person, and who cannot.
  // Not of parts.
  std::optional<IntervalFigures> intervals, intervals_of_rows;

  std::uint64_t released_records() const { return records - dropped_records; }
  const Place& place_of_demanded(std::size_t i) const {
    return classed[classed.size() - demanded.size() + i];
  }
  bool has_single_joined() const { return joined.size() == 1; }
  void settle_persons();
  // Of the same model, table and release, and with the same codes of texts.
  bool is_like(const OutcomeCounts& other) const;
  void add(const OutcomeCounts& other);
  // Codes of a column's texts become others.
  void recode(const std::string& column, const std::vector<Code>& code_of);
};

class OutcomePart::Impl {
 public:
  OutcomeCounts counts;
  std::map<std::string, Dictionary> texts;  // that its codes speak of, by column

  Status add(const Impl& other);
  void write(ByteWriter& out) const;
  static Impl read(ByteReader& in);
};

// Whether what is described together is counted in tuples: a single column that is masked has its
// tally.
bool needs_tuples(const OutcomeCounts& counts);

// Where the codes of kept texts begin.
inline Code first_kept(const Attribute& attribute) { return attribute.missing_value() + 1; }

}  // namespace semveil
