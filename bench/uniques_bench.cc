// Minimal uniques: Adult's eight columns, and twenty columns of 100,000 records.
#include <benchmark/benchmark.h>

#include <cstdlib>

#include "bench/adult_table.h"
#include "bench/generated_dag.h"
#include "semveil/minimal_uniques.h"

namespace semveil::bench {
namespace {

void tell(benchmark::State& state, const MinimalUniques& found) {
  state.counters["uniques"] = static_cast<double>(found.uniques);
  state.counters["sets"] = static_cast<double>(found.sets.size());
}

void minimal_uniques_adult(benchmark::State& state) {
  const char* folder = std::getenv("SEMVEIL_DATA");  // NOLINT(concurrency-mt-unsafe)
  const auto records = adult_records(folder == nullptr ? "../shared/data" : folder);
  if (records.empty()) return state.SkipWithError("adult is not in SEMVEIL_DATA");
  std::vector<std::vector<Code>> columns;
  for (const std::size_t place : {0U, 1U, 2U, 3U, 4U, 6U, 7U, 11U}) {
    std::map<std::string, Code> codes;
    std::vector<Code>& column = columns.emplace_back();
    for (const auto& record : records) {
      column.push_back(
          codes.try_emplace(record[place], static_cast<Code>(codes.size())).first->second);
    }
  }
  MinimalUniques found;
  for (auto _ : state) found = minimal_uniques(columns, {});
  tell(state, found);
}
BENCHMARK(minimal_uniques_adult)->Unit(benchmark::kMillisecond);

// Columns of 2 to 400 values, small ones more often: what surveys have. state.range(0): columns
// with 20 values each, where most sets of four are unique to somebody.
void minimal_uniques_wide(benchmark::State& state) {
  constexpr std::size_t kRows = 100'000, kColumns = 20;
  constexpr std::array<std::uint64_t, 10> kValues{2, 2, 3, 5, 5, 8, 12, 50, 100, 400};
  std::uint64_t seed = 1;
  std::vector<std::vector<Code>> columns(kColumns);
  for (std::size_t c = 0; c < kColumns; ++c) {
    const std::uint64_t values = state.range(0) == 1 ? 20 : kValues[c % kValues.size()];
    for (std::size_t row = 0; row < kRows; ++row) {
      const std::uint64_t a = next_random(seed) % values, b = next_random(seed) % values;
      columns[c].push_back(static_cast<Code>(std::min(a, b)));
    }
  }
  MinimalUniques found;
  for (auto _ : state) found = minimal_uniques(columns, {});
  tell(state, found);
}
BENCHMARK(minimal_uniques_wide)->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond)->Iterations(1);

}  // namespace
}  // namespace semveil::bench
