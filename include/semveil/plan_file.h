// The plan a steward writes (TOML): which column means what, and how the table is to be masked.
//
// Reading is strict: unknown keys, wrong types and impossible values are errors that name file,
// line, key and the nearest valid one. Nothing here opens tables or ontologies.
// docs/formats/plan.md lists every key.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "semveil/demand.h"
#include "semveil/hierarchy.h"
#include "semveil/measure.h"
#include "semveil/method_settings.h"
#include "semveil/result.h"

namespace [[gnu::visibility("default")]] semveil {

enum class Role : std::uint8_t { kIdentifier, kQuasiIdentifier, kSensitive, kOther, kPseudonym };
enum class MissingRule : std::uint8_t { kKeep, kCategory, kWildcard, kDropRecord, kError };
enum class UndeclaredRule : std::uint8_t { kKeep, kDrop, kError };
enum class UnmappedRule : std::uint8_t { kError, kSuppress, kGeneralize, kKeep };
enum class ColumnType : std::uint8_t { kNominal, kNumeric, kText, kDate };
enum class NumericScale : std::uint8_t { kRange, kDeviation };
enum class WriteAs : std::uint8_t { kData, kLabel, kId };
enum class DomainKind : std::uint8_t { kSubtree, kBranches };
// What may be put in a value's place: any concept of the domain, or those with a code of their own.
enum class CandidateKind : std::uint8_t { kAll, kCodes };
std::string_view to_string(Role role);
std::string_view to_string(MissingRule rule);
std::string_view to_string(UnmappedRule rule);
std::string_view to_string(WriteAs write);

struct PseudonymSettings {  // of a column of role pseudonym
  std::string format = "hex";
  std::optional<unsigned> length;  // nothing: the format's usual one
  bool across = false;
};

struct ColumnSettings {
  std::string name;
  std::uint64_t line = 0;  // in the plan file
  Role role = Role::kOther;
  ColumnType type = ColumnType::kNominal;
  // A name of PlanFile::ontologies; empty: none. Of several that serve the column together it is
  // their names joined, and `ontologies` lists them.
  std::string ontology;
  std::vector<std::string> ontologies;
  // Instead of an ontology: one is made of the column's values.
  std::optional<HierarchySettings> hierarchy;
  bool by_weeks = false;      // calendar = "week"
  bool by_hierarchy = false;  // whether the plan's method sees the column so
  std::string root;           // empty: the LCS of the values
  DomainKind domain = DomainKind::kSubtree;
  std::string measure = "wu-palmer";
  std::string ic = "seco";      // seco | sanchez | data | corpus:FILE | a file (paths resolved)
  std::string lcs = "deepest";  // deepest | mica
  FeatureWeights weights{};     // of rodriguez-egenhofer
  std::string senses = "closest";
  std::string mapping;  // path resolved; empty: none
  std::string via;      // xref | xref:PREFIX | a file of two columns (path resolved); empty: none
  UnmappedRule unmapped = UnmappedRule::kError;
  std::optional<WriteAs> write;  // nothing: the method's default
  std::vector<std::string> deny;
  bool leaves_only = false;
  unsigned min_depth = 1;
  std::optional<CandidateKind> candidates;  // nothing: codes, where a classification tells them
  std::optional<NumericScale> scale;        // nothing: the method's default
  std::optional<unsigned> decimals;
  std::optional<PseudonymSettings> pseudonym;  // of that role
  std::string format;                          // of dates, as "%d.%m.%Y"; empty: ISO 8601
  std::optional<Demand> demand;                // on a sensitive column
  // Statistics that stand for a table (fit without one): the semantic mean, a concept, and sVar.
  std::string mean;  // empty: not declared
  std::optional<double> variance;
  std::optional<CategoriesSettings> categories;  // else those of [mask]
  std::string levels;  // a file of values that are equally grave, path resolved; empty: none

