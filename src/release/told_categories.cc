#include "release/told_categories.h"

#include <array>

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

std::vector<Finding> find_told_categories(const Survey::Impl& survey, const SetFit& fit,
                                          const std::vector<std::string>& names) {
  std::vector<Finding> out;
  for (std::size_t j = 0; fit.by_category && j < names.size(); ++j) {
    const SurveyColumn& column = *survey.find(names[j]);
    for (const Survey::Impl::Passing& passing : survey.passing) {
      const auto sample = survey.first.in(std::array{passing.column, column.column});
      if (!sample) continue;
      const std::vector<Code> hidden = told_by(sample->columns[1], column, fit.columns[j].category);
      const std::array<std::span<const Code>, 1> masked{hidden};
      const Guesses guesses = guess(sample->columns[0].codes, masked).front();
      if (!guesses.tell()) continue;
      out.push_back(make_finding("column-tells-category", Severity::kDanger,
                                 {passing.name, names[j]},
                                 {{"share." + names[j], guesses.share()}}));
    }
  }
  return out;
}

}  // namespace semveil
