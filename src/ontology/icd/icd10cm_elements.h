// The elements of the tabular list of ICD-10-CM that are read.
#pragma once

#include <cstdint>
#include <string_view>

namespace semveil {

enum class TabularElement : std::uint8_t {
  kNothing,
  kDocument,
  kChapter,
  kSection,
  kDiagnosis,
  kInclusion,
  kSevenths,
  kOther,
  kVersion,  // from here on their text is read
  kName,
  kLabel,
  kInclusionNote,
  kNote,
  kExtension,
};

// What an element is, inside another.
inline TabularElement tabular_element(TabularElement outer, std::string_view element) {
  using Kind = TabularElement;
  if (outer == Kind::kNothing) {
    return element == "ICD10CM.tabular" ? Kind::kDocument : Kind::kNothing;
  }
  if (outer == Kind::kDocument) {
    if (element == "chapter") return Kind::kChapter;
    return element == "version" ? Kind::kVersion : Kind::kOther;
  }
  if (outer == Kind::kInclusion) return element == "note" ? Kind::kInclusionNote : Kind::kOther;
  if (outer == Kind::kSevenths && element == "extension") return Kind::kExtension;
  if (element == "note") return Kind::kNote;
  if (outer < Kind::kChapter || outer > Kind::kDiagnosis) return Kind::kOther;
  if (element == "diag") return Kind::kDiagnosis;
  if (element == "name") return outer == Kind::kSection ? Kind::kOther : Kind::kName;
  if (element == "desc") return Kind::kLabel;
  if (element == "inclusionTerm") return Kind::kInclusion;
  if (outer == Kind::kDiagnosis) {
    return element == "sevenChrDef" ? Kind::kSevenths : Kind::kOther;
  }
  return element == "section" ? Kind::kSection : Kind::kOther;
}

}  // namespace semveil
