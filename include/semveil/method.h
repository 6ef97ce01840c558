// A way of masking as one object: what it is and what it takes (MethodDescription), and how its
// options are checked, its mechanism made and its saved plans loaded (Method).
//
//   plan ──settings──▶ Method ──make──▶ Mechanism ──fit──▶ FittedMethod     (mechanism.h)
//                        └──load──▶ FittedMethod, of a model file
//
// Whatever asks about a method asks this object: plans are read and written, options and their help
// made, comparisons and searches chosen, releases verified and told by its description. So a new
// method is a class of its own beside its mechanism, and a line in src/methods/builtin.cc; or it is
// registered by whoever uses the library:
//
//   class Hide final : public Method { … };
//   Status done = register_method(std::make_unique<Hide>());   // before anything else
//
// A method speaks of one step of a plan (MaskStep), never of the plan's only one.
#pragma once

#include <limits>
#include <map>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "semveil/ean.h"
#include "semveil/mechanism.h"
#include "semveil/plan_file.h"
#include "semveil/recoding.h"
#include "semveil/table.h"
#include "semveil/work_limits.h"

namespace [[gnu::visibility("default")]] semveil {

struct NoiseStatistics;

// ---- Keys ---------------------------------------------------------------------------------------

enum class KeyType : std::uint8_t {
  kFlag,
  kWhole,
  kNumber,
  kChoice,
  kText,
  kPairs,       // of columns
  kRows,        // of numbers
  kByColumn,    // numbers
  kCategories,  // a file, or a cut of an ontology
};

// The value of a key that nothing is said of; nothing: none.
using KeyDefault = std::variant<std::monostate, bool, std::uint64_t, double, std::string_view>;

// Whether a key stands among the parameters of a release.
enum class Told : std::uint8_t { kAlways, kIfSaid, kNever };

struct MethodKey {  // a key of [mask] that a method takes
  std::string_view name;
  KeyType type = KeyType::kFlag;
  std::string_view help = {};  // what it says; a part of a sentence, without the method's name
  // kWhole, kNumber: from `low` to `high`; `above`: `low` itself is too little.
  double low = 0, high = std::numeric_limits<double>::infinity();
  bool above = false;
  std::span<const std::string_view> choices = {};  // kChoice
  std::string_view form = {};                      // kText: what it looks like, where not any does
  bool (*fits)(std::string_view) = nullptr;        // kText: whether it does
  KeyDefault usually = {};
  std::string_view usual = {};    // usual values in words: "0.1 to 0.5"
  std::string_view needed = {};   // why there is no masking without it; empty: there is
  std::string_view instead = {};  // the key that may stand in its place
  std::string_view instead_help = {};
  Told told = Told::kAlways;
  // Whether what is told of it goes into the release's digest, and so changes the draws. Not where
  // it checks the result, or says how it is written: the same sets written twice are one release.
  bool draws = true;
  bool stays = false;            // a comparison keeps it when it tries another method
  std::string_view option = {};  // on the command line; empty: --name; kNoOption: none
};
inline constexpr std::string_view kNoOption = "-";

// Keys of [mask] that are not a method's: MaskStep has members for them. A key `k` or of type
// kCategories is also known to others (MaskStep::k(), MaskStep::categories()).
inline constexpr std::string_view kMethodKey = "method", kColumnsKey = "columns",
                                  kDrawByKey = "draw_by";

std::string option_of(const MethodKey& key);   // --draw-by; "" where there is none
std::string range_text(const MethodKey& key);  // kNumber, after "a number": "above 0"
bool is_in_range(const MethodKey& key, double value);
std::string default_text(const MethodKey& key);  // as TOML; "" for none
// As TOML; of a file of categories only its name.
std::string setting_text(const Setting& setting);
std::string cut_text(const CategoriesSettings& categories);  // those that are no file

// What was said of a key or, where nothing was, its default; T() where it has none.
template <class T>
T setting_of(const MaskStep& mask, const MethodKey& key) {
  const Setting* const said = mask.settings.find(key.name);
  if (const T* value = std::get_if<T>(said)) return *value;
  if constexpr (std::is_same_v<T, std::string>) {
    const auto* text = std::get_if<std::string_view>(&key.usually);
    return text == nullptr ? T() : T(*text);
  } else if constexpr (std::is_arithmetic_v<T>) {
    const auto* value = std::get_if<T>(&key.usually);
    return value == nullptr ? T() : *value;
  } else {
    return T();
  }
}

// ---- What a method is ---------------------------------------------------------------------------

enum class MethodShape : std::uint8_t {
  kNone,          // no method at all
  kDrawsPerCell,  // any record of any table, one by one; takes draw_by
  kLooksUp,       // gives every distinct tuple of the fitted table another
  kDeals,         // deals the fitted table's values out to its records
  kRecodes,       // a function of a cell, done before anything is fitted (recoding.h)
};

// What can be done about a finding, where the method knows it better than the finding's guide.
struct MethodRemedy {
  std::string_view finding;               // its id
  std::string_view remedy;                // empty: nothing
  std::string_view key = {}, value = {};  // only where a plan says so; as TOML
};

struct MethodDescription {
  std::string_view name = {};       // in plans
  std::string_view mechanism = {};  // Mechanism::name(): which saved plans are its own
  MethodShape shape = MethodShape::kNone;
  // With kLooksUp: every tuple of the masked columns has k records; else every value of each column
  // has. Both are verified on what was written. Demands on sensitive columns are met.
  bool forms_classes = false;
  bool releases_sets = false;             // verified, too; by default of sensitive columns
  bool invents_concepts = false;          // releases concepts that the data do not have
  bool releases_ancestors = false;        // what comes out stands above what went in, by levels
  bool chooses_candidates = false;        // what a column's deny, min_depth, … hold for
  bool draws = true;                      // else the key plays no part
  bool keeps_correlations = false;        // is meant to: a moved one is a finding
  bool aims_at_variance = false;          // (1 + alpha) times the column's, around the same mean
  bool is_independent = false;            // what comes out does not hang on what went in
  bool fits_statistics = false;           // also without a table, where the plan declares them
  bool takes_concepts = true;             // columns with an ontology
  bool takes_numbers = false;             // columns of type numeric
  bool takes_dates = false;               // columns of type date
  bool takes_texts = false;               // columns without an ontology
  bool takes_several_ontologies = false;  // works with distances alone: a value may have several
                                          // senses, and its column several ontologies
  NumericScale scale = NumericScale::kRange;  // of numbers, where the plan names none
  std::span<const MethodKey> keys = {};       // besides columns and, if it draws per cell, draw_by
  // What advise and compare search: the risk falls with it. Empty: nothing.
  std::string_view searched = {};
  std::span<const double> usual = {};  // its usual values, ascending
  bool counts_records = false;         // it is no greater than the table has records
  unsigned rank = 1000;                // in comparisons of all methods: the smaller first
  std::string_view promise = {};       // a sentence each
  std::string_view no_promise = {};
  std::span<const MethodRemedy> remedies = {};  // the first that fits

