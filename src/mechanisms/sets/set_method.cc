#include "mechanisms/sets/set_method.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>

#include "base/choices.h"
#include "mechanisms/sets/set_plan.h"

namespace semveil {
namespace {

constexpr Choices<SetForm::Kind, 3> kSetOutputs{{{"joined", SetForm::Kind::kJoined},
                                                 {"list", SetForm::Kind::kList},
                                                 {"columns", SetForm::Kind::kColumns}}};
constexpr Choices<SetDraw, 2> kSetDraws{
    {{"uniform", SetDraw::kUniform}, {"frequency", SetDraw::kFrequency}}};
constexpr auto kSetOutputWords = words_of(kSetOutputs);
constexpr auto kSetDrawWords = words_of(kSetDraws);

bool is_separator(std::string_view text) {
  return std::ranges::none_of(text, [](unsigned char c) { return c < ' ' || c == 0x7F; });
}

constexpr MethodKey kSetCategories{
    .name = "categories",
    .type = KeyType::kCategories,
    .help = "which values are related: a file with one category per line",
    .told = Told::kIfSaid,
    .stays = true,
};
constexpr MethodKey kSetL{
    .name = "l",
    .type = KeyType::kWhole,
    .help = "how many values a set has; by default the number of categories",
    .low = 2,
    .high = kMostSetSize,
    .told = Told::kIfSaid,
};
constexpr MethodKey kSetOutput{
    .name = "output",
    .type = KeyType::kChoice,
    .help = "a set is one cell, a list, or columns NAME_1, NAME_2, …",
    .choices = kSetOutputWords,
    .usually = "joined",
    .draws = false,
    .stays = true,
    .option = "--sets",  // --output is the program's
};
constexpr MethodKey kSetSeparator{
    .name = "separator",
    .type = KeyType::kText,
    .help = "what stands between joined values",
    .form = "a text without tabs and line ends, as \"|\"",
    .fits = is_separator,
    .usually = "|",
    .draws = false,
    .stays = true,
    .option = "--set-separator",
};
constexpr MethodKey kSetDraw{
    .name = "draw",
    .type = KeyType::kChoice,
    .help = "how a value is drawn from another category: each alike, or as often as it occurs",
    .choices = kSetDrawWords,
    .usually = "uniform",
};
constexpr std::array<MethodKey, 5> kEanKeys{kSetCategories, kSetL, kSetOutput, kSetSeparator,
                                            kSetDraw};
constexpr std::array<MethodKey, 4> kAnKeys{kSetCategories, kSetL, kSetOutput, kSetSeparator};
constexpr std::array<double, 9> kSetLs{2, 3, 4, 5, 6, 8, 10, 15, 20};

constexpr std::array<MethodRemedy, 3> kEanRemedies{
    {{"sets-of-one-category",
      "Find out how the table was made: ean gives the values of a set different categories."},
     {"sets-of-related-values", ""},
     {"frequent-values-stand-out", "Categories of about equally many records bring it near 1/l.",
      "draw", "\"frequency\""}}};

constexpr MethodDescription kEan{
    .name = "ean",
    .mechanism = kEanName,
    .shape = MethodShape::kDrawsPerCell,
    .releases_sets = true,
    .takes_texts = true,
    .keys = kEanKeys,
    .searched = kSetL.name,
    .usual = kSetLs,
    .rank = 11,
    .promise =
        "A sensitive value stands in a set of l values of l different categories, and the "
        "true one is among them.",
    .no_promise =
        "The values of a set are not equally likely, and a second release with new "
        "draws gives more away.",
    .remedies = kEanRemedies,
};
constexpr MethodDescription kAn{
    .name = "an",
    .mechanism = kAnName,
    .shape = MethodShape::kDrawsPerCell,
    .releases_sets = true,
    .takes_texts = true,
    .keys = kAnKeys,
    .searched = kSetL.name,
    .usual = kSetLs,
    .rank = 12,
    .promise = "A sensitive value stands in a set of l values, and the true one is among them.",
    .no_promise = "The values may be related, so that all of them tell the same.",
};

// What [mask] lacks for a column; "": nothing.
std::string lack_of(const ColumnSettings& column, const CategoriesSettings* categories,
                    const MaskStep& mask, bool by_category) {
  if (categories != nullptr) return "";
  if (by_category) {
    return fmt::format(
        "{} needs the categories of column {}: write categories = \"FILE\" (one category per "
        "line, values separated by commas) or categories = {{ontology = \"NAME\", count = 5}}",
        mask.about().name, column.name);
  }
  if (mask.settings.has(kSetL.name)) return "";
  return fmt::format(
      "{} needs l in [mask]: how many values a set has; or categories, whose number it "
      "then is",
      mask.about().name);
}

// What a column says that sets cannot do; "": nothing.
std::string fault_in(const ColumnSettings& column, const CategoriesSettings* categories) {
  if (categories != nullptr && categories->file.empty() && !column.ontology.empty() &&
      column.ontology != categories->ontology) {
    return fmt::format(
        "its values are concepts of {}, its categories are cut from {}; name one "
        "ontology",
        column.ontology, categories->ontology);
  }
  if (column.demand) {
    return "something is demanded of the column, which is masked itself; leave it out of columns, "
           "or leave the demand out";
  }
  if (column.unmapped == UnmappedRule::kKeep || column.unmapped == UnmappedRule::kGeneralize) {
    return fmt::format(
        "unmapped = \"{}\" would release values without others beside them; write "
        "\"suppress\" or \"error\"",
        to_string(column.unmapped));
  }
  return "";
}

class SetMethod final : public Method {
 public:
  SetMethod(const MethodDescription& about, bool by_category)
      : about_(about), by_category_(by_category) {}
  const MethodDescription& about() const override { return about_; }

