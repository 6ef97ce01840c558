// Several methods and parameters on one table: what each would keep and leave at risk, before
// anything is released.
//
// Every configuration is masked in memory with the draws that `mask` would make, and measured as
// `audit` does. A release is better than another where neither its risk nor its loss is greater and
// one is smaller; those that no other is better than are marked.
#pragma once

#include "semveil/audit.h"

namespace semveil {

// What is called the risk. prosecutor: 1 / smallest class; linkage: semantic record linkage;
// vulnerability: the greatest Bayes vulnerability of a masked column.
enum class RiskKind : std::uint8_t { kProsecutor, kLinkage, kVulnerability };
// What is to be kept; its loss is measured as
//   mean           the greatest shift of a column's mean
//   variance       the greatest relative change of a column's variance
//   correlation    the greatest change of a pair's distance correlation
//   distribution   the greatest total variation of a column
enum class KeepKind : std::uint8_t { kMean, kVariance, kCorrelation, kDistribution };
std::string_view to_string(RiskKind kind);
std::string_view to_string(KeepKind kind);
// Vulnerability for methods that draw per cell, prosecutor for the others.
RiskKind usual_risk(std::string_view method);
std::optional<double> risk_of(const Audit& audit, RiskKind kind);
std::optional<double> loss_of(const Audit& audit, KeepKind kind);

// [mask] of a configuration, as TOML values by key: method → "noise", alpha → 0.3. Keys that are
// not given are the plan's where the plan has the same method.
using Configuration = std::map<std::string, std::string>;

// What a person writes: a method, then keys with one or more values; every combination of them is a
// configuration. Columns of one list are joined by a plus, of several lists by commas as any
// values.
//
//   noise alpha=0.1,0.3 correlated=false,true     four of them
//   swap k=5,10 columns=job+place
Result<std::vector<Configuration>> parse_configurations(std::string_view text);

struct ComparedRelease {
  Configuration configuration;
  std::string label;           // noise alpha 0.3
  std::string plan;            // the whole plan as TOML, without its seed
  std::optional<Audit> audit;  // nothing where it failed
  std::string failure;         // why
  std::optional<double> risk, loss;
  std::map<std::string, double> risks, losses;  // of every kind that is defined
  bool is_best = false;  // no other has less of one and not more of the other
};

struct Comparison {
  RiskKind risk = RiskKind::kLinkage;
  KeepKind keep = KeepKind::kCorrelation;
  std::uint64_t records = 0, held_out = 0;
  std::vector<ComparedRelease> releases;
};

struct CompareOptions {
  WorkOptions work;                           // threads: so many configurations at once
  std::vector<Configuration> configurations;  // empty: the usual ones for the plan's columns
  RiskKind risk = RiskKind::kLinkage;
  KeepKind keep = KeepKind::kCorrelation;
  std::size_t clusters = 0;  // 0: no clustering
  double holdout = 0;        // share of the records set aside before masking, as control
};
Result<Comparison> compare(const Table& table, const PlanFile& plan, const Key& key,
                           const CompareOptions& options);

// The parameters with the least loss among those whose risk is at most `most`.
struct Search {
  double most = 0;
  std::optional<RiskKind> risk;  // nothing: usual_risk of each method
  KeepKind keep = KeepKind::kCorrelation;
  std::vector<ComparedRelease> tried;  // in the order of trying
  std::optional<std::size_t> found;    // in `tried`; nothing: no risk was small enough
};
struct SearchOptions {
  WorkOptions work;
  double most = 0;
  std::optional<RiskKind> risk;
  KeepKind keep = KeepKind::kCorrelation;
  // Empty: those that advise() names and those that form classes, as the plan allows.
  std::vector<std::string> methods;
};
Result<Search> search_parameters(const Table& table, const PlanFile& plan, const Key& key,
                                 const SearchOptions& options);

}  // namespace semveil
