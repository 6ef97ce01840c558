#include "release/person_like.h"

#include <cmath>
#include <tuple>

#include "base/text.h"
#include "base/trimmed.h"
#include "plan/column_names.h"
#include "release/first_records.h"

namespace semveil {
namespace {

// How much a column's name says that its values are persons.
enum class Says : std::uint8_t { kSomethingElse, kNothing, kId, kPerson };

Says said_by(const NameHint& hint) {
  if (hint.meaning == NameMeaning::kPerson) return Says::kPerson;
  if (says_id(hint)) return Says::kId;
  return hint.meaning == NameMeaning::kNone ? Says::kNothing : Says::kSomethingElse;
}

// Numbers that count or measure, by their form or by the column's name.
bool are_amounts(const FirstRecords::Column& column, Says says) {
  std::vector<bool> seen(column.texts->size(), false);
  bool has_fractions = false;
  for (const Code code : column.codes) {
    if (code == kMissing || seen[code]) continue;
    seen[code] = true;
    const std::optional<double> number = number_of(trimmed(column.texts->text(code)));
    if (!number) return false;
    has_fractions = has_fractions || std::floor(*number) != *number;
  }
  return has_fractions || says == Says::kSomethingElse;
}

}  // namespace

std::optional<Description::PersonLike> person_like(const SurveyPart::Impl& counts,
                                                   const SurveyColumns& columns) {
  constexpr double kFewest = 0.05, kMost = 0.95;
  using Rank = std::tuple<Says, bool, std::uint64_t>;
  std::optional<Description::PersonLike> best;
  Rank rank{};
  bool has_id = false, rows_are_persons = false;
  const auto look_at = [&](std::size_t at, bool is_identifier) {
    const auto sample = counts.person_like.in({&at, 1});
    if (!sample) return;
    const Says says = said_by(hint_of(counts.names[at]));
    has_id = has_id || says >= Says::kId;
    const FirstRecords::Column& column = sample->columns.front();
    std::vector<std::uint64_t> rows(column.texts->size(), 0);
    std::uint64_t present = 0, repeated = 0;
    for (const Code code : column.codes) {
      if (code == kMissing) continue;
      ++rows[code];
      ++present;
    }
    for (const std::uint64_t count : rows) repeated += count > 1 ? count : 0;
    const auto share = static_cast<double>(column.distinct) / static_cast<double>(present);
    const bool looks_like_it = is_identifier || (share >= kFewest && share <= kMost);
    const bool is_whole = present > 1 && present == column.codes.size();
    rows_are_persons = rows_are_persons || (says == Says::kPerson && repeated == 0 && is_whole);
    if (present == 0 || repeated == 0 || !looks_like_it) return;
    if (says < Says::kId && are_amounts(column, says)) return;
    const Rank own{says, is_identifier, repeated};
    if (best && own <= rank) return;
    best = {counts.names[at], repeated, present};
    rank = own;
  };
  for (const std::size_t at : columns.identifiers) look_at(at, true);
  for (const std::size_t at : columns.person_like) look_at(at, false);
  if (!best) return best;
  const Says says = std::get<Says>(rank);
  const bool is_ruled_out =
      (rows_are_persons && says != Says::kPerson) || (has_id && says == Says::kSomethingElse);
  return is_ruled_out ? std::nullopt : best;
}

}  // namespace semveil
