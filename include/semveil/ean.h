// Sets instead of values: every sensitive value is released among l − 1 others, in random order.
//
//   ean   enhanced additive noise, l-sensitive category diversity: the others come from l − 1 other
//         categories, one from each, so that no two values of a set are related
//   an    additive noise, its baseline: any l − 1 other values (l-diversity)
//
// The posterior. Who knows the column's frequencies p believes of v in a released set S
//
//   weight(v) / Σ_{u ∈ S} weight(u),   weight(v) = p(v) · |C(v)|   ean, draw uniform
//                                                  P(C(v))         ean, draw frequency
//                                                  p(v)            an
//
// which is 1/l only where the weights are equal; C(v) is the category of v, P its frequency.
// By frequency a value without records is never drawn: where it stands in a set, of a table that
// the plan was not fitted on, it is the true one, and is believed to be.
// Other columns are not looked at, but for those that come out as sets with it (JointTally): who
// knows how a released quasi-identifier goes with the column may believe more.
// Fewer than all categories (l below their number): l − 1 of the others with equal probability,
// which leaves the posterior as it is.
//
// Paper:  EAN (Abdelhameed et al.), Algorithms 1-3; AN after Zhu et al. Their bound 1/l holds for
//         equal weights alone.
// Cost:   fit O(values); a record costs l − 1 choices and a shuffle, one draw where the choices
//         are few enough.
#pragma once

#include <functional>

#include "semveil/mechanism.h"

namespace [[gnu::visibility("default")]] semveil {

// Which values of a column are related. Disjoint; no category is empty.
struct Categories {
  struct Category {
    std::string name;               // for summaries and errors: a line, a root
    std::vector<ConceptId> values;  // of the attribute, ascending; also some that never occur
  };
  std::vector<Category> list;
};

// Made when the column is known: from a file, or cut from its taxonomy.
using CategoryRule = std::function<Result<Categories>(const FrequencyColumn&)>;

// The largest l, also where it is the number of categories.
inline constexpr unsigned kMostSetSize = 1000;
// Combinations of values in the sets of a record, beyond which nothing is said of them together.
inline constexpr std::size_t kMostCombinations = 4096;

enum class SetDraw : std::uint8_t { kUniform, kFrequency };
std::string_view to_string(SetDraw draw);

struct SetOptions {
  std::vector<CategoryRule> categories;  // by column; for `an` empty: the column's values
  unsigned l = 0;                        // 0: the number of categories
  SetDraw draw = SetDraw::kUniform;      // ean: how a value is drawn within its category
  bool by_person = false;                // draws are addressed by person and value, not by row
};
std::unique_ptr<const Mechanism> make_ean(SetOptions options);
std::unique_ptr<const Mechanism> make_an(SetOptions options);

// What a fit learned, for summaries, verifiers and attacks.
struct SetColumn {
  unsigned l = 0;
  Categories categories;                // `an` without any: one for each value
  std::vector<std::uint32_t> category;  // by value of the attribute; kNoCategory: in none
  std::vector<std::uint64_t> counts;    // by value: records of the fitted table
  std::vector<std::uint64_t> weights;   // by value: what the posterior is made of
  static constexpr std::uint32_t kNoCategory = 0xFFFFFFFF;
};
struct SetFit {
  bool by_category = true;  // ean
  SetDraw draw = SetDraw::kUniform;
  std::vector<SetColumn> columns;
  double combinations = 1;  // of values, one of each column's set: what a record can stand for
};
const SetFit* set_fit(const FittedMethod& plan);  // null: the plan releases no sets

}  // namespace semveil
