// Linkage and attacks on pairs of tables.
//
//   adult_*         Adult's 30,162 complete records, 8 quasi-identifiers, 18,109 distinct tuples
//   wordnet_*       1,000,000 records of 5 columns of 60 words each, 30,000 distinct tuples
//   change          how the release was made: 0 as it was, 1 a cell in four is another record's,
//                   2 columns shuffled independently, the worst for linkage: nothing is near
//   peak_megabytes  most memory the process has held so far: run a benchmark alone to see its own
#include <benchmark/benchmark.h>
#include <sys/resource.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <set>

#include "bench/adult_table.h"
#include "bench/generated_dag.h"
#include "figures/attacks.h"
#include "figures/semantic_linkage.h"
#include "figures/singling_out.h"
#include "figures/window_linkage.h"

namespace semveil::bench {
namespace {

constexpr unsigned kThreads = 2;

void note_memory(benchmark::State& state) {
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
  state.counters["peak_megabytes"] = static_cast<double>(usage.ru_maxrss) / 1024;
}

// Records by record, then column.
struct Records {
  std::vector<std::shared_ptr<const Attribute>> attributes;
  std::vector<std::vector<ConceptId>> cells;
};

// Distinct pairs: a million records are never compared one by one.
Paired released(const Records& records, long change) {
  const std::size_t n = records.cells.size(), width = records.attributes.size();
  std::vector<std::vector<ConceptId>> after = records.cells;
  std::uint64_t seed = 5;
  for (std::size_t j = 0; j < width; ++j) {
    for (std::size_t i = n; change == 2 && i > 1; --i) {
      std::swap(after[i - 1][j], after[next_random(seed) % i][j]);
    }
    for (std::size_t i = 0; change == 1 && i < n; ++i) {
      if (next_random(seed) % 4 == 0) after[i][j] = records.cells[next_random(seed) % n][j];
    }
  }
  std::map<std::pair<std::vector<ConceptId>, std::vector<ConceptId>>, std::uint64_t> counts;
  for (std::size_t i = 0; i < n; ++i) ++counts[{records.cells[i], after[i]}];
  Paired out;
  out.attributes = records.attributes;
  for (const auto& [pair, count] : counts) {
    out.before.insert(out.before.end(), pair.first.begin(), pair.first.end());
    out.after.insert(out.after.end(), pair.second.begin(), pair.second.end());
    out.counts.push_back(count);
  }
  return out;
}

const Records& adult() {
  static const Records records = [] {
    Records out;
    const char* folder = std::getenv("SEMVEIL_DATA");  // NOLINT(concurrency-mt-unsafe)
    const ClassTable table = adult_table(folder != nullptr ? folder : "../shared/data", true);
    const std::set<std::string> wanted = {
        "sex",       "age",       "race", "education", "marital-status", "native-country",
        "workclass", "occupation"};
    std::vector<std::size_t> columns;
    for (std::size_t j = 0; j < table.attributes.size(); ++j) {
      if (!wanted.contains(table.attributes[j]->name)) continue;
      columns.push_back(j);
      out.attributes.push_back(table.attributes[j]);
    }
    for (std::size_t t = 0; t < table.counts.size(); ++t) {
      std::vector<ConceptId> record;
      for (const std::size_t j : columns) record.push_back(table.values[j][table.tuple(t)[j]]);
      out.cells.insert(out.cells.end(), table.counts[t], record);
    }
    return out;
  }();
  return records;
}

const Records& wordnet() {
  static const Records records = [] {
    Records out;
    const Result<Ontology> ontology = open_ontology("wordnet", {.use_cache = false});
    if (!ontology) return out;
    const std::shared_ptr<const Taxonomy> taxonomy = *ontology->taxonomy();
    Attribute attribute;
    attribute.names = *ontology->names();
    attribute.domain = std::make_shared<const Domain>(Domain::whole(taxonomy));
    attribute.measure = *make_measure(taxonomy);
    out.attributes.assign(5, std::make_shared<const Attribute>(attribute));
    std::uint64_t seed = 9;
    std::vector<std::vector<ConceptId>> words(5);
    for (auto& column : words) {
      for (int i = 0; i < 60; ++i) {
        column.push_back(static_cast<ConceptId>(next_random(seed) % taxonomy->size()));
      }
    }
    std::vector<std::vector<ConceptId>> tuples(30'000);
    for (auto& tuple : tuples) {
      for (const auto& column : words) tuple.push_back(column[next_random(seed) % column.size()]);
    }
    for (int i = 0; i < 1'000'000; ++i) {
      out.cells.push_back(tuples[next_random(seed) % tuples.size()]);
    }
    return out;
  }();
  return records;
}

template <class Measured>
void run(benchmark::State& state, const Records& records, const Measured& measured) {
  if (records.cells.empty()) {
    state.SkipWithError("the data is not here");
    return;
  }
  const Paired pairs = released(records, state.range(0));
  for (auto _ : state) state.counters["rate"] = measured(pairs);
  state.counters["originals"] = static_cast<double>(classes_of(pairs, Side::kBefore).size());
  state.counters["released"] = static_cast<double>(classes_of(pairs, Side::kAfter).size());
  note_memory(state);
}

double linkage(const Paired& pairs) { return linked_by_meaning(pairs, kThreads).mean; }

double window(const Paired& pairs) {
  WindowOptions options;
  for (std::size_t j = 0; j < pairs.width(); ++j) options.swapped.push_back(j);
  options.threads = kThreads;
  return linked_by_window(pairs, options).mean;
}

double contributions(const Paired& pairs) {
  return without_each_column(pairs, kThreads).front().linkage;
}

double all_attacks(const Paired& pairs) {
  const Classes control = classes_of(pairs, Side::kBefore);
  return *linkability(pairs, &control, kThreads)->rate + *inference(pairs, &control, kThreads).rate;
}

double all_guesses(const Paired& pairs) {
  return singling_out(pairs.attributes, classes_of(pairs, Side::kBefore),
                      classes_of(pairs, Side::kAfter), nullptr, MissingRule::kKeep, kThreads)
      .attack.rate.value_or(0);
}

void adult_linkage(benchmark::State& state) { run(state, adult(), linkage); }
void adult_window(benchmark::State& state) { run(state, adult(), window); }
void adult_contributions(benchmark::State& state) { run(state, adult(), contributions); }
void adult_attacks(benchmark::State& state) { run(state, adult(), all_attacks); }
void adult_guesses(benchmark::State& state) { run(state, adult(), all_guesses); }
void wordnet_linkage(benchmark::State& state) { run(state, wordnet(), linkage); }
void wordnet_window(benchmark::State& state) { run(state, wordnet(), window); }

BENCHMARK(adult_linkage)->DenseRange(0, 2)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(adult_window)->DenseRange(0, 2)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(adult_contributions)->DenseRange(0, 2)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(adult_attacks)->DenseRange(0, 2)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(adult_guesses)->DenseRange(0, 2)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(wordnet_linkage)->Arg(0)->UseRealTime()->Unit(benchmark::kMillisecond);
BENCHMARK(wordnet_window)->Arg(0)->UseRealTime()->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace semveil::bench
