// Numbers beyond bounds, coded: below `bottom` and above `top`.
//
//   as = "bound"   the bound itself: 97 with top = 90 is 90
//   as = "mean"    the mean of all cells beyond that bound, with the column's decimals
//   as = "text"    90+ for 90 and above, 18- for 18 and below; the column is then one of texts
//
// Choice:  a bound that no cell of the fitted table lay beyond has itself as the mean.
#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/choices.h"
#include "base/decimal.h"
#include "base/text.h"
#include "base/trimmed.h"
#include "mechanisms/cells/recoding_method.h"
#include "mechanisms/common/saved.h"
#include "mechanisms/microaggregate/number_means.h"

namespace semveil {
namespace {

enum class CodedAs : std::uint8_t { kBound, kMean, kText };
constexpr Choices<CodedAs, 3> kCodedAs{
    {{"bound", CodedAs::kBound}, {"mean", CodedAs::kMean}, {"text", CodedAs::kText}}};
constexpr auto kCodedAsWords = words_of(kCodedAs);
constexpr double kAnywhere = -std::numeric_limits<double>::infinity();

constexpr MethodKey kCodeBottom{
    .name = "bottom",
    .type = KeyType::kNumber,
    .help = "numbers below it are coded",
    .low = kAnywhere,
};
constexpr MethodKey kCodeTop{
    .name = "top",
    .type = KeyType::kNumber,
    .help = "numbers above it are coded",
    .low = kAnywhere,
};
constexpr MethodKey kCodeAs{
    .name = "as",
    .type = KeyType::kChoice,
    .help = "what they come out as: the bound, the mean of all cells beyond it, or a text as 90+",
    .choices = kCodedAsWords,
    .usually = "bound",
};
constexpr std::array<MethodKey, 3> kCodeKeys{kCodeBottom, kCodeTop, kCodeAs};

constexpr MethodDescription kCode{
    .name = "code",
    .mechanism = "code 1",
    .shape = MethodShape::kRecodes,
    .draws = false,
    .takes_concepts = false,
    .takes_numbers = true,
    .takes_several_ontologies = true,
    .keys = kCodeKeys,
    .promise =
        "Numbers beyond the bounds come out as the bound, the mean of all of them, or a text.",
    .no_promise =
        "Nobody is hidden by it who lies within the bounds, or alone beyond them: the mean of one "
        "number is that number.",
};

std::optional<double> bound_of(const MaskStep& mask, const MethodKey& key) {
  return mask.settings.has(key.name) ? std::optional(setting_of<double>(mask, key)) : std::nullopt;
}

CodedAs coded_as(const MaskStep& mask) {
  return choice_named(kCodedAs, setting_of<std::string>(mask, kCodeAs));
}

struct Bound {
  double at = 0;
  std::string text;     // what comes out
  bool itself = false;  // whether the bound's own number does, too
};

class CodeRecoding final : public Recoding {
 public:
  CodeRecoding(std::optional<Bound> bottom, std::optional<Bound> top)
      : bottom_(std::move(bottom)), top_(std::move(top)) {}

  Result<std::optional<std::string>> recode(std::string_view cell,
                                            std::string_view /*person*/) const override {
    const std::string_view text = trimmed(cell);
    const std::optional<double> number = number_of(text);
    if (!number) {
      return fail(data_error("not a number, which code needs: correct the cell, or list it in "
                             "missing_values")
                      .quoting(std::string(cell)));
    }
    if (bottom_ && (*number < bottom_->at || (bottom_->itself && *number == bottom_->at))) {
      return bottom_->text;
    }
    if (top_ && (*number > top_->at || (top_->itself && *number == top_->at))) return top_->text;
    return std::string(text);  // with blanks a bound's own number would differ from coded ones
  }

  std::string save() const override {
    const auto of = [](const std::optional<Bound>& bound) {
      return bound ? Json{bound->at, bound->text, bound->itself} : Json(nullptr);
    };
    return Json{{"bottom", of(bottom_)}, {"top", of(top_)}}.dump();
  }

 private:
  std::optional<Bound> bottom_, top_;
};

// The mean of the column's numbers on one side, as microaggregation writes means.
std::optional<std::string> mean_beyond(const RecodedColumn& column,
                                       const std::function<bool(double)>& is_beyond) {
  std::vector<std::pair<double, std::uint64_t>> beyond;
  unsigned decimals = 0;
  for (const RecodedColumn::Text& text : column.texts) {
    const std::optional<double> number = number_of(trimmed(text.text));
    if (!number) continue;
    decimals =
        std::max(decimals, static_cast<unsigned>(std::max(0, -decimal_of(*number).exponent)));
    if (is_beyond(*number)) beyond.emplace_back(*number, text.count);
  }
  if (beyond.empty()) return std::nullopt;
  std::ranges::sort(beyond);
  std::vector<double> numbers;
  ValueCounts counts;
  for (const auto& [number, count] : beyond) {
    if (numbers.empty() || numbers.back() != number) {
      counts.values.push_back(static_cast<ConceptId>(numbers.size()));
      counts.counts.push_back(0);
      numbers.push_back(number);
    }
    counts.counts.back() += count;
  }
  Attribute attribute = numeric_attribute(column.plan.name, std::move(numbers), 1);
  attribute.decimals = column.plan.decimals.value_or(decimals);
  const NumberMeans means(std::make_shared<const Attribute>(std::move(attribute)));
  const std::optional<WrittenNumber> mean = means.of(counts);
  return mean ? std::optional(mean->digits) : std::nullopt;
}

class CodeMethod final : public RecodingMethod {
 public:
  const MethodDescription& about() const override { return kCode; }

