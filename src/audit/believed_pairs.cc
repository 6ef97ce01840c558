#include "audit/believed_pairs.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <span>

#include "base/stop.h"
#include "semveil/finding_guide.h"
#include "semveil/key.h"
#include "semveil/method.h"

namespace semveil {
namespace {

constexpr double kStandardErrors = 4;
constexpr std::uint64_t kDrawn = 100'000;  // pairs of strangers, and pairs where there are more
constexpr double kTold = 0.5;              // share of the records that columns must tell
constexpr double kChance = 0.99;           // strangers who agree as often say nothing

constexpr unsigned char kStrangersKey[Key::kSize + 1] = "semveil audit: pairs of stranger";

// How many records each hash has, ascending.
std::vector<std::uint64_t> class_sizes(std::vector<std::uint64_t> hashes) {
  StopCheck check;
  std::ranges::sort(hashes, [&](std::uint64_t a, std::uint64_t b) {
    check();
    return a < b;
  });
  std::vector<std::uint64_t> out;
  for (std::size_t i = 0; i < hashes.size(); ++i) {
    if (i == 0 || hashes[i] != hashes[i - 1]) out.push_back(0);
    ++out.back();
  }
  return out;
}

double share_of_uniques(std::vector<std::uint64_t> hashes) {
  const auto all = static_cast<double>(hashes.size());
  const std::vector<std::uint64_t> sizes = class_sizes(std::move(hashes));
  return static_cast<double>(std::ranges::count(sizes, 1U)) / all;
}

std::string percent(double share) { return fmt::format("{:.3g} %", 100 * share); }

// Columns that should have come through.
struct Passing {
  std::vector<const ComparedColumn*> agree, differ;
  std::vector<const ComparedColumn*> silent;  // strangers agree in them as well

  bool are_reordered() const {
    return std::ranges::any_of(differ, &ComparedColumn::reordered) ||
           std::ranges::any_of(silent, &ComparedColumn::reordered);
  }
};

Result<Passing> passing(const PositionEvidence& evidence) {
  std::vector<const ComparedColumn*> all;
  std::vector<std::size_t> places;
  for (const ComparedColumn& column : evidence.columns) {
    if (!column.should_pass) continue;
    all.push_back(&column);
    places.push_back(column.in_original);
  }
  const auto chances = agreement_by_chance(evidence.original, places, evidence.progress);
  if (!chances) return fail(chances.error());
  Passing out;
  for (std::size_t i = 0; i < all.size(); ++i) {
    const bool is_silent = (*chances)[i] >= kChance;
    (is_silent ? out.silent : all[i]->agrees() ? out.agree : out.differ).push_back(all[i]);
  }
  return out;
}

std::string names(const std::vector<const ComparedColumn*>& columns) {
  constexpr std::size_t kShown = 5;
  std::vector<std::string> out;
  for (std::size_t i = 0; i < std::min(kShown, columns.size()); ++i) {
    out.push_back(columns[i]->name);
  }
  if (columns.size() > kShown) out.push_back(fmt::format("{} more", columns.size() - kShown));
  return fmt::format("{}", fmt::join(out, ", "));
}

std::string differing_text(const std::vector<const ComparedColumn*>& columns) {
  if (columns.empty()) return "no column came through that would tell";
  double least = 1;
  for (const ComparedColumn* column : columns) least = std::min(least, column->differing());
  return fmt::format("{} should have come through and {} in {} of the rows{}", names(columns),
                     columns.size() == 1 ? "differs" : "differ",
                     columns.size() == 1 ? percent(least) : percent(least) + " or more",
                     std::ranges::any_of(columns, &ComparedColumn::reordered)
                         ? ", with the very same cells in another order"
                         : "");
}

// No column that came through tells: the masked ones are asked.
Belief believe_distances(const PositionEvidence& evidence, const Passing& columns) {
  Belief out;
  const PairDistances found = pair_distances(evidence.records, evidence.distance);
  out.believed = found.tell();
  if (!out.believed && evidence.plan.masks() && !columns.are_reordered() &&
      evidence.plan.about().is_independent) {
    out.believed = true;
    out.finding = make_finding("paired-on-trust", Severity::kWarning);
  }
  out.seen = fmt::format(
      "{}, and the records that stand at the same place are no closer to each other than strangers "
      "(distance {:.3g}, strangers {:.3g})",
      columns.differ.empty() && !columns.silent.empty() &&
              std::ranges::all_of(columns.silent, &ComparedColumn::agrees)
          ? fmt::format("{} came through, with nearly the same cell in all rows",
                        names(columns.silent))
          : differing_text(columns.differ),
      found.own, found.strangers);
  return out;
}

}  // namespace

bool PairDistances::tell() const { return own < strangers - kStandardErrors * standard_error; }

PairDistances pair_distances(std::uint64_t records,
                             const std::function<double(std::uint64_t, std::uint64_t)>& distance) {
  __extension__ using Wide = unsigned __int128;
  const Draws draws(Key::from_bytes(std::span(kStrangersKey).first<Key::kSize>()), "records");
  const auto drawn = [&](std::uint32_t draw) {
    std::vector<std::uint64_t> out(kDrawn);
    draws.of_rows(0, draw, out);
    for (std::uint64_t& row : out) row = static_cast<std::uint64_t>(Wide{row} * records >> 64U);
    return out;
  };
  const std::vector<std::uint64_t> one = drawn(0), other = drawn(1);
  PairDistances out;
  double squares = 0;
  for (std::size_t i = 0; i < kDrawn; ++i) {
    const double apart = distance(one[i], other[i]);
    out.strangers += apart / static_cast<double>(kDrawn);
    squares += apart * apart / static_cast<double>(kDrawn);
  }
  const std::uint64_t looked_at = std::min(records, kDrawn);
  for (std::uint64_t i = 0; i < looked_at; ++i) {
    const std::uint64_t row = records <= kDrawn ? i : one[i];
    out.own += distance(row, row) / static_cast<double>(looked_at);
  }
  const double variance = std::max(0.0, squares - out.strangers * out.strangers);
  out.standard_error =
      std::sqrt(variance * (1 / static_cast<double>(looked_at) + 1 / static_cast<double>(kDrawn)));
  return out;
}

Result<Belief> believe_position(const PositionEvidence& evidence) {
  if (evidence.plan.shuffle) return Belief{false, "the plan shuffles the rows", std::nullopt};
  if (evidence.records <= 1) return Belief{true, "", std::nullopt};
  const Result<Passing> found = passing(evidence);
  if (!found) return fail(found.error());
  const Passing& columns = *found;
  if (columns.agree.empty()) return believe_distances(evidence, columns);
  if (columns.differ.empty()) return Belief{true, "", std::nullopt};
  std::vector<std::size_t> places;
  for (const ComparedColumn* column : columns.agree) places.push_back(column->in_original);
  Result<std::vector<std::uint64_t>> hashes =
      hashes_of(evidence.original, places, evidence.progress);
  if (!hashes) return fail(hashes.error());
  const double told = share_of_uniques(*std::move(hashes));
  if (told >= kTold) return Belief{true, "", std::nullopt};
  return Belief{false,
                fmt::format("{}; {} came through, but {} only {} of the records from all others",
                            differing_text(columns.differ), names(columns.agree),
                            columns.agree.size() == 1 ? "tells" : "tell", percent(told)),
                std::nullopt};
}

}  // namespace semveil
