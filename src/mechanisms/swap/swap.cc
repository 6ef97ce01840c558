// Rank swapping as a mechanism: the engine's outcome, dealt out to records.
//
// What the fit decided belongs to slots: the records of a tuple, told apart by nothing. The i-th
// record of a tuple takes the slot that a keyed shuffle of the tuple's slots has at place i.
#include "semveil/swap.h"

#include <fmt/format.h>

#include <algorithm>
#include <numeric>

#include "base/tuple_counter.h"
#include "mechanisms/swap/swap_engine.h"
#include "mechanisms/swap/swap_parts.h"
#include "mechanisms/swap/swap_saved.h"

namespace semveil {
namespace {

// ---- The plan -----------------------------------------------------------------------------------

class SwapPlan final : public FittedMethod {
 public:
  // `outcome`: of these counts under the same key.
  SwapPlan(const SwapOptions& options, SwapCounts counts, SwapOutcome outcome, SwapFit fit,
           Attributes attributes, const Key& key)
      : options_(options),
        attributes_(std::move(attributes)),
        counts_(std::move(counts)),
        outcome_(std::move(outcome.values)),
        fit_(std::move(fit)),
        tuples_(attributes_.size()) {
    const std::size_t width = attributes_.size();
    std::vector<std::uint32_t> cells(width);
    std::uint32_t first = 0;
    for (std::size_t t = 0; t < counts_.counts.size(); ++t) {
      for (std::size_t j = 0; j < width; ++j) {
        const Code place = counts_.tuples[t * width + j];
        cells[j] = place == kMissing ? kMissing : counts_.values[j][place];
      }
      tuples_.add(cells, counts_.counts[t]);
      first_slot_.push_back(first);
      first += static_cast<std::uint32_t>(counts_.counts[t]);
    }
    first_slot_.push_back(first);
    deal(key);
  }

  const Attributes& attributes() const override { return attributes_; }
  bool needs_persons() const override { return false; }
  bool knows_origins() const override { return false; }
  std::optional<std::uint64_t> deals() const override { return first_slot_.back(); }
  const SwapFit& fit() const { return fit_; }

  void apply(const RecordBatch& in, MaskedBatch& out) const override {
    const std::size_t width = attributes_.size();
    out.columns.resize(width);
    out.tallies.resize(width);
    out.single_origin.assign(in.rows, false);
    out.trace.clear();
    out.slots.assign(out.traced ? in.rows : 0, MaskedBatch::kNoSlot);
    for (std::size_t j = 0; j < width; ++j) {
      out.columns[j].assign(in.rows, kMissing);
      out.tallies[j].released.resize(attributes_[j]->size() + 1);
    }
    std::vector<std::uint32_t> cells(width);
    for (std::size_t row = 0; row < in.rows; ++row) {
      bool has_cell = false;
      for (std::size_t j = 0; j < width; ++j) {
        cells[j] = value(j, in.columns[j][row]);
        has_cell |= cells[j] != kMissing;
      }
      const std::optional<std::uint32_t> slot = has_cell && row < in.occurrences.size()
                                                    ? slot_of(cells, in.occurrences[row])
                                                    : std::nullopt;
      if (slot) {
        release(*slot, row, out);
        ++out.dealt;
        out.dealt_slots += slot_hash(*slot);
      } else if (has_cell) {
        ++out.strangers;
        continue;
      }
      for (std::size_t j = 0; j < width; ++j) count(j, cells[j], row, out);
    }
  }

  std::string save() const override { return save_swap(options_, counts_, attributes_); }

 private:
  // Slots in the order in which the records of each tuple take them.
  void deal(const Key& key) {
    dealt_.resize(first_slot_.back());
    std::iota(dealt_.begin(), dealt_.end(), 0);
    RandomChoices random(key.derive("deal", {}), "swap", {});
    for (std::size_t t = 0; t + 1 < first_slot_.size(); ++t) {
      random.shuffle(
          std::span(dealt_).subspan(first_slot_[t], first_slot_[t + 1] - first_slot_[t]));
    }
  }

  ConceptId value(std::size_t j, ConceptId cell) const {
    if (cell == kNoPart) return kMissing;
    return cell == kMissing && attributes_[j]->missing_is_value ? attributes_[j]->missing_value()
                                                                : cell;
  }

  std::optional<std::uint32_t> slot_of(std::span<const std::uint32_t> cells,
                                       std::uint64_t occurrence) const {
    const std::optional<std::size_t> t = tuples_.find(cells);
    if (!t || occurrence >= counts_.counts[*t]) return std::nullopt;
    return dealt_[first_slot_[*t] + occurrence];
  }