  bool draws_per_cell() const { return shape == MethodShape::kDrawsPerCell; }
  bool looks_up() const { return shape == MethodShape::kLooksUp; }
  bool deals() const { return shape == MethodShape::kDeals; }
  bool recodes() const { return shape == MethodShape::kRecodes; }
  const MethodKey* key(std::string_view name) const;    // null: it does not take it
  bool takes(std::string_view mask_key) const;          // also method, columns, draw_by
  bool takes_line(const ColumnSettings& column) const;  // its numbers, or its dates
  bool can_mask(const ColumnSettings& column) const;
};

// ---- What a method does -------------------------------------------------------------------------

// A plan that is being read; what is wrong is noted with the key, or the column, that says it.
struct PlanCheck {
  PlanFile& plan;
  const MaskStep& mask;
  std::vector<std::string> masked;  // columns, in the plan's order where [mask] names none
  bool names_are_sound = true;  // else a column that [mask] names cannot be masked: noted already

  struct Fault {
    std::string key, column, message;  // one of key and column
  };
  std::vector<Fault> faults = {};

  void wrong(std::string_view key, std::string message) {
    faults.push_back({std::string(key), "", std::move(message)});
  }
  bool is_masked(const ColumnSettings& column) const;
};

// The masked columns of the table that is to be fitted.
struct TableCheck {
  struct Column {
    const ColumnSettings* plan = nullptr;
    std::uint64_t missing = 0;    // cells
    bool has_concepts = false;    // else numbers or texts
    bool keeps_unmapped = false;  // some texts mean no concept and stay as they are
  };
  const PlanFile& plan;
  const MaskStep& mask;
  std::vector<Column> columns;

