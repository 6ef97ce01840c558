#include "figures/looked_up_persons.h"

#include <map>

#include "base/stop.h"
#include "figures/class_risk.h"
#include "measures/id_lists.h"

namespace semveil {

PersonRows persons_of_classes(const Paired& pairs, const PersonRows& rows, Side side,
                              const Classes& classes) {
  std::map<std::vector<ConceptId>, std::uint32_t> place;
  for (std::uint32_t c = 0; c < classes.size(); ++c) {
    const auto tuple = classes.tuple(c);
    place.emplace(std::vector(tuple.begin(), tuple.end()), c);
  }
  std::vector<std::uint32_t> to;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const auto tuple = pairs.tuple(i, side);
    const auto found = place.find(std::vector(tuple.begin(), tuple.end()));
    const bool is_gone = found == place.end() || (side == Side::kAfter && was_suppressed(pairs, i));
    to.push_back(is_gone ? PersonRows::kGone : found->second);
  }
  return rows.moved(to, classes.size());
}

std::optional<double> journalist_risk(const LookedUpPersons& looked_up) {
  const LookedUp& tables = looked_up.tables;
  const Classes& released = tables.released;
  const Fits originals(tables.attributes, released, tables.original, Fits::Ask::kWhoFits,
                       tables.rule);
  std::optional<Fits> others;
  if (tables.control != nullptr) {
    others.emplace(tables.attributes, released, *tables.control, Fits::Ask::kWhoFits, tables.rule);
  }
  constexpr std::size_t kNever = ~std::size_t{0};
  const std::uint32_t last = std::max(looked_up.originals.greatest(), looked_up.control.greatest());
  std::vector<std::size_t> fitted(last + std::size_t{1}, kNever);
  std::optional<double> greatest;
  for (std::size_t g = 0; g < released.size(); ++g) {
    check_stop();
    std::uint64_t people = 0;
    const auto fit = [&](std::span<const PersonRows::Entry> persons) {
      for (const PersonRows::Entry& entry : persons) {
        people += fitted[entry.person] == g ? 0 : 1;
        fitted[entry.person] = g;
      }
      return true;
    };
    originals.for_each(g, [&](std::uint32_t x) { return fit(looked_up.originals.of(x)); });
    const auto persons = looked_up.released.of(g);
    const auto own = std::ranges::count_if(persons, [&](const PersonRows::Entry& entry) {
      return entry.person < fitted.size() && fitted[entry.person] == g;
    });
    if (others) others->for_each(g, [&](std::uint32_t x) { return fit(looked_up.control.of(x)); });
    if (people == 0 || persons.empty()) continue;
    const double risk = static_cast<double>(own) /
                        (static_cast<double>(persons.size()) * static_cast<double>(people));
    greatest = std::max(greatest.value_or(0), risk);
  }
  return greatest;
}

OwnAmongAlike own_among_alike(const LookedUpPersons& looked_up) {
  const LookedUp& tables = looked_up.tables;
  const Fits what(tables.attributes, tables.original, tables.released, Fits::Ask::kWhatTheyFit,
                  tables.rule);
  const std::uint32_t last =
      std::max(looked_up.originals.greatest(), looked_up.released.greatest());
  PersonScores scores(looked_up.originals);
  OwnAmongAlike out;
  for (std::size_t x = 0; x < tables.original.size(); ++x) {
    check_stop();
    const auto persons = looked_up.originals.of(x);
    if (persons.empty()) continue;
    Marks& found = Marks::fresh(last + std::size_t{1});
    std::uint64_t all = 0;
    what.for_each(x, [&](std::uint32_t g) {
      for (const PersonRows::Entry& entry : looked_up.released.of(g)) {
        all += found.has(entry.person) ? 0 : 1;
        found.put(entry.person);
      }
      return true;
    });
    const auto own = std::ranges::count_if(
        persons, [&](const PersonRows::Entry& entry) { return found.has(entry.person); });
    const double chance =
        own == 0 ? 0
                 : static_cast<double>(own) /
                       (static_cast<double>(persons.size()) * static_cast<double>(all));
    out.worst = std::max(out.worst, chance);
    for (const PersonRows::Entry& entry : persons) scores.raise(entry.person, chance);
  }
  out.mean = scores.mean();
  return out;
}

}  // namespace semveil
