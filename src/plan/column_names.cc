// Names are cut into words. The last word that the table below knows decides, as in "encounter
// cost"; words that many things have ("id", "name", "number") only where no other is known. A word
// of four letters or more is also known at the end or beginning of a longer one: BIRTHDATE.
#include "plan/column_names.h"

#include <algorithm>
#include <array>
#include <optional>
#include <utility>

namespace semveil {
namespace {

struct NamedMeaning {
  NameMeaning meaning;
  std::string_view words;  // between blanks
};

// Beside usual English, names of the American Community Survey and of hospital data.
constexpr std::array<NamedMeaning, 29> kMeanings{{
    {NameMeaning::kPerson,
     "patient person participant subject respondent individual customer client member user "
     "employee student pupil resident citizen beneficiary subscriber applicant donor proband pid "
     "mrn owner persnr interviewee panelist voter"},
    {NameMeaning::kRecord,
     "encounter visit admission claim case record row specimen sample order invoice transaction "
     "episode stay careplan serialno uuid guid"},
    {NameMeaning::kOrganisation,
     "organization organisation provider payer hospital clinic doctor physician practitioner "
     "employer company school insurer facility pharmacy ward department bank"},
    {NameMeaning::kPersonName,
     "first last firstname lastname forename surname given maiden fullname middlename middle "
     "nickname username login alias vorname nachname"},
    {NameMeaning::kAddress, "address street addr adresse strasse house housenumber apartment"},
    {NameMeaning::kContact,
     "phone telephone tel mobile cell fax email mail url website ip homepage twitter"},
    {NameMeaning::kOfficialNumber,
     "ssn passport drivers driver license licence plate iban account card vin nhs nino insee "
     "taxid tin imei mac device serial fingerprint biometric photo signature"},
    {NameMeaning::kTitle, "prefix suffix title salutation honorific degree"},
    {NameMeaning::kDate,
     "date birth birthdate birthday dob death deathdate dod start stop begin end year month day "
     "quarter time timestamp datetime yob onset discharge admitted period"},
    {NameMeaning::kAge, "age ages agep alter"},
    {NameMeaning::kSex, "sex gender geschlecht"},
    {NameMeaning::kOrigin,
     "race ethnicity ethnic ethnicgroup hispanic hisp rac1p rac2p rac3p ancestry language lang "
     "tribe caste nativity immigration skin"},
    {NameMeaning::kMarital, "marital maritalstatus married msp mar civilstatus"},
    {NameMeaning::kCountry, "country nation nationality citizenship"},
    {NameMeaning::kPlace,
     "city town village county state province region district area place birthplace location "
     "municipality borough parish canton land puma tract block commune density "
     "urban rural residence"},
    {NameMeaning::kPostcode, "zip zipcode postcode postal plz postalcode"},
    {NameMeaning::kCoordinate, "lat lon lng latitude longitude coordinates geo gps"},
    {NameMeaning::kWork,
     "occupation job profession work workclass industry indp naicsp occp socp employment employed "
     "hours cow esr rank isco naics trade veteran military"},
    {NameMeaning::kEducation, "education edu educ schooling schl qualification study"},
    {NameMeaning::kHousehold,
     "relationship household family housing own rent tenure children noc npf hhsize dwelling "
     "rooms bedrooms vehicles relp hht"},
    {NameMeaning::kRelative,
     "father mother spouse husband wife partner son daughter sibling brother sister parent "
     "parents kin"},
    {NameMeaning::kLeisure, "hobby hobbies interest interests sport sports leisure club"},
    {NameMeaning::kBelief,
     "religion religious faith church denomination politics political party vote votes voting "
     "ballot election union sexual orientation partei parteien wahlabsicht "
     "wahlentscheidung wahlverhalten wahlbeteiligung sonntagsfrage konfession glaube "
     "weltanschauung gewerkschaft"},
    {NameMeaning::kHealth,
     "diagnosis diagnoses diag dx icd icd9 icd10 snomed disease condition disorder symptom "
     "procedure treatment therapy drug medication medicine allergy reaction severity lab test "
     "result blood pressure bmi glucose cholesterol hiv cancer health healthcare disability "
     "weight height bmi disabled deye dear dphy drem dout ddrs dvet drat alcohol smoking smoker "
     "pregnancy "
     "pregnant reason cause vaccine immunization genetic gene genotype mental finding "
     "comorbidity complication dosage dose mortality outcome"},
    {NameMeaning::kMoney,
     "income salary wage wages earnings pincp povpip poverty money capital gain loss "
     "cost costs expense expenses coverage price amount payment paid debt balance credit loan "
     "wealth assets tax pension benefit benefits revenue turnover spending fee "
     "charge charges hincp einkommen gehalt"},
    {NameMeaning::kScore,
     "openness extraversion neuroticism agreeableness conscientiousness personality iq score "
     "grade rating gpa mark marks percentile crime criminal offence offense conviction arrest"},
    {NameMeaning::kAnswer,
     "answer answers response reply comment comments note notes remark remarks "
     "text message feedback opinion"},
    {NameMeaning::kWeight, "fnlwgt weights wgt pwgtp wgtp pweight sampleweight"},
    {NameMeaning::kSequence,
     "group arm cohort wave batch round position index sequence seq trial split fold source "
     "system version rownum"},
}};

// What many things have.
constexpr std::array<std::string_view, 9> kKeyWords{"id",  "key", "number", "no",        "nr",
                                                    "num", "ids", "code",   "identifier"};
constexpr std::array<std::string_view, 31> kAmountWords{
    "age",      "agep",     "hours",     "num", "count",    "amount",  "size",        "score",
    "year",     "total",    "years",     "noc", "npf",      "decile",  "percent",     "rank",
    "position", "height",   "weight",    "bmi", "pressure", "glucose", "cholesterol", "temperature",
    "pulse",    "systolic", "diastolic", "cm",  "kg",       "mg",      "dose"};
// Of codes of illnesses and what is done about them.
constexpr std::array<std::string_view, 21> kIllnessWords{
    "diagnosis", "diagnoses", "diagnose", "diag",      "dx",         "icd",         "icd9",
    "icd10",     "icd9cm",    "icd10cm",  "disease",   "diseases",   "condition",   "conditions",
    "disorder",  "cause",     "reason",   "procedure", "procedures", "comorbidity", "complication"};

bool is_listed(std::string_view words, std::string_view word) {
  for (std::size_t at = 0; (at = words.find(word, at)) != words.npos; ++at) {
    const bool begins = at == 0 || words[at - 1] == ' ';
    const std::size_t end = at + word.size();
    if (begins && (end == words.size() || words[end] == ' ')) return true;
  }
  return false;
}

// The words of a list, one after the other.
template <class Visit>
void for_each_word(std::string_view words, const Visit& visit) {
  while (!words.empty()) {
    const std::size_t end = std::min(words.find(' '), words.size());
    if (end > 0) visit(words.substr(0, end));
    words.remove_prefix(std::min(end + 1, words.size()));
  }
}

std::optional<NameMeaning> meaning_of_word(std::string_view word) {
  for (const NamedMeaning& named : kMeanings) {
    if (is_listed(named.words, word)) return named.meaning;
    if (word.ends_with('s') && is_listed(named.words, word.substr(0, word.size() - 1))) {
      return named.meaning;
    }
  }
  // The longest known word at the end, else at the beginning.
  constexpr std::size_t kShortest = 4;
  std::optional<NameMeaning> found;
  std::size_t longest = 0;
  for (const bool at_end : {true, false}) {
    for (const NamedMeaning& named : kMeanings) {
      for_each_word(named.words, [&](std::string_view known) {
        const bool is_part = at_end ? word.ends_with(known) : word.starts_with(known);
        if (known.size() < kShortest || known.size() <= longest || !is_part) return;
        found = named.meaning;
        longest = known.size();
      });
    }
    if (found) return found;
  }
  return std::nullopt;
}

bool is_upper_letter(char c) { return c >= 'A' && c <= 'Z'; }
bool is_small_letter(char c) { return c >= 'a' && c <= 'z'; }
bool is_figure(char c) { return c >= '0' && c <= '9'; }

bool says_amount(const std::vector<std::string>& words) {
  return std::ranges::any_of(words, [](const std::string& word) {
    return std::ranges::find(kAmountWords, word) != kAmountWords.end();
  });
}

// Also with a number or the word for a code behind it: diag1, reasoncode.
bool says_illness(const std::vector<std::string>& words) {
  return std::ranges::any_of(words, [](const std::string& word) {
    std::string_view bare =
        std::string_view(word).substr(0, word.find_last_not_of("0123456789") + 1);
    for (const std::string_view behind : {"codes", "code", "cd"}) {
      if (!bare.ends_with(behind)) continue;
      bare.remove_suffix(behind.size());
      break;
    }
    return std::ranges::find(kIllnessWords, word) != kIllnessWords.end() ||
           std::ranges::find(kIllnessWords, bare) != kIllnessWords.end();
  });
}

bool is_amount(NameMeaning meaning) {
  return meaning == NameMeaning::kAge || meaning == NameMeaning::kMoney ||
         meaning == NameMeaning::kScore || meaning == NameMeaning::kWeight ||
         meaning == NameMeaning::kCoordinate;
}
// Where numbers are codes: 1 for women, 2 for men.
bool is_coded(NameMeaning meaning) {
  switch (meaning) {
    case NameMeaning::kSex:
    case NameMeaning::kOrigin:
    case NameMeaning::kMarital:
    case NameMeaning::kCountry:
    case NameMeaning::kPlace:
    case NameMeaning::kPostcode:
    case NameMeaning::kWork:
    case NameMeaning::kEducation:
    case NameMeaning::kHousehold:
    case NameMeaning::kBelief:
    case NameMeaning::kHealth:
    case NameMeaning::kTitle:
    case NameMeaning::kOrganisation:
      return true;
    default:
      return false;
  }
}

}  // namespace

std::vector<std::string> name_words(std::string_view column) {
  std::vector<std::string> out;
  std::string word;
  const auto finish = [&] {
    const bool is_number = std::ranges::all_of(word, is_figure);
    if (!word.empty() && !is_number) out.push_back(word);
    word.clear();
  };
  for (std::size_t i = 0; i < column.size(); ++i) {
    const char c = column[i];
    if (!is_upper_letter(c) && !is_small_letter(c) && !is_figure(c)) {
      // Letters of other alphabets belong to words.
      if ((static_cast<unsigned char>(c) & 0x80U) != 0) {
        word += c;
      } else {
        finish();
      }
      continue;
    }
    if (is_upper_letter(c) && i > 0 && is_small_letter(column[i - 1])) finish();
    word += is_upper_letter(c) ? static_cast<char>(c - 'A' + 'a') : c;
  }
  finish();
  return out;
}

std::string series_of(std::string_view column) {
  const std::size_t last = column.find_last_not_of("0123456789");
  if (last == std::string_view::npos || last + 1 == column.size()) return "";
  return std::string(column.substr(0, last + 1));
}

NameHint hint_of(std::string_view column) {
  const std::vector<std::string> words = name_words(column);
  NameHint hint;
  for (const std::string& word : words) {
    if (std::ranges::find(kKeyWords, word) != kKeyWords.end()) {
      hint.says_key = true;
    } else if (const auto meaning = meaning_of_word(word)) {
      // How data were gathered says less than what they are: an age group is an age.
      const bool says_little =
          *meaning == NameMeaning::kSequence || *meaning == NameMeaning::kWeight;
      if (!says_little || hint.meaning == NameMeaning::kNone) hint.meaning = *meaning;
    } else if (const std::string bare = word.substr(0, word.find_last_not_of("0123456789") + 1);
               bare != word) {
      if (const auto of_bare = meaning_of_word(bare)) hint.meaning = *of_bare;
    }
  }
  const bool is_named = std::ranges::find(words, "name") != words.end();
  const bool of_person = hint.meaning == NameMeaning::kNone || hint.meaning == NameMeaning::kPerson;
  if (is_named && of_person) hint.meaning = NameMeaning::kPersonName;
  const bool ends_as_key = !words.empty() && (words.back() == "id" || words.back() == "key" ||
                                              words.back() == "identifier");
  if (hint.meaning == NameMeaning::kNone && ends_as_key) hint.meaning = NameMeaning::kKey;
  hint.amount = says_amount(words) || is_amount(hint.meaning) ? Amount::kYes
                : is_coded(hint.meaning)                      ? Amount::kNo
                                                              : Amount::kUnknown;
  hint.says_illness = hint.amount != Amount::kYes && says_illness(words);
  return hint;
}

bool says_id(const NameHint& hint) {
  switch (hint.meaning) {
    case NameMeaning::kPerson:
    case NameMeaning::kKey:
    case NameMeaning::kContact:
    case NameMeaning::kOfficialNumber:
      return true;
    default:
      return hint.meaning == NameMeaning::kNone && hint.says_key;
  }
}

}  // namespace semveil
