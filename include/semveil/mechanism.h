// Mechanisms learn a plan from a frequency table; plans mask records.
//
//   FrequencyTable ──fit(mechanism, key)──▶ FittedMethod ──apply──▶ masked batches
//
// A mechanism holds options and no data, so "unfitted" cannot be written. A plan is immutable,
// thread-safe and can be saved. Masking is pure: however rows are cut into batches, a row is
// masked alike.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "semveil/frequency_table.h"
#include "semveil/key.h"
#include "semveil/result.h"

namespace [[gnu::visibility("default")]] semveil {

// Where missing is a value: a cell that means nothing in its column. It takes no part and comes out
// missing.
inline constexpr ConceptId kNoPart = kMissing - 1;

// Records as a plan sees them. Cells are concepts of the column's domain, or kMissing.
struct RecordBatch {
  std::uint64_t first_row = 0;
  std::size_t rows = 0;
  std::vector<std::span<const ConceptId>> columns;  // in the order of the plan's attributes
  std::vector<std::string_view> persons;            // the cells of `draw_by`, if the plan needs it
  // For plans that deal values out: how many records before this one have the same cells in all
  // columns. Of records without any cell nobody asks.
  std::vector<std::uint64_t> occurrences;
};

// A sum of numbers ≥ 0 that does not depend on the order of its terms: fixed point, 2^-36 fine.
class ExactSum {
 public:
  void add(double term) {
    if (term < kLimit && terms_ < kMostTerms) {  // as many as fit 64 bits
      recent_ += rounded(term);
      ++terms_;
    } else {
      settle();
      settled_ += static_cast<Wide>((term < kGreatest ? term : kGreatest) * kScale + 0.5);
    }
  }
  void add(const ExactSum& other) { settled_ += other.settled_ + other.recent_; }
  double value() const;
  // The sum as it is, its lower 64 bits and the others, and back.
  std::array<std::uint64_t, 2> bits() const {
    const Wide all = settled_ + recent_;
    return {static_cast<std::uint64_t>(all), static_cast<std::uint64_t>(all >> 64U)};
  }
  static ExactSum of_bits(const std::array<std::uint64_t, 2>& bits) {
    ExactSum sum;
    sum.settled_ = static_cast<Wide>(bits[1]) << 64U | bits[0];
    return sum;
  }

 private:
  __extension__ using Wide = unsigned __int128;
  static constexpr double kScale = 68719476736.0;  // 2^36
  static constexpr double kLimit = 4096;
  static constexpr double kGreatest = 0x1p80;  // more, or no number, comes of damaged models
  static constexpr std::uint32_t kMostTerms = (1U << 16U) - 1;
  static std::uint64_t rounded(double term) {
    return static_cast<std::uint64_t>(static_cast<std::int64_t>(term * kScale + 0.5));
  }
  void settle() {
    settled_ += recent_;
    recent_ = 0;
    terms_ = 0;
  }

  std::uint64_t recent_ = 0;
  std::uint32_t terms_ = 0;
  Wide settled_ = 0;
};

// How a cell came to its replacement (noise): spec of the trace file.
enum class Rule : std::uint8_t { kZero, kPaper, kTruncated, kNoSign, kFarthest, kAlone };
inline constexpr std::size_t kRules = 6;
std::string_view to_string(Rule rule);
using RuleCounts = std::array<std::uint64_t, kRules>;  // by Rule
// Cells that the error's distance or sign could not be had for.
std::uint64_t truncated_cells(const RuleCounts& rules);

// What happened to a column, in numbers that do not depend on the order of the records.
struct ColumnTally {
  std::uint64_t cells = 0;    // that took part
  std::uint64_t changed = 0;  // of them
  std::uint64_t missing = 0;
  std::uint64_t filled = 0, emptied = 0;  // missing ↔ value, where missing is a value
  RuleCounts rules{};
  ExactSum errors, squared_errors;        // |ε|, ε²; where the method draws errors
  ExactSum distances, squared_distances;  // sd(x, z)
  ExactSum posteriors, guesses;           // of sets: of the true value, and of the likeliest one
  double worst_posterior = 0;             // of the true value
  std::vector<std::uint64_t> released;    // by concept; the last: missing_value()

