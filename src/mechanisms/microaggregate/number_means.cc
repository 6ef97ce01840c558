#include "mechanisms/microaggregate/number_means.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

namespace semveil {
namespace {

constexpr unsigned kMostDecimals = 27;  // 10^27 times the records fits 128 bits

WrittenNumber read_back(std::string digits) {
  WrittenNumber out{0, std::move(digits)};
  std::from_chars(out.digits.data(), out.digits.data() + out.digits.size(), out.value);
  return out;
}

}  // namespace

NumberMeans::NumberMeans(std::shared_ptr<const Attribute> attribute)
    : attribute_(std::move(attribute)), decimals_(attribute_->decimals) {
  if (attribute_->is_date()) {
    for (const std::string& text : attribute_->digits) {
      moments_.push_back(attribute_->dates->read(text).value_or(Moment()));
    }
    return;
  }
  std::vector<Decimal> read;
  for (const std::string& digits : attribute_->digits) {
    const std::optional<Decimal> one = decimal_of(digits);
    if (!one) return;
    decimals_ = std::max(decimals_, static_cast<unsigned>(std::max(0, -one->exponent)));
    read.push_back(*one);
  }
  if (decimals_ > kMostDecimals) return;
  std::vector<std::int64_t> scaled;
  for (const Decimal& one : read) {
    const unsigned zeros = static_cast<unsigned>(one.exponent + static_cast<int>(decimals_));
    if (one.mantissa != 0 &&
        (zeros > Decimal::kMostDigits || digits_of(one.mantissa) + zeros > Decimal::kMostDigits)) {
      return;
    }
    scaled.push_back(
        one.mantissa == 0 ? 0 : static_cast<std::int64_t>(one.mantissa * power_of_ten(zeros)));
  }
  scaled_ = std::move(scaled);
}

std::optional<WrittenNumber> NumberMeans::of(const ValueCounts& group) const {
  const ConceptId missing = attribute_->missing_value();
  std::uint64_t records = 0;
  for (std::size_t i = 0; i < group.values.size(); ++i) {
    if (group.values[i] != missing) records += group.counts[i];
  }
  if (records == 0) return std::nullopt;
  if (attribute_->is_date()) return mean_day(group, records);
  const unsigned decimals = attribute_->decimals;
  Int128 exact = 0;
  double rough = 0;
  for (std::size_t i = 0; i < group.values.size(); ++i) {
    if (group.values[i] == missing) continue;
    if (scaled_.empty()) {  // by shares: the sum of great numbers may not be finite
      rough += static_cast<double>(group.counts[i]) / static_cast<double>(records) *
               attribute_->numbers[group.values[i]];
    } else {
      exact += Int128{scaled_[group.values[i]]} * static_cast<Int128>(group.counts[i]);
    }
  }
  if (scaled_.empty()) {
    WrittenNumber out = read_back(fmt::format("{:.{}f}", rough, decimals));
    return out.value == 0 ? read_back(written(0, decimals)) : out;  // there is one zero
  }
  // One division, so one rounding.
  const Int128 last_place = power_of_ten(decimals_ - decimals);
  return read_back(
      written(divided_half_even(exact, static_cast<Int128>(records) * last_place), decimals));
}

WrittenNumber NumberMeans::mean_day(const ValueCounts& group, std::uint64_t records) const {
  constexpr Int128 kDay = Int128{24} * 60 * 60 * 1'000'000'000;  // in nanoseconds
  Int128 sum = 0;
  for (std::size_t i = 0; i < group.values.size(); ++i) {
    if (group.values[i] == attribute_->missing_value()) continue;
    const Moment& moment = moments_[group.values[i]];
    sum += (kDay * moment.day + moment.nanoseconds) * static_cast<Int128>(group.counts[i]);
  }
  const auto day =
      static_cast<std::int64_t>(divided_half_even(sum, static_cast<Int128>(records) * kDay));
  std::string text = attribute_->dates->written(day);
  const double value = attribute_->dates->number(text).value_or(static_cast<double>(day));
  return {value, std::move(text)};
}

}  // namespace semveil
