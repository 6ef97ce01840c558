// Risk and loss of one trial: which figures count, and how they become one number each.
#pragma once

#include <array>

#include "audit/table_pair.h"
#include "semveil/compare.h"

namespace semveil {

inline constexpr std::array kRiskKinds{RiskKind::kGreatest, RiskKind::kProsecutor,
                                       RiskKind::kLinkage, RiskKind::kVulnerability};
inline constexpr std::array kKeepKinds{KeepKind::kMean, KeepKind::kVariance, KeepKind::kCorrelation,
                                       KeepKind::kDistribution};

// Every figure of the trial that does not depend on what is asked for.
void measure(const TablePair& pair, const Audit& audit, ComparedRelease& out);
// Its risk and loss of the kinds that are asked for.
void choose_figures(RiskKind risk, KeepKind keep, ComparedRelease& out);

// What decides where no limit of risk is given: how far from no risk and no loss.
double distance_to_nothing(const ComparedRelease& release);

}  // namespace semveil
