#include "propose/column_facts.h"

#include <algorithm>
#include <cmath>

#include "base/stop.h"
#include "base/text.h"
#include "base/trimmed.h"
#include "base/words.h"
#include "propose/text_forms.h"

namespace semveil {
namespace {

void count_number(std::string_view text, FormCounts& out) {
  const std::optional<double> number = number_of(text);
  if (!number) return;
  out.least = out.numbers == 0 ? *number : std::min(out.least, *number);
  out.greatest = out.numbers == 0 ? *number : std::max(out.greatest, *number);
  ++out.numbers;
  out.fractions += std::floor(*number) != *number ? 1 : 0;
  const bool zero_first = text.size() > 1 && text[0] == '0' && text[1] >= '0' && text[1] <= '9';
  out.zero_first += zero_first ? 1 : 0;
  const std::size_t point = text.find('.');
  if (point != text.npos) {
    out.most_decimals = std::max<std::uint64_t>(out.most_decimals, text.size() - point - 1);
  }
}

void count_form(std::string_view text, FormCounts& out) {
  const std::size_t written = text.size();
  text = trimmed(text);
  out.padded += text.size() < written ? 1 : 0;
  count_number(text, out);
  out.comma_numbers += is_comma_number(text) ? 1 : 0;
  out.uuids += is_uuid(text) ? 1 : 0;
  out.emails += is_email(text) ? 1 : 0;
  out.ssns += is_ssn(text) ? 1 : 0;
  out.phones += is_phone(text) ? 1 : 0;
  out.web += is_web_address(text) ? 1 : 0;
  out.dates += is_date(text) ? 1 : 0;
  out.compact_dates += is_compact_date(text) ? 1 : 0;
  out.five_digits += is_five_digit_postcode(text) ? 1 : 0;
  out.postcodes += is_postcode(text) ? 1 : 0;
  const bool icd10 = is_icd10(text), icd9 = is_icd9(text);
  out.icd10 += icd10 ? 1 : 0;
  out.icd9 += icd9 ? 1 : 0;
  out.dotted += (icd10 || icd9) && text.find('.') != text.npos ? 1 : 0;
  out.mesh += is_mesh(text) ? 1 : 0;
  out.snomed += is_snomed(text) ? 1 : 0;
  out.countries += is_country_code(text) ? 1 : 0;
  const bool has_letter = std::ranges::any_of(text, [](char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') ||
           (static_cast<unsigned char>(c) & 0x80U) != 0;
  });
  out.with_letters += has_letter ? 1 : 0;
  out.words += words_of(text).size();
}

}  // namespace

void ColumnFacts::count_forms() {
  forms = {};
  StopCheck check;
  for (Code code = 0; code < counts.size(); ++code) {
    check();
    if (markers[code] || counts[code] == 0) continue;
    ++forms.values;
    forms.records += counts[code];
    count_form(text(code), forms);
  }
}

std::uint64_t ColumnFacts::marked() const {
  std::uint64_t out = 0;
  for (std::size_t code = 0; code < counts.size(); ++code) out += markers[code] ? counts[code] : 0;
  return out;
}

ColumnFacts column_facts(std::string name, const std::vector<Code>& codes,
                         const Dictionary& texts) {
  ColumnFacts out;
  out.hint = hint_of(name);
  out.name = std::move(name);
  out.codes = &codes;
  out.texts = &texts;
  out.counts.resize(texts.size());
  out.markers.resize(texts.size());
  for (const Code code : codes) {
    if (code == kMissing) {
      ++out.missing;
    } else {
      ++out.counts[code];
    }
  }
  return out;
}

}  // namespace semveil
