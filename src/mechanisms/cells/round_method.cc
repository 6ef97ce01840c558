// Numbers rounded to multiples of a base: 17 with base 5 is 15, and 12.5 is 10, half to even.
#include <array>

#include "base/decimal.h"
#include "base/text.h"
#include "base/trimmed.h"
#include "mechanisms/cells/recoding_method.h"
#include "mechanisms/common/saved.h"

namespace semveil {
namespace {

constexpr MethodKey kRoundBase{
    .name = "base",
    .type = KeyType::kNumber,
    .help = "numbers become multiples of it, half to even",
    .low = 0,
    .above = true,
    .usual = "5 or 10",
    .needed = "what numbers are rounded to multiples of",
};
constexpr std::array<MethodKey, 1> kRoundKeys{kRoundBase};

constexpr MethodDescription kRound{
    .name = "round",
    .mechanism = "round 1",
    .shape = MethodShape::kRecodes,
    .draws = false,
    .takes_concepts = false,
    .takes_numbers = true,
    .takes_several_ontologies = true,
    .keys = kRoundKeys,
    .promise = "Numbers come out as multiples of the base.",
    .no_promise = "Nobody is hidden by it: whoever is alone with a rounded number stays alone.",
};

class RoundRecoding final : public Recoding {
 public:
  explicit RoundRecoding(double base) : base_(base) {}

  Result<std::optional<std::string>> recode(std::string_view cell,
                                            std::string_view /*person*/) const override {
    const std::optional<double> number = number_of(trimmed(cell));
    if (!number) {
      return fail(data_error("not a number, which round needs: correct the cell, or list it in "
                             "missing_values")
                      .quoting(std::string(cell)));
    }
    return rounded_to(*number, base_);
  }

  std::string save() const override { return Json{{"base", base_}}.dump(); }

 private:
  double base_;
};

class RoundMethod final : public RecodingMethod {
 public:
  const MethodDescription& about() const override { return kRound; }

  Result<std::unique_ptr<const Recoding>> make_recoding(
      const MaskStep& mask, const RecodedColumn& /*column*/) const override {
    return std::make_unique<RoundRecoding>(setting_of<double>(mask, kRoundBase));
  }

  Result<std::unique_ptr<const Recoding>> load_recoding(
      std::string_view saved, std::shared_ptr<const ColumnMeaning> /*meaning*/) const override {
    auto read = read_saved([&] {
      const double base = Json::parse(saved).at("base");
      demand(base > 0);
      return std::make_unique<RoundRecoding>(base);
    });
    if (!read) return fail(read.error());
    return *std::move(read);
  }
};

}  // namespace

const Method& round_method() {
  static const RoundMethod kMethod;
  return kMethod;
}

}  // namespace semveil
