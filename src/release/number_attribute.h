// What the numbers of a column are to methods and figures.
#pragma once

#include "release/survey.h"

namespace semveil {

// What a distance of 1 is where the plan does not say: in groups of records the deviation.
NumericScale usual_scale(const ColumnSettings& column, const PlanFile& plan);
// Of numbers and how many records have each; the order does not matter.
double number_unit(const ColumnSettings& column, NumericScale usual,
                   std::vector<std::pair<double, std::uint64_t>> numbers);

// How the dates of a column are written, of which these are some.
std::shared_ptr<const DateForm> date_form(const ColumnSettings& column,
                                          const std::vector<std::string_view>& texts);
// Numbers become dates: `texts` are all that the column has, with the number of each.
void make_dates(std::shared_ptr<const DateForm> form,
                const std::vector<std::pair<std::string_view, double>>& texts,
                Attribute& attribute);

// Of the column's own numbers. `usual`: what a distance of 1 is where the plan does not say.
Attribute number_attribute(const SurveyColumn& column, NumericScale usual);

}  // namespace semveil
