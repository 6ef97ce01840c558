// Every loader over the same generated taxonomy, beside a plain read of the same bytes: seconds a
// run, and megabytes a second of what was read. RF2, which is several files, has a file of its own.
#include <benchmark/benchmark.h>

#include "bench/generated_dag.h"
#include "ontology/loaders.h"
#include "tests/support/every_format.h"

namespace semveil::bench {
namespace {

using test::Numbered;

// As generated_dag.h, in 30,000 concepts; a tree for formats that hold no more.
const Numbered& taxonomy(bool tree) {
  const auto make = [](bool only_one) {
    std::vector<std::pair<std::size_t, std::size_t>> links;
    std::vector<std::size_t> numbers;
    std::uint64_t state = 1;
    for (std::size_t c = 0; c < 30000; ++c) {
      numbers.push_back(c * 7919 % 30000);
      if (c == 0) continue;
      links.emplace_back(c, next_random(state) % (c / 2 + 1));
      if (!only_one && next_random(state) % 3 == 0) {
        links.emplace_back(c, next_random(state) % (links.back().second + 1));
      }
    }
    return Numbered(links, numbers);
  };
  static const Numbered one = make(true);
  static const Numbered several = make(false);
  return tree ? one : several;
}

struct Format {
  const char* name;
  std::string (*write)(const Numbered&);
  Result<OntologyDraft> (*load)(NamedStream);
  bool tree = false;
};

template <Result<OntologyDraft> (*kParse)(std::string_view, const std::string&)>
Result<OntologyDraft> whole(NamedStream input) {
  const Result<FileBytes> bytes = FileBytes::read_all(*input.stream, input.name);
  return kParse(bytes->view(), input.name);
}
Result<OntologyDraft> owl(NamedStream input) { return read_owl(std::move(input), ""); }
Result<OntologyDraft> skos(NamedStream input) { return read_skos(std::move(input), ""); }
Result<OntologyDraft> claml(NamedStream input) { return read_claml(std::move(input), ""); }

const Format kFormats[] = {
    {"x.csv", test::as_edges, whole<parse_edges>},
    {"x.obo", test::as_obo, whole<parse_obo>},
    {"skos.ttl", test::as_skos, skos},
    {"owl.nt", test::as_owl_triples, owl},
    {"owl.ttl", test::as_owl_triples, owl},
    {"owl.owl", test::as_owl_xml, owl},
    {"claml.xml", test::as_claml, claml},
    {"mesh.xml", test::as_mesh_xml, read_mesh},
    {"mesh.bin", test::as_mesh_ascii, read_mesh},
    {"mesh.txt", test::as_mesh_tree, read_mesh},
    {"icd9cm.csv", test::as_icd9_tree, read_icd9cm, true},
};

void loader(benchmark::State& state, const Format& format) {
  const std::string text = format.write(taxonomy(format.tree));
  for (auto _ : state) {
    Result<OntologyDraft> draft = format.load({InputStream::over(text), format.name});
    if (!draft) return state.SkipWithError(draft.error().message.c_str());
    const Result<Ontology> ontology = std::move(*draft).finish(format.name);
    if (!ontology) return state.SkipWithError(ontology.error().message.c_str());
    benchmark::DoNotOptimize(ontology->names());
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(text.size()));
}

void plain_read(benchmark::State& state, const Format& format) {
  const std::string text = format.write(taxonomy(format.tree));
  for (auto _ : state) {
    const auto stream = InputStream::over(text);
    benchmark::DoNotOptimize(FileBytes::read_all(*stream, format.name)->view().data());
  }
  state.SetBytesProcessed(state.iterations() * static_cast<std::int64_t>(text.size()));
}

const bool kRegistered = [] {
  for (const Format& format : kFormats) {
    const std::string name = format.name;
    benchmark::RegisterBenchmark(("loader/" + name).c_str(), [&](benchmark::State& state) {
      loader(state, format);
    })->Unit(benchmark::kMillisecond);
    benchmark::RegisterBenchmark(("plain_read/" + name).c_str(), [&](benchmark::State& state) {
      plain_read(state, format);
    })->Unit(benchmark::kMillisecond);
  }
  return true;
}();

}  // namespace
}  // namespace semveil::bench
