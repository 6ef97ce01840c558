#include "mapping/sense_choice.h"

#include <algorithm>
#include <limits>

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

}  // namespace

SenseChoice::SenseChoice(const std::vector<MappedValue>& column, Domain domain,
                         std::shared_ptr<const Measure> measure)
    : domain_(std::move(domain)), measure_(std::move(measure)) {
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
  std::vector<ConceptId> rivals;
  for (const std::span<const ConceptId> senses : words) {
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
  for (const std::span<const ConceptId> senses : words) {
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
