// Microaggregation of Adult's complete records over twelve quasi-identifiers, of generated tables,
// and the means of many groups in WordNet. Adult needs $SEMVEIL_DATA.
#include <benchmark/benchmark.h>
#include <sys/resource.h>

#include <cstdlib>
#include <map>
#include <set>

#include "bench/adult_table.h"
#include "bench/generated_dag.h"
#include "mechanisms/microaggregate/group_means.h"
#include "mechanisms/microaggregate/mdav.h"
#include "mechanisms/microaggregate/microaggregate_engine.h"

namespace semveil::bench {
namespace {

void label(benchmark::State& state, const ClassTable& table, std::uint64_t k) {
  state.SetLabel(std::to_string(table.records()) + " records, " + std::to_string(table.size()) +
                 " distinct, k = " + std::to_string(k));
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  state.counters["peak_megabytes"] = static_cast<double>(usage.ru_maxrss) / 1024;
}

std::string data_folder() {
  const char* folder = std::getenv("SEMVEIL_DATA");  // NOLINT(concurrency-mt-unsafe)
  return folder != nullptr ? folder : "../shared/data";
}

// k; by hierarchies or 0/1.
void microaggregate_adult(benchmark::State& state) {
  const ClassTable table = adult_table(data_folder(), state.range(1) != 0);
  if (table.size() == 0) {
    state.SkipWithError("Adult is not in $SEMVEIL_DATA");
    return;
  }
  const auto k = static_cast<std::uint64_t>(state.range(0));
  for (auto _ : state) benchmark::DoNotOptimize(microaggregate_tuples(table, {.k = k}));
  label(state, table, k);
}
BENCHMARK(microaggregate_adult)
    ->ArgNames({"k", "semantic"})
    ->ArgsProduct({{3, 10, 100}, {0, 1}})
    ->Unit(benchmark::kMillisecond);

void mdav_adult(benchmark::State& state) {
  const ClassTable table = adult_table(data_folder(), state.range(0) != 0);
  if (table.size() == 0) {
    state.SkipWithError("Adult is not in $SEMVEIL_DATA");
    return;
  }
  for (auto _ : state) benchmark::DoNotOptimize(mdav_groups(table, 3, 1));
  label(state, table, 3);
}
BENCHMARK(mdav_adult)->ArgName("semantic")->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);

std::shared_ptr<const Attribute> concepts(const Ontology& ontology) {
  Attribute attribute;
  const std::shared_ptr<const Taxonomy> taxonomy = *ontology.taxonomy();
  attribute.names = *ontology.names();
  attribute.domain = std::make_shared<const Domain>(Domain::whole(taxonomy));
  attribute.measure = *make_measure(taxonomy);
  attribute.candidates = std::make_shared<const Candidates>(*Candidates::of(*taxonomy, {}));
  return std::make_shared<const Attribute>(std::move(attribute));
}

// Tuples: two columns of concepts with a few hundred values, one of numbers; k = 5.
void microaggregate_growth(benchmark::State& state) {
  static const Ontology ontology = *generated_dag(100'000).finish("generated");
  const auto size = static_cast<std::size_t>(state.range(0));
  std::uint64_t seed = 3;
  ClassTable table;
  for (const std::size_t values : {300, 300}) {
    std::set<ConceptId> drawn;
    while (drawn.size() < values) {
      drawn.insert(1 + static_cast<ConceptId>(next_random(seed) % 99'999));
    }
    table.attributes.push_back(concepts(ontology));
    table.values.emplace_back(drawn.begin(), drawn.end());
  }
  std::vector<double> numbers;
  for (int i = 0; i < 1000; ++i) numbers.push_back(i);
  table.attributes.push_back(
      std::make_shared<const Attribute>(numeric_attribute("number", numbers, 290)));
  auto& places = table.values.emplace_back();
  for (ConceptId i = 0; i < 1000; ++i) places.push_back(i);
  std::set<std::vector<Code>> tuples;
  while (tuples.size() < size) {
    tuples.insert({static_cast<Code>(next_random(seed) % 300),
                   static_cast<Code>(next_random(seed) % 300),
                   static_cast<Code>(next_random(seed) % 1000)});
  }
  for (const auto& tuple : tuples) {
    table.tuples.insert(table.tuples.end(), tuple.begin(), tuple.end());
    table.counts.push_back(1);
  }
  for (auto _ : state) benchmark::DoNotOptimize(microaggregate_tuples(table, {.k = 5}));
  label(state, table, 5);
}
BENCHMARK(microaggregate_growth)
    ->Arg(1000)
    ->Arg(10'000)
    ->Arg(100'000)
    ->Unit(benchmark::kMillisecond)
    ->Iterations(1);

// 10,000 different groups of three values of WordNet's nouns.
void means_of_groups_in_wordnet(benchmark::State& state) {
  const auto wordnet = open_ontology("wordnet");
  if (!wordnet) {
    state.SkipWithError("WordNet is not installed");
    return;
  }
  const auto attribute = concepts(*wordnet);
  std::uint64_t seed = 9;
  std::vector<ValueCounts> groups;
  while (groups.size() < 10'000) {
    std::map<ConceptId, std::uint64_t> counts;
    while (counts.size() < 3) {
      counts[1 + static_cast<ConceptId>(next_random(seed) % (attribute->size() - 1))] = 1;
    }
    ValueCounts group;
    for (const auto& [value, count] : counts) {
      group.values.push_back(value);
      group.counts.push_back(count);
    }
    groups.push_back(std::move(group));
  }
  for (auto _ : state) benchmark::DoNotOptimize(GroupMeans(attribute).of(groups, 1));
}
BENCHMARK(means_of_groups_in_wordnet)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace semveil::bench
