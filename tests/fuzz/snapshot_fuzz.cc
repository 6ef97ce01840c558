// Hostile snapshots. The checksums are put right first, else hardly an input would get past them:
// what is tested is that the checks behind them let nothing through that the engine trips over.
#define XXH_INLINE_ALL
#include <xxhash.h>

#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <memory>
#include <string>

#include "fuzz/touch.h"
#include "ontology/snapshot/snapshot.h"

namespace {

constexpr std::size_t kHeader = 32;  // then the section table, 24 bytes each
constexpr std::size_t kSections = 16;
constexpr std::size_t kTableEnd = kHeader + 24 * kSections;

std::uint64_t read_number(const char* at) {
  std::uint64_t number = 0;
  std::memcpy(&number, at, sizeof number);
  return number;
}
void write_number(char* at, std::uint64_t number) { std::memcpy(at, &number, sizeof number); }

void mend_checksums(char* bytes, std::size_t size) {
  if (size < kTableEnd) return;
  for (std::size_t s = 0; s < kSections; ++s) {
    char* entry = bytes + kHeader + 24 * s;
    const std::uint64_t offset = read_number(entry);
    const std::uint64_t length = read_number(entry + 8);
    if (offset > size || length > size - offset) continue;
    write_number(entry + 16, XXH3_64bits(bytes + offset, length));
  }
  write_number(bytes + 16, size);
  write_number(bytes + 24, 0);
  write_number(bytes + 24, XXH3_64bits(bytes, kTableEnd));
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::shared_ptr<char> memory(
      static_cast<char*>(std::aligned_alloc(64, (size + 64) / 64 * 64)), std::free);
  std::memcpy(memory.get(), data, size);
  mend_checksums(memory.get(), size);
  const auto ontology = semveil::open_snapshot({memory.get(), size}, memory, "fuzz");
  if (ontology && ontology->verify()) {
    semveil::fuzz::touch(*ontology, semveil::fuzz::Trust::kNo);
  }
  return 0;
}
