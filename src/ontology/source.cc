#include "ontology/source.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <filesystem>

#include "ontology/loaders.h"

namespace semveil {
namespace {

constexpr std::array<std::pair<std::string_view, SourceFormat>, 11> kSchemes{{
    {"wordnet", SourceFormat::kWordNet},
    {"obo", SourceFormat::kObo},
    {"edges", SourceFormat::kEdges},
    {"vgh", SourceFormat::kVgh},
    {"rf2", SourceFormat::kRf2},
    {"mesh", SourceFormat::kMesh},
    {"owl", SourceFormat::kOwl},
    {"skos", SourceFormat::kSkos},
    {"claml", SourceFormat::kClaml},
    {"icd10cm", SourceFormat::kIcd10cm},
    {"icd9cm", SourceFormat::kIcd9cm},
}};

constexpr std::string_view kForms =
    "write wordnet, wordnet:DIR, obo:FILE, edges:FILE, vgh:FILE, rf2:DIR or rf2:FILE.zip, "
    "mesh:FILE, owl:FILE, "
    "skos:FILE, claml:FILE, icd10cm:FILE, icd9cm:FILE or FILE.svo";

bool exists(std::string_view path) {
  std::error_code ignored;
  return std::filesystem::exists(path, ignored);
}

bool looks_like_scheme(std::string_view text) {
  return text.size() > 1 && std::all_of(text.begin(), text.end(), [](char c) {
           return (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9');
         });
}

// The ending without .gz, .zst or .zip.
std::string_view ending(std::string_view path) {
  path = unpacked_name(path);
  if (path.ends_with(".zip")) path.remove_suffix(4);
  const std::size_t dot = path.rfind('.');
  return dot == std::string_view::npos ? std::string_view() : path.substr(dot);
}

Result<Source> by_ending(std::string_view text) {
  const std::string_view end = ending(text);
  const std::string path(text);
  if (end == ".svo") return Source{path, SourceFormat::kSnapshot, path};
  if (end == ".obo") return Source{path, SourceFormat::kObo, path};
  if (end == ".owl") return Source{path, SourceFormat::kOwl, path};
  if (end == ".claml") return Source{path, SourceFormat::kClaml, path};
  if (end == ".ttl" || end == ".rdf" || end == ".nt") {
    return fail(usage_error(fmt::format(
        "classes or a thesaurus? Write owl:{0} (subClassOf) or skos:{0} (broader)", text)));
  }
  if (end == ".xml") {
    return fail(usage_error(fmt::format(
        "XML of which kind? Write mesh:{0}, claml:{0}, icd10cm:{0}, owl:{0} or skos:{0}", text)));
  }
  if (end == ".bin") {
    return fail(usage_error(fmt::format("descriptors of MeSH? Write mesh:{0}", text)));
  }
  if (end == ".csv" || end == ".tsv" || end == ".txt") {
    const std::string others =
        end == ".csv" ? fmt::format("icd9cm:{} (codes of ICD-9-CM)", text)
        : end == ".tsv"
            ? fmt::format("mesh:{} (the tree of MeSH)", text)
            : fmt::format("mesh:{0} (the tree of MeSH), icd10cm:{0} (the order file)", text);
    return fail(
        usage_error(fmt::format("a table of which kind? Write edges:{0} (child,parent[,label]), "
                                "vgh:{0} (one row a value, then its generalisations) or {1}",
                                text, others)));
  }
  return fail(
      usage_error(fmt::format("'{}' does not tell which ontology is meant: {}", text, kForms)));
}

}  // namespace

namespace {

Result<Source> parse_plain(std::string_view text) {
  if (text == "wordnet") {
    Result<std::string> found = find_wordnet();
    if (!found) return fail(found.error());
    const bool is_snapshot = unpacked_name(*found).ends_with(".svo");
    return Source{std::string(text), is_snapshot ? SourceFormat::kSnapshot : SourceFormat::kWordNet,
                  *std::move(found)};
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
  if (looks_like_scheme(scheme) && !exists(text)) {
    return fail(usage_error(fmt::format("there is no loader '{}': {}", scheme, kForms)));
  }
  return by_ending(text);
}

bool has_languages(SourceFormat format) {
  return format == SourceFormat::kRf2 || format == SourceFormat::kOwl ||
         format == SourceFormat::kSkos || format == SourceFormat::kClaml;
}

// `lang=de&root=A00`.
Status read_choices(std::string_view choices, Source& source) {
  while (!choices.empty()) {
    const std::string_view choice = choices.substr(0, choices.find('&'));
    choices.remove_prefix(std::min(choice.size() + 1, choices.size()));
    const std::size_t equals = std::min(choice.find('='), choice.size());
    const std::string_view key = choice.substr(0, equals);
    const std::string value(choice.substr(std::min(equals + 1, choice.size())));
    if ((key != "lang" && key != "root") || value.empty()) {
      return fail(usage_error(
          fmt::format("behind the ? of '{}' lang=CODE or root=CONCEPT was expected, joined by &",
                      source.text)));
    }
    if (key == "lang" && !has_languages(source.format)) {
      return fail(usage_error(
          fmt::format("'{}': lang= is for rf2, owl, skos and claml; this format has one language",
                      source.text)));
    }
    (key == "lang" ? source.language : source.root) = value;
  }
  return {};
}

}  // namespace

Result<Source> parse_source(std::string_view text) {
  const std::size_t mark = text.rfind('?');
  const std::size_t path = std::min(text.find(':'), text.size());
  // A file may have a question mark in its name.
  if (mark == text.npos || exists(text) || exists(text.substr(std::min(path + 1, text.size())))) {
    return parse_plain(text);
  }
  Result<Source> source = parse_plain(text.substr(0, mark));
  if (!source) return source;
  source->text = text;
  if (const Status read = read_choices(text.substr(mark + 1), *source); !read) {
    return fail(read.error());
  }
  return source;
}

std::vector<std::string> Source::files() const {
  if (format == SourceFormat::kRf2) return rf2_files(path);
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
    case SourceFormat::kRf2:
      return load_rf2(path, language);
    case SourceFormat::kMesh:
      return load_mesh(path);
    case SourceFormat::kOwl:
      return load_owl(path, language);
    case SourceFormat::kSkos:
      return load_skos(path, language);
    case SourceFormat::kClaml:
      return load_claml(path, language);
    case SourceFormat::kIcd10cm:
      return load_icd10cm(path);
    case SourceFormat::kIcd9cm:
      return load_icd9cm(path);
    case SourceFormat::kSnapshot:
      break;
  }
  return fail(usage_error("a snapshot is opened, not loaded"));
}

}  // namespace semveil
