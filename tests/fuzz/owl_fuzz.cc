// Whatever the bytes, the loader answers with an ontology or an error. The first byte chooses the
// syntax that the file's name claims.
#include <array>

#include "fuzz/touch.h"
#include "ontology/loaders.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  namespace fuzz = semveil::fuzz;
  if (size == 0) return 0;
  constexpr std::array<const char*, 3> kNames{"input.owl", "input.ttl", "input.nt"};
  const std::string_view text = fuzz::text_of(data + 1, size - 1);
  fuzz::touch(semveil::read_owl({semveil::InputStream::over(text), kNames[data[0] % 3]},
                                data[0] >= 0x80 ? "de" : ""));
  return 0;
}
