// Generalisation of Adult's quasi-identifiers with ARX's hierarchies, and of a million records
// whose cells are drawn from Adult's, each column by itself. $SEMVEIL_DATA or ../shared/data holds
// both.
#include <benchmark/benchmark.h>

#include <cstdlib>

#include "bench/generated_dag.h"
#include "mechanisms/generalize/generalize_engine.h"
#include "tests/support/adult_table.h"

namespace semveil::bench {
namespace {

constexpr std::size_t kColumns = 8;

std::string folder() {
  const char* set = std::getenv("SEMVEIL_DATA");  // NOLINT(concurrency-mt-unsafe)
  return set != nullptr && *set != '\0' ? set : "../shared/data";
}

// A cell of each column in as many records, none depending on another.
ClassTable independent(const ClassTable& table, std::size_t records) {
  std::uint64_t seed = 23;
  std::vector<std::vector<ConceptId>> columns;
  for (std::size_t j = 0; j < table.width(); ++j) {
    std::vector<ConceptId> all;
    for (std::size_t t = 0; t < table.size(); ++t) {
      all.insert(all.end(), table.counts[t], table.value(t, j));
    }
    std::vector<ConceptId>& drawn = columns.emplace_back();
    for (std::size_t i = 0; i < records; ++i) drawn.push_back(all[next_random(seed) % all.size()]);
  }
  return test::table_of(table.attributes, columns);
}

void run(benchmark::State& state, const ClassTable& table, const GeneralizeOptions& options) {
  double loss = 0;
  std::uint64_t suppressed = 0;
  for (auto _ : state) {
    const auto outcome = generalize_tuples(table, options);
    if (!outcome) return state.SkipWithError(outcome.error().message.c_str());
    loss = outcome->loss;
    suppressed = outcome->suppressed_records;
  }
  state.SetLabel(std::to_string(table.records()) + " records, " + std::to_string(table.size()) +
                 " distinct, k = " + std::to_string(options.k));
  state.counters["loss"] = loss;
  state.counters["suppressed"] = static_cast<double>(suppressed);
}

void generalize_adult(benchmark::State& state, const GeneralizeOptions& options) {
  try {
    run(state, test::adult_table(folder(), kColumns), options);
  } catch (const std::runtime_error& error) {
    state.SkipWithError(error.what());
  }
}
void generalize_million(benchmark::State& state, const GeneralizeOptions& options) {
  try {
    run(state, independent(test::adult_table(folder(), kColumns), 1'000'000), options);
  } catch (const std::runtime_error& error) {
    state.SkipWithError(error.what());
  }
}

constexpr GeneralizeOptions kFullDomain{
    .k = 5, .scope = GeneralizeScope::kFullDomain, .suppression = 0.05};
constexpr GeneralizeOptions kLocal{.k = 5};
BENCHMARK_CAPTURE(generalize_adult, full_domain, kFullDomain)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(generalize_adult, local, kLocal)->Unit(benchmark::kMillisecond);
BENCHMARK_CAPTURE(generalize_million, full_domain, kFullDomain)
    ->Unit(benchmark::kMillisecond)
    ->Iterations(1);
BENCHMARK_CAPTURE(generalize_million, local, kLocal)->Unit(benchmark::kMillisecond)->Iterations(1);

// Values of a large DAG in each of three columns: more combinations of levels than are walked.
void generalize_large_taxonomy(benchmark::State& state) {
  constexpr std::uint32_t kConcepts = 80'000;
  const Ontology ontology = *generated_dag(kConcepts).finish("generated");
  auto attribute = std::make_shared<Attribute>();
  attribute->domain = std::make_shared<const Domain>(Domain::whole(*ontology.taxonomy()));
  attribute->names = *ontology.names();
  std::uint64_t seed = 5;
  std::vector<std::vector<ConceptId>> columns;
  for (std::size_t j = 0; j < 3; ++j) {
    std::vector<ConceptId> pool;
    for (std::size_t v = 0; v < 1000; ++v) {
      pool.push_back(1 + static_cast<ConceptId>(next_random(seed) % (kConcepts - 1)));
    }
    std::vector<ConceptId>& drawn = columns.emplace_back();
    for (std::size_t i = 0; i < 50'000; ++i) {
      drawn.push_back(
          pool[std::min(next_random(seed) % pool.size(), next_random(seed) % pool.size())]);
    }
  }
  run(state, test::table_of({attribute, attribute, attribute}, columns), kLocal);
}
BENCHMARK(generalize_large_taxonomy)->Unit(benchmark::kMillisecond)->Iterations(1);

}  // namespace
}  // namespace semveil::bench
