// Several methods and parameters on one table: what each would keep and leave at risk, before
// anything is released.
//
// Every configuration is masked in memory with the draws that `mask` would make, and measured as
// `audit` does; the table released unchanged stands beside them. A release dominates another where
// neither its risk nor its loss is greater and one is smaller; what is no safer than the table
// unchanged is dominated by doing nothing. Which of those that nothing
// dominates is best, only a limit of risk can say: the least loss of those that keep to it.
#pragma once

#include "semveil/audit.h"

namespace [[gnu::visibility("default")]] semveil {

// What is called the risk.
//   greatest       of the figures that apply to the method (attack_risks)
//   prosecutor     1 / smallest class; of noise and swaps, where classes protect nobody: the
//                  greatest chance of finding oneself
//   linkage        semantic record linkage
//   vulnerability  the greatest Bayes vulnerability of a masked column
enum class RiskKind : std::uint8_t { kGreatest, kProsecutor, kLinkage, kVulnerability };
// What is to be kept; its loss is measured as
//   mean           the greatest shift of a column's mean
//   variance       the greatest relative change of a column's variance
//   correlation    the greatest change of a pair's distance correlation
//   distribution   the greatest total variation of a column
enum class KeepKind : std::uint8_t { kMean, kVariance, kCorrelation, kDistribution };
std::string_view to_string(RiskKind kind);
std::string_view to_string(KeepKind kind);

struct NamedRisk {
  std::string name;  // in words: finding oneself
  double value = 0;
};
// Who can be found or guessed, by the figures that apply to what the method promises:
//   fuse, generalize, microaggregate, recode, and the table unchanged
//                                  1 / smallest class, surest link
//   swaps                          finding oneself, linkage by meaning, linkage by window
//   noise, naive, probabilistic    guessing all columns, linkage by meaning
//   sets                           best guess of a set
// 1 / smallest class is no risk of noise and swaps, which form no classes; the vulnerability of a
// quasi-identifier is none of classes, which show what their members have in common.
std::vector<NamedRisk> attack_risks(const Audit& audit);
std::optional<double> risk_of(const Audit& audit, RiskKind kind);
std::optional<double> loss_of(const Audit& audit, KeepKind kind);

// [mask] of a configuration, as TOML values by key: method → "noise", alpha → 0.3. Keys that are
// not given are the plan's where the plan has the same method. `measure` is a key of columns: it is
// set on those that have an ontology.
using Configuration = std::map<std::string, std::string>;

// What a person writes: a method, then keys with one or more values; every combination of them is a
// configuration. Columns of one list are joined by a plus, of several lists by commas as any
// values.
//
//   noise alpha=0.1,0.3 correlated=false,true     four of them
//   swap k=5,10 columns=job+place
//   fuse k=5 measure=wu-palmer,lin
Result<std::vector<Configuration>> parse_configurations(std::string_view text);

// A method that was not tried, and why.
struct LeftOut {
  std::string method, why;
};

// What a person must know of the columns that come out as they went in, whatever is chosen.
using PassingColumns = std::vector<Survey::PassedThrough>;

struct ComparedRelease {
  Configuration configuration;  // empty: the table unchanged
  std::string label;            // noise alpha 0.3
  std::string plan;             // the whole plan as TOML, without its seed
  std::optional<Audit> audit;   // nothing where it failed
  std::string failure;          // why
  std::optional<double> risk;   // of the kind that was asked for
  std::string risk_name;        // which of the figures it is
  // ½ mean RMSE of the masked columns + ½ what --keep names, which counts 1 at most. A part that is
  // not defined counts 0.
  std::optional<double> loss;
  std::optional<double> rmse, keep_loss;        // the parts, before they are halved
  std::vector<NamedRisk> attacks;               // attack_risks, the greatest first
  std::map<std::string, double> risks, losses;  // of every kind that is defined
  std::optional<std::uint64_t> uniques;  // released records, or persons, alone in their class
  double truncated = 0;                  // noise: share of the cells whose error could not be had
  // Safer than doing nothing, and nothing compared has less of one and not more of the other.
  bool not_dominated = false;
};

// Whether a release has a risk of at most `most`. One by which somebody is found for certain (the
// greatest of its risks is 1) does not, whatever risk was asked for, below a limit of 1.
bool keeps_to(const ComparedRelease& release, double most);

struct Comparison {
  RiskKind risk = RiskKind::kGreatest;
  KeepKind keep = KeepKind::kCorrelation;
  std::optional<double> most;  // the limit of risk
  std::uint64_t records = 0, held_out = 0;
  ComparedRelease unchanged;              // do nothing
  std::vector<ComparedRelease> releases;  // row 1, 2, …
  std::optional<std::size_t> best;        // the least loss within the limit; nothing without one
  std::vector<LeftOut> left_out;          // of the usual methods, where none was named
  PassingColumns passing;
};

struct CompareOptions {
  WorkOptions work;                           // threads: so many configurations at once
  std::vector<Configuration> configurations;  // empty: the usual ones for the plan's columns
  RiskKind risk = RiskKind::kGreatest;
  KeepKind keep = KeepKind::kCorrelation;
  std::optional<double> most;
  std::size_t clusters = 0;  // 0: no clustering
  double holdout = 0;        // share of the records set aside before masking, as control
};
Result<Comparison> compare(const Table& table, const PlanFile& plan, const Key& key,
                           const CompareOptions& options);

// What can be said of a comparison: which is best under the limit and why or, without a limit,
// which are not dominated.
std::string verdict(const Comparison& comparison);
// The one that `best` means where a plan is asked for, and why: the best or, without a limit, of
// those that are not dominated the one nearest to no risk and no loss. Nothing: there is none.
struct Choice {
  std::size_t row = 0;  // in `releases`
  std::string why;
};
std::optional<Choice> choose_best(const Comparison& comparison);

// The parameters with the least loss among those that keep to `most`.
struct Search {
  double most = 0;
  RiskKind risk = RiskKind::kGreatest;
  KeepKind keep = KeepKind::kCorrelation;
  std::vector<ComparedRelease> tried;  // in the order of trying
  std::optional<std::size_t> found;    // in `tried`; nothing: no risk was small enough
  std::vector<LeftOut> left_out;
  PassingColumns passing;
};
struct SearchOptions {
  WorkOptions work;
  double most = 0;
  RiskKind risk = RiskKind::kGreatest;
  KeepKind keep = KeepKind::kCorrelation;
  // Empty: those that advise() names, as the plan allows.
  std::vector<std::string> methods;
};
Result<Search> search_parameters(const Table& table, const PlanFile& plan, const Key& key,
                                 const SearchOptions& options);

// What advise() names, tried on the table or a sample of it: nearest to no risk and no loss first.
struct Proposal {
  Advice advice;
  std::optional<ComparedRelease> trial;  // nothing: it needs a file that is still to be written
  std::vector<std::string> unmasked;     // quasi-identifiers that it leaves as they are
  std::string why_not;                   // empty: it is proposed
};
struct Proposals {
  KeepKind keep = KeepKind::kMean;
  std::uint64_t records = 0, tried_on = 0;
  std::vector<std::string> quasi_identifiers;
  std::uint64_t uniques = 0;  // records, or persons, alone in their class over all of them
  std::optional<std::uint64_t> persons;  // where the plan names one
  std::vector<Proposal> proposed, passed_over;
  std::vector<LeftOut> left_out;
  PassingColumns passing;
};
Result<Proposals> propose(const Table& table, const PlanFile& plan, const Key& key, KeepKind keep,
                          const WorkOptions& work);

}  // namespace semveil
