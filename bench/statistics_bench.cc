// Statistics over WordNet's nouns, one thread unless said otherwise.
//
//   correlation     sdCor of two columns of 1,000,000 records; values of each, threads
//   mean            of a column; distinct values
//   peak_megabytes  most memory the process has held so far: run a benchmark alone to see its own
#include <benchmark/benchmark.h>
#include <sys/resource.h>

#include <algorithm>
#include <set>

#include "bench/generated_dag.h"
#include "semveil/ontology.h"
#include "semveil/statistics.h"

namespace semveil::bench {
namespace {

std::shared_ptr<const Measure> wordnet_measure(benchmark::State& state) {
  static const std::shared_ptr<const Measure> measure = []() -> std::shared_ptr<const Measure> {
    const Result<Ontology> ontology = open_ontology("wordnet", {.use_cache = false});
    if (!ontology) return nullptr;
    return *make_measure(*ontology->taxonomy());
  }();
  if (!measure) state.SkipWithError("no WordNet installed");
  return measure;
}

double peak_megabytes() {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  return static_cast<double>(usage.ru_maxrss) / 1024;
}

std::vector<ConceptId> distinct_concepts(const Taxonomy& taxonomy, std::size_t count,
                                         std::uint64_t seed) {
  std::set<ConceptId> list;
  while (list.size() < count) {
    list.insert(static_cast<ConceptId>(next_random(seed) % taxonomy.size()));
  }
  return {list.begin(), list.end()};
}

// Half of the records have the value of B that goes with that of A, the others any.
std::vector<JointCount> joint_of(std::uint64_t records, std::uint32_t values) {
  std::vector<std::uint64_t> pairs(records);
  std::uint64_t seed = 7;
  for (std::uint64_t& pair : pairs) {
    const std::uint64_t a = next_random(seed) % values;
    const std::uint64_t b = next_random(seed) % 2 == 0 ? a : next_random(seed) % values;
    pair = a << 32 | b;
  }
  std::sort(pairs.begin(), pairs.end());
  std::vector<JointCount> joint;
  for (std::size_t i = 0; i < pairs.size(); ++i) {
    if (i == 0 || pairs[i] != pairs[i - 1]) {
      joint.push_back(
          {static_cast<std::uint32_t>(pairs[i] >> 32), static_cast<std::uint32_t>(pairs[i]), 0});
    }
    ++joint.back().count;
  }
  return joint;
}

constexpr std::uint64_t kRecords = 1'000'000;

void correlation(benchmark::State& state) {
  const auto measure = wordnet_measure(state);
  if (!measure) return;
  const auto values = static_cast<std::size_t>(state.range(0));
  const Space a = Space::nominal(measure, distinct_concepts(measure->taxonomy(), values, 1));
  const Space b = Space::nominal(measure, distinct_concepts(measure->taxonomy(), values, 2));
  const auto joint = joint_of(kRecords, static_cast<std::uint32_t>(values));
  StatisticsOptions options;
  options.threads = static_cast<unsigned>(state.range(1));
  for (auto _ : state) {
    benchmark::DoNotOptimize(distance_statistics(a, b, joint, options));
  }
  state.counters["pairs"] = static_cast<double>(joint.size());
  state.counters["peak_megabytes"] = peak_megabytes();
}

// Words against numbers.
void mixed_correlation(benchmark::State& state) {
  const auto measure = wordnet_measure(state);
  if (!measure) return;
  const auto values = static_cast<std::size_t>(state.range(0));
  const Space a = Space::nominal(measure, distinct_concepts(measure->taxonomy(), values, 1));
  std::vector<double> numbers(kRecords);
  for (std::size_t i = 0; i < numbers.size(); ++i) numbers[i] = static_cast<double>(i) * 0.37;
  const Space b = Space::numeric(numbers);
  std::vector<JointCount> joint;
  for (std::uint32_t i = 0; i < kRecords; ++i) {  // every number once
    joint.push_back({static_cast<std::uint32_t>(i / (kRecords / values)), i, 1});
  }
  for (auto _ : state) benchmark::DoNotOptimize(distance_statistics(a, b, joint));
  state.counters["peak_megabytes"] = peak_megabytes();
}

void numeric_correlation(benchmark::State& state) {
  const auto values = static_cast<std::size_t>(state.range(0));
  std::vector<double> numbers(values);
  for (std::size_t i = 0; i < values; ++i) numbers[i] = static_cast<double>(i) * 0.37;
  const Space space = Space::numeric(numbers);
  const auto joint = joint_of(kRecords, static_cast<std::uint32_t>(values));
  for (auto _ : state) benchmark::DoNotOptimize(distance_statistics(space, space, joint));
  state.counters["peak_megabytes"] = peak_megabytes();
}

void mean(benchmark::State& state) {
  const auto measure = wordnet_measure(state);
  if (!measure) return;
  ValueCounts column;
  column.values =
      distinct_concepts(measure->taxonomy(), static_cast<std::size_t>(state.range(0)), 3);
  std::uint64_t seed = 4;
  for (std::size_t i = 0; i < column.values.size(); ++i) {
    column.counts.push_back(1 + next_random(seed) % 100);
  }
  const auto threads = static_cast<unsigned>(state.range(1));
  for (auto _ : state) benchmark::DoNotOptimize(semantic_mean(*measure, column, threads));
  state.counters["peak_megabytes"] = peak_megabytes();
}

BENCHMARK(mean)
    ->Args({1000, 1})
    ->Args({10000, 1})
    ->Args({80000, 1})
    ->Args({80000, 2})
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK(correlation)
    ->Args({1000, 1})
    ->Args({1000, 2})
    ->UseRealTime()
    ->Unit(benchmark::kMillisecond);
BENCHMARK(mixed_correlation)->Args({100})->Args({1000})->Unit(benchmark::kMillisecond);
BENCHMARK(numeric_correlation)->Args({1000})->Args({1000000})->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace semveil::bench
