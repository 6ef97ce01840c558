#include "audit/told_sets.h"

#include <array>

#include "audit/audit_parts.h"
#include "release/first_records.h"
#include "release/told_categories.h"

namespace semveil {
namespace {

static_assert(SetColumn::kNoCategory == kMissing);

std::vector<Code> hidden_categories(const ToldSets& told, const SetPair& set, std::size_t records) {
  std::vector<Code> out;
  out.reserve(records);
  for (std::uint64_t row = 0; row < records; ++row) {
    const ConceptId value = told.truth(set, row);
    out.push_back(value < set.fitted.category.size() ? set.fitted.category[value] : kMissing);
  }
  return out;
}

}  // namespace

std::vector<Finding> find_told_categories(const ToldSets& told, const TablePair::Impl& pair) {
  std::vector<Finding> out;
  const FirstRecords first = FirstRecords::read(told.table, told.columns, {});
  for (const SetPair& set : pair.sets) {
    // Where two values of a set may be of one category, its name does not single one out.
    if (least_categories(set) < set.l) continue;
    const std::string& name = pair.columns[set.column].name;
    for (const std::size_t column : told.columns) {
      const auto sample = first.in(std::array{column});
      if (!sample) continue;
      const std::vector<Code> hidden = hidden_categories(told, set, sample->records);
      auto found =
          told_category(sample->columns[0].codes, hidden, {told.table.columns()[column], name});
      if (found) out.push_back(*std::move(found));
    }
  }
  return out;
}

}  // namespace semveil
