// From a table and a plan to a release: the whole way, in pieces that can be used alone.
//
//   survey(table, plan)        one pass: distinct values and tuples, mapped to concepts
//   describe(survey)           semantic statistics, classes
//   Model::fit(survey, key)    what the method learns, ready to mask
//   apply(model, table, …)     the second pass: the masked table, and what it cost
//
// `mask` is survey, fit and apply over one table; a model between them can be written to a file.
// Memory: the distinct values of the plan's columns, the distinct tuples of those that are
// analysed together, and a few batches.
#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <vector>

#include "semveil/date_told.h"
#include "semveil/description.h"
#include "semveil/finding.h"
#include "semveil/mapping.h"
#include "semveil/mechanism.h"
#include "semveil/plan_file.h"
#include "semveil/table.h"
#include "semveil/work_limits.h"

struct ArrowArray;
struct ArrowSchema;

namespace [[gnu::visibility("default")]] semveil {

struct BatchOptions;
class Occurrences;
class OutcomePart;
class Recording;
class SurveyPart;

// Called now and then: what is being done, how much of it, and of how much (0: unknown). From
// whichever thread is at it, but never from two at once.
using WorkProgress =
    std::function<void(std::string_view what, std::uint64_t done, std::uint64_t all)>;

struct WorkOptions {
  unsigned threads = 1;
  bool use_cache = true;      // of ontologies
  bool every_column = false;  // a survey also counts columns that are only described
  bool figures = true;        // a survey counts what descriptions need, not only what masking needs
  bool traced = false;        // a fit keeps what a trace needs
  double most_hours = kUsualHours;  // a fit that would take more is refused (work_limits.h)
  WorkProgress progress;
  std::stop_token stop;  // asked to stop, the work ends with kCancelled (semveil/stop.h)
};

// ---- What a table says --------------------------------------------------------------------------

class Survey {  // immutable
 public:
  ~Survey();
  Survey(const Survey&) = delete;
  Survey& operator=(const Survey&) = delete;
  Survey(Survey&&) noexcept;
  Survey& operator=(Survey&&) = delete;

  // Of all rows of a table, counted in parts (parts.h): equals the survey of the whole.
  static Result<Survey> from(SurveyPart part, const PlanFile& plan,
                             const WorkOptions& options = {});

  std::uint64_t records() const;
  // The columns that are looked at together.
  std::vector<std::string> described_columns() const;
  // A column that comes out as it went in, how distinct its first values are, and which masked
  // columns they tell: a title tells its code.
  //
  // Among the first records (16,384 at most), a masked value is guessed from the other records with
  // the same released value: the one that most of them have, ties being wrong. The column tells if
  //   - 20 records or more have a masked value,
  //   - half of these or more share their released value with another one: an id tells nothing,
  //   - 9 of 10 of the guesses about these are right, and
  //   - of what guessing the most frequent masked value gets wrong, 5 records or more, they get at
  //     most a fifth wrong.
  struct PassedThrough {
    std::string name;
    std::uint64_t sampled = 0, distinct = 0;
    struct Told {
      std::string column;
      double records = 0;  // share of those with a masked value that are guessed right
    };
    std::vector<Told> tells;
  };
  // Those of them that tell a column which the plan masks, in the table's order.
  const std::vector<PassedThrough>& telling() const;
  class Impl;
  const Impl& impl() const { return *impl_; }
  explicit Survey(std::unique_ptr<const Impl> impl);

