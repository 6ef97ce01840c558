// Where WordNet's files are.
#include <fmt/format.h>

#include <array>
#include <cstdlib>
#include <filesystem>
#include <utility>

#include "base/bytes.h"
#include "base/own_folder.h"
#include "ontology/loaders.h"

namespace semveil {

Result<OntologyDraft> load_wordnet(const std::string& directory) {
  const std::filesystem::path folder = directory;
  std::error_code ignored;
  if (!std::filesystem::exists(folder / "data.noun", ignored)) {
    return fail(data_error("no data.noun here: give the folder that holds WordNet's data.noun and "
                           "index.noun (it is often called dict)")
                    .at(directory));
  }
  const auto data = FileBytes::read((folder / "data.noun").string());
  if (!data) return fail(data.error());
  const auto index = FileBytes::read((folder / "index.noun").string());
  if (!index) return fail(index.error());
  Result<FileBytes> exceptions;
  if (std::filesystem::exists(folder / "noun.exc", ignored)) {
    exceptions = FileBytes::read((folder / "noun.exc").string());
    if (!exceptions) return fail(exceptions.error());
  }
  return parse_wordnet(
      {data->view(), index->view(), exceptions->view(), (folder / "data.noun").string()});
}

Result<std::string> find_wordnet() {
  constexpr std::array kUsual{"/usr/share/wordnet",          "/usr/local/share/wordnet",
                              "/usr/share/wordnet/dict",     "/usr/local/WordNet-3.1/dict",
                              "/usr/local/WordNet-3.0/dict", "/opt/homebrew/opt/wordnet/dict",
                              "/usr/local/opt/wordnet/dict"};
  return find_wordnet(kUsual, own_folder());
}

Result<std::string> find_wordnet(std::span<const char* const> usual,
                                 const std::filesystem::path& own_folder) {
  std::error_code ignored;
  const auto holds_wordnet = [&ignored](const std::filesystem::path& folder) {
    return std::filesystem::exists(folder / "data.noun", ignored);
  };
  for (const auto& [variable, below] :
       {std::pair("WNSEARCHDIR", ""), std::pair("WNHOME", "dict")}) {
    const char* value = std::getenv(variable);
    if (value == nullptr || *value == '\0') continue;
    const std::filesystem::path folder = std::filesystem::path(value) / below;
    if (holds_wordnet(folder)) return folder.string();
    // Whoever sets the variable wants that WordNet, not another one.
    return fail(data_error(fmt::format("${} leads here, but there is no data.noun: correct the "
                                       "variable, or name the folder as wordnet:DIR",
                                       variable))
                    .at(folder.string()));
  }
  for (const char* folder : usual) {
    if (holds_wordnet(folder)) return std::string(folder);
  }
  if (!own_folder.empty()) {
    std::filesystem::path brought = own_folder.parent_path() / "share/semveil/wordnet.svo.zst";
    if (std::filesystem::exists(brought, ignored)) return brought.string();
  }
  return fail(
      data_error("no WordNet is installed in the usual places: install it (Debian: "
                 "apt install wordnet-base) or name its folder as wordnet:DIR"));
}

}  // namespace semveil
