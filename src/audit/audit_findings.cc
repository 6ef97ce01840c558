#include "audit/audit_findings.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "figures/guess_gain.h"
#include "semveil/finding_guide.h"
#include "semveil/method.h"

namespace semveil {
namespace {

using ColumnNames = std::vector<std::string>;

constexpr double kRounding = 1e-9;

void raise(Audit& audit, std::string_view id, Severity severity, ColumnNames columns = {},
           std::map<std::string, double> figures = {}) {
  audit.findings.push_back(make_finding(id, severity, std::move(columns), std::move(figures)));
}

bool contains(const ColumnNames& names, const std::string& name) {
  return std::ranges::find(names, name) != names.end();
}

bool has_finding(const Audit& audit, std::string_view id) {
  return std::ranges::find(audit.findings, id, &Finding::id) != audit.findings.end();
}

// ---- Columns ------------------------------------------------------------------------------------

void find_identifiers(Audit& audit) {
  if (audit.identifiers.empty()) return;
  raise(audit, "identifiers-released", Severity::kDanger, audit.identifiers);
}

void note_not_masked(Audit& audit) {
  for (const AuditedColumn& column : audit.columns) {
    if (!column.is_masked || column.unchanged.value_or(0) < 1) continue;
    audit.notes.push_back("column " + column.name +
                          " IS NOT MASKED, although the plan masks it: no cell changed");
  }
}

// The plan masks them, and the release has them as they were.
void find_not_masked(Audit& audit) {
  ColumnNames untouched;
  for (const AuditedColumn& column : audit.columns) {
    if (column.is_masked && contains(audit.unmasked, column.name)) untouched.push_back(column.name);
  }
  // Classes that are there already need no change.
  const bool has_classes =
      method_named(audit.method).looks_up() && has_finding(audit, "k-verified");
  if (untouched.empty() || !has_classes) note_not_masked(audit);
  if (untouched.empty()) return;
  if (has_classes) {
    // Suppressed records are not among those that came through: their cells were emptied.
    const auto is_emptied = [](const AuditedColumn& column) {
      return column.unchanged && *column.unchanged < 1;
    };
    std::erase_if(untouched, [&](const std::string& name) {
      return is_emptied(*std::ranges::find(audit.columns, name, &AuditedColumn::name));
    });
    if (!untouched.empty()) raise(audit, "nothing-to-change", Severity::kNote, untouched);
    return;
  }
  raise(audit, "column-not-masked", Severity::kDanger, untouched);
}

void find_unknown_texts(Audit& audit) {
  for (const AuditedColumn& column : audit.columns) {
    if (column.left_unmapped == 0) continue;
    // A column that nobody masks came through with everything in it.
    const Severity severity = column.is_masked ? Severity::kDanger : Severity::kWarning;
    raise(audit, "texts-released", severity, {column.name},
          {{"records", static_cast<double>(column.left_unmapped)}});
  }
}

void find_unchanged_cells(Audit& audit) {
  // What makes classes leaves a value as it is where enough others have it.
  if (audit.method.empty() || method_named(audit.method).looks_up()) return;
  for (const AuditedColumn& column : audit.columns) {
    const double unchanged = column.unchanged.value_or(0);
    if (!column.is_masked || column.is_recoded || unchanged < kHalfUnchanged) continue;
    if (contains(audit.unmasked, column.name)) continue;  // said already
    raise(audit, "cells-unchanged",
          unchanged >= kMostlyUnchanged ? Severity::kDanger : Severity::kWarning, {column.name},
          {{"unchanged", unchanged}});
  }
}

// ---- Guesses of values --------------------------------------------------------------------------

std::map<std::string, double> guesses(const ChannelRisk& risk) {
  return {{"prior", risk.prior}, {"guess", risk.vulnerability}};
}

const ChannelRisk* channel_of_column(const Audit& audit, const std::string& name) {
  for (const ChannelFigures& channel : audit.channels) {
    if (channel.risk.columns == ColumnNames{name}) return &channel.risk;
  }
  return nullptr;
}

// The variance of the errors that noise draws, beside that of the column; nothing where none are
// drawn. Of words both are of distances.
std::optional<double> noise_share(const AuditedColumn& column, const NoiseShares& of_numbers) {
  if (const auto told = of_numbers.find(column.name); told != of_numbers.end()) return told->second;
  const double variance = column.variance.original.value_or(0);
  const double target = column.target_rmse.value_or(0);
  if (variance <= 0 || target <= 0) return std::nullopt;
  return target * target / variance;
}

// Columns with weak noise, as one finding; its guess is that of the column it helps most.
ColumnNames find_weak_noise(Audit& audit, const NoiseShares& of_numbers) {
  ColumnNames weak;
  double error = 0;
  const ChannelRisk* worst = nullptr;
  for (const AuditedColumn& column : audit.columns) {
    const std::optional<double> share = noise_share(column, of_numbers);
    if (!share || *share > kWeakNoise + kRounding) continue;
    weak.push_back(column.name);
    error = std::max(error, std::sqrt(*share));
    const ChannelRisk* const channel = channel_of_column(audit, column.name);
    if (channel == nullptr) continue;
    if (worst == nullptr || guess_gain(*channel) > guess_gain(*worst)) worst = channel;
  }
  if (weak.empty()) return weak;
  std::map<std::string, double> figures;
  if (worst != nullptr) figures = guesses(*worst);
  figures["error"] = error;
  raise(audit, "noise-weak", Severity::kDanger, weak, std::move(figures));
  return weak;
}

// A channel that was seen, not computed, says little of rare values: each stands alone.
bool is_of_method(const ChannelRisk& risk) { return risk.how != ChannelRisk::How::kObserved; }

// Where no guess gets much easier: the one that gets easiest.
void tell_hard_guesses(Audit& audit) {
  const ChannelRisk* easiest = nullptr;
  for (const ChannelFigures& channel : audit.channels) {
    if (!is_of_method(channel.risk)) return;
    const bool is_easier = easiest == nullptr || guess_gain(channel.risk) > guess_gain(*easiest);
    if (is_easier) easiest = &channel.risk;
  }
  if (easiest == nullptr) return;
  raise(audit, "guess-bounded", Severity::kPromise, easiest->columns, guesses(*easiest));
}

// Columns whose guesses the release helps alike: one finding, with the figures of the one it helps
// most.
class Guessed {
 public:
  void add(const ChannelRisk& risk) {
    columns_.insert(columns_.end(), risk.columns.begin(), risk.columns.end());
    if (worst_ == nullptr || guess_gain(risk) > guess_gain(*worst_)) worst_ = &risk;
  }
  void tell(Audit& audit, std::string_view id, Severity severity) const {
    if (worst_ != nullptr) raise(audit, id, severity, columns_, guesses(*worst_));
  }
  bool is_empty() const { return worst_ == nullptr; }

