// Recoding as a mechanism: the columns' outcomes, put together as a look-up of tuples.
//
// Cells that take no part (missing = "keep") stay as they are and count for nothing. A demand on a
// sensitive column is refused: classes of tuples are not what recoding forms.
#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "mechanisms/classes/lookup_plan.h"
#include "mechanisms/fuse/fuse_engine.h"
#include "semveil/fuse.h"

namespace semveil {
namespace {

// Whose records have each value of a column.
PersonLists persons_of(const FrequencyTable& table, std::size_t j) {
  const std::size_t width = table.columns.size();
  const std::size_t values = table.columns[j].values.values.size();
  std::vector<std::uint64_t> pairs;
  for (std::size_t t = 0; t + 1 < table.persons.begin.size(); ++t) {
    const std::size_t value = width == 1 ? t : table.tuples[t * width + j];
    if (value >= values) continue;  // the cell takes no part
    for (const std::uint32_t person : table.persons.of(t)) {
      pairs.push_back(std::uint64_t{value} << 32U | person);
    }
  }
  std::ranges::sort(pairs);
  pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
  return PersonLists::from(pairs, values);
}

// The values that take part in one column, as tuples of one.
ClassTable column_of(const FrequencyTable& table, std::size_t j) {
  const FrequencyColumn& column = table.columns[j];
  ClassTable out;
  if (table.persons.are_told()) out.persons = persons_of(table, j);
  out.attributes = {column.attribute};
  out.values = {column.values.values};
  out.counts = column.values.counts;
  out.tuples.resize(out.counts.size());
  std::iota(out.tuples.begin(), out.tuples.end(), Code{0});
  return out;
}

class Recode final : public Mechanism {
 public:
  explicit Recode(const RecodeOptions& options) : options_(options) {}
  std::string_view name() const override { return kLookupName; }

  Result<std::unique_ptr<const FittedMethod>> fit(const FrequencyTable& frequencies,
                                                  const Key& key) const override {
    if (!frequencies.sensitive.empty()) {
      return fail(data_error(
          fmt::format("Column '{}': recode masks column by column and cannot meet a demand on a "
                      "sensitive one. Leave the demand out, or use fuse.",
                      frequencies.sensitive.front().name)));
    }
    ClassFit fit;
    fit.k = options_.k;
    if (options_.traced) fit.trace.emplace();
    ClassTable table = class_table(frequencies);
    std::vector<std::vector<ConceptId>> replacements = table.values;  // by column, then place
    for (std::size_t j = 0; j < table.width(); ++j) {
      const ClassTable column = column_of(frequencies, j);
      if (column.size() == 0) continue;  // no cell takes part
      const Result<FuseOutcome> outcome = recode_values(column, options_, key);
      if (!outcome) return fail(Error(outcome.error()).at({"", 0, column.attributes[0]->name}));
      for (std::size_t t = 0; t < column.size(); ++t) {
        replacements[j][t] = column.value(outcome->target[t], 0);
      }
      for (const FuseOutcome::Step& step : outcome->steps) {
        fit.trace->push_back({.size = step.size,
                              .partner_size = step.partner_size,
                              .similarity = step.similarity,
                              .from = {column.value(step.from, 0)},
                              .to = {column.value(step.to, 0)},
                              .column = static_cast<std::uint32_t>(j)});
      }
    }
    Lookup lookup;
    lookup.attributes = lookup.released = table.attributes;
    for (std::size_t i = 0; i < table.tuples.size(); ++i) {
      lookup.replacements.push_back(replacements[i % table.width()][table.tuples[i]]);
    }
    lookup.suppressed.assign(table.size(), false);
    lookup.values = std::move(table.values);
    lookup.tuples = std::move(table.tuples);
    return make_lookup_plan(std::move(lookup), std::move(fit));
  }

 private:
  RecodeOptions options_;
};

}  // namespace

std::unique_ptr<const Mechanism> make_recode(RecodeOptions options) {
  return std::make_unique<const Recode>(options);
}

}  // namespace semveil
