// Reading a generated SNOMED CT release of full size (350,000 concepts, 1.2 million relationships,
// 1.1 million descriptions, 2.1 million rows of language reference sets), beside a plain read of
// the same bytes; and opening its snapshot.
#include <benchmark/benchmark.h>
#include <unistd.h>

#include <filesystem>
#include <vector>

#include "base/bytes.h"
#include "ontology/loaders.h"
#include "ontology/snapshot/snapshot.h"
#include "support/generated_rf2.h"

namespace semveil::bench {
namespace {

class Release {  // written once, gone at the end
 public:
  static const Release& generated() {
    static const Release release;
    return release;
  }
  ~Release() { std::filesystem::remove_all(folder_); }
  Release(const Release&) = delete;
  Release& operator=(const Release&) = delete;

  const std::string& path() const { return path_; }
  std::string snapshot() const { return folder_ + "/release.svo"; }
  double bytes() const { return bytes_; }

 private:
  Release()
      : folder_((std::filesystem::temp_directory_path() / (std::to_string(::getpid()) + "-rf2"))
                    .string()),
        path_(folder_ + "/release") {
    test::write_files(test::generated_rf2({350000, 1, false}), path_);
    for (const std::string& file : rf2_files(path_)) {
      bytes_ += static_cast<double>(std::filesystem::file_size(file));
    }
    (void)write_snapshot(*std::move(*load_rf2(path_, "")).finish(path_), snapshot());
  }

  std::string folder_, path_;
  double bytes_ = 0;
};

void set_rate(benchmark::State& state) {
  state.SetBytesProcessed(static_cast<std::int64_t>(Release::generated().bytes() *
                                                    static_cast<double>(state.iterations())));
}

void rf2_plain_read(benchmark::State& state) {
  const std::vector<std::string> files = rf2_files(Release::generated().path());
  std::vector<char> piece(std::size_t{1} << 20);
  for (auto _ : state) {
    for (const std::string& file : files) {
      const auto stream = *InputStream::open(file);
      while (*stream->read(piece.data(), piece.size()) > 0) benchmark::ClobberMemory();
    }
  }
  set_rate(state);
}

void rf2_load(benchmark::State& state) {
  const std::string& path = Release::generated().path();
  for (auto _ : state) {
    const Result<Ontology> ontology = std::move(*load_rf2(path, "")).finish(path);
    benchmark::DoNotOptimize(ontology->names());
  }
  set_rate(state);
}

void rf2_snapshot_open(benchmark::State& state) {
  const std::string path = Release::generated().snapshot();
  for (auto _ : state) {
    const Result<Ontology> ontology = open_snapshot(path);
    benchmark::DoNotOptimize(ontology->info().format.data());
  }
  state.counters["megabytes"] = static_cast<double>(std::filesystem::file_size(path)) / 1e6;
}

BENCHMARK(rf2_plain_read)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(rf2_load)->Unit(benchmark::kMillisecond)->UseRealTime();
BENCHMARK(rf2_snapshot_open)->Unit(benchmark::kMillisecond);

}  // namespace
}  // namespace semveil::bench
