// Whatever the bytes, the loader answers with an ontology or an error. A line "%%" stands between
// the files: concepts, relationships, descriptions, text definitions, language and association
// reference sets; then the same of an extension that has Full files.
#include <algorithm>
#include <array>
#include <map>

#include "fuzz/touch.h"
#include "ontology/loaders.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  constexpr std::array<const char*, 12> kNames{
      "sct2_Concept_Snapshot_INT_20200131.txt",
      "sct2_Relationship_Snapshot_INT_20200131.txt",
      "sct2_Description_Snapshot-en_INT_20200131.txt",
      "sct2_TextDefinition_Snapshot-en_INT_20200131.txt",
      "der2_cRefset_LanguageSnapshot-en_INT_20200131.txt",
      "der2_cRefset_AssociationSnapshot_INT_20200131.txt",
      "sct2_Concept_Full_XX1000000_20210131.txt",
      "sct2_Relationship_Full_XX1000000_20210131.txt",
      "sct2_Description_Full-en_XX1000000_20210131.txt",
      "sct2_TextDefinition_Full-en_XX1000000_20210131.txt",
      "der2_cRefset_LanguageFull-en_XX1000000_20210131.txt",
      "der2_cRefset_AssociationFull_XX1000000_20210131.txt"};
  std::string_view rest = semveil::fuzz::text_of(data, size);
  std::map<std::string, std::string_view> files;
  for (const char* name : kNames) {
    if (rest.empty()) break;
    constexpr std::string_view kMarker = "%%\n";
    const std::size_t end = rest.find(kMarker);
    files[name] = rest.substr(0, end);
    rest.remove_prefix(end == rest.npos ? rest.size() : end + kMarker.size());
  }
  semveil::Rf2Release release;
  for (const auto& [name, text] : files) release.names.push_back(name);
  release.path = "input";
  release.open = [&](const std::string& name) -> semveil::Result<semveil::NamedStream> {
    return semveil::NamedStream{semveil::InputStream::over(files.at(name)), "input/" + name};
  };
  semveil::fuzz::touch(semveil::read_rf2(release, ""));
  return 0;
}
