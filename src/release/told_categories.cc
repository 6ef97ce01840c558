#include "release/told_categories.h"

#include <utility>

#include "release/telling.h"
#include "semveil/finding_guide.h"

namespace semveil {
namespace {

static_assert(SetColumn::kNoCategory == kMissing);

// Which category each record is of.
std::vector<Code> told_by(const FirstRecords::Column& sampled, const SurveyColumn& column,
                          const std::vector<std::uint32_t>& category_of) {
  std::vector<Code> out;
  for (const Code code : sampled.codes) {
    const auto known =
        code == kMissing ? std::nullopt : code_of_cell(column, sampled.texts->text(code));
    const ConceptId value = known ? column.concepts[*known] : kMissing;
    out.push_back(value < category_of.size() ? category_of[value] : kMissing);
  }
  return out;
}

}  // namespace

std::optional<Finding> told_category(std::span<const Code> seen, const std::vector<Code>& hidden,
                                     const std::array<std::string, 2>& names) {
  const std::array<std::span<const Code>, 1> masked{hidden};
  const Guesses guesses = guess(seen, masked).front();
  if (!guesses.tell()) return std::nullopt;
  return make_finding("column-tells-category", Severity::kDanger, {names[0], names[1]},
                      {{"share." + names[1], guesses.share()}});
}

std::vector<Finding> find_told_categories(const Survey::Impl& survey, const SetFit& fit,
                                          const std::vector<std::string>& names) {
  std::vector<Finding> out;
  for (std::size_t j = 0; fit.by_category && j < names.size(); ++j) {
    const SurveyColumn& column = *survey.find(names[j]);
    for (const Survey::Impl::Passing& passing : survey.passing) {
      const auto sample = survey.first.in(std::array{passing.column, column.column});
      if (!sample) continue;
      const std::vector<Code> hidden = told_by(sample->columns[1], column, fit.columns[j].category);
      auto told = told_category(sample->columns[0].codes, hidden, {passing.name, names[j]});
      if (told) out.push_back(*std::move(told));
    }
  }
  return out;
}

}  // namespace semveil
