// Risk and loss of one trial: which figures count, and how they become one number each.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <vector>

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
// Nearer; of two that are as near the one with less loss.
bool is_nearer_to_nothing(const ComparedRelease& a, const ComparedRelease& b);
// The row with the least risk, and of those the least loss; nothing where none has both.
std::optional<std::size_t> row_of_least_risk(const std::vector<ComparedRelease>& releases);

// Risks and losses are compared as whole billionths: 1/5 as a quotient and as a mean of fifths are
// equal.
std::int64_t in_billionths(double figure);

}  // namespace semveil
