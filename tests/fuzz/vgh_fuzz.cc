// Whatever the bytes, the loader answers with an ontology or an error.
#include "fuzz/touch.h"
#include "ontology/loaders.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  semveil::fuzz::touch(semveil::parse_vgh(semveil::fuzz::text_of(data, size), "input"));
  return 0;
}
