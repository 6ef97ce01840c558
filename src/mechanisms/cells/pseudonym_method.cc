#include "mechanisms/cells/pseudonym_method.h"

#include <fmt/format.h>

#include <array>
#include <optional>

#include "base/pseudonym.h"
#include "mechanisms/common/saved.h"

namespace semveil {
namespace {

constexpr MethodKey kPseudonymFormat{
    .name = "format",
    .type = KeyType::kChoice,
    .help = "hexadecimal digits, decimal ones, or words made of syllables",
    .choices = kPseudonymFormWords,
    .usually = "hex",
    .option = kNoOption,
};
constexpr MethodKey kPseudonymLength{
    .name = "length",
    .type = KeyType::kWhole,
    .help = "of a pseudonym, in digits or words; hex has 16, digits 12, words 4",
    .low = 1,
    .high = kLongestPseudonym,
    .told = Told::kIfSaid,
    .option = kNoOption,
};
constexpr MethodKey kPseudonymAcross{
    .name = "across",
    .type = KeyType::kFlag,
    .help = "the same person has the same pseudonym in all releases of a model",
    .usually = false,
    .option = kNoOption,
};
constexpr std::array<MethodKey, 3> kPseudonymKeys{kPseudonymFormat, kPseudonymLength,
                                                  kPseudonymAcross};

constexpr MethodDescription kPseudonym{
    .name = "pseudonym",
    .mechanism = "pseudonym 1",
    .shape = MethodShape::kRecodes,
    .takes_concepts = false,
    .takes_texts = true,
    .takes_several_ontologies = true,
    .keys = kPseudonymKeys,
    .promise =
        "The same value has the same pseudonym, two values have two, and nobody goes back without "
        "the key.",
    .no_promise = "It tells which records are one person's, who may be found by all of them.",
};

struct PseudonymOptions {
  PseudonymForm form = PseudonymForm::kHex;
  std::size_t length = 0;
  bool across = false;
};

PseudonymOptions options_of(const MaskStep& mask) {
  PseudonymOptions out;
  out.form = choice_named(kPseudonymForms, setting_of<std::string>(mask, kPseudonymFormat));
  out.length = static_cast<std::size_t>(setting_of<std::uint64_t>(mask, kPseudonymLength));
  if (out.length == 0) out.length = usual_length(out.form);
  out.across = setting_of<bool>(mask, kPseudonymAcross);
  return out;
}

class PseudonymRecoding final : public Recoding {
 public:
  explicit PseudonymRecoding(const PseudonymOptions& options,
                             std::optional<Pseudonyms> pseudonyms = std::nullopt)
      : options_(options), pseudonyms_(std::move(pseudonyms)) {}

  bool draws() const override { return true; }
  bool depends_on_release() const override { return !options_.across; }
  bool is_one_to_one() const override { return true; }

  std::shared_ptr<const Recoding> with_key(const Key& key,
                                           std::string_view release) const override {
    const auto of = options_.across ? std::nullopt : std::optional(release);
    return std::make_shared<PseudonymRecoding>(options_,
                                               Pseudonyms(key, of, options_.form, options_.length));
  }

  Result<std::optional<std::string>> recode(std::string_view cell,
                                            std::string_view /*person*/) const override {
    if (!pseudonyms_) return fail(usage_error("pseudonyms need a key, and there is none"));
    return pseudonyms_->of(cell);
  }

  Error same_text_error(std::span<const std::string_view> cells) const override {
    const std::optional<std::size_t> enough = pseudonyms_->length_for(cells);
    return data_error(fmt::format(
        "two persons would have the same pseudonym of length {}: write {}", options_.length,
        enough ? fmt::format("length = {} or more", *enough) : std::string("another format")));
  }

  std::string save() const override {
    return Json{{"format", options_.form}, {"length", options_.length}, {"across", options_.across}}
        .dump();
  }

 private:
  PseudonymOptions options_;
  std::optional<Pseudonyms> pseudonyms_;
};

class PseudonymMethod final : public RecodingMethod {
 public:
  const MethodDescription& about() const override { return kPseudonym; }

  // Whoever can tell which records are one person's learns more than single records promise.
  Status check_table(const TableCheck& check) const override {
    if (check.plan.allow_linked_rows || check.columns.empty()) return {};
    const ColumnSettings& column = *check.columns.front().plan;
    return fail(Error{ErrorCode::kGuarantee,
                      "pseudonyms tell which records are one person's: set allow_linked_rows = "
                      "true in the plan if that may be known, or declare the column an identifier",
                      {check.plan.path, column.line, column.name},
                      {},
                      {}});
  }

  Result<std::unique_ptr<const Recoding>> make_recoding(
      const MaskStep& mask, const RecodedColumn& /*column*/) const override {
    return std::make_unique<PseudonymRecoding>(options_of(mask));
  }

  Result<std::unique_ptr<const Recoding>> load_recoding(
      std::string_view saved, std::shared_ptr<const ColumnMeaning> /*meaning*/) const override {
    auto read = read_saved([&] {
      const Json json = Json::parse(saved);
      PseudonymOptions options;
      options.form = json.at("format");
      options.length = json.at("length");
      options.across = json.at("across");
      demand(options.form <= PseudonymForm::kWords && options.length >= 1 &&
             options.length <= kLongestPseudonym);
      return std::make_unique<PseudonymRecoding>(options);
    });
    if (!read) return fail(read.error());
    return *std::move(read);
  }
};

}  // namespace

const Method& pseudonym_method() {
  static const PseudonymMethod kMethod;
  return kMethod;
}

MaskStep pseudonym_step(const ColumnSettings& column) {
  MaskStep step;
  step.method = &pseudonym_method();
  step.columns = {column.name};
  step.line = column.line;
  step.is_role = true;
  const PseudonymSettings& said = *column.pseudonym;
  step.settings.set(kPseudonymFormat.name, said.format);
  if (said.length) step.settings.set(kPseudonymLength.name, std::uint64_t{*said.length});
  step.settings.set(kPseudonymAcross.name, said.across);
  return step;
}

}  // namespace semveil
