// Whatever the bytes, the loader answers with an ontology or an error.
#include "fuzz/touch.h"
#include "ontology/loaders.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  const std::string_view text = semveil::fuzz::text_of(data, size);
  semveil::fuzz::touch(semveil::read_icd9cm({semveil::InputStream::over(text), "input"}));
  return 0;
}
