#include "semveil/microaggregate.h"

#include "mechanisms/classes/lookup_plan.h"
#include "mechanisms/microaggregate/microaggregate_engine.h"

namespace semveil {
namespace {

class Microaggregate : public Mechanism {
 public:
  explicit Microaggregate(MicroaggregateOptions options) : options_(options) {}
  std::string_view name() const override { return kLookupName; }

  Result<std::unique_ptr<const FittedMethod>> fit(const FrequencyTable& frequencies,
                                                  const Key& /*nothing is drawn*/) const override {
    ClassTable table = class_table(frequencies);
    Result<MicroaggregateOutcome> found = microaggregate_tuples(table, options_);
    if (!found) return fail(found.error());
    Lookup lookup;
    const std::size_t width = table.width();
    lookup.replacements.reserve(table.size() * width);
    for (const std::uint32_t group : found->group) {
      const auto centroid = std::span(found->centroids).subspan(group * width, width);
      lookup.replacements.insert(lookup.replacements.end(), centroid.begin(), centroid.end());
    }
    lookup.suppressed.assign(table.size(), false);
    lookup.attributes = std::move(table.attributes);
    lookup.released = std::move(found->released);
    lookup.values = std::move(table.values);
    lookup.tuples = std::move(table.tuples);
    ClassFit fit;
    fit.k = options_.k;
    return make_lookup_plan(std::move(lookup), std::move(fit));
  }

 private:
  MicroaggregateOptions options_;
};

}  // namespace

std::unique_ptr<const Mechanism> make_microaggregate(MicroaggregateOptions options) {
  return std::make_unique<const Microaggregate>(options);
}

}  // namespace semveil
