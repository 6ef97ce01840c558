// Distances on WordNet's nouns and on a generated DAG of 350,000 concepts, one thread.
//
//   pairs_per_second       one-to-one, random pairs
//   distances_per_second   one-to-all (doubles), many-to-all (16-bit keys of every concept)
//   matrix                 all pairs of a list, doubles
#include <benchmark/benchmark.h>

#include <cstdlib>

#include "bench/generated_dag.h"
#include "measures/edge_keys.h"
#include "ontology/ancestor_index.h"
#include "semveil/measure.h"
#include "semveil/ontology.h"

namespace semveil::bench {
namespace {

enum Graph : std::int64_t { kWordNet, kGenerated };
constexpr std::uint32_t kGeneratedConcepts = 350000;

std::shared_ptr<const Taxonomy> taxonomy_of(std::int64_t graph) {
  static const std::shared_ptr<const Taxonomy> wordnet = [] {
    const Result<Ontology> ontology = open_ontology("wordnet", {.use_cache = false});
    return ontology ? *ontology->taxonomy() : nullptr;
  }();
  static const std::shared_ptr<const Taxonomy> generated = [] {
    return *std::move(generated_dag(kGeneratedConcepts)).finish("generated")->taxonomy();
  }();
  return graph == kWordNet ? wordnet : generated;
}

std::vector<ConceptId> random_concepts(const Taxonomy& taxonomy, std::size_t count,
                                       std::uint64_t seed) {
  std::vector<ConceptId> list(count);
  for (ConceptId& c : list) c = static_cast<ConceptId>(next_random(seed) % taxonomy.size());
  return list;
}

const char* measure_name(std::int64_t i) {
  return measure_names()[static_cast<std::size_t>(i)].data();
}

std::unique_ptr<const Measure> measure_for(benchmark::State& state) {
  const auto taxonomy = taxonomy_of(state.range(0));
  if (!taxonomy) {
    state.SkipWithError("no WordNet installed");
    return nullptr;
  }
  MeasureOptions options;
  options.name = measure_name(state.range(1));
  state.SetLabel(options.name + (state.range(0) == kWordNet ? " wordnet" : " generated"));
  return *make_measure(taxonomy, options);
}

void one_to_one(benchmark::State& state) {
  const auto measure = measure_for(state);
  if (!measure) return;
  constexpr std::size_t kPairs = 1 << 18;
  const auto a = random_concepts(measure->taxonomy(), kPairs, 1);
  const auto b = random_concepts(measure->taxonomy(), kPairs, 2);
  measure->distance(a[0], b[0]);  // builds the index
  for (auto _ : state) {
    double sum = 0;
    for (std::size_t i = 0; i < kPairs; ++i) sum += measure->distance(a[i], b[i]);
    benchmark::DoNotOptimize(sum);
  }
  state.counters["pairs_per_second"] =
      benchmark::Counter(static_cast<double>(kPairs) * static_cast<double>(state.iterations()),
                         benchmark::Counter::kIsRate);
}

void one_to_all(benchmark::State& state) {
  const auto measure = measure_for(state);
  if (!measure) return;
  const auto sources = random_concepts(measure->taxonomy(), 64, 3);
  std::vector<double> out(measure->taxonomy().size());
  measure->from(sources[0], out);  // builds the graph
  std::size_t next = 0;
  for (auto _ : state) {
    measure->from(sources[next++ % sources.size()], out);
    benchmark::DoNotOptimize(out.data());
  }
  state.counters["distances_per_second"] =
      benchmark::Counter(static_cast<double>(out.size()) * static_cast<double>(state.iterations()),
                         benchmark::Counter::kIsRate);
}

// Sixteen sources at once: the exact 16-bit key of every concept, leaves included.
void many_to_all(benchmark::State& state) {
  const auto taxonomy = taxonomy_of(state.range(0));
  if (!taxonomy) return state.SkipWithError("no WordNet installed");
  constexpr std::size_t kLanes = kSweepLanes<std::uint16_t>;
  const SweepGraph& graph = taxonomy->sweep_graph();
  const auto sources = random_concepts(*taxonomy, kLanes * 16, 4);
  SweepKeys<std::uint16_t> slots(graph.slots(), kLanes);
  SweepKeys<std::uint16_t> all(taxonomy->size(), kLanes);
  std::size_t next = 0;
  for (auto _ : state) {
    const auto batch = std::span(sources).subspan(next++ % 16 * kLanes, kLanes);
    sweep_edge_keys<std::uint16_t, kLanes>(*taxonomy, graph, batch, true, slots.data());
    spread_keys<std::uint16_t, kLanes>(graph, slots.data(), all.data());
    benchmark::DoNotOptimize(all.data());
  }
  state.SetLabel(state.range(0) == kWordNet ? "wu-palmer wordnet" : "wu-palmer generated");
  state.counters["distances_per_second"] = benchmark::Counter(
      static_cast<double>(taxonomy->size() * kLanes) * static_cast<double>(state.iterations()),
      benchmark::Counter::kIsRate);
}

void matrix(benchmark::State& state) {
  const auto measure = measure_for(state);
  if (!measure) return;
  const auto list =
      random_concepts(measure->taxonomy(), static_cast<std::size_t>(state.range(2)), 5);
  for (auto _ : state) {
    const DistanceMatrix result = measure->among(list);
    benchmark::DoNotOptimize(result.row(0).data());
  }
}

BENCHMARK(one_to_one)
    ->ArgsProduct({{kWordNet, kGenerated}, benchmark::CreateDenseRange(0, 6, 1)})
    ->Unit(benchmark::kMillisecond);
BENCHMARK(one_to_all)
    ->ArgsProduct({{kWordNet, kGenerated}, benchmark::CreateDenseRange(0, 6, 1)})
    ->Unit(benchmark::kMicrosecond);
BENCHMARK(many_to_all)->Args({kWordNet})->Args({kGenerated})->Unit(benchmark::kMicrosecond);
BENCHMARK(matrix)
    ->Args({kWordNet, 0, 500})
    ->Args({kWordNet, 0, 1000})
    ->Args({kWordNet, 0, 2000})
    ->Args({kWordNet, 5, 1000})
    ->Args({kGenerated, 0, 1000})
    ->Args({kGenerated, 0, 2000})
    ->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace semveil::bench