  void release(std::uint32_t slot, std::size_t row, MaskedBatch& out) const {
    const std::size_t width = attributes_.size();
    for (std::size_t j = 0; j < width; ++j) {
      const Code place = outcome_[slot * width + j];
      if (place == kMissing) continue;
      const ConceptId z = counts_.values[j][place];
      out.columns[j][row] = z == attributes_[j]->missing_value() ? kMissing : z;
    }
    if (out.traced) out.slots[row] = slot;
  }

  void count(std::size_t j, ConceptId x, std::size_t row, MaskedBatch& out) const {
    ColumnTally& tally = out.tallies[j];
    if (x == kMissing) {
      ++tally.missing;
    } else if (out.counted) {
      tally.count(*attributes_[j], x, value(j, out.columns[j][row]));
    }
  }

  SwapOptions options_;
  Attributes attributes_;
  SwapCounts counts_;
  std::vector<Code> outcome_;  // by slot, then column: the new place, or kMissing as before
  SwapFit fit_;
  TupleCounter tuples_;                    // of cells
  std::vector<std::uint32_t> first_slot_;  // of each tuple; one more at the end
  std::vector<std::uint32_t> dealt_;       // by slot's turn
};

// ---- The mechanism ------------------------------------------------------------------------------

// The distinct tuples that have a cell.
SwapCounts counts_of(const FrequencyTable& table) {
  SwapCounts out;
  const std::size_t width = table.columns.size();
  for (const FrequencyColumn& column : table.columns) out.values.push_back(column.values.values);
  if (width == 1) {
    out.counts = table.columns.front().values.counts;
    out.tuples.resize(out.counts.size());
    std::iota(out.tuples.begin(), out.tuples.end(), Code{0});
    return out;
  }
  for (std::size_t t = 0; t < table.tuple_counts.size(); ++t) {
    const auto tuple = std::span(table.tuples).subspan(t * width, width);
    if (std::all_of(tuple.begin(), tuple.end(), [](Code c) { return c == kMissing; })) continue;
    out.tuples.insert(out.tuples.end(), tuple.begin(), tuple.end());
    out.counts.push_back(table.tuple_counts[t]);
  }
  return out;
}

SwapSpace space_of(const Attribute& attribute, const std::vector<ConceptId>& values) {
  if (!attribute.is_numeric()) return SwapSpace::nominal(attribute.measure, values);
  std::vector<double> numbers;
  for (const ConceptId place : values) numbers.push_back(attribute.numbers[place]);
  return SwapSpace::numeric(std::move(numbers), attribute.unit);
}

// What the outcome leaves as it was.
class Judge {
 public:
  Judge(const SwapCounts& counts, const std::vector<Code>& outcome, std::size_t width)
      : counts_(counts),
        width_(width),
        unchanged_(counts.counts.size(), 0),
        alike_(counts.counts.size(), 0) {
    std::size_t slot = 0;
    for (std::size_t t = 0; t < counts.counts.size(); ++t) {
      for (std::uint64_t i = 0; i < counts.counts[t]; ++i, ++slot) {
        const std::size_t at = find(std::span(outcome).subspan(slot * width, width));
        if (at == counts.counts.size()) continue;
        ++alike_[at];
        unchanged_[t] += at == t ? 1 : 0;
      }
    }
  }

  void tell(SwapFit& fit) const {
    for (std::size_t t = 0; t < unchanged_.size(); ++t) {
      fit.uniques += counts_.counts[t] == 1 ? 1 : 0;
      if (unchanged_[t] == 0) continue;
      fit.unchanged_uniques += counts_.counts[t] == 1 ? 1 : 0;
      fit.risk = std::max(
          fit.risk, static_cast<double>(unchanged_[t]) /
                        (static_cast<double>(counts_.counts[t]) * static_cast<double>(alike_[t])));
    }
  }

  // Whether the risk is at most 1/k, in whole numbers: none of them has more than 32 bits.
  bool is_within(std::uint64_t k) const {
    for (std::size_t t = 0; t < unchanged_.size(); ++t) {
      if (unchanged_[t] * k > counts_.counts[t] * alike_[t]) return false;
    }
    return true;
  }

 private:
  std::span<const Code> tuple(std::size_t t) const {
    return std::span(counts_.tuples).subspan(t * width_, width_);
  }
  // Tuples ascend; their number where there is no such.
  std::size_t find(std::span<const Code> wanted) const {
    std::size_t first = 0;
    std::size_t last = counts_.counts.size();
    while (first < last) {
      const std::size_t middle = first + (last - first) / 2;
      const bool before = std::ranges::lexicographical_compare(tuple(middle), wanted);
      first = before ? middle + 1 : first;
      last = before ? last : middle;
    }
    const bool found = first < counts_.counts.size() && std::ranges::equal(tuple(first), wanted);
    return found ? first : counts_.counts.size();
  }

