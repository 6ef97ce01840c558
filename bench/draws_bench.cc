// Draws and deviates, one thread.
//
//   bytes_per_second   of the key stream, rows in sequence and addresses anywhere
//   items_per_second   deviates
#include <benchmark/benchmark.h>

#include <vector>

#include "base/deviates.h"
#include "semveil/key.h"

namespace semveil::bench {
namespace {

constexpr std::size_t kBatch = 1 << 14;

Draws draws() {
  const std::array<unsigned char, Key::kSize> bytes{1, 2, 3};
  return {Key::from_bytes(bytes), "column"};
}

void of_rows(benchmark::State& state) {
  const Draws column = draws();
  std::vector<std::uint64_t> out(kBatch);
  std::uint64_t row = static_cast<std::uint64_t>(state.range(0));
  for (auto _ : state) {
    column.of_rows(row, 0, out);
    benchmark::DoNotOptimize(out.data());
    row += kBatch;
  }
  state.SetBytesProcessed(static_cast<std::int64_t>(kBatch * 8) * state.iterations());
}

void of_addresses(benchmark::State& state) {
  const Draws column = draws();
  std::vector<std::uint64_t> addresses(kBatch);
  column.of_rows(0, 1, addresses);
  std::vector<std::uint64_t> out(kBatch);
  for (auto _ : state) {
    column.of_addresses(addresses, 0, out);
    benchmark::DoNotOptimize(out.data());
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(kBatch) * state.iterations());
}

void address(benchmark::State& state) {
  const Draws column = draws();
  for (auto _ : state) benchmark::DoNotOptimize(column.address("P-000017", "chronic gastritis"));
}

template <double (*kDeviate)(std::uint64_t)>
void deviates(benchmark::State& state) {
  std::vector<std::uint64_t> bits(kBatch);
  draws().of_rows(0, 0, bits);
  for (auto _ : state) {
    double sum = 0;
    for (const std::uint64_t b : bits) sum += kDeviate(b);
    benchmark::DoNotOptimize(sum);
  }
  state.SetItemsProcessed(static_cast<std::int64_t>(kBatch) * state.iterations());
}

BENCHMARK(of_rows)->Arg(0)->Arg(3);
BENCHMARK(of_addresses);
BENCHMARK(address);
BENCHMARK(deviates<normal_deviate>)->Name("normal_deviate");
BENCHMARK(deviates<laplace_deviate>)->Name("laplace_deviate");

}  // namespace
}  // namespace semveil::bench
