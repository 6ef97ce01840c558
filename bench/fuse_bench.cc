// k-anonymous fusion over generated tables: the paper's size, tens of thousands of tuples, and
// tables in which everything is tied.
#include <benchmark/benchmark.h>
#include <sys/resource.h>

#include <algorithm>
#include <map>
#include <set>

#include "bench/generated_dag.h"
#include "mechanisms/fuse/fuse_engine.h"
#include "semveil/ontology.h"

namespace semveil::bench {
namespace {

constexpr std::uint32_t kConcepts = 350'000;

std::shared_ptr<const Taxonomy> taxonomy() {
  static const Ontology ontology = *generated_dag(kConcepts).finish("generated");
  static const std::shared_ptr<const Taxonomy> made = *ontology.taxonomy();
  return made;
}

struct Column {
  std::shared_ptr<const Attribute> attribute;
  std::vector<ConceptId> values;
};

Column concepts(std::size_t values, std::uint64_t seed) {
  static const std::shared_ptr<const Measure> measure = *make_measure(taxonomy());
  static const auto domain = std::make_shared<const Domain>(Domain::whole(taxonomy()));
  Attribute attribute;
  attribute.name = "concepts " + std::to_string(seed);
  attribute.domain = domain;
  attribute.measure = measure;
  std::set<ConceptId> drawn;
  while (drawn.size() < values) {
    drawn.insert(1 + static_cast<ConceptId>(next_random(seed) % (kConcepts - 1)));
  }
  return {std::make_shared<const Attribute>(std::move(attribute)), {drawn.begin(), drawn.end()}};
}

Column texts(std::size_t values) {
  Column column;
  std::vector<std::string> all;
  for (std::size_t v = 0; v < values; ++v) {
    all.push_back(std::to_string(1'000'000 + v));
    column.values.push_back(static_cast<ConceptId>(v));
  }
  column.attribute = std::make_shared<const Attribute>(text_attribute("texts", std::move(all)));
  return column;
}

Column numbers(std::size_t values) {
  Column column;
  std::vector<double> all;
  for (std::size_t v = 0; v < values; ++v) {
    all.push_back(static_cast<double>(v));
    column.values.push_back(static_cast<ConceptId>(v));
  }
  column.attribute = std::make_shared<const Attribute>(
      numeric_attribute("numbers", std::move(all), static_cast<double>(values)));
  return column;
}

// The lower of two draws: some values are far more frequent than others.
Code skewed(std::size_t values, std::uint64_t& seed) {
  return static_cast<Code>(std::min(next_random(seed) % values, next_random(seed) % values));
}

// So many distinct tuples with at least one record each, the rest of the records among them.
ClassTable table_of(const std::vector<Column>& columns, std::size_t tuples, std::size_t records) {
  ClassTable table;
  for (const Column& column : columns) {
    table.attributes.push_back(column.attribute);
    table.values.push_back(column.values);
  }
  std::uint64_t seed = 17;
  std::map<std::vector<Code>, std::uint64_t> counts;
  std::vector<std::uint64_t*> places;
  while (counts.size() < tuples) {
    std::vector<Code> tuple;
    for (const Column& column : columns) {
      tuple.push_back(columns.size() == 1 ? static_cast<Code>(counts.size())
                                          : skewed(column.values.size(), seed));
    }
    const auto [at, is_new] = counts.try_emplace(std::move(tuple), 1);
    if (is_new) places.push_back(&at->second);
  }
  // The most frequent one in some hundred tuples has most of the records.
  for (std::size_t i = tuples; i < records; ++i) {
    ++*places[std::min(skewed(tuples, seed), skewed(tuples, seed))];
  }
  for (const auto& [tuple, count] : counts) {
    table.tuples.insert(table.tuples.end(), tuple.begin(), tuple.end());
    table.counts.push_back(count);
  }
  return table;
}

void run(benchmark::State& state, const ClassTable& table, const FuseOptions& options) {
  const Key key = Key::from_bytes(std::array<unsigned char, Key::kSize>{3});
  for (auto _ : state) benchmark::DoNotOptimize(fuse_tuples(table, options, key));
  const auto small =
      std::ranges::count_if(table.counts, [&](std::uint64_t count) { return count < options.k; });
  state.SetLabel(std::to_string(table.records()) + " records, " + std::to_string(table.size()) +
                 " distinct, " + std::to_string(small) + " below k = " + std::to_string(options.k));
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  state.counters["peak_megabytes"] = static_cast<double>(usage.ru_maxrss) / 1024;
}

// The size of the paper's table: 975 answers, 211 different pairs.
void fuse_paper(benchmark::State& state) {
  const ClassTable table = table_of({concepts(60, 5), concepts(60, 6)}, 211, 975);
  run(state, table, {.k = static_cast<std::uint64_t>(state.range(0))});
}
BENCHMARK(fuse_paper)->Arg(5)->Arg(15)->Unit(benchmark::kMillisecond);

// Threads.
void fuse_three_columns(benchmark::State& state) {
  const ClassTable table =
      table_of({concepts(300, 5), concepts(1000, 6), concepts(100, 7)}, 20'000, 60'000);
  run(state, table, {.k = 5, .threads = static_cast<unsigned>(state.range(0))});
}
BENCHMARK(fuse_three_columns)->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond)->Iterations(1);

// Hardly any two tuples share more than a value.
void fuse_five_columns(benchmark::State& state) {
  const ClassTable table =
      table_of({concepts(300, 5), concepts(1000, 6), concepts(100, 7), texts(8), numbers(80)},
               60'000, 1'000'000);
  run(state, table, {.k = 5, .threads = static_cast<unsigned>(state.range(0))});
}
BENCHMARK(fuse_five_columns)->Arg(1)->Arg(2)->Unit(benchmark::kMillisecond)->Iterations(1);

// Coarse columns, as quasi-identifiers of people are: most tuples have close neighbours.
void fuse_coarse_columns(benchmark::State& state) {
  const ClassTable table =
      table_of({concepts(12, 5), concepts(40, 6), concepts(16, 7), texts(2), numbers(70)}, 60'000,
               1'000'000);
  run(state, table, {.k = static_cast<std::uint64_t>(state.range(0)), .threads = 2});
}
BENCHMARK(fuse_coarse_columns)->Arg(5)->Arg(50)->Unit(benchmark::kMillisecond)->Iterations(1);

// Uniques only.
void fuse_uniques(benchmark::State& state) {
  const ClassTable table = table_of(
      {concepts(12, 5), concepts(40, 6), concepts(16, 7), texts(2), numbers(70)}, 60'000, 60'000);
  run(state, table, {.k = 5, .threads = 2});
}
BENCHMARK(fuse_uniques)->Unit(benchmark::kMillisecond)->Iterations(1);

// All texts: everything is tied.
void fuse_texts(benchmark::State& state) {
  const auto tuples = static_cast<std::size_t>(state.range(1));
  std::vector<Column> columns;
  for (std::int64_t j = 0; j < state.range(0); ++j) {
    columns.push_back(texts(state.range(0) == 1 ? tuples : 40));
  }
  run(state, table_of(columns, tuples, tuples * 2), {.k = 5, .threads = 2});
}
BENCHMARK(fuse_texts)
    ->Args({1, 5000})
    ->Args({1, 20'000})
    ->Args({3, 20'000})
    ->Args({5, 60'000})
    ->Unit(benchmark::kMillisecond)
    ->Iterations(1);

// One column with too many values for a table of distances.
void fuse_many_values(benchmark::State& state) {
  const ClassTable table = table_of({concepts(20'000, 5)}, 20'000, 60'000);
  run(state, table, {.k = 5, .threads = 2});
}
BENCHMARK(fuse_many_values)->Unit(benchmark::kMillisecond)->Iterations(1);

// A star with its middle: everybody has the same only nearest value.
void fuse_star(benchmark::State& state) {
  const auto values = static_cast<std::uint32_t>(state.range(0));
  OntologyDraft draft;
  draft.info.format = "generated";
  Column column;
  for (std::uint32_t c = 0; c < values; ++c) {
    draft.add_concept("c" + std::to_string(c));
    if (c > 0) draft.add_link(c, 0);
    column.values.push_back(c);
  }
  const Ontology star = *std::move(draft).finish("star");
  Attribute attribute;
  attribute.name = "star";
  attribute.domain = std::make_shared<const Domain>(Domain::whole(*star.taxonomy()));
  attribute.measure = *make_measure(*star.taxonomy());
  column.attribute = std::make_shared<const Attribute>(std::move(attribute));
  run(state, table_of({column}, values, values), {.k = 3});
}
BENCHMARK(fuse_star)->Arg(2000)->Arg(20'000)->Unit(benchmark::kMillisecond)->Iterations(1);

}  // namespace
}  // namespace semveil::bench
