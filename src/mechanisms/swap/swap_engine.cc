#include "mechanisms/swap/swap_engine.h"

#include <algorithm>
#include <limits>
#include <numeric>

#include "base/parallel.h"
#include "mechanisms/swap/swap_parts.h"

namespace semveil {
namespace {

__extension__ using Wide = unsigned __int128;

constexpr std::size_t kTableBudget = std::size_t{256} << 20U;

// Slots in the order of their tuples.
std::vector<std::uint32_t> first_slots(const SwapInput& input) {
  std::vector<std::uint32_t> first(1, 0);
  for (const std::uint64_t count : input.counts) {
    first.push_back(first.back() + static_cast<std::uint32_t>(count));
  }
  return first;
}

// The values of one column, missing cells left out.
SwapItems values_of(const SwapInput& input, std::size_t column, const SwapRows& rows) {
  const std::size_t width = input.columns.size();
  std::vector<std::uint32_t> counts(rows.width(), 0);
  for (std::size_t t = 0; t < input.counts.size(); ++t) {
    const Code code = input.tuples[t * width + column];
    if (code != kMissing) counts[code] += static_cast<std::uint32_t>(input.counts[t]);
  }
  SwapItems items;
  items.rows = {&rows};
  items.codes.resize(1);
  items.offsets = {0};
  std::vector<std::uint32_t> next(rows.width(), 0);
  for (std::uint32_t value = 0; value < rows.missing(); ++value) {
    if (counts[value] == 0) continue;
    next[value] = items.offsets.back();
    items.codes[0].push_back(value);
    items.offsets.push_back(items.offsets.back() + counts[value]);
  }
  items.slots.resize(items.records());
  const std::vector<std::uint32_t> first = first_slots(input);
  for (std::size_t t = 0; t < input.counts.size(); ++t) {
    const Code code = input.tuples[t * width + column];
    if (code == kMissing) continue;
    const auto from = items.slots.begin() + next[code];
    std::iota(from, from + (first[t + 1] - first[t]), first[t]);
    next[code] += first[t + 1] - first[t];
  }
  return items;
}

// The tuples, those without any cell left out.
SwapItems tuples_of(const SwapInput& input, std::span<const SwapRows> rows) {
  const std::size_t width = input.columns.size();
  SwapItems items;
  for (const SwapRows& of_column : rows) items.rows.push_back(&of_column);
  items.codes.resize(width);
  items.offsets = {0};
  const std::vector<std::uint32_t> first = first_slots(input);
  for (std::size_t t = 0; t < input.counts.size(); ++t) {
    const auto tuple = std::span(input.tuples).subspan(t * width, width);
    if (std::ranges::all_of(tuple, [](Code code) { return code == kMissing; })) continue;
    for (std::size_t j = 0; j < width; ++j) {
      items.codes[j].push_back(tuple[j] == kMissing ? rows[j].missing() : tuple[j]);
    }
    for (std::uint32_t slot = first[t]; slot < first[t + 1]; ++slot) items.slots.push_back(slot);
    items.offsets.push_back(static_cast<std::uint32_t>(items.slots.size()));
  }
  return items;
}

std::vector<SwapStep> swap_column(const SwapInput& input, std::uint32_t column,
                                  const SwapOptions& options, const Key& key, std::size_t budget,
                                  SwapOutcome& outcome) {
  const SwapSpace& space = *input.columns[column].space;
  // Only dynamic intervals ask for the same row again and again.
  const bool kept =
      options.algorithm == SwapAlgorithm::kDynamic && SwapRows::bytes(space) <= budget;
  const SwapRows rows(space, kept ? SwapRows::Keep::kAll : SwapRows::Keep::kNone, options.threads);
  const SwapItems items = values_of(input, column, rows);
  RandomChoices random(key, "swap",
                       std::array<std::string_view, 2>{"column", input.columns[column].name});
  SwapRecorder recorder(input, items, column, options.traced, outcome);
  switch (options.algorithm) {
    case SwapAlgorithm::kRandom:
      swap_random(items, random, recorder);
      break;
    case SwapAlgorithm::kFixed:
    case SwapAlgorithm::kDistributional:
      swap_ranked(items, options, random, recorder);
      break;
    case SwapAlgorithm::kDynamic:
    case SwapAlgorithm::kMultivariate:
      swap_dynamic(items, options, random, recorder);
  }
  return recorder.take_trace();
}

void swap_columns(const SwapInput& input, const SwapOptions& options, const Key& key,
                  SwapOutcome& outcome) {
  const std::size_t columns = input.columns.size();
  const auto side_by_side = static_cast<unsigned>(
      std::clamp<std::size_t>(options.threads, 1, std::max<std::size_t>(1, columns)));
  SwapOptions of_column = options;
  of_column.threads = std::max(1U, options.threads / side_by_side);
  std::vector<std::vector<SwapStep>> traces(columns);
  in_parallel(side_by_side, columns, [&](std::size_t j) {
    traces[j] = swap_column(input, static_cast<std::uint32_t>(j), of_column, key,
                            kTableBudget / side_by_side, outcome);
  });
  for (const std::vector<SwapStep>& trace : traces) {
    outcome.trace.insert(outcome.trace.end(), trace.begin(), trace.end());
  }
}

void swap_tuples(const SwapInput& input, const SwapOptions& options, const Key& key,
                 SwapOutcome& outcome) {
  // Small tables first: most columns keep theirs.
  std::vector<std::size_t> order(input.columns.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, {},
                           [&](std::size_t j) { return input.columns[j].space->size(); });
  std::vector<SwapRows::Keep> keep(order.size(), SwapRows::Keep::kNone);
  std::size_t left = kTableBudget;
  for (const std::size_t j : order) {
    const std::size_t bytes = SwapRows::bytes(*input.columns[j].space);
    if (bytes > left) break;
    keep[j] = SwapRows::Keep::kAll;
    left -= bytes;
  }
  std::vector<SwapRows> rows;
  rows.reserve(order.size());
  for (std::size_t j = 0; j < order.size(); ++j) {
    rows.emplace_back(*input.columns[j].space, keep[j], options.threads);
  }
  const SwapItems items = tuples_of(input, rows);
  RandomChoices random(key, "swap", std::array<std::string_view, 1>{"records"});
  SwapRecorder recorder(input, items, 0, options.traced, outcome);
  swap_dynamic(items, options, random, recorder);
  outcome.trace = recorder.take_trace();
}

}  // namespace

std::uint64_t SwapInput::records() const {
  return std::accumulate(counts.begin(), counts.end(), std::uint64_t{0});
}

// Both ends of a line, or the one that is more distant from all.
static std::vector<std::uint32_t> most_distant_end(const SwapItems& items) {
  const auto last = static_cast<std::uint32_t>(items.size() - 1);
  const auto sum_from = [&](std::uint32_t end) {
    SwapRows::Scratch scratch;
    const std::uint32_t* const row = items.rows[0]->row(items.codes[0][end], scratch);
    Wide sum = 0;
    for (std::size_t i = 0; i < items.size(); ++i) {
      sum += Wide{row[items.codes[0][i]]} * items.count(i);
    }
    return sum;
  };
  const Wide from_first = sum_from(0), from_last = sum_from(last);
  if (last == 0 || from_first > from_last) return {0};
  if (from_first < from_last) return {last};
  return {0, last};
}

std::vector<std::uint32_t> SwapItems::most_distant(unsigned threads) const {
  if (attributes() == 1 && rows[0]->is_line()) return most_distant_end(*this);
  std::vector<Wide> sums(size(), 0);
  for (std::size_t a = 0; a < attributes(); ++a) {
    std::vector<std::uint64_t> counts(rows[a]->width(), 0);
    for (std::size_t i = 0; i < size(); ++i) counts[codes[a][i]] += count(i);
    const std::vector<std::uint64_t> by_place = rows[a]->sums(counts, threads);
    for (std::size_t i = 0; i < size(); ++i) sums[i] += by_place[codes[a][i]];
  }
  const Wide greatest = *std::ranges::max_element(sums);
  std::vector<std::uint32_t> found;
  for (std::size_t i = 0; i < size(); ++i) {
    if (sums[i] == greatest) found.push_back(static_cast<std::uint32_t>(i));
  }
  return found;
}

void SwapRecorder::exchange(std::uint64_t step, std::size_t attribute, std::uint32_t record,
                            std::uint32_t partner, std::uint64_t interval) {
  const std::size_t column = first_column_ + attribute;
  Code& mine = cell(record, column);
  Code& theirs = cell(partner, column);
  if (traced_) {
    trace_.push_back({.step = step,
                      .column = static_cast<std::uint32_t>(column),
                      .slot = items_.slots[record],
                      .partner = items_.slots[partner],
                      .interval = interval,
                      .distance = input_.columns[column].space->distance(mine, theirs)});
  }
  std::swap(mine, theirs);
  outcome_.columns[column].swapped += 2;
}

void SwapRecorder::keep(std::uint64_t step, std::size_t attribute, std::uint32_t record) {
  const std::size_t column = first_column_ + attribute;
  ++outcome_.columns[column].kept;
  if (!traced_) return;
  trace_.push_back({.step = step,
                    .column = static_cast<std::uint32_t>(column),
                    .slot = items_.slots[record],
                    .partner = {},
                    .interval = 0,
                    .distance = 0});
}

Result<SwapOutcome> swap_records(const SwapInput& input, const SwapOptions& options,
                                 const Key& key) {
  if (options.k < 1) {
    return fail(data_error("the interval of a swap has no records: `k` must be 1 or more"));
  }
  if (input.columns.size() > kMostSwapColumns) {
    return fail(data_error("more than 255 columns cannot be swapped together"));
  }
  const std::uint64_t records = input.records();
  if (records >= std::numeric_limits<std::uint32_t>::max()) {
    return fail(data_error("more than 4,294,967,294 records cannot be swapped"));
  }
  const std::size_t width = input.columns.size();
  SwapOutcome outcome;
  outcome.columns.resize(width);
  outcome.values.reserve(records * width);
  for (std::size_t t = 0; t < input.counts.size(); ++t) {
    const auto tuple = std::span(input.tuples).subspan(t * width, width);
    for (std::uint64_t i = 0; i < input.counts[t]; ++i) {
      outcome.values.insert(outcome.values.end(), tuple.begin(), tuple.end());
    }
  }
  if (options.algorithm == SwapAlgorithm::kMultivariate) {
    swap_tuples(input, options, key, outcome);
  } else {
    swap_columns(input, options, key, outcome);
  }
  return outcome;
}

}  // namespace semveil
