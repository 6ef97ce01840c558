#include "propose/column_kinds.h"

#include <fmt/format.h>

namespace semveil {
namespace {

// Numbers of so few different values may be codes as well as amounts.
constexpr std::uint64_t kFewCodes = 10;

std::string so_many_are(std::uint64_t some, const FormCounts& forms, std::string_view what) {
  return fmt::format("{} of {} different values are {}", some, forms.values, what);
}

std::optional<KindChoice> key_kind(const ColumnFacts& column) {
  const FormCounts& forms = column.forms;
  if (forms.nearly_all(forms.uuids)) return KindChoice{ColumnKind::kOpaque, "UUIDs"};
  if (forms.nearly_all(forms.emails)) {
    return KindChoice{ColumnKind::kOpaque, "addresses of electronic mail"};
  }
  if (forms.nearly_all(forms.ssns)) {
    return KindChoice{ColumnKind::kOpaque, "built like social security numbers"};
  }
  if (forms.nearly_all(forms.web)) return KindChoice{ColumnKind::kOpaque, "network addresses"};
  return std::nullopt;
}

std::optional<KindChoice> coded_kind(const ColumnFacts& column) {
  const FormCounts& forms = column.forms;
  const NameMeaning meaning = column.hint.meaning;
  // Of numbers drawn at random one in 500 passes the check: codes of another system among them are
  // no reason against it.
  if (forms.values >= 2 && forms.all(forms.numbers) && forms.snomed * 5 >= forms.values * 3) {
    return KindChoice{ColumnKind::kSnomed,
                      fmt::format("{} of {} different values are built like SNOMED CT identifiers, "
                                  "with their check digit",
                                  forms.snomed, forms.values)};
  }
  if (forms.nearly_all(forms.mesh)) {
    return KindChoice{ColumnKind::kMesh,
                      so_many_are(forms.mesh, forms, "built like descriptors of MeSH")};
  }
  // Without a dot anything may look so: then the name must say it.
  const bool is_dotted = forms.dotted * 2 > forms.values;
  const bool is_named = meaning == NameMeaning::kHealth && column.forms.words > 0;
  if ((is_dotted || is_named) && forms.nearly_all(forms.icd10) && forms.numbers < forms.values) {
    return KindChoice{ColumnKind::kIcd10,
                      so_many_are(forms.icd10, forms, "built like codes of ICD-10")};
  }
  const bool has_three_digits = forms.greatest >= 100 || forms.zero_first > 0;
  const bool has_letters = forms.with_letters > 0;
  // Of mere numbers the name must say codes: heights have three digits, too.
  const bool says_codes = has_letters ? is_dotted || is_named : column.hint.says_illness;
  if (forms.nearly_all(forms.icd9) && has_three_digits && forms.values > kFewCodes && says_codes) {
    return KindChoice{ColumnKind::kIcd9,
                      so_many_are(forms.icd9, forms, "built like codes of ICD-9")};
  }
  if (meaning == NameMeaning::kPostcode && forms.nearly_all(forms.postcodes)) {
    return KindChoice{ColumnKind::kPostcode, "named and built like postcodes"};
  }
  if (forms.nearly_all(forms.five_digits) && forms.zero_first > 0) {
    return KindChoice{ColumnKind::kPostcode, "five digits, some with a zero in front"};
  }
  if (meaning == NameMeaning::kCountry)
    return KindChoice{ColumnKind::kCountry, "named like countries"};
  if (forms.values >= 3 && forms.all(forms.countries) && meaning != NameMeaning::kPlace) {
    return KindChoice{ColumnKind::kCountry,
                      so_many_are(forms.countries, forms, "codes of countries (ISO 3166)")};
  }
  return std::nullopt;
}

std::optional<KindChoice> date_kind(const ColumnFacts& column) {
  const FormCounts& forms = column.forms;
  if (forms.nearly_all(forms.dates)) return KindChoice{ColumnKind::kDate, "dates"};
  if (!forms.nearly_all(forms.compact_dates)) return std::nullopt;
  // One number in 30 is built so by chance.
  constexpr std::uint64_t kNoChance = 20;
  const bool may_be_number = column.hint.says_key || column.hint.amount == Amount::kYes ||
                             column.hint.meaning == NameMeaning::kPerson ||
                             column.hint.meaning == NameMeaning::kOfficialNumber ||
                             column.hint.meaning == NameMeaning::kContact;
  if (column.hint.meaning == NameMeaning::kDate || (!may_be_number && forms.values >= kNoChance)) {
    return KindChoice{ColumnKind::kDate, "dates without marks between their parts"};
  }
  return std::nullopt;
}

KindChoice number_kind(const ColumnFacts& column) {
  const FormCounts& forms = column.forms;
  if (column.hint.meaning == NameMeaning::kPerson || column.hint.meaning == NameMeaning::kKey ||
      column.hint.meaning == NameMeaning::kOfficialNumber ||
      (column.hint.meaning == NameMeaning::kRecord && forms.fractions == 0)) {
    return {ColumnKind::kOpaque, "numbers that tell persons or records apart"};
  }
  if (forms.zero_first > 0) {
    return {ColumnKind::kNominal, "digits with zeros in front are codes, not amounts"};
  }
  if (forms.fractions > 0) return {ColumnKind::kNumeric, "numbers with decimals"};
  if (column.hint.amount == Amount::kYes) return {ColumnKind::kNumeric, "whole numbers"};
  if (column.hint.amount == Amount::kNo) {
    return {ColumnKind::kNominal, "numbers that stand for categories, by the column's name"};
  }
  if (forms.values <= kFewCodes && column.hint.meaning != NameMeaning::kDate) {
    return {ColumnKind::kNominal,
            fmt::format("{} different whole numbers: codes rather than amounts", forms.values)};
  }
  return {ColumnKind::kNumeric, "whole numbers"};
}

// What it is meant to be; read as numbers it cannot be.
KindChoice comma_kind(const ColumnFacts& column) {
  return {ColumnKind::kNominal,
          fmt::format("{} of {} different values are numbers with a comma, which are texts here: "
                      "numbers are read with a point and no other mark. Write them so, and give "
                      "the column type = \"numeric\"",
                      column.forms.comma_numbers, column.forms.values)};
}

KindChoice text_kind(const ColumnFacts& column) {
  const FormCounts& forms = column.forms;
  const NameMeaning meaning = column.hint.meaning;
  if (meaning == NameMeaning::kPersonName) return {ColumnKind::kText, "names"};
  if (meaning == NameMeaning::kAddress) return {ColumnKind::kText, "addresses"};
  const bool is_key = meaning == NameMeaning::kPerson || meaning == NameMeaning::kKey ||
                      meaning == NameMeaning::kOfficialNumber || meaning == NameMeaning::kContact;
  if (is_key) return {ColumnKind::kOpaque, "texts that tell persons or records apart"};
  constexpr std::uint64_t kWordsOfSentences = 5;
  if (forms.words > kWordsOfSentences * forms.values && forms.variety() > 0.5) {
    return {ColumnKind::kText, "sentences, few of which occur twice"};
  }
  if (forms.variety() >= 0.95 && forms.records >= 20 && forms.words <= 2 * forms.values &&
      forms.with_letters > 0 && forms.numbers == 0) {
    return {ColumnKind::kOpaque, "short texts, nearly every one another"};
  }
  return {ColumnKind::kNominal, "texts"};
}

}  // namespace

std::string_view to_string(ColumnKind kind) {
  switch (kind) {
    case ColumnKind::kNominal:
      return "nominal";
    case ColumnKind::kNumeric:
      return "numeric";
    case ColumnKind::kDate:
      return "date";
    case ColumnKind::kText:
      return "text";
    case ColumnKind::kOpaque:
      return "key";
    case ColumnKind::kIcd9:
      return "icd-9";
    case ColumnKind::kIcd10:
      return "icd-10";
    case ColumnKind::kSnomed:
      return "snomed";
    case ColumnKind::kMesh:
      return "mesh";
    case ColumnKind::kCountry:
      return "country";
    case ColumnKind::kPostcode:
      return "postcode";
  }
  return "";
}

std::string_view plan_type(ColumnKind kind) {
  const bool is_type =
      kind == ColumnKind::kNumeric || kind == ColumnKind::kDate || kind == ColumnKind::kText;
  return to_string(is_type ? kind : ColumnKind::kNominal);
}

bool is_health_code(ColumnKind kind) {
  return kind == ColumnKind::kIcd9 || kind == ColumnKind::kIcd10 || kind == ColumnKind::kSnomed ||
         kind == ColumnKind::kMesh;
}

static KindChoice kind_by_form(const ColumnFacts& column) {
  if (column.forms.values == 0) return KindChoice{ColumnKind::kNominal, "no cell says anything"};
  if (auto key = key_kind(column)) return *key;
  if (auto date = date_kind(column)) return *date;
  if (auto coded = coded_kind(column)) return *coded;
  if (column.forms.all(column.forms.numbers)) return number_kind(column);
  if (column.forms.are_comma_numbers()) return comma_kind(column);
  return text_kind(column);
}

KindChoice kind_of(const ColumnFacts& column) {
  KindChoice choice = kind_by_form(column);
  const bool is_read = choice.kind == ColumnKind::kNumeric || choice.kind == ColumnKind::kDate;
  if (is_read && column.forms.padded > 0) {
    choice.why += "; the blanks around them are read over";
  }
  return choice;
}

}  // namespace semveil
