#include "mapping/sense_choice.h"

#include <algorithm>
#include <limits>

#include "ontology/instances.h"

namespace semveil {
namespace {

constexpr double kTie = 1e-9;

void sort_once(std::vector<ConceptId>& list) {
  std::sort(list.begin(), list.end());
  list.erase(std::unique(list.begin(), list.end()), list.end());
}

std::size_t place_in(const std::vector<ConceptId>& list, ConceptId c) {
  return static_cast<std::size_t>(std::lower_bound(list.begin(), list.end(), c) - list.begin());
}

std::size_t count_instances(const Names& names, std::span<const ConceptId> senses) {
  return static_cast<std::size_t>(
      std::ranges::count_if(senses, [&](ConceptId c) { return is_instance(names, c); }));
}

}  // namespace

std::vector<ConceptId> SenseChoice::rivals_among(std::span<const ConceptId> senses) const {
  std::vector<ConceptId> out(senses.begin(), senses.end());
  const std::size_t named = count_instances(*names_, senses);
  if (speaks_of_instances_ || named == 0 || named == senses.size()) return out;
  std::erase_if(out, [&](ConceptId c) { return is_instance(*names_, c); });
  return out;
}

SenseChoice::SenseChoice(const std::vector<MappedValue>& column, Domain domain,
                         std::shared_ptr<const Names> names, std::shared_ptr<const Measure> measure)
    : domain_(std::move(domain)), names_(std::move(names)), measure_(std::move(measure)) {
  double common = 0, instances = 0;
  for (const MappedValue& value : column) {
    if (!is_mapped(value.how)) continue;
    const std::size_t named = count_instances(*names_, value.senses);
    if (named == 0) common += static_cast<double>(value.count);
    if (named == value.senses.size()) instances += static_cast<double>(value.count);
  }
  speaks_of_instances_ = instances > common;
  for (const MappedValue& value : column) {
    if (!is_mapped(value.how)) continue;
    for (const ConceptId c : value.senses) concepts_.push_back(*domain_.in_domain(c));
  }
  sort_once(concepts_);
  for (const MappedValue& value : column) {
    if (!is_mapped(value.how)) continue;
    const std::size_t begin = places_.size();
    for (const ConceptId c : value.senses) {
      places_.push_back(place_in(concepts_, *domain_.in_domain(c)));
    }
    words_.push_back({begin, places_.size(), static_cast<double>(value.count)});
    records_ += words_.back().count;
  }
}

double SenseChoice::cost(std::span<const double> row) const {
  double sum = 0;
  for (const Word& word : words_) {
    double nearest = std::numeric_limits<double>::infinity();
    for (std::size_t i = word.begin; i < word.end; ++i) {
      nearest = std::min(nearest, row[places_[i]]);
    }
    sum += word.count * nearest;
  }
  return records_ > 0 ? sum / records_ : 0;
}

std::vector<ConceptId> SenseChoice::of(std::span<const std::span<const ConceptId>> words) const {
  std::vector<std::vector<ConceptId>> wanted;
  for (const std::span<const ConceptId> senses : words) wanted.push_back(rivals_among(senses));
  std::vector<ConceptId> rivals;
  for (const std::vector<ConceptId>& senses : wanted) {
    for (const ConceptId c : senses) {
      if (senses.size() > 1) rivals.push_back(*domain_.in_domain(c));
    }
  }
  sort_once(rivals);
  std::vector<double> costs(rivals.size());
  if (!rivals.empty() && !concepts_.empty()) {
    measure_->rows(rivals, concepts_,
                   [&](std::size_t i, std::span<const double> row) { costs[i] = cost(row); });
  }
  std::vector<ConceptId> chosen;
  for (const std::vector<ConceptId>& senses : wanted) {
    if (senses.size() == 1) {
      chosen.push_back(senses.front());
      continue;
    }
    const auto cost_of = [&](ConceptId c) {
      return costs[place_in(rivals, *domain_.in_domain(c))];
    };
    double least = std::numeric_limits<double>::infinity();
    for (const ConceptId c : senses) least = std::min(least, cost_of(c));
    chosen.push_back(
        *std::ranges::find_if(senses, [&](ConceptId c) { return cost_of(c) <= least + kTie; }));
  }
  return chosen;
}

MappedValue match_value(std::string_view text, std::uint64_t count, const Mapper& mapper,
                        const Domain* domain) {
  MappedValue value;
  value.value = text;
  value.count = count;
  Match found = mapper.match(text);
  value.how = found.how;
  value.senses = std::move(found.senses);
  if (value.how == How::kUnmapped || domain == nullptr) return value;
  std::vector<ConceptId> inside;
  for (const ConceptId c : value.senses) {
    if (domain->in_domain(c)) inside.push_back(c);
  }
  if (inside.empty()) {
    value.how = How::kOutside;  // and keeps its senses, to show where it lies
  } else {
    value.senses = std::move(inside);
  }
  return value;
}

}  // namespace semveil
