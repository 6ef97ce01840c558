#include "release/shift_tells.h"

#include <algorithm>
#include <array>
#include <map>

#include "base/date_text.h"
#include "figures/date_tells.h"
#include "release/shifted_days.h"

namespace semveil {
namespace {

struct ShiftedColumn {
  std::string name;
  std::size_t at = 0;  // column of the table
  const DateForm* form = nullptr;
};

std::vector<ShiftedColumn> shifted_columns(const Survey::Impl& survey) {
  std::vector<ShiftedColumn> out;
  for (const SurveyColumn& column : survey.columns) {
    const DateForm* const form = shifted_form(column.recodings);
    if (form != nullptr) out.push_back({column.plan.name, column.column, form});
  }
  return out;
}

class FirstDates {
 public:
  FirstDates(const FirstRecords& first, const std::vector<std::string>& missing_values,
             std::vector<ShiftedColumn> shifted)
      : first_(first), missing_values_(missing_values), shifted_(std::move(shifted)) {}

  // `recodings`: what becomes of its cells; null: they pass through.
  void look(const std::string& name, std::size_t at, const std::vector<ColumnRecoding>* recodings,
            std::vector<ShiftTold>& out) {
    recodings_ = recodings;
    recoded_.clear();
    const std::optional<FirstRecords::Sample> alone = first_.in(std::array{at});
    if (!alone) return;  // lists and the like
    if (holds_iso_dates(texts(alone->columns[0]))) {
      out.push_back({name, "", DateTold::kDate});
      return;
    }
    for (const ShiftedColumn& column : shifted_) {
      const DateTold told = told_of(column, at);
      if (told == DateTold::kNothing) continue;
      out.push_back({name, column.name, told});
      return;
    }
  }

 private:
  DateTold told_of(const ShiftedColumn& column, std::size_t at) {
    const auto sample = first_.in(std::array{column.at, at});
    if (!sample) return DateTold::kNothing;
    const DayCells dates = days(sample->columns[0], *column.form);
    const TextCells cells = texts(sample->columns[1]);
    const DateTold told = told_of_dates(dates, cells);
    if (told != DateTold::kNothing) return told;
    if (tells_age(dates, {}, cells)) return DateTold::kAge;
    for (const ShiftedColumn& other : shifted_) {
      if (other.at == column.at) continue;
      const auto both = first_.in(std::array{column.at, at, other.at});
      if (!both) continue;
      const DayCells births = days(both->columns[0], *column.form);
      const DayCells visits = days(both->columns[2], *other.form);
      if (tells_age(births, visits, texts(both->columns[1]))) return DateTold::kAge;
    }
    return told_roughly_of_dates(dates, cells);
  }

  bool is_missing(std::string_view text) const {
    return std::ranges::find(missing_values_, text) != missing_values_.end();
  }

  // As they come out.
  std::optional<std::string_view> released(std::string_view text) {
    if (is_missing(text)) return std::nullopt;
    if (recodings_ == nullptr) return text;
    const auto [at, is_new] = recoded_.try_emplace(std::string(text));
    if (is_new) {
      Result<RecodedText> after = recoded(*recodings_, text);
      if (after) at->second = std::move(after->text);
    }
    return at->second;
  }

  TextCells texts(const FirstRecords::Column& column) {
    TextCells out;
    for (const Code code : column.codes) {
      out.push_back(code == kMissing ? std::nullopt : released(column.texts->text(code)));
    }
    return out;
  }

  DayCells days(const FirstRecords::Column& column, const DateForm& form) const {
    std::vector<std::optional<std::int64_t>> of_text;
    for (Code code = 0; code < column.texts->size(); ++code) {
      const std::optional<Moment> moment = form.read(column.texts->text(code));
      of_text.push_back(moment ? std::optional(moment->day) : std::nullopt);
    }
    DayCells out;
    for (const Code code : column.codes) {
      out.push_back(code == kMissing ? std::nullopt : of_text[code]);
    }
    return out;
  }

  const FirstRecords& first_;
  const std::vector<std::string>& missing_values_;
  std::vector<ShiftedColumn> shifted_;
  const std::vector<ColumnRecoding>* recodings_ = nullptr;
  std::map<std::string, std::optional<std::string>> recoded_;
};

}  // namespace

std::vector<ShiftTold> told_of_shifts(const SurveyColumns& columns,
                                      const std::vector<std::string>& names,
                                      const FirstRecords& first, const Survey::Impl& survey,
                                      const PlanFile& plan) {
  const std::vector<std::string>& missing_values = plan.missing_values;
  const auto is_masked_by_step = [&](const SurveyColumn& column) {
    return plan.step_of(column.plan) != nullptr;
  };
  std::vector<ShiftedColumn> shifted = shifted_columns(survey);
  std::vector<ShiftTold> out;
  if (shifted.empty()) return out;
  FirstDates dates(first, missing_values, std::move(shifted));
  for (const std::size_t at : columns.passing) dates.look(names[at], at, nullptr, out);
  for (const SurveyColumn& column : survey.columns) {
    const bool is_only_recoded =
        !column.recodings.empty() && !any_draws(column.recodings) &&
        std::ranges::find(columns.masked, column.column) != columns.masked.end() &&
        !is_masked_by_step(column);
    if (is_only_recoded) dates.look(column.plan.name, column.column, &column.recodings, out);
  }
  return out;
}

}  // namespace semveil