  const SwapCounts& counts_;
  std::size_t width_;
  std::vector<std::uint64_t> unchanged_;  // records of each tuple that come out as they were
  std::vector<std::uint64_t> alike_;      // records that come out as the tuple, whoever they were
};

// Cells with more than k like them: in intervals by distance these change places with each other.
void count_among_equals(const SwapOptions& options, const SwapCounts& counts, SwapFit& fit) {
  const bool by_distance = options.algorithm == SwapAlgorithm::kDynamic ||
                           options.algorithm == SwapAlgorithm::kMultivariate;
  if (!by_distance) return;
  const std::size_t width = counts.values.size();
  const bool whole = options.algorithm == SwapAlgorithm::kMultivariate;
  for (std::size_t j = 0; j < width; ++j) {
    std::vector<std::uint64_t> records(counts.values[j].size(), 0);
    for (std::size_t t = 0; t < counts.counts.size(); ++t) {
      const Code place = counts.tuples[t * width + j];
      if (place == kMissing) continue;
      if (!whole) records[place] += counts.counts[t];
      if (whole && counts.counts[t] > options.k) fit.columns[j].among_equals += counts.counts[t];
    }
    for (const std::uint64_t count : records) {
      if (count > options.k) fit.columns[j].among_equals += count;
    }
  }
}

class Swap final : public Mechanism {
 public:
  explicit Swap(SwapOptions options) : options_(options) {}
  std::string_view name() const override { return kSwapName; }

  Result<std::unique_ptr<const FittedMethod>> fit(const FrequencyTable& table,
                                                  const Key& key) const override {
    Attributes attributes;
    for (const FrequencyColumn& column : table.columns) attributes.push_back(column.attribute);
    return make_swap_plan(options_, counts_of(table), std::move(attributes), key);
  }

 private:
  SwapOptions options_;
};

}  // namespace

Result<std::unique_ptr<const FittedMethod>> make_swap_plan(const SwapOptions& options,
                                                           SwapCounts counts, Attributes attributes,
                                                           const Key& key) {
  std::vector<SwapSpace> spaces;
  for (std::size_t j = 0; j < attributes.size(); ++j) {
    spaces.push_back(space_of(*attributes[j], counts.values[j]));
  }
  SwapInput input{.columns = {}, .tuples = counts.tuples, .counts = counts.counts};
  for (std::size_t j = 0; j < spaces.size(); ++j) {
    input.columns.push_back({attributes[j]->name, &spaces[j]});
  }
  Result<SwapOutcome> outcome = swap_records(input, options, key);
  if (!outcome) return fail(outcome.error());
  SwapFit fit;
  fit.columns = std::move(outcome->columns);
  if (options.traced) fit.trace = std::move(outcome->trace);
  const Judge judge(counts, outcome->values, attributes.size());
  judge.tell(fit);
  count_among_equals(options, counts, fit);
  if (options.demands_risk && !judge.is_within(options.k)) {
    return fail(Error{
        ErrorCode::kGuarantee,
        fmt::format("demand = \"probabilistic-k\" is not met: some record is found with a "
                    "probability of {:.3g}, more than 1/{} ({} of {} unique records come out as "
                    "they were): choose another k{}, or drop the demand",
                    fit.risk, options.k, fit.unchanged_uniques, fit.uniques,
                    options.exhausted == Exhausted::kKeep ? " or exhausted = \"extend\"" : ""),
        {},
        {},
        {}});
  }
  return std::make_unique<const SwapPlan>(options, std::move(counts), *std::move(outcome),
                                          std::move(fit), std::move(attributes), key);
}

std::string_view to_string(SwapAlgorithm algorithm) {
  switch (algorithm) {
    case SwapAlgorithm::kFixed:
      return "fixed";
    case SwapAlgorithm::kDynamic:
      return "dynamic";
    case SwapAlgorithm::kMultivariate:
      return "multivariate";
    case SwapAlgorithm::kRandom:
      return "random";
    case SwapAlgorithm::kDistributional:
      return "distributional";
  }
  return "";
}

std::unique_ptr<const Mechanism> make_swap(SwapOptions options) {
  return std::make_unique<const Swap>(options);
}

const SwapFit* swap_fit(const FittedMethod& plan) {
  const auto* swap = dynamic_cast<const SwapPlan*>(&plan);
  return swap != nullptr ? &swap->fit() : nullptr;
}

}  // namespace semveil
