#include "figures/class_risk.h"

#include <algorithm>
#include <map>

#include "figures/utility.h"
#include "statistics/class_sizes.h"

namespace semveil {
namespace {

std::vector<ConceptId> missing_values(const Attributes& attributes) {
  std::vector<ConceptId> out;
  for (const auto& attribute : attributes) out.push_back(attribute->missing_value());
  return out;
}

}  // namespace

FormedClasses without_suppressed(const Attributes& attributes, const Classes& classes,
                                 std::span<const std::size_t> known_by, const Paired& pairs) {
  const auto is_emptied = [&](std::span<const ConceptId> tuple) {
    return !known_by.empty() && std::ranges::all_of(known_by, [&](std::size_t q) {
      return tuple[q] == attributes[q]->missing_value();
    });
  };
  std::map<std::vector<ConceptId>, std::uint64_t> were_empty;  // records, by what became of them
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    const std::span<const ConceptId> after = pairs.tuple(i, Side::kAfter);
    if (is_emptied(after) && is_emptied(pairs.tuple(i, Side::kBefore))) {
      were_empty[{after.begin(), after.end()}] += pairs.counts[i];
    }
  }
  FormedClasses out;
  out.classes.width = classes.width;
  for (std::size_t c = 0; c < classes.size(); ++c) {
    const std::span<const ConceptId> tuple = classes.tuple(c);
    std::uint64_t kept = classes.counts[c];
    if (is_emptied(tuple)) {
      const auto found = were_empty.find({tuple.begin(), tuple.end()});
      kept = found == were_empty.end() ? 0 : found->second;
      out.suppressed += classes.counts[c] - kept;
    }
    if (kept == 0) continue;
    out.classes.tuples.insert(out.classes.tuples.end(), tuple.begin(), tuple.end());
    out.classes.counts.push_back(kept);
  }
  return out;
}

bool was_suppressed(const Paired& pairs, std::size_t pair) {
  const auto has_nothing = [&](Side side) {
    const std::span<const ConceptId> tuple = pairs.tuple(pair, side);
    for (std::size_t j = 0; j < tuple.size(); ++j) {
      if (tuple[j] != pairs.attributes[j]->missing_value()) return false;
    }
    return true;
  };
  return has_nothing(Side::kAfter) && !has_nothing(Side::kBefore);
}

Paired unsuppressed(const Paired& pairs) {
  Paired out;
  out.attributes = pairs.attributes;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (was_suppressed(pairs, i)) continue;
    const auto before = pairs.tuple(i, Side::kBefore), after = pairs.tuple(i, Side::kAfter);
    out.before.insert(out.before.end(), before.begin(), before.end());
    out.after.insert(out.after.end(), after.begin(), after.end());
    out.counts.push_back(pairs.counts[i]);
  }
  return out;
}

ClassRisk class_risk(const Attributes& attributes, const FormedClasses& formed,
                     MissingRule missing) {
  const Classes& classes = formed.classes;
  ClassRisk out;
  out.classes = classes.size();
  out.suppressed = formed.suppressed;
  if (classes.size() == 0) return out;
  const std::vector<std::uint64_t> sizes =
      missing == MissingRule::kWildcard
          ? matching_records(classes.tuples, classes.counts, missing_values(attributes))
          : classes.counts;
  out.smallest = *std::ranges::min_element(sizes);
  out.uniques = static_cast<std::uint64_t>(std::ranges::count(sizes, 1U));
  out.prosecutor = 1 / static_cast<double>(out.smallest);
  double marketer = 0;
  for (std::size_t c = 0; c < sizes.size(); ++c) {
    marketer += static_cast<double>(classes.counts[c]) / static_cast<double>(sizes[c]);
  }
  out.marketer = marketer / static_cast<double>(classes.records());
  return out;
}

std::uint64_t discernibility(const FormedClasses& formed) {
  return discernibility(formed.classes) +
         formed.suppressed * (formed.classes.records() + formed.suppressed);
}

}  // namespace semveil
