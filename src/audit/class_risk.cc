#include "audit/class_risk.h"

#include <algorithm>
#include <map>

#include "audit/utility.h"
#include "statistics/class_sizes.h"

namespace semveil {
namespace {

std::vector<ConceptId> missing_values(const Attributes& attributes) {
  std::vector<ConceptId> out;
  for (const auto& attribute : attributes) out.push_back(attribute->missing_value());
  return out;
}

std::size_t place_in(const std::vector<ConceptId>& list, ConceptId value) {
  return static_cast<std::size_t>(std::ranges::lower_bound(list, value) - list.begin());
}

// Which values of a population look like which released ones, for one column.
class Likeness {
 public:
  // Values ascending, each once.
  Likeness(const Attribute& attribute, std::vector<ConceptId> released,
           std::vector<ConceptId> known, bool wildcard)
      : released_(std::move(released)), known_(std::move(known)), alike_(released_.size()) {
    for (std::uint32_t o = 0; o < known_.size(); ++o) {
      const ConceptId value = known_[o];
      if (wildcard && value == attribute.missing_value()) {
        for (auto& list : alike_) list.push_back(o);
        continue;
      }
      if (wildcard) mark(attribute.missing_value(), o);
      if (!attribute.is_nominal() || value >= attribute.size()) {
        mark(value, o);
        continue;
      }
      for (const Ancestor& above : attribute.taxonomy().ancestors(value)) {
        mark(above.concept_id, o);
      }
    }
  }

  std::size_t known() const { return known_.size(); }
  std::size_t place_of_known(ConceptId value) const { return place_in(known_, value); }
  // Places of the known values that look like a released one, ascending.
  const std::vector<std::uint32_t>& alike(ConceptId released) const {
    return alike_[place_in(released_, released)];
  }

 private:
  void mark(ConceptId value, std::uint32_t o) {
    const std::size_t r = place_in(released_, value);
    if (r < released_.size() && released_[r] == value) alike_[r].push_back(o);
  }

  std::vector<ConceptId> released_, known_;
  std::vector<std::vector<std::uint32_t>> alike_;  // by released value
};

std::vector<ConceptId> values_of(std::span<const Classes* const> tables, std::size_t j) {
  std::vector<ConceptId> out;
  for (const Classes* table : tables) {
    for (std::size_t c = 0; c < table->size(); ++c) out.push_back(table->tuple(c)[j]);
  }
  std::ranges::sort(out);
  out.erase(std::ranges::unique(out).begin(), out.end());
  return out;
}

// How many people look like a class.
class Population {
 public:
  Population(const Attributes& attributes, const Classes& released,
             std::span<const Classes* const> tables, bool wildcard)
      : width_(attributes.size()), holders_(width_) {
    const Classes* const only[] = {&released};
    for (std::size_t j = 0; j < width_; ++j) {
      likeness_.emplace_back(*attributes[j], values_of(only, j), values_of(tables, j), wildcard);
      holders_[j].resize(likeness_[j].known());
    }
    for (const Classes* table : tables) {
      for (std::size_t c = 0; c < table->size(); ++c) {
        const auto person = static_cast<std::uint32_t>(counts_.size());
        counts_.push_back(table->counts[c]);
        for (std::size_t j = 0; j < width_; ++j) {
          const std::size_t place = likeness_[j].place_of_known(table->tuple(c)[j]);
          places_.push_back(static_cast<std::uint32_t>(place));
          holders_[j][place].push_back(person);
        }
      }
    }
  }

  std::uint64_t looking_like(std::span<const ConceptId> tuple) const {
    std::vector<const std::vector<std::uint32_t>*> alike(width_);
    std::size_t rarest = 0;
    std::size_t fewest = counts_.size() + 1;
    for (std::size_t j = 0; j < width_; ++j) {
      alike[j] = &likeness_[j].alike(tuple[j]);
      std::size_t holders = 0;
      for (const std::uint32_t o : *alike[j]) holders += holders_[j][o].size();
      if (holders >= fewest) continue;
      fewest = holders;
      rarest = j;
    }
    std::uint64_t people = 0;
    for (const std::uint32_t o : *alike[rarest]) {
      for (const std::uint32_t person : holders_[rarest][o]) {
        people += are_alike(alike, person) ? counts_[person] : 0;
      }
    }
    return people;
  }

 private:
  bool are_alike(std::span<const std::vector<std::uint32_t>* const> alike,
                 std::size_t person) const {
    for (std::size_t j = 0; j < width_; ++j) {
      if (!std::ranges::binary_search(*alike[j], places_[person * width_ + j])) return false;
    }
    return true;
  }

  std::size_t width_;
  std::vector<Likeness> likeness_;
  std::vector<std::uint64_t> counts_;
  std::vector<std::uint32_t> places_;                             // by class, then column
  std::vector<std::vector<std::vector<std::uint32_t>>> holders_;  // by column, value: classes
};

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
  for (std::size_t c = 0; c < sizes.size(); ++c) {
    out.marketer += static_cast<double>(classes.counts[c]) / static_cast<double>(sizes[c]);
  }
  out.marketer /= static_cast<double>(classes.records());
  return out;
}

std::optional<double> journalist_risk(const Attributes& attributes, const Classes& released,
                                      std::span<const Classes* const> population,
                                      MissingRule missing) {
  const Population people(attributes, released, population, missing == MissingRule::kWildcard);
  std::uint64_t fewest = 0;
  for (std::size_t c = 0; c < released.size(); ++c) {
    const std::uint64_t alike = people.looking_like(released.tuple(c));
    if (alike > 0 && (fewest == 0 || alike < fewest)) fewest = alike;
  }
  if (fewest == 0) return std::nullopt;
  return 1 / static_cast<double>(fewest);
}

std::uint64_t discernibility(const FormedClasses& formed) {
  return discernibility(formed.classes) +
         formed.suppressed * (formed.classes.records() + formed.suppressed);
}

}  // namespace semveil
