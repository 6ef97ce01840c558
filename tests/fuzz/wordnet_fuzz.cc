// Whatever the bytes, the loader answers with an ontology or an error. A line "%%" stands between
// data.noun, index.noun and noun.exc.
#include "fuzz/touch.h"
#include "ontology/loaders.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  std::string_view rest = semveil::fuzz::text_of(data, size);
  const auto next_file = [&rest] {
    constexpr std::string_view kMarker = "%%\n";
    const std::size_t end = rest.find(kMarker);
    const std::string_view file = rest.substr(0, end);
    rest.remove_prefix(end == std::string_view::npos ? rest.size() : end + kMarker.size());
    return file;
  };
  semveil::WordNetText text;
  text.data = next_file();
  text.index = next_file();
  text.exceptions = next_file();
  text.name = "data.noun";
  semveil::fuzz::touch(semveil::parse_wordnet(text));
  return 0;
}
