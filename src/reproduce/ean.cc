// Enhanced additive noise: what its paper prints of information loss and time, and whether its sets
// resist the attacks it says they resist.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "reproduce/ean_data.h"
#include "reproduce/ean_table.h"
#include "reproduce/figures.h"
#include "statistics/information_loss.h"

namespace semveil::reproduction {
namespace {

enum EanPart : unsigned { kLossPart = 1, kEanTimePart, kAttacksPart, kTablePart };

constexpr std::size_t kQuasiIdentifierCount = 7;
constexpr std::array<double, kSetSizes.size()> kPrintedLosses{0.083, 0.1, 0.107, 0.1125};  // fig 4
constexpr double kHalfThirdDigit = 0.0005;

double tuple_loss(double l) {
  const std::array<double, kQuasiIdentifierCount> as_they_were{};
  const std::array<double, 1> sensitive{information_loss(static_cast<unsigned>(l))};
  return information_loss(as_they_were, sensitive);
}

ReproducedTable loss_table() {
  ReproducedTable out;
  out.title = "Figure 4: information loss per tuple, 7 quasi-identifiers";
  out.printed_digits = 4;
  for (const double l : kSetSizes) out.columns.push_back(fmt::format("l {}", l));
  ReproducedRow of_set;
  of_set.name = "IL(SA)";
  ReproducedRow of_tuple;
  of_tuple.name = "IL(t)";
  of_tuple.tolerance = 0;
  for (std::size_t i = 0; i < kSetSizes.size(); ++i) {
    of_set.ours.emplace_back(information_loss(static_cast<unsigned>(kSetSizes[i])));
    of_tuple.theirs.emplace_back(kPrintedLosses[i]);
    of_tuple.ours.emplace_back(tuple_loss(kSetSizes[i]));
  }
  out.rows = {std::move(of_set), std::move(of_tuple)};
  return out;
}

Verdict losses_are_printed() {
  Verdict out{true, ""};
  for (std::size_t i = 0; i < kSetSizes.size(); ++i) {
    out.holds =
        out.holds && std::abs(tuple_loss(kSetSizes[i]) - kPrintedLosses[i]) <= kHalfThirdDigit;
  }
  out.figures = listed("l", kSetSizes, [](std::size_t i) {
    return fmt::format("{:.5f} and {}", tuple_loss(kSetSizes[i]), kPrintedLosses[i]);
  });
  return out;
}

Verdict loss_grows() {
  Verdict out{true, ""};
  for (std::size_t i = 1; i < kSetSizes.size(); ++i) {
    out.holds = out.holds && tuple_loss(kSetSizes[i]) > tuple_loss(kSetSizes[i - 1]);
  }
  out.figures = listed("l", kSetSizes, [](std::size_t i) {
    return fmt::format("{:.4f}", tuple_loss(kSetSizes[i]));
  });
  return out;
}

ReproducedPart lost_information() {
  ReproducedPart part;
  part.title = "Enhanced additive noise: information loss";
  part.notes = {
      "IL(SA) = (l - 1) / l and IL(t) = (sum of IL(QID) + IL(SA)) / (QIDs + 1). The "
      "quasi-identifiers are released as they are and lose nothing, so that the figures follow "
      "from l alone, whatever the data. They stay below 1/8 with 7 quasi-identifiers: a measure of "
      "how many columns there are more than of what a set still tells."};
  part.tables.push_back(loss_table());
  ReproducedFigure figure;
  figure.title = "Figure 4: information loss per tuple";
  figure.x = "l";
  figure.y = "IL(t), 7 quasi-identifiers";
  std::array<double, kSetSizes.size()> ours{};
  std::ranges::transform(kSetSizes, ours.begin(), tuple_loss);
  add_theirs(figure, "EAN", kSetSizes, kPrintedLosses);
  add_ours(figure, "EAN", kSetSizes, ours);
  part.figures.push_back(std::move(figure));
  const Claims claims("Figure 4", part);
  claims.add("the losses are those printed", losses_are_printed(), "the formula is another");
  claims.add("the loss grows with l", loss_grows(), "the formula is another");
  return part;
}

bool is_wanted(const ReproduceOptions& options, EanPart part) {
  return options.part.value_or(part) == part;
}

Status on_occupations(const ReproduceOptions& options, Runs& runs,
                      std::vector<ReproducedPart>& parts) {
  const auto records = occupations(options);
  if (!records) return fail(records.error());
  if (is_wanted(options, kEanTimePart)) {
    auto part = sets_timed(options, *records, runs);
    if (!part) return fail(part.error());
    parts.push_back(*std::move(part));
  }
  if (is_wanted(options, kAttacksPart)) {
    auto part = sets_attacked(*records, runs);
    if (!part) return fail(part.error());
    parts.push_back(*std::move(part));
  }
  return {};
}

}  // namespace

Result<std::vector<ReproducedPart>> ean(const ReproduceOptions& options) {
  const auto wanted = [&](EanPart part) { return is_wanted(options, part); };
  const bool on_adult = wanted(kEanTimePart) || wanted(kAttacksPart);
  if (on_adult) {  // before time is spent
    if (Status there = occupations_are_there(options.data); !there) return fail(there.error());
  }
  if (wanted(kTablePart)) {
    if (Status there = table_one_is_there(options.data); !there) return fail(there.error());
  }
  Runs runs(options.work, "additive noise",
            (wanted(kEanTimePart) ? timed_runs(options) : 0) +
                (wanted(kAttacksPart) ? attacked_runs() : 0) +
                (wanted(kTablePart) ? table_one_runs() : 0));
  std::vector<ReproducedPart> parts;
  if (wanted(kLossPart)) parts.push_back(lost_information());
  if (on_adult) {
    if (Status done = on_occupations(options, runs, parts); !done) return fail(done.error());
  }
  if (wanted(kTablePart)) {
    auto part = table_one(options, runs);
    if (!part) return fail(part.error());
    parts.push_back(*std::move(part));
  }
  return parts;
}

}  // namespace semveil::reproduction
