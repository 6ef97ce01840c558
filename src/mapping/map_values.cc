// Maps a column's distinct values and settles on one sense each.
//
//   cost(s) = Σ_w f(w) · min over w' in senses(w) of sd(s, w')  /  Σ_w f(w)
//
// A value takes, of its senses inside the domain, the one of least cost: the sense nearest to what
// the rest of the column speaks of. Among "cat", "mouse" and "dog" the dog is the animal, not the
// frump. A sum does not depend on the value that asks, so each concept is weighed once.
//
// Paper:   semantic noise and framework assume values "univocally associated" with concepts and do
//          not say how; the nearest senses are the master thesis's distance of two terms.
// Choice:  costs within kTie of the least are ties, and the earliest sense wins: the order in which
//          a machine adds must not decide.
// Cost:    one row of distances per concept that competes, O(Σ senses) each; memory O(Σ senses).
//          Nothing at all where no value has two senses. Same results for any number of threads.
#include <algorithm>
#include <limits>

#include "base/parallel.h"
#include "semveil/mapping.h"

namespace semveil {
namespace {

constexpr double kTie = 1e-9;

std::vector<MappedValue> distinct(std::vector<std::pair<std::string, std::uint64_t>> counts) {
  std::sort(counts.begin(), counts.end());
  std::vector<MappedValue> values;
  values.reserve(counts.size());
  for (auto& [value, count] : counts) {
    if (values.empty() || values.back().value != value) {
      values.emplace_back().value = std::move(value);
    }
    values.back().count += count;
  }
  std::sort(values.begin(), values.end(), [](const auto& a, const auto& b) {
    return a.count != b.count ? a.count > b.count : a.value < b.value;
  });
  return values;
}

void match(MappedValue& value, const Mapper& mapper, const Domain* domain, std::size_t most) {
  Match found = mapper.match(value.value);
  value.how = found.how;
  value.senses = std::move(found.senses);
  if (value.how == How::kUnmapped) {
    value.suggestions = mapper.suggest(value.value, most, domain);
    return;
  }
  if (domain == nullptr) return;
  std::vector<ConceptId> inside;
  for (const ConceptId c : value.senses) {
    if (domain->in_domain(c)) inside.push_back(c);
  }
  if (inside.empty()) {
    value.how = How::kOutside;  // and keeps its senses, to show where it lies
  } else {
    value.senses = std::move(inside);
  }
}

// All senses of all values inside a domain, each once, and which of them each value has.
class SenseList {
 public:
  SenseList(const std::vector<MappedValue>& values, const Domain& domain) {
    for (const MappedValue& value : values) {
      if (!is_mapped(value.how)) continue;
      for (const ConceptId c : value.senses) concepts_.push_back(*domain.in_domain(c));
    }
    std::sort(concepts_.begin(), concepts_.end());
    concepts_.erase(std::unique(concepts_.begin(), concepts_.end()), concepts_.end());
    competes_.resize(concepts_.size());
    begin_.push_back(0);
    for (const MappedValue& value : values) {
      if (is_mapped(value.how)) {
        for (const ConceptId c : value.senses) {
          places_.push_back(place(*domain.in_domain(c)));
          if (value.senses.size() > 1) competes_[places_.back()] = true;
        }
      }
      begin_.push_back(places_.size());
    }
  }

  std::span<const ConceptId> concepts() const { return concepts_; }
  std::span<const std::size_t> of(std::size_t value) const {
    return std::span(places_).subspan(begin_[value], begin_[value + 1] - begin_[value]);
  }
  bool competes(std::size_t i) const { return competes_[i]; }

 private:
  std::size_t place(ConceptId c) const {
    return static_cast<std::size_t>(std::lower_bound(concepts_.begin(), concepts_.end(), c) -
                                    concepts_.begin());
  }

  std::vector<ConceptId> concepts_;  // ascending, ids of the domain
  std::vector<bool> competes_;
  std::vector<std::size_t> begin_, places_;
};

void choose_closest(std::vector<MappedValue>& values, const Domain& domain,
                    const Measure& measure) {
  const SenseList list(values, domain);
  double total = 0;
  for (const MappedValue& value : values) {
    if (is_mapped(value.how)) total += static_cast<double>(value.count);
  }
  std::vector<double> cost(list.concepts().size());
  measure.rows(list.concepts(), [&](std::size_t i, std::span<const double> row) {
    if (!list.competes(i)) return;
    double sum = 0;
    for (std::size_t w = 0; w < values.size(); ++w) {
      const std::span<const std::size_t> senses = list.of(w);
      if (senses.empty()) continue;
      double nearest = std::numeric_limits<double>::infinity();
      for (const std::size_t s : senses) nearest = std::min(nearest, row[s]);
      sum += static_cast<double>(values[w].count) * nearest;
    }
    cost[i] = total > 0 ? sum / total : 0;
  });
  for (std::size_t w = 0; w < values.size(); ++w) {
    const std::span<const std::size_t> senses = list.of(w);
    if (senses.empty()) continue;
    double least = std::numeric_limits<double>::infinity();
    for (const std::size_t s : senses) least = std::min(least, cost[s]);
    const auto chosen = std::find_if(senses.begin(), senses.end(),
                                     [&](std::size_t s) { return cost[s] <= least + kTie; });
    values[w].concept_id = values[w].senses[static_cast<std::size_t>(chosen - senses.begin())];
  }
}

}  // namespace

Result<ColumnMapping> map_values(std::vector<std::pair<std::string, std::uint64_t>> counts,
                                 const Mapper& mapper, const Ontology& ontology,
                                 const MappingOptions& options) {
  const auto taxonomy = ontology.taxonomy();
  if (!taxonomy) return fail(taxonomy.error());
  if (options.root && *options.root >= (*taxonomy)->size()) {
    return fail(usage_error("the root of the domain is no concept of the ontology"));
  }
  const Domain domain =
      options.root ? Domain::subtree(*taxonomy, *options.root) : Domain::whole(*taxonomy);

  ColumnMapping mapping;
  mapping.values = distinct(std::move(counts));
  for (const MappedValue& value : mapping.values) mapping.records += value.count;
  in_parallel(options.threads, mapping.values.size(), [&](std::size_t i) {
    match(mapping.values[i], mapper, options.root ? &domain : nullptr, options.suggestions);
  });

  bool several = false;
  for (MappedValue& value : mapping.values) {
    if (!is_mapped(value.how)) continue;
    value.concept_id = value.senses.front();
    several |= value.senses.size() > 1;
  }
  if (several && options.senses == Senses::kClosest) {
    const auto measure = make_measure(domain.taxonomy(), options.measure);
    if (!measure) return fail(measure.error());
    choose_closest(mapping.values, domain, **measure);
  }
  return mapping;
}

}  // namespace semveil