 private:
  ColumnNames columns_;
  const ChannelRisk* worst_ = nullptr;
};

void find_guesses(Audit& audit, const NoiseShares& of_numbers) {
  const ColumnNames weak = find_weak_noise(audit, of_numbers);
  Guessed easy, easier;
  for (const bool together : {false, true}) {
    // Of columns together only where none of them alone says it.
    if (together && !(weak.empty() && easy.is_empty() && easier.is_empty())) break;
    for (const ChannelFigures& channel : audit.channels) {
      const ChannelRisk& risk = channel.risk;
      const double gained = guess_gain(risk);
      if ((risk.columns.size() > 1) != together || !is_of_method(risk)) continue;
      if (gained < kEasierGuess || contains(weak, risk.columns.front())) continue;
      (gained >= kEasyGuess ? easy : easier).add(risk);
    }
  }
  if (weak.empty() && easy.is_empty() && easier.is_empty()) tell_hard_guesses(audit);
  easy.tell(audit, "guess-easy", Severity::kDanger);
  easier.tell(audit, "guess-easier", Severity::kWarning);
}

// Values of the release that only one original value can have led to, counted exactly.
void find_single_origins(Audit& audit) {
  for (const ChannelFigures& channel : audit.channels) {
    std::uint64_t records = 0;
    for (const ChannelFigures::Released& released : channel.released) {
      if (released.origins.size() == 1) records += released.records;
    }
    if (records == 0) continue;
    raise(audit, "single-origin", Severity::kWarning, channel.risk.columns,
          {{"records", static_cast<double>(records)}});
  }
}

// ---- People -------------------------------------------------------------------------------------

void find_linkage(Audit& audit) {
  const Linkage& linkage = audit.linkage;
  if (!linkage.semantic) return;
  // Classes that were verified bound it; sets leave the quasi-identifiers as they are.
  const double chance = linkage.baseline.value_or(0);
  if (has_finding(audit, "k-verified") || *linkage.semantic < chance + kSomeFound) return;
  const bool is_most = *linkage.semantic >= kMostFound && !method_named(audit.method).releases_sets;
  raise(audit, "people-found", is_most ? Severity::kDanger : Severity::kWarning, {},
        {{"linked", *linkage.semantic}, {"chance", chance}});
}

bool finds_people(const Attack& attack) { return attack.name != "inference"; }

bool succeeds(const Audit& audit, const Attack& attack) {
  // Beyond what may be chance, and beyond what is taken as protected.
  if (!attack.rate || !attack.risk) return false;
  if (attack.risk_interval.low <= 0 || *attack.risk < kSomeFound) return false;
  // What k promises is 1/k, and was verified.
  const bool is_within_k =
      finds_people(attack) && has_finding(audit, "k-verified") && audit.classes &&
      *attack.rate * static_cast<double>(audit.classes->smallest) <= 1 + kRounding;
  return !is_within_k;
}

// With the greatest risk, by all columns or by fewer: where one of many columns is masked, guesses
// about all of them fail, and those about the others are right. Null: none succeeds.
const Attack* most_successful(const Audit& audit, const Attack& attack) {
  const Attack* out = succeeds(audit, attack) ? &attack : nullptr;
  for (const Attack& fewer : attack.by_columns) {
    if (succeeds(audit, fewer) && (out == nullptr || *fewer.risk > *out->risk)) out = &fewer;
  }
  return out;
}

void find_attacks(Audit& audit) {
  for (const Attack& each : audit.attacks) {
    const Attack* const found = most_successful(audit, each);
    if (found == nullptr) continue;
    const Attack& attack = *found;
    // Without a control nobody knows what is learned of people who are not in the table.
    const bool is_sure = finds_people(each) || attack.control.has_value();
    const bool is_most =
        *attack.risk >= kMostFound && is_sure && !method_named(audit.method).releases_sets;
    ColumnNames about;
    if (!each.about.empty()) about.push_back(each.about);
    std::map<std::string, double> figures{{"rate", *attack.rate}, {"risk", *attack.risk}};
    const std::optional<double>& without = attack.control ? attack.control : attack.baseline;
    if (without) figures["without"] = *without;
    if (attack.columns > 0) figures["columns"] = static_cast<double>(attack.columns);
    raise(audit, each.name + "-succeeds", is_most ? Severity::kDanger : Severity::kWarning, about,
          std::move(figures));
  }
}

// ---- What was promised, what was not looked at --------------------------------------------------

void find_limits(Audit& audit) {
  const bool has_classes = audit.classes.has_value();
  if (!has_classes) raise(audit, "no-quasi-identifiers", Severity::kNote);
  if (has_classes && !method_named(audit.method).forms_classes) {
    std::map<std::string, double> figures;
    if (!audit.method.empty()) figures["method_given"] = 1;
    raise(audit, "k-not-promised", Severity::kNote, {}, std::move(figures));
  }
  if (audit.paired == 0) {
    raise(audit, "not-paired", Severity::kWarning);
  } else if (has_classes && audit.attacks.empty()) {
    raise(audit, "attacks-not-tried", Severity::kNote);
  }
  if (!audit.attacks.empty() && !audit.has_control) raise(audit, "no-control", Severity::kNote);
  if (audit.missing_rule == MissingRule::kWildcard) {
    raise(audit, "wildcards-in-classes", Severity::kNote);
  }
}

// What an audit says of the same columns in other words.
constexpr auto kSaidByAudits =
    std::to_array<std::string_view>({"nearly-unique-released", "no-cell-changed", "no-cell-swapped",
                                     "quasi-identifiers-unmasked", "demand-not-looked-at"});

bool is_told(const Audit& audit, const Finding& finding) {
  if (std::ranges::find(kSaidByAudits, finding.id) != kSaidByAudits.end()) return true;
  return std::ranges::any_of(audit.findings, [&](const Finding& own) {
    return own.id == finding.id && (finding.columns.empty() || own.columns == finding.columns);
  });
}

}  // namespace

void add_findings_of_masking(const std::vector<Finding>& masking, Audit& audit) {
  for (const Finding& finding : masking) {
    const bool counts =
        finding.severity == Severity::kDanger || finding.severity == Severity::kWarning;
    if (counts && !is_told(audit, finding)) audit.findings.push_back(finding);
  }
  rank(audit.findings);
}

void find_in_figures(Audit& audit, const NoiseShares& of_numbers) {
  find_identifiers(audit);
  find_not_masked(audit);
  find_unknown_texts(audit);
  find_guesses(audit, of_numbers);
  find_unchanged_cells(audit);
  find_single_origins(audit);
  find_linkage(audit);
  find_attacks(audit);
  find_limits(audit);
}

}  // namespace semveil