  bool has_several_ontologies() const { return !ontologies.empty(); }
  // Every ontology the column needs.
  std::vector<std::string> ontology_names() const;
};

class Method;  // method.h
struct MethodDescription;

// What stands in [mask], or in one of several [[mask]]: one step of masking. A key that the method
// does not know is an error of the plan, so every key that is there must be asked for.
struct MaskStep {
  const Method* method = nullptr;    // null only before a plan is read
  std::vector<std::string> columns;  // empty: the method's default; never where a plan has several
  std::string draw_by;
  MethodSettings settings;
  std::uint64_t line = 0;
  bool is_role = false;  // stands for the role of its column, and not in [mask]

  const MethodDescription& about() const;        // the method's; of no method where there is none
  std::uint64_t k() const;                       // of methods that take it; 0: not given
  const CategoriesSettings* categories() const;  // null: none are named
};

// Whether the column has an ontology, or one is made for it.
bool is_nominal(const ColumnSettings& column);
// Whether one is made for it.
bool has_made_ontology(const ColumnSettings& column);
// Whether its values lie on a line: numbers and dates.
inline bool is_on_a_line(const ColumnSettings& column) {
  return column.type == ColumnType::kNumeric || column.type == ColumnType::kDate;
}
// Whether the step names the column or, where it names none, the method masks it by default.
bool is_masked(const ColumnSettings& column, const MaskStep& mask);

// Between the names of methods that mask a table together: "generalize + noise".
inline constexpr std::string_view kStepsJoint = " + ";

// A text as TOML writes it, with its quotes.
std::string toml_text(std::string_view text);

struct PlanFile {
  std::string path;    // as given; "" for a text in memory
  std::string folder;  // paths in the plan are relative to it
  std::optional<std::string> seed;
  std::string release;
  MissingRule missing = MissingRule::kKeep;
  std::vector<std::string> missing_values = {""};
  UndeclaredRule undeclared = UndeclaredRule::kKeep;
  bool shuffle = false;
  // The column that tells persons apart: k and all that goes with it count persons. Empty: records.
  std::string person;
  bool allow_linked_rows = false;  // columns that link a person's rows may be released
  std::optional<char> separator, quote;
  std::map<std::string, std::string> ontologies;  // name → source, paths resolved
  std::vector<ColumnSettings> columns;            // in the order of the file
  // [mask], or every [[mask]] in the written order. Cell recodings (recoding.h) are done first,
  // each on what the one before it left. Every other step is fitted on the table after all
  // recodings, never on what another step drew, and no column stands in two: these steps commute.
  std::vector<MaskStep> recodings, steps;

  // `overrides`: what the command line sets in [mask], as TOML values by key (`alpha` → `0.5`,
  // `reference` → `"pair"`); they replace the file's and are checked alike. Of several steps a key
  // belongs to the one whose method takes it.
  static Result<PlanFile> read(const std::string& path,
                               const std::map<std::string, std::string>& overrides = {});
  static Result<PlanFile> parse(std::string_view text, const std::string& name,
                                const std::map<std::string, std::string>& overrides = {});
  const ColumnSettings* find(std::string_view column) const;
  bool masks() const { return !recodings.empty() || !steps.empty(); }  // anything at all
  // The step that masks a column, recodings apart; null: none does.
  const MaskStep* step_of(const ColumnSettings& column) const;
  bool recodes(const ColumnSettings& column) const;
  bool changes(const ColumnSettings& column) const;  // by a recoding or a step
  // The column as steps see it: recodings may make texts of its numbers.
  ColumnSettings after_recodings(const ColumnSettings& column) const;
  // Whether one of the steps is such a method.
  bool has_step(bool (*is)(const MethodDescription&)) const;
  // All steps together: their methods' names, joined, and what methods of these names are.
  std::string method() const;
  const MethodDescription& about() const;
  std::string draw_by() const;  // of those that draw by person; empty: none does
  // Whether statistics are declared, for a fit without a table.
  bool declares_statistics() const;
  // Of a column that sets are released of; null: none are named.
  const CategoriesSettings* categories_of(const ColumnSettings& column) const;
};

}  // namespace semveil
