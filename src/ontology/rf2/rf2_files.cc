// The names of RF2 release files, and the choice among them.
//
//   sct2_Concept_Snapshot_INT_20260131.txt
//   sct2_Description_Snapshot-en_INT_20260131.txt
//   der2_cRefset_LanguageSnapshot-en_INT_20260131.txt
//   type _ content    _ summary    _ namespace _ date
//
// Read are concepts, inferred relationships, descriptions, text definitions, and the language and
// association reference sets. Not read: stated relationships, concrete values, OWL axioms, maps and
// the other reference sets. An x or z before the type marks files that are tried out before a
// release; extensions put their own words into the summary (UKCLSnapshot,
// SpanishExtensionSnapshot).
//
// Choice:  a Snapshot file is taken before the Full file of the same name, whose newest states it
//          holds; a Full file stands where there is no such Snapshot. Delta files, which hold
//          changes alone, are never read. Everything else in the release that fits is read, so that
//          an extension may lie beside the edition it extends.
// Source:  SNOMED CT Release File Specifications, 3.3.2 (file naming).
#include "ontology/rf2/rf2_files.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <optional>

#include "ontology/loaders.h"

namespace semveil {
namespace {

enum class Form : std::uint8_t { kSnapshot, kFull, kDelta };

struct Named {
  Rf2File file;
  Form form;
  std::string rest;  // the name without its form: equal for the forms of one file
};

std::vector<std::string_view> parts_of(std::string_view name) {
  std::vector<std::string_view> parts;
  for (;;) {
    const std::size_t end = name.find('_');
    parts.push_back(name.substr(0, end));
    if (end == name.npos) return parts;
    name.remove_prefix(end + 1);
  }
}

bool contains(std::string_view text, std::string_view word) { return text.find(word) != text.npos; }

std::optional<Rf2Kind> kind_of(std::string_view type, std::string_view content,
                               std::string_view summary) {
  if (type == "sct2") {
    if (content == "Concept") return Rf2Kind::kConcept;
    if (content == "Relationship") return Rf2Kind::kRelationship;
    if (content == "Description" || content == "TextDefinition") return Rf2Kind::kDescription;
  } else if (type == "der2" && content == "cRefset") {
    if (contains(summary, "Language")) return Rf2Kind::kLanguage;
    if (contains(summary, "Association")) return Rf2Kind::kAssociation;
  }
  return std::nullopt;
}

std::optional<Named> recognised(const std::string& path) {
  std::string_view name(path);
  name = unpacked_name(name.substr(name.rfind('/') + 1));  // npos + 1 is 0
  if (!name.ends_with(".txt")) return std::nullopt;
  name.remove_suffix(4);
  if (name.starts_with('x') || name.starts_with('z')) name.remove_prefix(1);
  const std::vector<std::string_view> parts = parts_of(name);
  if (parts.size() < 3) return std::nullopt;
  const std::string_view summary = parts[2];
  const std::optional<Rf2Kind> kind = kind_of(parts[0], parts[1], summary);
  if (!kind) return std::nullopt;
  constexpr std::array<std::string_view, 3> kForms{"Snapshot", "Full", "Delta"};
  for (std::size_t form = 0; form < kForms.size(); ++form) {
    const std::size_t at = summary.rfind(kForms[form]);
    if (at == summary.npos) continue;
    std::string rest(name);
    rest.erase(static_cast<std::size_t>(summary.data() - name.data()) + at, kForms[form].size());
    const std::string_view last = parts.back();
    const bool dated = last.size() == 8 && last.find_first_not_of("0123456789") == last.npos;
    const auto is = static_cast<Form>(form);
    return Named{{path, *kind, is == Form::kFull, std::string(dated ? last : "")}, is, rest};
  }
  return std::nullopt;
}

// What a release cannot do without.
struct Needed {
  Rf2Kind kind;
  std::string_view name;
};
constexpr std::array<Needed, 3> kNeeded{{{Rf2Kind::kConcept, "sct2_Concept"},
                                         {Rf2Kind::kRelationship, "sct2_Relationship"},
                                         {Rf2Kind::kDescription, "sct2_Description"}}};

}  // namespace

Result<std::vector<Rf2File>> choose_rf2_files(std::span<const std::string> names,
                                              const std::string& path) {
  std::vector<Named> found;
  for (const std::string& name : names) {
    if (std::optional<Named> named = recognised(name)) found.push_back(*std::move(named));
  }
  std::vector<std::string> snapshots;
  bool delta = false;
  for (const Named& named : found) {
    if (named.form == Form::kSnapshot) snapshots.push_back(named.rest);
    delta |= named.form == Form::kDelta;
  }
  std::ranges::sort(snapshots);
  std::vector<Rf2File> chosen;
  for (Named& named : found) {
    if (named.form == Form::kDelta) continue;
    if (named.form == Form::kFull && std::ranges::binary_search(snapshots, named.rest)) continue;
    chosen.push_back(std::move(named.file));
  }
  std::ranges::sort(chosen, {}, &Rf2File::name);
  if (chosen.empty() && delta) {
    return fail(data_error("only Delta files in it, which hold the changes since the release "
                           "before: give a folder with the Snapshot or the Full files")
                    .at(path));
  }
  for (const Needed& needed : kNeeded) {
    const auto is_it = [&](const Rf2File& file) { return file.kind == needed.kind; };
    if (std::ranges::none_of(chosen, is_it)) {
      return fail(data_error("no file " + std::string(needed.name) +
                             "_Snapshot… or _Full… in it: give the folder or the zip archive of a "
                             "SNOMED CT release (RF2)")
                      .at(path));
    }
  }
  return chosen;
}

std::vector<std::string> rf2_files(const std::string& path) {
  std::error_code ignored;
  if (!std::filesystem::is_directory(path, ignored)) return {path};
  const Result<SourceFiles> files = SourceFiles::open(path);
  if (!files) return {path};
  const auto chosen = choose_rf2_files(files->names(), path);
  if (!chosen) return {path};
  std::vector<std::string> paths;
  for (const Rf2File& file : *chosen) {
    paths.push_back(path + (path.ends_with('/') ? "" : "/") + file.name);
  }
  return paths;
}

}  // namespace semveil
