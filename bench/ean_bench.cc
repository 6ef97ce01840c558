// Sets instead of values: masking batches of one column with five categories of 3 to 20 values.
//
//   records_per_second   one thread, the draws included
//   times_the_draws      the same work in draws alone: one of 64 bits for each record
#include <benchmark/benchmark.h>

#include <algorithm>
#include <ctime>
#include <numeric>

#include "bench/generated_dag.h"
#include "semveil/ean.h"

namespace semveil::bench {
namespace {

constexpr std::size_t kRows = 65536;
constexpr std::array<std::size_t, 5> kSizes{3, 20, 8, 12, 5};

Key key() { return Key::from_bytes(std::array<unsigned char, Key::kSize>{3}); }

std::size_t values() { return std::accumulate(kSizes.begin(), kSizes.end(), std::size_t{0}); }

// Values of `columns` columns; the second goes along with the first.
std::vector<std::vector<ConceptId>> cells(std::size_t columns) {
  std::vector<std::vector<ConceptId>> out(columns);
  std::uint64_t seed = 5;
  for (std::size_t i = 0; i < kRows; ++i) {
    for (auto& column : out) {
      const std::uint64_t random = next_random(seed);
      column.push_back(&column != &out[0] && random % 3 != 0
                           ? out[0][i]
                           : static_cast<ConceptId>(random / 8 % values()));
    }
  }
  return out;
}

FrequencyTable table_of(const std::vector<std::vector<ConceptId>>& cells) {
  FrequencyTable table;
  table.records = kRows;
  for (std::size_t j = 0; j < cells.size(); ++j) {
    std::vector<std::string> texts;
    for (std::size_t v = 0; v < values(); ++v) texts.push_back(std::to_string(1000 + v));
    FrequencyColumn& column = table.columns.emplace_back();
    column.attribute =
        std::make_shared<const Attribute>(text_attribute("column " + std::to_string(j), texts));
    column.values.values.resize(values());
    std::iota(column.values.values.begin(), column.values.values.end(), 0U);
    column.values.counts.resize(values());
    for (const ConceptId cell : cells[j]) ++column.values.counts[cell];
  }
  if (cells.size() < 2) return table;
  std::vector<std::uint64_t> pairs(values() * values());
  for (std::size_t i = 0; i < kRows; ++i) ++pairs[cells[0][i] * values() + cells[1][i]];
  for (std::size_t p = 0; p < pairs.size(); ++p) {
    if (pairs[p] == 0) continue;
    table.tuples.push_back(static_cast<Code>(p / values()));
    table.tuples.push_back(static_cast<Code>(p % values()));
    table.tuple_counts.push_back(pairs[p]);
  }
  return table;
}

Result<Categories> categories(const FrequencyColumn&) {
  Categories out;
  ConceptId next = 0;
  for (const std::size_t size : kSizes) {
    auto& category = out.list.emplace_back();
    category.values.resize(size);
    std::iota(category.values.begin(), category.values.end(), next);
    next += static_cast<ConceptId>(size);
  }
  return out;
}

double seconds() { return static_cast<double>(std::clock()) / CLOCKS_PER_SEC; }  // of the processor

double seconds_of_draws() {
  const Draws draws(key(), "column 0");
  std::vector<std::uint64_t> words(kRows);
  constexpr int kTimes = 50;
  const double start = seconds();
  for (int i = 0; i < kTimes; ++i) {
    draws.of_rows(0, 0, words);
    benchmark::DoNotOptimize(words.data());
  }
  return (seconds() - start) / kTimes;
}

void apply(benchmark::State& state, bool by_category, unsigned l, SetDraw draw,
           std::size_t columns) {
  const auto in_cells = cells(columns);
  SetOptions options{.categories = {}, .l = l, .draw = draw};
  for (std::size_t j = 0; j < columns; ++j) options.categories.emplace_back(categories);
  const auto mechanism = by_category ? make_ean(options) : make_an(options);
  const auto plan = *mechanism->fit(table_of(in_cells), key());
  RecordBatch in;
  in.rows = kRows;
  for (const auto& column : in_cells) in.columns.emplace_back(column);
  MaskedBatch out;
  out.counted = state.range(0) != 0;
  const double draws = seconds_of_draws();
  const double start = seconds();
  for (auto _ : state) plan->apply(in, out);
  const double taken = seconds() - start;
  state.counters["records_per_second"] =
      benchmark::Counter(static_cast<double>(kRows), benchmark::Counter::kIsIterationInvariantRate);
  state.counters["times_the_draws"] = taken / static_cast<double>(state.iterations()) / draws;
  state.SetLabel(out.counted ? "" : "without tallies");
}

using enum SetDraw;
BENCHMARK_CAPTURE(apply, ean, true, 5, kUniform, 1)->Arg(0)->Arg(1);
BENCHMARK_CAPTURE(apply, ean_3_of_5, true, 3, kUniform, 1)->Arg(0)->Arg(1);
BENCHMARK_CAPTURE(apply, ean_by_frequency, true, 5, kFrequency, 1)->Arg(0)->Arg(1);
BENCHMARK_CAPTURE(apply, an, false, 5, kUniform, 1)->Arg(0)->Arg(1);
BENCHMARK_CAPTURE(apply, ean_of_two_columns, true, 5, kUniform, 2)->Arg(0)->Arg(1);

}  // namespace
}  // namespace semveil::bench
