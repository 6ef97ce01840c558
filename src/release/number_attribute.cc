#include "release/number_attribute.h"

#include <algorithm>
#include <charconv>
#include <cmath>

#include "base/date_text.h"
#include "base/trimmed.h"

namespace semveil {
namespace {

// After the point, were the number written without an exponent.
int decimals_of(std::string_view number) {
  const std::size_t e = std::min(number.find_first_of("eE"), number.size());
  const std::size_t point = number.find('.');
  const int written = point < e ? static_cast<int>(e - point - 1) : 0;
  int exponent = 0;
  if (e + 1 < number.size()) {
    const std::size_t digits = e + (number[e + 1] == '+' ? 2 : 1);
    std::from_chars(number.data() + digits, number.data() + number.size(), exponent);
  }
  return std::max(0, written - std::clamp(exponent, -1000, 1000));
}

unsigned most_decimals(const SurveyColumn& column) {
  int most = 0;
  for (Code code = 0; code < column.texts.size(); ++code) {
    most = std::max(most, decimals_of(trimmed(column.texts.text(code))));
  }
  constexpr int kMostDecimals = 15;  // a double holds no more
  return static_cast<unsigned>(std::min(most, kMostDecimals));
}

}  // namespace

NumericScale usual_scale(const ColumnSettings& column, const PlanFile& plan) {
  if (column.type == ColumnType::kDate) return NumericScale::kRange;
  const MaskStep* const step = plan.step_of(column);
  return step != nullptr ? step->about().scale : NumericScale::kRange;
}

double number_unit(const ColumnSettings& column, NumericScale usual,
                   std::vector<std::pair<double, std::uint64_t>> numbers) {
  if (numbers.empty()) return 0;
  std::sort(numbers.begin(), numbers.end());
  if (column.scale.value_or(usual) == NumericScale::kRange) {
    return numbers.back().first - numbers.front().first;
  }
  double sum = 0, squares = 0, records = 0;
  for (const auto& [number, count] : numbers) {
    records += static_cast<double>(count);
    sum += static_cast<double>(count) * number;
  }
  for (const auto& [number, count] : numbers) {
    squares += static_cast<double>(count) * (number - sum / records) * (number - sum / records);
  }
  return records > 0 ? std::sqrt(squares / records) : 0;
}

std::shared_ptr<const DateForm> date_form(const ColumnSettings& column,
                                          const std::vector<std::string_view>& texts) {
  // The plan was read: its format is one.
  return std::make_shared<const DateForm>(
      DateForm::of(column.format).value_or(DateForm()).of_texts(texts));
}

// Of several texts of one moment the smallest bytes stand for it.
void make_dates(std::shared_ptr<const DateForm> form,
                const std::vector<std::pair<std::string_view, double>>& texts,
                Attribute& attribute) {
  std::ranges::fill(attribute.digits, "");
  for (const auto& [written, number] : texts) {
    const std::string_view text = trimmed(written);
    const auto at = std::ranges::lower_bound(attribute.numbers, number);
    std::string& digits =
        attribute.digits[static_cast<std::size_t>(at - attribute.numbers.begin())];
    if (digits.empty() || text < digits) digits = text;
  }
  attribute.dates = std::move(form);
  attribute.decimals = 0;
}

Attribute number_attribute(const SurveyColumn& column, NumericScale usual) {
  std::vector<double> numbers = column.numbers;
  std::sort(numbers.begin(), numbers.end());
  numbers.erase(std::unique(numbers.begin(), numbers.end()), numbers.end());
  std::vector<std::pair<double, std::uint64_t>> counted;
  for (std::size_t code = 0; code < column.numbers.size(); ++code) {
    counted.emplace_back(column.numbers[code], column.counts[code]);
  }
  const double unit = number_unit(column.plan, usual, std::move(counted));
  Attribute attribute = numeric_attribute(column.plan.name, std::move(numbers), unit);
  if (column.dates) {
    std::vector<std::pair<std::string_view, double>> texts;
    for (Code code = 0; code < column.texts.size(); ++code) {
      texts.emplace_back(column.texts.text(code), column.numbers[code]);
    }
    make_dates(column.dates, texts, attribute);
    return attribute;
  }
  attribute.decimals = column.plan.decimals.value_or(most_decimals(column));
  return attribute;
}

}  // namespace semveil
