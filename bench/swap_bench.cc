// Semantic rank swapping over generated columns: one of a million records, records of three
// attributes, and a column with too many values for a table of distances.
#include <benchmark/benchmark.h>
#include <sys/resource.h>

#include <algorithm>
#include <map>
#include <set>

#include "bench/generated_dag.h"
#include "mechanisms/swap/swap_engine.h"
#include "semveil/ontology.h"

namespace semveil::bench {
namespace {

constexpr std::uint32_t kConcepts = 350'000;

std::shared_ptr<const Measure> measure() {
  static const Ontology ontology = *generated_dag(kConcepts).finish("generated");
  static const std::shared_ptr<const Measure> made = *make_measure(*ontology.taxonomy());
  return made;
}

SwapSpace space_of(std::size_t values, std::uint64_t seed) {
  std::set<ConceptId> drawn;
  while (drawn.size() < values) {
    drawn.insert(1 + static_cast<ConceptId>(next_random(seed) % (kConcepts - 1)));
  }
  return SwapSpace::nominal(measure(), {drawn.begin(), drawn.end()});
}

// The lower of two draws: some values are far more frequent than others.
Code skewed(std::size_t values, std::uint64_t& seed) {
  return static_cast<Code>(std::min(next_random(seed) % values, next_random(seed) % values));
}

// Every one of so many tuples, in which every value occurs, at least once. They may be alike.
SwapInput table_of(const std::vector<SwapSpace>& spaces, std::size_t tuples, std::size_t records) {
  SwapInput input;
  for (std::size_t j = 0; j < spaces.size(); ++j) {
    input.columns.push_back({"column " + std::to_string(j), &spaces[j]});
  }
  std::uint64_t seed = 17;
  std::vector<std::vector<Code>> pool(tuples);
  for (std::size_t t = 0; t < tuples; ++t) {
    for (const SwapSpace& space : spaces) {
      pool[t].push_back(t < space.size() ? static_cast<Code>(t) : skewed(space.size(), seed));
    }
  }
  std::map<std::vector<Code>, std::uint64_t> counts;
  for (std::size_t i = 0; i < records; ++i) ++counts[pool[i < tuples ? i : skewed(tuples, seed)]];
  for (const auto& [tuple, count] : counts) {
    input.tuples.insert(input.tuples.end(), tuple.begin(), tuple.end());
    input.counts.push_back(count);
  }
  return input;
}

void run(benchmark::State& state, const SwapInput& input, const SwapOptions& options) {
  const Key key = Key::from_bytes(std::array<unsigned char, Key::kSize>{3});
  for (auto _ : state) benchmark::DoNotOptimize(swap_records(input, options, key));
  state.SetLabel(std::to_string(input.records()) + " records, " +
                 std::to_string(input.counts.size()) +
                 " distinct, k = " + std::to_string(options.k));
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  state.counters["peak_megabytes"] = static_cast<double>(usage.ru_maxrss) / 1024;
}

// Values, k.
void swap_one_column(benchmark::State& state, SwapAlgorithm algorithm) {
  const std::vector<SwapSpace> spaces = {space_of(static_cast<std::size_t>(state.range(0)), 5)};
  const SwapInput input = table_of(spaces, spaces[0].size(), 1'000'000);
  run(state, input, {.algorithm = algorithm, .k = static_cast<std::uint64_t>(state.range(1))});
}
BENCHMARK_CAPTURE(swap_one_column, dynamic, SwapAlgorithm::kDynamic)
    ->Args({1000, 50})
    ->Args({1000, 5000})
    ->Args({8000, 500})
    ->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(swap_one_column, fixed, SwapAlgorithm::kFixed)
    ->Args({1000, 50})
    ->Unit(benchmark::kMillisecond);

void swap_many_values(benchmark::State& state) {
  const std::vector<SwapSpace> spaces = {space_of(50'000, 5)};
  const SwapInput input = table_of(spaces, 50'000, 60'000);
  run(state, input, {.algorithm = SwapAlgorithm::kDynamic, .k = 10});
}
BENCHMARK(swap_many_values)->Unit(benchmark::kMillisecond)->Iterations(1);

// All values equally far apart: every interval has everybody at its edge.
void swap_ties(benchmark::State& state) {
  OntologyDraft draft;
  draft.info.format = "generated";
  for (std::uint32_t c = 0; c <= 20'000; ++c) {
    draft.add_concept("c" + std::to_string(c));
    if (c > 0) draft.add_link(c, 0);
  }
  const Ontology star = *std::move(draft).finish("star");
  std::vector<ConceptId> values;
  for (ConceptId c = 1; c <= 20'000; ++c) values.push_back(c);
  std::vector<SwapSpace> spaces;
  spaces.push_back(SwapSpace::nominal(*make_measure(*star.taxonomy()), std::move(values)));
  const SwapInput input = table_of(spaces, 20'000, 60'000);
  run(state, input, {.algorithm = SwapAlgorithm::kDynamic, .k = 10});
}
BENCHMARK(swap_ties)->Unit(benchmark::kMillisecond)->Iterations(1);

// Tuples, k.
void swap_three_columns(benchmark::State& state) {
  const std::vector<SwapSpace> spaces = {space_of(300, 5), space_of(1000, 6), space_of(100, 7)};
  const auto tuples = static_cast<std::size_t>(state.range(0));
  const SwapInput input = table_of(spaces, tuples, 100'000);
  run(state, input, {.k = static_cast<std::uint64_t>(state.range(1))});
}
BENCHMARK(swap_three_columns)
    ->Args({60'000, 10})
    ->Args({60'000, 1000})
    ->Args({100'000, 10})
    ->Unit(benchmark::kMillisecond)
    ->Iterations(1);

// How time grows with records while the distinct values stay: one column, and three.
void swap_growth(benchmark::State& state) {
  const auto columns = static_cast<std::size_t>(state.range(0));
  const auto records = static_cast<std::size_t>(state.range(1));
  std::vector<SwapSpace> spaces;
  for (std::size_t j = 0; j < columns; ++j) spaces.push_back(space_of(j == 0 ? 1000 : 100, 5 + j));
  const std::size_t most = columns == 1 ? 1000 : 20'000;
  run(state, table_of(spaces, std::min(most, records), records), {.k = 50});
}
BENCHMARK(swap_growth)
    ->ArgsProduct({{1, 3}, {1000, 10'000, 100'000, 1'000'000}})
    ->Unit(benchmark::kMillisecond)
    ->Iterations(1);

}  // namespace
}  // namespace semveil::bench
