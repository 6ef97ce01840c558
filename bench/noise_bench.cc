// Semantic noise: fitting 1,000 distinct values, and masking batches with the plan. Neither may
// grow with the records, and masking not with the domain.
#include <benchmark/benchmark.h>

#include <set>

#include "bench/generated_dag.h"
#include "semveil/noise.h"
#include "semveil/ontology.h"

namespace semveil::bench {
namespace {

constexpr std::size_t kValues = 1000;
constexpr std::size_t kRows = 65536;
constexpr std::uint32_t kGenerated = 350'000;

// One column over a whole ontology.
FrequencyTable table_of(const Ontology& ontology) {
  auto attribute = std::make_shared<Attribute>();
  attribute->name = "word";
  attribute->domain = std::make_shared<const Domain>(Domain::whole(*ontology.taxonomy()));
  attribute->names = *ontology.names();
  attribute->measure = *make_measure(attribute->domain->taxonomy());
  attribute->candidates =
      std::make_shared<const Candidates>(*Candidates::of(attribute->taxonomy(), {}));
  std::set<ConceptId> values;
  std::uint64_t seed = 11;
  while (values.size() < kValues) {
    values.insert(1 +
                  static_cast<ConceptId>(next_random(seed) % (attribute->taxonomy().size() - 1)));
  }
  FrequencyTable table;
  FrequencyColumn& column = table.columns.emplace_back();
  column.attribute = attribute;
  column.values.values.assign(values.begin(), values.end());
  for (std::size_t i = 0; i < kValues; ++i) column.values.counts.push_back(1 + i % 97);
  table.records = column.values.total();
  return table;
}

const FrequencyTable* table(benchmark::State& state, bool generated) {
  if (generated) {
    static const Ontology ontology = *generated_dag(kGenerated).finish("generated");
    static const FrequencyTable over = table_of(ontology);
    return &over;
  }
  static const Result<Ontology> wordnet = open_ontology("wordnet", {.use_cache = false});
  if (!wordnet) {
    state.SkipWithError("no WordNet installed");
    return nullptr;
  }
  static const FrequencyTable over = table_of(*wordnet);
  return &over;
}

Key key() { return Key::from_bytes(std::array<unsigned char, Key::kSize>{3}); }

void noise_fit_1000(benchmark::State& state) {
  const FrequencyTable* over = table(state, state.range(0) != 0);
  if (over == nullptr) return;
  const auto noise = make_noise({.pairs = {}});
  for (auto _ : state) benchmark::DoNotOptimize(noise->fit(*over, key()));
  state.SetLabel(state.range(0) != 0 ? "350,000 generated concepts" : "WordNet");
}
BENCHMARK(noise_fit_1000)->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);

void noise_apply(benchmark::State& state) {
  const FrequencyTable* over = table(state, state.range(0) != 0);
  if (over == nullptr) return;
  const auto plan = *make_noise({.pairs = {}})->fit(*over, key());
  std::vector<ConceptId> cells(kRows);
  std::uint64_t seed = 5;
  for (ConceptId& cell : cells) {
    cell = over->columns[0].values.values[next_random(seed) % kValues];
  }
  RecordBatch in;
  in.rows = kRows;
  in.columns.emplace_back(cells);
  MaskedBatch out;
  out.counted = state.range(1) != 0;
  plan->apply(in, out);  // what is learned with the first batch is no part of the rate
  for (auto _ : state) plan->apply(in, out);
  state.counters["records_per_second"] =
      benchmark::Counter(static_cast<double>(kRows), benchmark::Counter::kIsIterationInvariantRate);
  state.SetLabel(std::string(state.range(0) != 0 ? "350,000 generated concepts" : "WordNet") +
                 (out.counted ? "" : ", without tallies"));
}
BENCHMARK(noise_apply)->ArgsProduct({{0, 1}, {0, 1}})->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace semveil::bench
