#include "semveil/generalize.h"

#include "mechanisms/classes/demands.h"
#include "mechanisms/classes/lookup_plan.h"
#include "mechanisms/generalize/generalize_engine.h"
#include "mechanisms/generalize/generalize_loss.h"
#include "statistics/cell_generality.h"

namespace semveil {
namespace {

// Whether the suppressed records, known to be the rare ones, could be told by their sensitive
// cells: too few of them, or together without what is demanded.
bool suppresses_sensitive(const ClassTable& table, const GeneralizeOutcome& outcome,
                          std::uint64_t k) {
  if (outcome.suppressed_records == 0) return false;
  SizeUpTo size(table, k);
  for (std::size_t t = 0; t < table.size(); ++t) {
    if (outcome.suppressed[t] && !size.add(t)) break;
  }
  if (!size.is_reached()) return true;
  if (table.sensitive.empty()) return false;
  const Demands demands(table);
  SensitiveCounts together;
  bool begun = false;
  for (std::size_t t = 0; t < table.size(); ++t) {
    if (!outcome.suppressed[t]) continue;
    if (begun) {
      Demands::merge(demands.of(t), together);
    } else {
      together = demands.of(t);
      begun = true;
    }
  }
  return !demands.met(together);
}

// The loss that an audit finds in the release (statistics/cell_generality.h). The search itself
// takes a missing cell as a value that may be lifted, and its loss as one of all records.
double released_loss(const ClassTable& table, const GeneralizeOutcome& outcome,
                     GeneralizeLoss loss) {
  if (loss == GeneralizeLoss::kDiscernibility) return outcome.loss;
  std::vector<double> means;
  const std::size_t width = table.width();
  for (std::size_t j = 0; j < width; ++j) {
    ColumnGenerality column(*table.attributes[j]);
    for (std::size_t t = 0; t < table.size(); ++t) {
      column.add(table.values[j][table.tuples[t * width + j]], outcome.cells[t * width + j],
                 table.counts[t]);
    }
    const std::optional<Generality> mean = column.mean();
    if (mean) means.push_back(loss == GeneralizeLoss::kNcp ? mean->ncp : mean->lm);
  }
  return table_loss(loss, means);
}

class GeneralizeMechanism final : public Mechanism {
 public:
  explicit GeneralizeMechanism(GeneralizeOptions options) : options_(options) {}

  std::string_view name() const override { return kLookupName; }

  Result<std::unique_ptr<const FittedMethod>> fit(const FrequencyTable& frequencies,
                                                  const Key&) const override {
    ClassTable table = class_table(frequencies);
    Result<GeneralizeOutcome> outcome = generalize_tuples(table, options_);
    if (!outcome) return fail(std::move(outcome).error());
    ClassFit fit;
    fit.k = options_.k;
    fit.suppressed = outcome->suppressed_records;
    fit.suppresses_sensitive = suppresses_sensitive(table, *outcome, options_.k);
    fit.levels = std::move(outcome->levels);
    fit.loss = released_loss(table, *outcome, options_.loss);
    Lookup lookup;
    lookup.attributes = table.attributes;
    lookup.released = table.attributes;
    lookup.values = std::move(table.values);
    lookup.tuples = std::move(table.tuples);
    lookup.replacements = std::move(outcome->cells);
    lookup.suppressed = std::move(outcome->suppressed);
    return make_lookup_plan(std::move(lookup), std::move(fit));
  }

 private:
  GeneralizeOptions options_;
};

}  // namespace

std::unique_ptr<const Mechanism> make_generalize(GeneralizeOptions options) {
  return std::make_unique<const GeneralizeMechanism>(options);
}

}  // namespace semveil
