// Distances on WordNet's nouns and on a generated DAG of 350,000 concepts, one thread.
//
//   pairs_per_second       one-to-one, random pairs
//   distances_per_second   one-to-all (doubles), many-to-all (16-bit keys of every concept)
//   matrix                 all pairs of a list, doubles
#include <benchmark/benchmark.h>

#include <cstdlib>
#include <optional>

#include "bench/generated_dag.h"
#include "measures/edge_keys.h"
#include "ontology/ancestor_index.h"
#include "semveil/measure.h"
#include "semveil/ontology.h"

namespace semveil::bench {
namespace {

enum Graph : std::int64_t { kWordNet, kGenerated };
constexpr std::uint32_t kGeneratedConcepts = 350000;

const std::optional<Ontology>& ontology_of(std::int64_t graph) {
  static const std::optional<Ontology> wordnet = [] {
    Result<Ontology> ontology = open_ontology("wordnet", {.use_cache = false});
    return ontology ? std::optional(*std::move(ontology)) : std::nullopt;
  }();
  static const std::optional<Ontology> generated = [] {
    OntologyDraft draft = generated_dag(kGeneratedConcepts);
    std::uint64_t state = 2;
    for (std::uint32_t c = 0; c < kGeneratedConcepts; ++c) {  // six words, rare ones and frequent
      std::string gloss;
      for (int i = 0; i < 6; ++i) {
        const std::uint64_t few = 10 + next_random(state) % 50'000;
        gloss += " word" + std::to_string(next_random(state) % few);
      }
      draft.set_definition(c, gloss);
    }
    return *std::move(draft).finish("generated");
  }();
  return graph == kWordNet ? wordnet : generated;
}

std::shared_ptr<const Taxonomy> taxonomy_of(std::int64_t graph) {
  const std::optional<Ontology>& ontology = ontology_of(graph);
  return ontology ? *ontology->taxonomy() : nullptr;
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
  const std::string name = measure_name(state.range(1));
  state.SetLabel(name + (state.range(0) == kWordNet ? " wordnet" : " generated"));
  const auto names = *ontology_of(state.range(0))->names();
  return *make_measure(taxonomy, *choose_measure({name}, Domain::whole(taxonomy), *names));
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

BENCHMARK(one_to_one)  // gloss-vector takes 0.03 ms a pair: not here
    ->ArgsProduct({{kWordNet, kGenerated}, benchmark::CreateDenseRange(0, 10, 1)})
    ->Unit(benchmark::kMillisecond);
BENCHMARK(one_to_all)
    ->ArgsProduct({{kWordNet, kGenerated}, benchmark::CreateDenseRange(0, 11, 1)})
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
