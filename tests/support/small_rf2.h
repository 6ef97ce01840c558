// Small RF2 releases written row by row, and releases read from memory.
#pragma once

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "ontology/loaders.h"
#include "support/generated_rf2.h"

namespace semveil::test {

using Rf2Files = std::vector<Rf2Text>;

inline Result<OntologyDraft> read_release(const Rf2Files& files, const std::string& language = "") {
  Rf2Release release;
  for (const Rf2Text& file : files) release.names.push_back(file.name);
  std::ranges::sort(release.names);
  release.path = "release";
  release.open = [&](const std::string& name) -> Result<NamedStream> {
    const auto file = std::ranges::find(files, name, &Rf2Text::name);
    return NamedStream{InputStream::over(file->text), "release/" + name};
  };
  return read_rf2(release, language);
}

// A release of a few rows; lines end with CRLF.
class SmallRf2 {
 public:
  SmallRf2() {
    add(kConcepts, "id effectiveTime active moduleId definitionStatusId");
    add(kRelationships,
        "id effectiveTime active moduleId sourceId destinationId relationshipGroup typeId "
        "characteristicTypeId modifierId");
    add(kDescriptions,
        "id effectiveTime active moduleId conceptId languageCode typeId term caseSignificanceId");
    add(kLanguages,
        "id effectiveTime active moduleId refsetId referencedComponentId acceptabilityId");
    add(kAssociations,
        "id effectiveTime active moduleId refsetId referencedComponentId targetComponentId");
  }

  SmallRf2& concept_row(std::uint64_t id, int active = 1, int date = 20200131) {
    return add(kConcepts,
               fmt::format("{} {} {} 900000000000207008 900000000000074008", id, date, active));
  }
  SmallRf2& is_a(std::uint64_t id, std::uint64_t child, std::uint64_t parent, int active = 1,
                 int date = 20200131, std::uint64_t type = 116680003) {
    return add(kRelationships,
               fmt::format("{} {} {} 900000000000207008 {} {} 0 {} 900000000000011006 "
                           "900000000000451002",
                           id, date, active, child, parent, type));
  }
  SmallRf2& described(std::uint64_t id, std::uint64_t of, std::string_view type, std::string term,
                      std::string_view language = "en", int active = 1) {
    add(kDescriptions, fmt::format("{} 20200131 {} 900000000000207008 {} {} {} TERM "
                                   "900000000000448009",
                                   id, active, of, language, type));
    std::string& text = texts_[kDescriptions];
    text.replace(text.rfind("TERM"), 4, term);
    return *this;
  }
  SmallRf2& accepted(std::string_view member, std::uint64_t set, std::uint64_t description,
                     bool preferred, int active = 1) {
    return add(kLanguages,
               fmt::format("{} 20200131 {} 900000000000207008 {} {} {}", member, active, set,
                           description, preferred ? "900000000000548007" : "900000000000549004"));
  }
  SmallRf2& leads(std::string_view member, std::uint64_t set, std::uint64_t from, std::uint64_t to,
                  int active = 1) {
    return add(kAssociations, fmt::format("{} 20200131 {} 900000000000207008 {} {} {}", member,
                                          active, set, from, to));
  }
  SmallRf2& line(std::size_t file, std::string text) {
    texts_[file] += text;
    return *this;
  }

  static constexpr std::size_t kConcepts = 0, kRelationships = 1, kDescriptions = 2, kLanguages = 3,
                               kAssociations = 4;
  Rf2Files files(std::string_view form = "Snapshot",
                 std::string_view space = "INT_20200131") const {
    return {{fmt::format("sct2_Concept_{}_{}.txt", form, space), texts_[kConcepts]},
            {fmt::format("sct2_Relationship_{}_{}.txt", form, space), texts_[kRelationships]},
            {fmt::format("sct2_Description_{}-en_{}.txt", form, space), texts_[kDescriptions]},
            {fmt::format("der2_cRefset_Language{}-en_{}.txt", form, space), texts_[kLanguages]},
            {fmt::format("der2_cRefset_Association{}_{}.txt", form, space), texts_[kAssociations]}};
  }

 private:
  SmallRf2& add(std::size_t file, std::string row) {
    std::ranges::replace(row, ' ', '\t');
    texts_[file] += row + "\r\n";
    return *this;
  }
  std::array<std::string, 5> texts_;
};

inline constexpr std::string_view kFullName = "900000000000003001", kSynonym = "900000000000013009",
                                  kDefinition = "900000000000550004";
inline constexpr std::uint64_t kUs = 900000000000509007U, kGb = 900000000000508004U;
inline constexpr std::uint64_t kSameAs = 900000000000527005U, kReplacedBy = 900000000000526001U,
                               kPossiblyEquivalent = 900000000000523009U,
                               kMovedTo = 900000000000524003U;

inline SmallRf2 two_concepts() {
  return SmallRf2().concept_row(138875005).concept_row(409498004).is_a(200001029, 409498004,
                                                                       138875005);
}

}  // namespace semveil::test