  // Those of the cells that rmse and mean distance are about: a cell missing before and after
  // takes no part, one missing on one side is at distance 1 (figures/column_figures.h).
  std::uint64_t compared() const {
    const std::uint64_t stayed_missing = released.empty() ? 0 : released.back() - emptied;
    return cells - stayed_missing;
  }
  // A cell of value x that comes out as z, missing_value() for missing; `released` is wide enough.
  void count(const Attribute& attribute, ConceptId x, ConceptId z);
  void add(const ColumnTally& other);
};

struct TraceLine {
  std::uint64_t row;
  std::uint32_t column;  // among the plan's attributes
  ConceptId value;
  double error;
  std::optional<ConceptId> reference;  // nothing: no sign condition
  ConceptId replacement;
  Rule rule;
};

// Of sets in several columns: what is believed of a record's true values together, and of each one
// by somebody who looks at the sets of all columns.
struct JointTally {
  struct Column {
    ExactSum posteriors;
    double worst = 0;
  };
  std::uint64_t records = 0;  // with a set in every column
  ExactSum posteriors;
  double worst = 0;
  std::vector<Column> columns;  // empty where nothing was counted
  void add(const JointTally& other);
};

// Of a slot from 0 to FittedMethod::deals() - 1; sums of it tell whether every slot was dealt once.
constexpr std::uint64_t slot_hash(std::uint64_t slot) {
  std::uint64_t mixed = (slot + 1) * 0x9E3779B97F4A7C15;
  mixed = (mixed ^ (mixed >> 30U)) * 0xBF58476D1CE4E5B9;
  mixed = (mixed ^ (mixed >> 27U)) * 0x94D049BB133111EB;
  return mixed ^ (mixed >> 31U);
}

struct MaskedBatch {
  // As in RecordBatch, but FittedMethod::width() values for each row: a row that comes out missing
  // is all kMissing.
  std::vector<std::vector<ConceptId>> columns;
  bool counted = true;               // without it tallies hold only what is missing
  std::vector<ColumnTally> tallies;  // added to, by column
  std::vector<bool> single_origin;   // rows with a value of only one possible origin
  bool traced = false;
  std::vector<TraceLine> trace;  // filled if `traced`: rows in order, columns within a row
  // Of plans that deal values out, added to: rows that got what was theirs, and rows they were not
  // fitted on, which come out missing. And, if `traced`, what each row is to the plan
  // (SwapStep::slot), kNoSlot without a cell.
  static constexpr std::uint64_t kNoSlot = ~std::uint64_t{0};
  std::uint64_t dealt = 0, strangers = 0;
  std::uint64_t dealt_slots = 0;  // the sum of slot_hash() over what was dealt: each slot once
  std::vector<bool> suppressed;   // rows; plans that look tuples up
  JointTally joint;               // added to; plans of sets in several columns
  std::vector<std::uint64_t> slots;
};

class Channel;

class FittedMethod {  // immutable, thread-safe, serialisable (docs/formats/model.md)
 public:
  virtual ~FittedMethod() = default;
  virtual const std::vector<std::shared_ptr<const Attribute>>& attributes() const = 0;
  // As the columns come out: values of MaskedBatch are theirs. Others only where a method makes
  // numbers that the table does not have.
  virtual const std::vector<std::shared_ptr<const Attribute>>& released() const {
    return attributes();
  }
  // How many values a cell of a column comes out as: more than one only where sets are released.
  virtual std::size_t width(std::size_t /*column*/) const { return 1; }
  virtual bool needs_persons() const = 0;
  // Whether MaskedBatch::single_origin says anything.
  virtual bool knows_origins() const = 0;
  // Plans that deal values out to exactly the records they were fitted on: how many of them have a
  // cell. Nothing: any record may come.
  virtual std::optional<std::uint64_t> deals() const { return std::nullopt; }
  // Plans that draw per cell and are not of this library: with which probability a value of a
  // column comes out as which (channel.h). Null: nobody knows, and an audit tells what it sees.
  virtual std::unique_ptr<const Channel> channel(const FrequencyTable& table,
                                                 std::size_t column) const;
  // Masks every row of the batch on its own. `out` is reused from batch to batch.
  virtual void apply(const RecordBatch& in, MaskedBatch& out) const = 0;
  // What was learned and the options, as JSON; load() of the same mechanism understands it.
  virtual std::string save() const = 0;
};

class Mechanism {  // options only
 public:
  virtual ~Mechanism() = default;
  virtual std::string_view name() const = 0;  // changes when the saved form does
  // `key` is the release's stream key (key.h).
  virtual Result<std::unique_ptr<const FittedMethod>> fit(const FrequencyTable& table,
                                                          const Key& key) const = 0;
};

// A saved plan, with the attributes it was fitted for and its stream key.
Result<std::unique_ptr<const FittedMethod>> load_fitted(
    std::string_view mechanism, std::string_view saved,
    std::vector<std::shared_ptr<const Attribute>> attributes, const Key& key);

}  // namespace semveil