 private:
  std::unique_ptr<const Impl> impl_;
};

// The plan's columns are found, ontologies opened, values counted and mapped. Values that are not
// mapped are no error here; fitting asks the plan's rule.
Result<Survey> survey(const Table& table, const PlanFile& plan, const WorkOptions& options = {});
// What the plan declares in the place of a table: mean and variance of every masked column, and
// covariance; for noise alone. A survey of no records, which only a fit takes.
Result<Survey> survey_of_statistics(const PlanFile& plan, const WorkOptions& options = {});
Result<Description> describe(const Survey& survey, const WorkOptions& options = {});

// ---- Models -------------------------------------------------------------------------------------

// One step of several, or a recoding of one column.
struct StepFacts {
  std::string method;
  std::map<std::string, std::string> parameters;  // as TOML values
  std::vector<std::string> columns;
};

class Model {  // immutable, thread-safe; as confidential as the table it was fitted on
 public:
  // The unmapped rule of every masked column is asked here.
  static Result<Model> fit(const Survey& survey, const PlanFile& plan, const Key& key,
                           const WorkOptions& options = {});
  // `key` where the file was written without one.
  static Result<Model> read(const std::string& path, const std::optional<Key>& key = {},
                            const WorkOptions& options = {});
  // Mode 0600; docs/formats/model.md.
  enum class KeyIn : bool { kNo, kYes };
  Result<PendingFile> prepare(const std::string& path, KeyIn key_in) const;
  // The bytes of the file, and a model of them (they are copied). As confidential as the file.
  Result<std::string> to_bytes(KeyIn key_in) const;
  static Result<Model> from_bytes(std::string_view bytes, const std::optional<Key>& key = {});
  ~Model();
  Model(const Model&) = delete;
  Model& operator=(const Model&) = delete;
  Model(Model&&) noexcept;
  Model& operator=(Model&&) = delete;

  // One batch of a table in memory, from the first two structs, which are moved from, to the last
  // two; batch.h says what is not verified. Thread-safe. Rules for missing and unmapped cells,
  // draw_by and dropped records are those of apply().
  Result<OutcomePart> mask(ArrowSchema* schema, ArrowArray* batch, const BatchOptions& options,
                           ArrowSchema* masked_schema, ArrowArray* masked) const;
  // What a batch adds to those behind it, for methods that deal values out.
  Result<Occurrences> occurrences(ArrowSchema* schema, ArrowArray* batch) const;

  std::string method() const;  // noise, naive, …; of several steps their names, joined by " + "
  // As TOML values, in no way secret; of several steps none: steps() has them.
  std::map<std::string, std::string> parameters() const;
  std::vector<StepFacts> steps() const;  // recodings first
  std::string draw_by() const;           // empty: nothing is drawn by person
  std::vector<std::string> masked_columns() const;
  // What noise learned, as a plan may declare it; nothing for other methods.
  struct Statistics {
    struct Column {
      std::string name, mean;  // the id of a concept; of numbers their mean
      double variance = 0;
    };
    std::vector<Column> columns;
    std::vector<double> covariance;  // row by row; empty: errors are uncorrelated
    std::string digest;              // 64 hexadecimal digits
  };
  std::optional<Statistics> statistics() const;
  TableOptions table_options() const;  // separator, quote, missing values of the plan
  bool has_key() const;
  std::string release() const;  // the plan's; empty: none
  bool shuffles() const;        // the rows come out in another order

  class Impl;
  const Impl& impl() const { return *impl_; }
  explicit Model(std::unique_ptr<const Impl> impl);

