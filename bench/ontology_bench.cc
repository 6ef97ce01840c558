// Reading ontologies: WordNet from its text files and from a snapshot, and a snapshot of 350,000
// generated concepts up to its first verified distance.
#include <benchmark/benchmark.h>
#include <malloc.h>
#include <unistd.h>

#include <filesystem>

#include "bench/generated_dag.h"
#include "ontology/loaders.h"
#include "ontology/snapshot/snapshot.h"
#include "semveil/mapping.h"
#include "semveil/measure.h"

namespace semveil::bench {
namespace {

std::string scratch_file(const char* name) {
  return (std::filesystem::temp_directory_path() / (std::to_string(::getpid()) + name)).string();
}

double heap_bytes() { return static_cast<double>(::mallinfo2().uordblks); }

void wordnet_from_text(benchmark::State& state) {
  const Result<std::string> folder = find_wordnet();
  if (!folder) return state.SkipWithError("no WordNet installed");
  double bytes = 0;
  for (auto _ : state) {
    const double before = heap_bytes();
    const Result<Ontology> ontology = std::move(*load_wordnet(*folder)).finish(*folder);
    bytes = heap_bytes() - before;
    benchmark::DoNotOptimize(ontology->names());
  }
  state.counters["megabytes"] = bytes / 1e6;
}

class SnapshotFile {
 public:
  explicit SnapshotFile(OntologyDraft draft, const char* name) : path_(scratch_file(name)) {
    (void)write_snapshot(*std::move(draft).finish(name), path_);
  }
  ~SnapshotFile() { std::filesystem::remove(path_); }
  const std::string& path() const { return path_; }

 private:
  std::string path_;
};

SnapshotFile snapshot_file(std::int64_t generated) {
  if (generated != 0) return SnapshotFile(generated_dag(350000), "-generated.svo");
  return SnapshotFile(*load_wordnet(*find_wordnet()), "-wordnet.svo");
}

void snapshot_open(benchmark::State& state) {
  if (!find_wordnet()) return state.SkipWithError("no WordNet installed");
  const SnapshotFile file = snapshot_file(state.range(0));
  for (auto _ : state) {
    const Result<Ontology> ontology = open_snapshot(file.path());
    benchmark::DoNotOptimize(ontology->info().format.data());
  }
  state.counters["megabytes"] = static_cast<double>(std::filesystem::file_size(file.path())) / 1e6;
  state.SetLabel(state.range(0) != 0 ? "generated" : "wordnet");
}

// Opens the file, checks every section that is used, finds two concepts by name, measures.
void snapshot_first_distance(benchmark::State& state) {
  if (!find_wordnet()) return state.SkipWithError("no WordNet installed");
  const SnapshotFile file = snapshot_file(state.range(0));
  const bool generated = state.range(0) != 0;
  for (auto _ : state) {
    const Result<Ontology> ontology = open_snapshot(file.path());
    const Result<Mapper> mapper = Mapper::create(*ontology);
    const Match a = mapper->match(generated ? "finding number 349999" : "dog");
    const Match b = mapper->match(generated ? "disorder 250000 of the body" : "cat");
    const auto measure = *make_measure(*ontology->taxonomy());
    benchmark::DoNotOptimize(measure->explain(a.senses[0], b.senses[0]).distance);
  }
  state.SetLabel(generated ? "generated" : "wordnet");
}

BENCHMARK(wordnet_from_text)->Unit(benchmark::kMillisecond);
BENCHMARK(snapshot_open)->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);
BENCHMARK(snapshot_first_distance)->Arg(0)->Arg(1)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace semveil::bench
