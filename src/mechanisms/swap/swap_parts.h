// What the algorithms of rank swapping share: records grouped by item, and where exchanges are
// written down.
#pragma once

#include <array>
#include <utility>
#include <vector>

#include "mechanisms/common/random_choices.h"
#include "mechanisms/swap/swap_engine.h"

namespace semveil {

// Records that swapping cannot tell apart: a value of one column, or a tuple. Records are numbered
// item by item.
struct SwapItems {
  std::vector<const SwapRows*> rows;              // by attribute
  std::vector<std::vector<std::uint32_t>> codes;  // by attribute, then item: a place of its rows
  std::vector<std::uint32_t> offsets;             // first record of each item; one more at the end
  std::vector<std::uint32_t> slots;               // by record

  std::size_t size() const { return offsets.size() - 1; }
  std::size_t attributes() const { return rows.size(); }
  std::uint32_t records() const { return offsets.back(); }
  std::uint32_t count(std::size_t item) const { return offsets[item + 1] - offsets[item]; }
  bool has(std::size_t attribute, std::size_t item) const {
    return codes[attribute][item] != rows[attribute]->missing();
  }
  // The items with the greatest sum of distances to all records (eq 5, 10).
  std::vector<std::uint32_t> most_distant(unsigned threads) const;
};

// Writes down what one run does. Each cell is exchanged at most once, so a cell that is exchanged
// holds its own value until then.
class SwapRecorder {
 public:
  // Attribute a of the run is column first_column + a of the outcome.
  SwapRecorder(const SwapInput& input, const SwapItems& items, std::uint32_t first_column,
               bool traced, SwapOutcome& outcome)
      : input_(input),
        items_(items),
        first_column_(first_column),
        traced_(traced),
        outcome_(outcome) {}

  void exchange(std::uint64_t step, std::size_t attribute, std::uint32_t record,
                std::uint32_t partner, std::uint64_t interval);
  void keep(std::uint64_t step, std::size_t attribute, std::uint32_t record);
  std::vector<SwapStep> take_trace() { return std::move(trace_); }

 private:
  Code& cell(std::uint32_t record, std::size_t column) {
    return outcome_.values[items_.slots[record] * input_.columns.size() + column];
  }
  const SwapInput& input_;
  const SwapItems& items_;
  std::uint32_t first_column_;
  bool traced_;
  SwapOutcome& outcome_;
  std::vector<SwapStep> trace_;
};

// The items of a run with one attribute.
void swap_ranked(const SwapItems& items, const SwapOptions& options, RandomChoices& random,
                 SwapRecorder& recorder);
void swap_random(const SwapItems& items, RandomChoices& random, SwapRecorder& recorder);
// With any number of attributes.
void swap_dynamic(const SwapItems& items, const SwapOptions& options, RandomChoices& random,
                  SwapRecorder& recorder);

}  // namespace semveil