  // Columns whose categories are cut from an ontology that they do not name get it.
  void check(PlanCheck& check) const override {
    if (!check.names_are_sound) return;
    const MissingRule missing = check.plan.missing;
    if (missing == MissingRule::kCategory || missing == MissingRule::kWildcard) {
      check.wrong(kMethodKey, fmt::format("{} leaves missing values out: write missing = \"keep\", "
                                          "\"drop-record\" or \"error\"",
                                          name()));
    }
    for (ColumnSettings& column : check.plan.columns) {
      if (!check.is_masked(column)) continue;
      const CategoriesSettings* const categories = check.plan.categories_of(column);
      const std::string lack = lack_of(column, categories, check.mask, by_category_);
      if (!lack.empty()) return check.wrong(kMethodKey, lack);
      if (const std::string fault = fault_in(column, categories); !fault.empty()) {
        check.faults.push_back({"", column.name, fault});
        return;
      }
      if (categories != nullptr && categories->file.empty()) column.ontology = categories->ontology;
    }
    const bool is_joined = set_form(check.mask)->kind == SetForm::Kind::kJoined;
    if (check.mask.settings.has(kSetSeparator.name) && !is_joined) {
      check.wrong(kSetSeparator.name, "separator needs output = \"joined\"");
    }
  }

  std::map<std::string, std::string> parameters(const MaskStep& mask) const override {
    auto out = Method::parameters(mask);
    if (set_form(mask)->kind != SetForm::Kind::kJoined) out.erase(std::string(kSetSeparator.name));
    return out;
  }

  Result<std::unique_ptr<const Mechanism>> make(const MaskStep& mask,
                                                MechanismInputs inputs) const override {
    SetOptions options;
    options.categories = std::move(inputs.categories);
    options.l = static_cast<unsigned>(setting_of<std::uint64_t>(mask, kSetL));
    options.draw = choice_named(kSetDraws, setting_of<std::string>(mask, kSetDraw));
    options.by_person = !mask.draw_by.empty();
    return by_category_ ? make_ean(std::move(options)) : make_an(std::move(options));
  }

  Result<std::unique_ptr<const FittedMethod>> load(
      std::string_view saved, std::vector<std::shared_ptr<const Attribute>> attributes,
      const Key& key) const override {
    return load_sets(saved, by_category_, std::move(attributes), key);
  }

  std::vector<Trial> trials(std::size_t /*masked_columns*/) const override {
    if (!by_category_) return {{}};
    return {{}, {{"draw", "\"frequency\""}}};
  }

  std::optional<SetForm> set_form(const MaskStep& mask) const override {
    SetForm form;
    form.kind = choice_named(kSetOutputs, setting_of<std::string>(mask, kSetOutput));
    form.separator = setting_of<std::string>(mask, kSetSeparator);
    return form;
  }
  void write_sets_apart(MaskStep& mask) const override {
    mask.settings.set(kSetOutput.name, std::string(name_of(kSetOutputs, SetForm::Kind::kColumns)));
  }

 private:
  const MethodDescription& about_;
  bool by_category_;
};

}  // namespace

const Method& ean_method() {
  static const SetMethod kMethod(kEan, true);
  return kMethod;
}

const Method& an_method() {
  static const SetMethod kMethod(kAn, false);
  return kMethod;
}

}  // namespace semveil