 private:
  std::unique_ptr<const Impl> impl_;
};

// ---- Masking ------------------------------------------------------------------------------------

struct ApplyOptions {
  WorkOptions work;
  std::string output;              // "-": standard output
  MemoryOutput* memory = nullptr;  // in the place of `output`; must outlive the release
  std::string trace;               // a file; empty: none
  std::string row_map;             // a file (docs/formats/row_map.md); empty: none
  std::string release;             // empty: the plan's
  std::uint64_t first_row = 0;
  // The model's file: beside it stands which rows of which table had which name
  // (docs/formats/releases.md), and two tables whose errors would be the same are refused. Empty: a
  // model in memory, of which nothing is recorded.
  std::string model_file;
  bool again = false;  // such a table is known to be the same
  bool flush = false;  // after every batch
  // Plans that look tuples up: on another table than the fitted one, too, as long as what comes out
  // holds what was promised.
  bool recheck = false;
  bool describe = true;    // the result's statistics are wanted
  bool keep_rows = false;  // PendingRelease::input_rows() is wanted: 8 bytes a record
  // The survey of the very table that is masked; without it values are mapped as they come.
  const Survey* survey = nullptr;
};

// A column that comes out as sets.
struct SetRelease {
  unsigned l = 0;
  std::uint64_t categories = 0;
  double information_loss = 0;  // (l − 1) / l
  double most_frequent = 0;     // share of the most frequent value among the fitted records
  std::uint64_t values = 0, unused = 0;  // of the categories, and how many have no records
  struct Category {
    std::string name;
    std::uint64_t values = 0;
    double share = 0;  // of the fitted records
  };
  std::vector<Category> each;  // ean
  // What somebody who knows the column's frequencies, and nothing else, believes of a set: of
  // the record's true value on average and at worst, and of the likeliest value on average.
  // Nothing: not counted, or the table has other frequencies than the fitted one.
  struct Posterior {
    double mean = 0, worst = 0, likeliest = 0;
  };
  std::optional<Posterior> posterior;
  // The share of the records that another release, drawn apart, would give away. Nothing: drawn by
  // person, which draws nothing apart, or too many categories to say.
  std::optional<double> revealed_by_two;
};

struct MaskedColumn {
  std::string name;
  std::string method;  // of the step that masked it
  std::optional<SetRelease> set;
  std::uint64_t filled = 0, emptied = 0;         // missing ↔ value, where missing is a value
  std::optional<std::uint64_t> without_partner;  // swap: cells that found none, and stayed
  std::uint64_t among_equals = 0;                // swap: cells with more than k like them
  std::uint64_t changed = 0, cells = 0, missing = 0;
  RuleCounts rules{};
  std::optional<double> rmse, mean_distance;  // original to released
  std::optional<double>
      target_rmse;  // the deviation that the errors were fitted with, as a distance
  std::optional<double> mean_error;  // of the drawn errors
  std::optional<double> deviation;   // noise: of the errors
  // Noise: (1 + α) sVar and, of correlated noise, what the errors drawn have, sVar + α sdVar.
  std::optional<double> expected_variance, drawn_variance;
  WriteAs write = WriteAs::kLabel;
  // That was made of the column's values, and whether the plan left open which.
  std::optional<HierarchySettings> hierarchy;
  bool hierarchy_was_chosen = false;
  std::uint64_t ambiguous = 0;  // distinct texts of several senses that nobody decided on
  std::uint64_t suppressed = 0, generalized = 0, kept = 0;  // unmapped cells by rule
};

// Two columns that noise masks: sdCov of them after should be (1 + α) times what it was.
struct NoisePair {
  std::string a, b;
  double expected_covariance = 0, covariance_error = 0;  // |sdCov after − expected|
};

struct MaskResult {
  std::uint64_t records = 0, dropped_records = 0;
  std::vector<MaskedColumn> masked;
  // Cells that were recoded before anything else: by column and recoding, in the order it was done.
  struct Recoded {
    std::string column, method;
    std::map<std::string, std::string> parameters;
    std::uint64_t cells = 0, changed = 0;
  };
  std::vector<Recoded> recoded;
  struct Shifted {  // dates
    std::vector<std::string> columns;
    // Whether something in the release tells which rows are one person's (the person, a pseudonym,
    // draw_by, a column that links rows). If not, only the days between dates of one row are seen.
    bool links_rows = true;
    std::uint64_t persons = 0;     // who have two dates or more that are seen together
    std::uint64_t alone = 0;       // of them: nobody else has the same days between their dates
    std::vector<ShiftTold> tells;  // in the first records
  };
  std::optional<Shifted> shifted;
  std::uint64_t changed = 0;                   // cells; one that was also recoded counts twice
  std::uint64_t truncated = 0;                 // cells with rule truncated, nosign or farthest
  std::optional<std::uint64_t> single_origin;  // records; nothing: not counted
  struct Swapped {
    std::uint64_t uniques = 0, unchanged_uniques = 0;
    double risk = 0;
  };
  std::optional<Swapped> swapped;            // swap: as in SwapFit
  struct Classes {                           // fuse, recode, generalize, microaggregate
    std::uint64_t k = 0;                     // asked for and verified; of recode for each column
    bool counts_persons = false;             // k is a number of persons
    std::uint64_t suppressed = 0;            // records
    bool suppressed_sensitive = false;       // with their sensitive cells
    std::map<std::string, unsigned> levels;  // generalize, full-domain
    std::optional<double> loss;              // generalize
    std::vector<std::string> demanded;       // columns, verified
    bool partial = false;  // some quasi-identifier is not masked: k is not that of the table
    // Where single cells are emptied and match everything: records that nobody shares all cells
    // with, as they are written.
    std::optional<std::uint64_t> alone_as_written = std::nullopt;
  };
  std::optional<Classes> classes;
  struct Sets {               // ean, an
    bool by_category = true;  // of different categories each
    bool reread = false;      // verified in what was written; else in what was drawn
    bool as_fitted = true;    // the frequencies are those of the fitted table
    // Of a record, over its quasi-identifiers and sets; nothing where these were not looked at.
    std::optional<double> information_loss;
    // What somebody who also knows which values go together believes of a record: of all
    // together, and of each column's.
    struct Joint {
      std::uint64_t records = 0;
      double mean = 0, worst = 0;
      std::vector<SetRelease::Posterior> columns;  // likeliest: not counted
    };
    std::optional<Joint> joint;  // nothing: one column, other frequencies, too many combinations
    double combinations = 1;     // of values in the sets of a record
  };
  std::optional<Sets> sets;
  // What each step did: of several, `classes`, `sets` and `swapped` above are of the first that has
  // them.
  struct Step {
    std::string method;
    std::map<std::string, std::string> parameters;
    std::vector<std::string> columns;
    std::optional<Classes> classes;
    std::optional<Sets> sets;
    std::optional<Swapped> swapped;
  };
  std::vector<Step> steps;
  // draw_by: different persons among the first so many records.
  std::uint64_t persons = 0, of_records = 0;
  std::vector<Survey::PassedThrough> unmasked;
  std::vector<std::string> dropped_columns;
  // Whether the release is recorded beside its model; nothing: that was not asked for, or the model
  // draws nothing that another table could share.
  std::optional<bool> recorded;
  std::vector<NoisePair> noise_pairs;        // where both sides are described
  std::vector<Finding> findings;             // the most severe first
  std::optional<Description> before, after;  // `before` only with a survey
};

// A masked table on disk that has no name yet: commit() after its summary was printed.
class PendingRelease {
 public:
  PendingRelease(MaskResult result, std::unique_ptr<TableSink> sink,
                 std::unique_ptr<Recording> recording = nullptr);
  ~PendingRelease();
  PendingRelease(const PendingRelease&) = delete;
  PendingRelease& operator=(const PendingRelease&) = delete;
  PendingRelease(PendingRelease&&) noexcept;
  PendingRelease& operator=(PendingRelease&&) = delete;
  const MaskResult& result() const { return result_; }
  // How the table can be read before it has its name; nothing: it went to a pipe or device.
  std::optional<TableSink::Written> written() const { return sink_->written(); }
  // Whether the table is written over a mounted file (PendingFile).
  bool in_place() const { return sink_->in_place(); }
  // By row of the release: the row of the table. Only if it was asked for.
  const std::vector<std::uint64_t>& input_rows() const { return input_rows_; }
  void set_input_rows(std::vector<std::uint64_t> rows) { input_rows_ = std::move(rows); }
  // A file that gets its name together with the table: a trace, a row map, a report.
  void add(PendingFile file) { files_.push_back(std::move(file)); }
  // Records the release first: where that is refused, or the files cannot have their names, there
  // is neither a file nor a record.
  Status commit(Sync sync = Sync::kYes);

 private:
  MaskResult result_;
  std::unique_ptr<TableSink> sink_;
  std::unique_ptr<Recording> recording_;
  std::vector<PendingFile> files_;
  std::vector<std::uint64_t> input_rows_;
};

Result<PendingRelease> apply(const Model& model, const Table& table, const ApplyOptions& options);
// The record of the releases by a model's file; empty: it is no file, as a pipe is none.
std::string releases_beside(const std::string& model_file);

// ---- Advice -------------------------------------------------------------------------------------

struct Advice {
  std::string method;
  std::map<std::string, std::string> parameters;  // as TOML values for [mask]
  std::string why;
};

// What to keep foremost: the framework paper's Table 9, and every column's own distribution.
enum class Keep : std::uint8_t { kMeans, kCorrelation, kDistributions };
// What comes into question, in the order of the papers; propose() in compare.h tries it.
Result<std::vector<Advice>> advise(const Survey& survey, const PlanFile& plan, Keep keep);

}  // namespace semveil
