#include "measures/value_measure.h"

#include <algorithm>

#include "base/stop.h"

namespace semveil {
namespace {

constexpr std::size_t kSourcesAtOnce = 64;  // rows that are held at a time

// Lists of numbers, one after the other.
template <class T>
class Lists {
 public:
  void add(std::span<const T> list) {
    all_.insert(all_.end(), list.begin(), list.end());
    begin_.push_back(all_.size());
  }
  std::span<const T> operator[](std::size_t i) const {
    return std::span(all_).subspan(begin_[i], begin_[i + 1] - begin_[i]);
  }
  const std::vector<T>& all() const { return all_; }

 private:
  std::vector<T> all_;
  std::vector<std::size_t> begin_{0};
};

// Senses of some values, each once, and which of them each value has.
struct Targets {
  std::vector<ConceptId> concepts;  // ascending
  Lists<std::uint32_t> places;      // by value: places in `concepts`
};

struct Base {
  std::shared_ptr<const Measure> measure;
  Lists<ConceptId> senses;  // by value
  Targets everywhere;       // of all values
};

template <class Of>
Targets targets_of(std::size_t count, Of of) {
  Targets out;
  for (std::size_t i = 0; i < count; ++i) {
    out.concepts.insert(out.concepts.end(), of(i).begin(), of(i).end());
  }
  std::ranges::sort(out.concepts);
  out.concepts.erase(std::ranges::unique(out.concepts).begin(), out.concepts.end());
  std::vector<std::uint32_t> places;
  for (std::size_t i = 0; i < count; ++i) {
    places.clear();
    for (const ConceptId c : of(i)) {
      const auto at = std::ranges::lower_bound(out.concepts, c) - out.concepts.begin();
      places.push_back(static_cast<std::uint32_t>(at));
    }
    out.places.add(places);
  }
  return out;
}

class ValueMeasure final : public Measure {
 public:
  ValueMeasure(std::shared_ptr<const Taxonomy> values, std::string name,
               std::vector<SensesIn> senses)
      : values_(std::move(values)), name_(std::move(name)) {
    for (SensesIn& in : senses) {
      Base& base = bases_.emplace_back();
      base.measure = std::move(in.measure);
      for (const std::vector<ConceptId>& of : in.of) base.senses.add(of);
      base.everywhere =
          targets_of(values_->size(), [&](std::size_t value) { return base.senses[value]; });
    }
  }

  std::string_view name() const override { return name_; }
  const Taxonomy& taxonomy() const override { return *values_; }

  double distance(ConceptId a, ConceptId b) const override {
    if (a == b) return 0;
    double least = 1;
    for (const Base& base : bases_) {
      for (const ConceptId x : base.senses[a]) {
        for (const ConceptId y : base.senses[b]) {
          least = std::min(least, base.measure->distance(x, y));
        }
      }
    }
    return least;
  }

  Explanation explain(ConceptId a, ConceptId b) const override {
    return {distance(a, b), values_->lcs(a, b)};
  }

  void from(ConceptId source, std::span<double> out) const override {
    check_stop();
    std::vector<ConceptId> all(out.size());
    for (ConceptId c = 0; c < all.size(); ++c) all[c] = c;
    rows({&source, 1}, all,
         [&](std::size_t, std::span<const double> row) { std::ranges::copy(row, out.begin()); });
  }

  void rows(std::span<const ConceptId> sources, std::span<const ConceptId> targets,
            const VisitRow& visit) const override {
    // Of most values the senses have been listed; of a few, listing them costs less than rows over
    // all.
    const bool most = targets.size() * 4 >= values_->size();
    std::vector<Targets> some;
    for (const Base& base : bases_) {
      if (most) break;
      some.push_back(
          targets_of(targets.size(), [&](std::size_t i) { return base.senses[targets[i]]; }));
    }
    std::vector<double> block;
    for (std::size_t first = 0; first < sources.size(); first += kSourcesAtOnce) {
      const auto part = sources.subspan(first, std::min(kSourcesAtOnce, sources.size() - first));
      block.assign(part.size() * targets.size(), 1.0);
      for (std::size_t o = 0; o < bases_.size(); ++o) {
        take_least(bases_[o], part, targets, most ? nullptr : &some[o], block);
      }
      for (std::size_t i = 0; i < part.size(); ++i) {
        const std::span<double> row = std::span(block).subspan(i * targets.size(), targets.size());
        for (std::size_t t = 0; t < targets.size(); ++t) {
          if (targets[t] == part[i]) row[t] = 0;
        }
        visit(first + i, row);
      }
    }
  }

  bool is_symmetrised() const override {
    return std::ranges::any_of(bases_, [](const Base& b) { return b.measure->is_symmetrised(); });
  }
  double tie() const override {  // quotients of two taxonomies are no longer alike to the bit
    constexpr double kTie = 1e-9;
    return bases_.size() == 1 ? bases_.front().measure->tie() : kTie;
  }
  StepDown step_down(ConceptId) const override { return {-1, 1}; }

 private:
  // `some`: the targets' senses; null: they are looked up among those of all values.
  static void take_least(const Base& base, std::span<const ConceptId> sources,
                         std::span<const ConceptId> targets, const Targets* some,
                         std::vector<double>& block) {
    std::vector<ConceptId> senses;
    std::vector<std::size_t> source_of;
    for (std::size_t i = 0; i < sources.size(); ++i) {
      for (const ConceptId c : base.senses[sources[i]]) {
        senses.push_back(c);
        source_of.push_back(i);
      }
    }
    const Targets& from = some != nullptr ? *some : base.everywhere;
    if (senses.empty() || from.concepts.empty()) return;
    base.measure->rows(senses, from.concepts, [&](std::size_t s, std::span<const double> row) {
      double* const out = block.data() + source_of[s] * targets.size();
      for (std::size_t t = 0; t < targets.size(); ++t) {
        for (const std::uint32_t place : from.places[some != nullptr ? t : targets[t]]) {
          out[t] = std::min(out[t], row[place]);
        }
      }
    });
  }

  std::shared_ptr<const Taxonomy> values_;
  std::string name_;
  std::vector<Base> bases_;
};

}  // namespace

std::unique_ptr<const Measure> make_value_measure(std::shared_ptr<const Taxonomy> values,
                                                  std::string name, std::vector<SensesIn> senses) {
  return std::make_unique<ValueMeasure>(std::move(values), std::move(name), std::move(senses));
}

}  // namespace semveil