  void check(PlanCheck& check) const override {
    const auto bottom = bound_of(check.mask, kCodeBottom), top = bound_of(check.mask, kCodeTop);
    if (bottom && top && *bottom >= *top) {
      check.wrong(kCodeTop.name, "top: it lies at or below bottom; exchange the two");
    }
    if (makes_texts(check.mask)) refuse_readers(check);
  }

  Status check_settings(const MaskStep& mask) const override {
    if (bound_of(mask, kCodeBottom) || bound_of(mask, kCodeTop)) return {};
    return fail(
        data_error("code needs bottom or top: which numbers are coded, those below or those "
                   "above it"));
  }

  bool makes_texts(const MaskStep& mask) const override { return coded_as(mask) == CodedAs::kText; }

  Result<std::unique_ptr<const Recoding>> make_recoding(
      const MaskStep& mask, const RecodedColumn& column) const override {
    const auto bottom = bound_of(mask, kCodeBottom), top = bound_of(mask, kCodeTop);
    const auto below = [&](double x) { return x < *bottom; };
    const auto above = [&](double x) { return x > *top; };
    return std::make_unique<CodeRecoding>(
        bottom ? std::optional(made(*bottom, mask, column, below, "-")) : std::nullopt,
        top ? std::optional(made(*top, mask, column, above, "+")) : std::nullopt);
  }

  Result<std::unique_ptr<const Recoding>> load_recoding(
      std::string_view saved, std::shared_ptr<const ColumnMeaning> /*meaning*/) const override {
    auto read = read_saved([&] {
      const Json json = Json::parse(saved);
      const auto bound = [&](const char* key) -> std::optional<Bound> {
        const Json& one = json.at(key);
        if (one.is_null()) return std::nullopt;
        return Bound{one.at(0), one.at(1), one.at(2)};
      };
      return std::make_unique<CodeRecoding>(bound("bottom"), bound("top"));
    });
    if (!read) return fail(read.error());
    return *std::move(read);
  }

 private:
  // Whether the step asks for numbers, or for a hierarchy that is made of them.
  static bool reads_numbers(const MaskStep& step, const ColumnSettings& column) {
    using Kind = HierarchySettings::Kind;
    if (!column.hierarchy) return step.about().recodes() || step.about().releases_ancestors;
    const Kind kind = column.hierarchy->kind;
    return step.about().recodes() || (kind != Kind::kFlat && kind != Kind::kPrefix);
  }

  // What comes out as a text is no number to the steps that follow.
  void refuse_readers(PlanCheck& check) const {
    for (const ColumnSettings& column : check.plan.columns) {
      if (!check.is_masked(column)) continue;
      const MaskStep* reader = nullptr;
      const auto look_at = [&](const MaskStep& step) {
        if (reader != nullptr || step.method == nullptr) return;
        if (semveil::is_masked(column, step) && reads_numbers(step, column)) reader = &step;
      };
      bool is_after = false;
      for (const MaskStep& step : check.plan.recodings) {
        if (is_after) look_at(step);
        is_after = is_after || (step.method == this && step.line == check.mask.line &&
                                step.columns == check.mask.columns);
      }
      for (const MaskStep& step : check.plan.steps) look_at(step);
      if (reader == nullptr) continue;
      check.wrong(kCodeAs.name,
                  fmt::format("as: column {} comes out with texts, as \"80+\", and stands in {}, "
                              "too: the texts of code are no numbers; write as = \"bound\", or "
                              "leave the column out of one of the steps",
                              column.name, reader->about().name));
    }
  }

  static Bound made(double at, const MaskStep& mask, const RecodedColumn& column,
                    const std::function<bool(double)>& is_beyond, std::string_view sign) {
    const std::string text = fmt::format("{}", at);
    switch (coded_as(mask)) {
      case CodedAs::kText:
        return {at, text + std::string(sign), true};
      case CodedAs::kMean:
        return {at, mean_beyond(column, is_beyond).value_or(text), false};
      default:
        return {at, text, false};
    }
  }
};

}  // namespace

const Method& code_method() {
  static const CodeMethod kMethod;
  return kMethod;
}

}  // namespace semveil
