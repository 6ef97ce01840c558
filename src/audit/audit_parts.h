// The parts of an audit (audit.cc): each fills its figures.
#pragma once

#include "audit/table_pair.h"
#include "figures/class_risk.h"
#include "release/privacy.h"
#include "semveil/noise.h"

namespace semveil {

struct AuditTask {
  const TablePair::Impl& pair;
  const AuditOptions& options;
  std::vector<std::shared_ptr<const Attribute>> attributes;  // of all columns
  std::optional<std::size_t> target;                         // of the classifier

  bool is_paired() const { return pair.pairs.size() > 0; }
  // Whether figures are of persons, and whether it is known whose the released records are.
  bool asks_persons() const { return pair.asks_persons; }
  bool knows_persons() const {
    return pair.pair_persons.are_told() && pair.pairs.records() == pair.masked_records;
  }
  // By pair of `some`, which are those of all columns over some, or a part of them.
  PersonRows persons_of(const Paired& some, std::span<const std::size_t> columns) const {
    return persons_over(pair.pairs, pair.pair_persons, columns, some);
  }
  std::vector<std::shared_ptr<const Attribute>> known_by() const {  // quasi-identifiers'
    std::vector<std::shared_ptr<const Attribute>> out;
    for (const std::size_t j : pair.quasi_identifiers) out.push_back(attributes[j]);
    return out;
  }
  Classes classes_by(const Classes& all) const {  // over the quasi-identifiers
    return classes_over(all, attributes, pair.quasi_identifiers);
  }
  // Whether records that lost every quasi-identifier stand for everybody: single cells were
  // emptied, and each of them matches everything. Else such a record was suppressed.
  bool empties_cells() const;
  // What was released, over all columns; suppressed records apart.
  FormedClasses released() const {
    if (empties_cells()) return {pair.masked, 0};
    return without_suppressed(attributes, pair.masked, pair.quasi_identifiers, pair.pairs);
  }
  // Over the quasi-identifiers, without records that show nothing, whatever emptied them.
  Classes released_classes() const {
    return classes_by(
        without_suppressed(attributes, pair.masked, pair.quasi_identifiers, pair.pairs).classes);
  }
  // Who fits what was released, over the quasi-identifiers (audit_fits.cc).
  FitRule fit_rule() const;
};
// Tuples of a table's classes over all columns, and whose records have them.
struct PersonTuples {
  TupleCounter tuples{0};
  PersonPairs persons;
  CountedTuples counted() const { return {tuples, &persons}; }
};
// Of the release, suppressed records left out; it must be known whose its records are.
PersonTuples released_persons(const AuditTask& task);
// Of the records that share their quasi-identifiers, the greatest share that is one person's; the
// same must be known.
double greatest_share_of_rows(const AuditTask& task);

// A figure is not worth more work than this many looked-up distances.
inline constexpr std::uint64_t kMostAuditWork = 200'000'000;

// What noise aims at; null where the method is none, or where columns are judged by other measures
// than it drew with.
const NoiseFit* noise_aims(const AuditTask& task);

void audit_columns(const AuditTask& task, Audit& out);
void audit_correlations(const AuditTask& task, Audit& out);
// Classes of both tables, and what they tell of sensitive values.
void audit_classes(const AuditTask& task, Audit& out);
void audit_generality(const AuditTask& task, Audit& out);
void audit_sets(const AuditTask& task, Audit& out);
std::size_t least_categories(const SetPair& set);  // in one of the released sets
// Needs no pairs, as whoever fits a guess may be meant by it.
void audit_singling_out(const AuditTask& task, Audit& out);
// The rest needs paired records.
void audit_quality(const AuditTask& task, Audit& out);
void audit_clusters(const AuditTask& task, Audit& out);
void audit_linkage(const AuditTask& task, Audit& out);
void audit_attacks(const AuditTask& task, Audit& out);
// After classes, sets and linkage; what needs no pairs is told without.
void audit_disclosure(const AuditTask& task, Audit& out);
// After the columns.
Status audit_channels(const AuditTask& task, Audit& out);

}  // namespace semveil
