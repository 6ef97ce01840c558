// Which keys of a plan a proposal writes for which kind of column: the one place to change when the
// plan's format learns more.
#pragma once

#include <span>
#include <string>
#include <string_view>

#include "semveil/propose.h"

namespace semveil {

struct KindKeys {
  ColumnKind kind;
  std::string_view type;       // empty: nominal, which goes without saying
  std::string_view hierarchy;  // of a quasi-identifier without an ontology; empty: by its range
};
inline constexpr KindKeys kKindKeys[] = {
    {ColumnKind::kNominal, "", R"("flat")"},    {ColumnKind::kNumeric, "numeric", ""},
    {ColumnKind::kDate, "date", R"("date")"},   {ColumnKind::kText, "text", R"("flat")"},
    {ColumnKind::kOpaque, "", R"("flat")"},     {ColumnKind::kIcd9, "", R"("prefix")"},
    {ColumnKind::kIcd10, "", R"("prefix")"},    {ColumnKind::kSnomed, "", R"("flat")"},
    {ColumnKind::kMesh, "", R"("flat")"},       {ColumnKind::kCountry, "", R"("flat")"},
    {ColumnKind::kPostcode, "", R"("prefix")"},
};
constexpr const KindKeys& keys_of(ColumnKind kind) {
  for (const KindKeys& keys : kKindKeys) {
    if (keys.kind == kind) return keys;
  }
  return kKindKeys[0];
}

// As a TOML value. `texts`: of a column of numbers, whose intervals are as wide as a hierarchy that
// is made of them has them (usual_width).
std::string hierarchy_for(ColumnKind kind, std::span<const std::string_view> texts);

}  // namespace semveil
