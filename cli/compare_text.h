// A comparison or a search as a table and a map, for people.
#pragma once

#include "semveil/compare.h"
#include "verb.h"

namespace semveil::cli {

// How a row is referred to on the map: 1 … 9, a … z, and none beyond.
std::optional<char> mark_of(std::size_t row);
// The row that a number or a mark means, of so many; nothing: there is none.
std::optional<std::size_t> row_named(std::string_view name, std::size_t rows);

// One line for each, under its number and its mark on the map: risk and which figure it is, loss
// and its parts, unique records. `unchanged`: row 0. A star: not dominated, or what was found.
struct ReleaseRows {
  const std::vector<ComparedRelease>* releases = nullptr;
  const ComparedRelease* unchanged = nullptr;
  std::vector<bool> starred;
  KeepKind keep = KeepKind::kCorrelation;
};
std::string releases_table(const ReleaseRows& rows);
// Losses to the right, risks upwards; marks as in the table, 0: do nothing.
std::string risk_utility_map(const Comparison& comparison);
// Attacks on the released records beside those on records that were set aside.
std::string attacks_table(const Comparison& comparison);

// mean | variance | correlation | distribution; means and distributions are understood, too.
KeepKind keep_named(std::string_view name);
RiskKind risk_named(std::string_view name);  // greatest | prosecutor | linkage | vulnerability
void add_risk_option(CLI::App& verb, std::string& risk);  // --risk, with these words

// "0.31 = ½ 0.42 RMSE + ½ 0.2 correlation".
std::string loss_text(const ComparedRelease& release, KeepKind keep);

}  // namespace semveil::cli
