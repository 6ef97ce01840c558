// A plan to start from: what a table's columns seem to be, and how it could be masked.
//
// Roles, types, ontologies and missing markers are read off the names, the forms of the cells and
// how often they repeat; a method is tried on the table (compare.h). Everything has a reason, and
// the plan that is written says it in comments: a person reads, corrects and signs it. No cell is
// quoted in it but missing markers.
//
// Choice:  where in doubt, more is protected: a column that only looks like an identifier is one,
//          and a column that nothing is known of is a quasi-identifier or sensitive.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "semveil/compare.h"
#include "semveil/minimal_uniques.h"
#include "semveil/plan_file.h"
#include "semveil/table.h"

namespace [[gnu::visibility("default")]] semveil {

// What the cells of a column are.
enum class ColumnKind : std::uint8_t {
  kNominal,  // words or categories
  kNumeric,
  kDate,    // with or without a time
  kText,    // sentences, names, addresses
  kOpaque,  // keys and numbers of persons or records, which mean nothing by themselves
  kIcd9,
  kIcd10,
  kSnomed,
  kMesh,
  kCountry,
  kPostcode,
};
std::string_view to_string(ColumnKind kind);
// What a plan calls it: nominal, numeric, date or text.
std::string_view plan_type(ColumnKind kind);

// An ontology that may serve columns: what is given by name, installed, or in the cache.
struct OntologySource {
  enum class Origin : std::uint8_t { kGiven, kInstalled, kCached };
  std::string name;    // in the plan
  std::string source;  // as open_ontology() takes it, paths absolute or from the working folder
  Origin origin = Origin::kGiven;
};
std::string_view to_string(OntologySource::Origin origin);

// How much of a column an ontology knows.
struct OntologyCoverage {
  std::string ontology;       // name of the source
  std::uint64_t records = 0;  // whose cell has a meaning, below the root where there is one
  std::uint64_t values = 0;   // different ones of these
  std::string root;           // as the plan names it; empty: none
  std::string root_label;     // for people
  bool is_whole = false;      // nothing is left without a meaning
  bool is_enough = false;     // to be proposed
};

struct ProposedColumn {
  std::string name;
  Role role = Role::kOther;
  std::string role_why;
  ColumnKind kind = ColumnKind::kNominal;
  std::string kind_why;
  std::uint64_t distinct = 0, missing = 0;  // markers count as missing
  std::string hierarchy;                    // as a TOML value: what it could be generalised by
  // Of dates: how they are written, "" for ISO 8601; nothing: in no one way, or nobody can tell.
  std::optional<std::string> date_format;
  std::optional<OntologyCoverage> ontology;  // chosen
  std::optional<OntologyCoverage> nearly;    // the best of those that know too little
  std::string wanted;  // the terminology of its codes, where none that is known here serves
};

struct MissingMarker {
  std::string text;  // a cell: the only ones that are quoted
  std::uint64_t cells = 0;
  std::vector<std::string> columns;  // in which it stands for nothing
  std::string why;
  bool proposed = true;  // else it is an ordinary value of other columns: left to a person
};

// The column whose values are persons, where persons have several rows.
struct ProposedPerson {
  std::string column;
  std::uint64_t persons = 0;
  std::string why;
};

struct PlanProposal {
  std::string table;
  std::uint64_t records = 0;
  std::vector<ProposedColumn> columns;  // in the table's order
  std::vector<MissingMarker> markers;
  std::vector<OntologySource> ontologies;  // those that a column uses
  std::optional<ProposedPerson> person;
  bool header_is_data = false;  // the first line looks like a record
  std::vector<std::string> quasi_identifiers;
  MinimalUniques uniques;             // over these; of persons, where there is such a column
  std::optional<Proposals> tried;     // methods; nothing: none could be tried
  std::optional<std::size_t> chosen;  // in tried->proposed
  std::string no_method_why;          // where nothing is chosen
};

struct ProposeOptions {
  WorkOptions work;
  std::vector<OntologySource> ontologies;  // in the order of preference where several know as much
  KeepKind keep = KeepKind::kMean;         // of the method
  bool try_methods = true;
};
Result<PlanProposal> propose_plan(const Table& table, const Key& key,
                                  const ProposeOptions& options);

// Installed and, with the cache, those that were used before and are still there. Names are unlike
// each other's and the given ones'.
std::vector<OntologySource> known_ontologies(const std::vector<OntologySource>& given,
                                             bool use_cache);

// The commented plan; paths as a plan in `folder` must name them.
std::string to_toml(const PlanProposal& proposal, const std::string& folder);

// ---- What a plan says, in sentences -------------------------------------------------------------

struct PlanSentence {
  std::string about;  // "" the plan as a whole; "column NAME", "ontology NAME", "mask"
  std::string text;
};
// Ontologies are opened and roots looked up: an error where that fails.
Result<std::vector<PlanSentence>> explain_plan(const PlanFile& plan, const WorkOptions& work);

}  // namespace semveil
