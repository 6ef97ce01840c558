#include "ontology/source.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "ontology/loaders.h"

namespace semveil {
namespace {

constexpr std::array<std::pair<std::string_view, SourceFormat>, 4> kSchemes{{
    {"wordnet", SourceFormat::kWordNet},
    {"obo", SourceFormat::kObo},
    {"edges", SourceFormat::kEdges},
    {"vgh", SourceFormat::kVgh},
}};

constexpr std::string_view kForms =
    "write wordnet, wordnet:DIR, obo:FILE, edges:FILE, vgh:FILE or FILE.svo";

bool looks_like_scheme(std::string_view text) {
  return text.size() > 1 && std::all_of(text.begin(), text.end(), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
         });
}

// The ending without .gz or .zst.
std::string_view ending(std::string_view path) {
  for (const std::string_view packed : {".gz", ".zst"}) {
    if (path.ends_with(packed)) path.remove_suffix(packed.size());
  }
  const std::size_t dot = path.rfind('.');
  return dot == std::string_view::npos ? std::string_view() : path.substr(dot);
}

Result<Source> by_ending(std::string_view text) {
  const std::string_view end = ending(text);
  const std::string path(text);
  if (end == ".svo") return Source{path, SourceFormat::kSnapshot, path};
  if (end == ".obo") return Source{path, SourceFormat::kObo, path};
  if (end == ".csv" || end == ".tsv" || end == ".txt") {
    return fail(
        usage_error(fmt::format("a table of links or levels? Write edges:{0} (child,parent"
                                "[,label]) or vgh:{0} (one row a value, then its "
                                "generalisations)",
                                text)));
  }
  return fail(
      usage_error(fmt::format("'{}' does not tell which ontology is meant: {}", text, kForms)));
}

}  // namespace

Result<Source> parse_source(std::string_view text) {
  if (text == "wordnet") {
    Result<std::string> folder = find_wordnet();
    if (!folder) return fail(folder.error());
    return Source{std::string(text), SourceFormat::kWordNet, *std::move(folder)};
  }
  const std::size_t colon = text.find(':');
  if (colon == std::string_view::npos) return by_ending(text);
  const std::string_view scheme = text.substr(0, colon);
  const std::string path(text.substr(colon + 1));
  for (const auto& [name, format] : kSchemes) {
    if (scheme != name) continue;
    if (path.empty()) {
      return fail(usage_error(fmt::format("'{}' names no file: {}", text, kForms)));
    }
    return Source{std::string(text), format, path};
  }
  std::error_code ignored;
  if (looks_like_scheme(scheme) && !std::filesystem::exists(text, ignored)) {
    return fail(usage_error(fmt::format("there is no loader '{}': {}", scheme, kForms)));
  }
  return by_ending(text);
}

std::vector<std::string> Source::files() const {
  if (format != SourceFormat::kWordNet) return {path};
  return {path + "/data.noun", path + "/index.noun", path + "/noun.exc"};
}

Result<OntologyDraft> Source::load() const {
  switch (format) {
    case SourceFormat::kWordNet:
      return load_wordnet(path);
    case SourceFormat::kObo:
      return load_obo(path);
    case SourceFormat::kEdges:
      return load_edges(path);
    case SourceFormat::kVgh:
      return load_vgh(path);
    case SourceFormat::kSnapshot:
      break;
  }
  return fail(usage_error("a snapshot is opened, not loaded"));
}

}  // namespace semveil
