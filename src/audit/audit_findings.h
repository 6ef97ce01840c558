// What stands for and against signing a release, from the figures of its audit.
//
// Severity, and why:
//   danger    somebody can be found, or something can be learned of somebody, and the plan either
//             promises that it cannot or does nothing against it
//   warning   the same in part, or something that the audit cannot decide
//   note      what is not promised, what was not looked at, how to read a figure
//   promise   looked at again on the released cells, and true
//
// Which columns tell of people as they stand: of a method that makes classes, and of a table that
// nobody says how it was masked, all quasi-identifiers; of methods that change values (noise,
// swaps) those that it left as they were, because a changed value need not be its record's.
#pragma once

#include <map>
#include <string>

#include "audit/audit_parts.h"

namespace semveil {

// ---- Limits -------------------------------------------------------------------------------------

// Of the guesses that would be wrong without the release, the share that it makes right.
inline constexpr double kEasyGuess = 0.5;     // danger: more is given away than hidden
inline constexpr double kEasierGuess = 0.25;  // warning: one in four
// Errors of a tenth of the column's variance: a typical error is less than a third of the typical
// distance from the mean.
inline constexpr double kWeakNoise = 0.1;
// Cells that a masked column keeps.
inline constexpr double kMostlyUnchanged = 0.9;  // danger: nine of ten are what they were
inline constexpr double kHalfUnchanged = 0.5;    // warning: who believes a cell is mostly right
// Records found again, and right guesses of attacks beyond those without the release. One in two:
// who acts upon it is as often right as wrong. 0.05 is what Table I of the audit takes as
// protected.
inline constexpr double kMostFound = 0.5;
inline constexpr double kSomeFound = 0.05;
// Of a class's records that share the sensitive value.
inline constexpr double kMostOfAClass = 0.8;

// By column of numbers with noise: the variance of the errors beside that of the column. Its
// figures do not tell: errors are distances there, in the scale that the plan names, and variances
// are not.
using NoiseShares = std::map<std::string, double>;
NoiseShares noise_shares_of_numbers(const AuditTask& task);

// From the figures alone.
void find_in_figures(Audit& audit, const NoiseShares& of_numbers = {});
// From the released classes: k, demands, secrets that a class shares, records that are alone.
void find_in_classes(const AuditTask& task, Audit& audit);

}  // namespace semveil
