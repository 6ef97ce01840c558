// Fusion as a mechanism: the engine's outcome as a look-up of tuples.
#include "semveil/fuse.h"

#include "mechanisms/classes/lookup_plan.h"
#include "mechanisms/fuse/fuse_engine.h"

namespace semveil {
namespace {

std::vector<ConceptId> cells_of(const ClassTable& table, std::uint32_t tuple) {
  std::vector<ConceptId> cells;
  for (std::size_t j = 0; j < table.width(); ++j) cells.push_back(table.value(tuple, j));
  return cells;
}

class Fuse final : public Mechanism {
 public:
  explicit Fuse(const FuseOptions& options) : options_(options) {}
  std::string_view name() const override { return kLookupName; }

  Result<std::unique_ptr<const FittedMethod>> fit(const FrequencyTable& frequencies,
                                                  const Key& key) const override {
    ClassTable table = class_table(frequencies);
    const Result<FuseOutcome> outcome = fuse_tuples(table, options_, key);
    if (!outcome) return fail(outcome.error());
    Lookup lookup;
    lookup.attributes = lookup.released = table.attributes;
    for (const std::uint32_t target : outcome->target) {
      for (std::size_t j = 0; j < table.width(); ++j) {
        lookup.replacements.push_back(table.value(target, j));
      }
    }
    lookup.suppressed.assign(table.size(), false);
    ClassFit fit;
    fit.k = options_.k;
    if (options_.traced) {
      fit.trace.emplace();
      for (const FuseOutcome::Step& step : outcome->steps) {
        fit.trace->push_back({.size = step.size,
                              .partner_size = step.partner_size,
                              .similarity = step.similarity,
                              .from = cells_of(table, step.from),
                              .to = cells_of(table, step.to),
                              .column = 0});
      }
    }
    lookup.values = std::move(table.values);
    lookup.tuples = std::move(table.tuples);
    return make_lookup_plan(std::move(lookup), std::move(fit));
  }

 private:
  FuseOptions options_;
};

}  // namespace

std::unique_ptr<const Mechanism> make_fuse(FuseOptions options) {
  return std::make_unique<const Fuse>(options);
}

}  // namespace semveil
