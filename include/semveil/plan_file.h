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
#include "semveil/measure.h"
#include "semveil/result.h"

namespace [[gnu::visibility("default")]] semveil {

enum class Role : std::uint8_t { kIdentifier, kQuasiIdentifier, kSensitive, kOther };
enum class MissingRule : std::uint8_t { kKeep, kCategory, kWildcard, kDropRecord, kError };
enum class UndeclaredRule : std::uint8_t { kKeep, kDrop, kError };
enum class UnmappedRule : std::uint8_t { kError, kSuppress, kGeneralize, kKeep };
enum class ColumnType : std::uint8_t { kNominal, kNumeric, kText };
enum class NumericScale : std::uint8_t { kRange, kDeviation };
enum class WriteAs : std::uint8_t { kData, kLabel, kId };
enum class DomainKind : std::uint8_t { kSubtree, kBranches };
// What may be put in a value's place: any concept of the domain, or those with a code of their own.
enum class CandidateKind : std::uint8_t { kAll, kCodes };
std::string_view to_string(Role role);
std::string_view to_string(MissingRule rule);
std::string_view to_string(UnmappedRule rule);
std::string_view to_string(WriteAs write);

// Where the categories of a column's values come from: a file, or a cut of an ontology.
struct CategoriesPlan {
  std::string file;                // path resolved; empty: cut
  std::string ontology;            // a name of PlanFile::ontologies
  std::vector<std::string> roots;  // one of these three
  unsigned count = 0;
  unsigned depth = 0;
  std::uint64_t line = 0;  // in the plan file
};

struct ColumnPlan {
  std::string name;
  std::uint64_t line = 0;  // in the plan file
  Role role = Role::kOther;
  ColumnType type = ColumnType::kNominal;
  // A name of PlanFile::ontologies; empty: none. Of several that serve the column together it is
  // their names joined, and `ontologies` lists them.
  std::string ontology;
  std::vector<std::string> ontologies;
  std::string root;  // empty: the LCS of the values
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
  std::optional<Demand> demand;  // on a sensitive column
  // Statistics that stand for a table (fit without one): the semantic mean, a concept, and sVar.
  std::string mean;  // empty: not declared
  std::optional<double> variance;
  std::optional<CategoriesPlan> categories;  // else those of [mask]
  std::string levels;  // a file of values that are equally grave, path resolved; empty: none

  bool has_several_ontologies() const { return !ontologies.empty(); }
  // Every ontology the column needs.
  std::vector<std::string> ontology_names() const;
};

// Whether a method only lets values change places: swap and its baselines.
bool is_swap(std::string_view method);
// Whether a method makes every quasi-identifier tuple one of k records: fuse, generalize,
// microaggregate.
bool forms_classes(std::string_view method);
// Whether a method gives every distinct tuple of the table another: those, and recode.
bool looks_up(std::string_view method);
// Whether a method releases sets of values: ean, an.
bool releases_sets(std::string_view method);
// Whether a method draws for every cell alone: noise, the sets, naive, probabilistic.
bool draws_per_cell(std::string_view method);

// Whether a method works with distances alone, so that values may have several senses, and a column
// several ontologies: swap and its baselines, fuse, recode.
bool works_by_distance(std::string_view method);

// What stands in [mask]. A method takes what it knows; a key that the method does not know is an
// error of the plan, so every key that is there must be asked for.
struct MaskPlan {
  std::string method;
  std::vector<std::string> columns;  // empty: the method's default
  std::string draw_by;
  // noise
  double alpha = 0;  // 0: not given
  bool correlated = false;
  std::string reference = "mean";       // mean | pair | root
  std::string distribution = "normal";  // normal | laplace
  std::string ties = "random";          // random | first
  std::vector<std::pair<std::string, std::string>> pairs;
  std::vector<std::vector<double>> covariance;  // Σ, for a fit without a table; empty: not given
  std::string digest;                           // of the table it stands for; empty: none
  bool allow_unmasked = false;
  // methods that look at the k nearest, or make classes of k
  unsigned k = 0;  // 0: not given
  // swap
  double p = 0;  // k as a percentage of the records; 0: not given. One of k and p is given
  // swap, recode
  std::string algorithm = "multivariate";  // fixed | dynamic | multivariate; heuristic | recoding
  std::string exhausted = "keep";          // keep | extend
  std::string demand;                      // probabilistic-k; empty: none
  // fuse
  std::string guide = "semantic";  // semantic | discernibility | random | random-record
  unsigned heuristics = 3;
  // recode
  std::string target = "anonymous";  // anonymous | any
  // generalize
  std::string scope = "local";  // local | full-domain
  std::string loss = "lm";      // lm | lm-geometric | ncp | discernibility
  double suppression = 0;
  bool partial = false;  // fuse, generalize, microaggregate: may leave a quasi-identifier out
  // ean, an
  std::optional<CategoriesPlan> categories;
  unsigned l = 0;                 // 0: the number of categories
  std::string output = "joined";  // joined | list | columns
  std::string separator = "|";
  std::string draw = "uniform";  // uniform | frequency
  std::uint64_t line = 0;
};

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
  std::optional<char> separator, quote;
  std::map<std::string, std::string> ontologies;  // name → source, paths resolved
  std::vector<ColumnPlan> columns;                // in the order of the file
  std::optional<MaskPlan> mask;

  // `overrides`: what the command line sets in [mask], as TOML values by key (`alpha` → `0.5`,
  // `reference` → `"pair"`); they replace the file's and are checked alike.
  static Result<PlanFile> read(const std::string& path,
                               const std::map<std::string, std::string>& overrides = {});
  static Result<PlanFile> parse(std::string_view text, const std::string& name,
                                const std::map<std::string, std::string>& overrides = {});
  const ColumnPlan* find(std::string_view column) const;
  // Whether statistics are declared, for a fit without a table.
  bool declares_statistics() const;
  // Of a column that sets are released of; null: none are named.
  const CategoriesPlan* categories_of(const ColumnPlan& column) const;
};

}  // namespace semveil
