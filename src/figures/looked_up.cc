#include "figures/looked_up.h"

#include <algorithm>
#include <map>

#include "base/stop.h"
#include "figures/class_risk.h"

namespace semveil {
namespace {

constexpr std::uint32_t kNoClass = ~std::uint32_t{0};

// By pair: which of the given classes it belongs to, if any.
std::vector<std::uint32_t> places_of(const Paired& pairs, Side side, const Classes& classes) {
  std::map<std::vector<ConceptId>, std::uint32_t> place;
  for (std::uint32_t c = 0; c < classes.size(); ++c) {
    const auto tuple = classes.tuple(c);
    place.emplace(std::vector(tuple.begin(), tuple.end()), c);
  }
  const Classes own = classes_of(pairs, side);
  std::vector<std::uint32_t> of_own;
  for (std::size_t c = 0; c < own.size(); ++c) {
    const auto tuple = own.tuple(c);
    const auto found = place.find({tuple.begin(), tuple.end()});
    of_own.push_back(found == place.end() ? kNoClass : found->second);
  }
  std::vector<std::uint32_t> out;
  for (const std::uint32_t c : own.of) out.push_back(of_own[c]);
  return out;
}

// visit(original class, released class, records) for the pairs of which the original fits what it
// became.
template <class Visit>
void for_each_own(const LookedUp& tables, const Fits& who_fits, const Visit& visit) {
  const auto before = places_of(tables.pairs, Side::kBefore, tables.original);
  const auto after = places_of(tables.pairs, Side::kAfter, tables.released);
  for (std::size_t i = 0; i < tables.pairs.size(); ++i) {
    if (before[i] == kNoClass || after[i] == kNoClass) continue;
    if (!tables.empties_cells && was_suppressed(tables.pairs, i)) continue;
    if (who_fits.answers(after[i], before[i])) visit(before[i], after[i], tables.pairs.counts[i]);
  }
}

double quotient(std::uint64_t part, std::uint64_t a, std::uint64_t b) {
  return static_cast<double>(part) / (static_cast<double>(a) * static_cast<double>(b));
}

}  // namespace

std::optional<double> journalist_risk(const LookedUp& tables) {
  const Classes& released = tables.released;
  const Fits originals(tables.attributes, released, tables.original, Fits::Ask::kWhoFits,
                       tables.rule);
  std::optional<Fits> others;
  if (tables.control != nullptr) {
    others.emplace(tables.attributes, released, *tables.control, Fits::Ask::kWhoFits, tables.rule);
  }
  std::vector<std::uint64_t> own(released.size(), 0);
  for_each_own(tables, originals,
               [&](std::uint32_t, std::uint32_t g, std::uint64_t records) { own[g] += records; });
  std::optional<double> greatest;
  for (std::size_t g = 0; g < released.size(); ++g) {
    check_stop();
    const std::uint64_t people = originals.records(g) + (others ? others->records(g) : 0);
    if (people == 0) continue;
    greatest = std::max(greatest.value_or(0), quotient(own[g], released.counts[g], people));
  }
  return greatest;
}

OwnAmongAlike own_among_alike(const LookedUp& tables) {
  const Classes& original = tables.original;
  const Fits who(tables.attributes, tables.released, original, Fits::Ask::kWhoFits, tables.rule);
  std::vector<std::uint64_t> own(original.size(), 0);
  for_each_own(tables, who,
               [&](std::uint32_t x, std::uint32_t, std::uint64_t records) { own[x] += records; });
  const Fits what(tables.attributes, original, tables.released, Fits::Ask::kWhatTheyFit,
                  tables.rule);
  OwnAmongAlike out;
  double sum = 0;
  for (std::size_t x = 0; x < original.size(); ++x) {
    check_stop();
    if (own[x] == 0) continue;
    const double chance = quotient(own[x], original.counts[x], what.records(x));
    out.worst = std::max(out.worst, chance);
    sum += chance * static_cast<double>(original.counts[x]);
  }
  if (original.size() > 0) out.mean = sum / static_cast<double>(original.records());
  return out;
}

}  // namespace semveil