  bool is_masked(const ColumnSettings& column) const;
};

struct MechanismInputs {
  std::vector<std::string> columns = {};      // the masked ones, as the mechanism will see them
  std::vector<CategoryRule> categories = {};  // theirs; of methods that release sets
  const NoiseStatistics* declared = nullptr;  // the plan's, where there is no table
  unsigned threads = 1;
  bool traced = false;
  double most_hours = kUsualHours;  // of a fit (work_limits.h)
  MissingRule missing = MissingRule::kKeep;
};

class Method {  // immutable, thread-safe
 public:
  virtual ~Method() = default;
  virtual const MethodDescription& about() const = 0;
  std::string_view name() const { return about().name; }

  // The columns that are masked where [mask] names none.
  virtual bool masks_by_default(const ColumnSettings& column) const;
  // What the settings say of each other and of the plan's columns, which it may complete.
  virtual void check(PlanCheck& /*check*/) const {}
  // Whether all is said that masking needs; reading a plan does not ask for it.
  virtual Status check_settings(const MaskStep& mask) const;
  // What cannot be had of this table, or not promised.
  virtual Status check_table(const TableCheck& /*check*/) const { return {}; }
  // Settings that hang on the number of records get their value.
  virtual void settle(std::uint64_t /*records*/, MaskStep& /*mask*/) const {}
  // As told of a release, TOML values by key.
  virtual std::map<std::string, std::string> parameters(const MaskStep& mask) const;

  // Settings are complete and settled.
  virtual Result<std::unique_ptr<const Mechanism>> make(const MaskStep& mask,
                                                        MechanismInputs inputs) const = 0;
  // What FittedMethod::save() of its mechanism wrote. `key`: the release's; where tuples are looked
  // up, any.
  virtual Result<std::unique_ptr<const FittedMethod>> load(
      std::string_view saved, std::vector<std::shared_ptr<const Attribute>> attributes,
      const Key& key) const = 0;

  // Of cell recodings (recoding.h), in the place of make() and load(). Settings are complete.
  virtual Result<std::unique_ptr<const Recoding>> make_recoding(const MaskStep& mask,
                                                                const RecodedColumn& column) const;
  virtual Result<std::unique_ptr<const Recoding>> load_recoding(
      std::string_view saved, std::shared_ptr<const ColumnMeaning> meaning) const;
  // Whether numbers come out as texts that are none.
  virtual bool makes_texts(const MaskStep& /*mask*/) const { return false; }
  // The method that is meant by these settings, where it is not this one: null.
  virtual const Method* meant_by(const MethodSettings& /*settings*/) const { return nullptr; }

  // Settings that a comparison of all methods tries, as TOML values by key.
  using Trial = std::map<std::string, std::string>;
  virtual std::vector<Trial> trials(std::size_t /*masked_columns*/) const { return {}; }
  // Of sets: how they are written, and the same settings with each value in a column of its own.
  virtual std::optional<SetForm> set_form(const MaskStep& /*mask*/) const { return std::nullopt; }
  virtual void write_sets_apart(MaskStep& /*mask*/) const {}
};

// ---- Which there are ----------------------------------------------------------------------------

// The built-in ones, then those that were registered.
std::span<const Method* const> methods();
// Also what a column's role stands for, and no plan names. Null: there is none.
const Method* find_method(std::string_view name);
// Its description; that of no method, which does nothing, where there is none. Of several names
// that are joined (kStepsJoint): what one of them is, all of them together are; of their shapes the
// one that asks most of a table.
const MethodDescription& method_named(std::string_view name);
std::vector<std::string_view> joined_methods(std::string_view name);  // the names, apart

// Refuses a name that is taken, and whatever comes after the first use of methods().
Status register_method(std::unique_ptr<const Method> method);

}  // namespace semveil
