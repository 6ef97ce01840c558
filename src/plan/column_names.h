// What the name of a column says about it.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

namespace semveil {

enum class NameMeaning : std::uint8_t {
  kNone,
  kPerson,        // patient, participant: a key, a number or a name of them
  kRecord,        // encounter, claim: the number of something that was recorded
  kOrganisation,  // provider, school
  kPersonName,
  kAddress,
  kContact,         // telephone, mail
  kOfficialNumber,  // passport, social security
  kKey,             // id, key: of nobody knows whom
  kTitle,           // Mrs, PhD
  kDate,
  kAge,
  kSex,
  kOrigin,  // race, ethnicity, language
  kMarital,
  kCountry,
  kPlace,
  kPostcode,
  kCoordinate,
  kWork,
  kEducation,
  kHousehold,
  kRelative,  // father, spouse
  kLeisure,
  kBelief,  // religion, politics, orientation
  kHealth,
  kMoney,
  kScore,    // of a test: openness
  kAnswer,   // what somebody wrote
  kWeight,   // of a survey
  kSequence  // group, wave, position: how the data were gathered
};

// Whether the name says that the cells are amounts, or codes of something.
enum class Amount : std::uint8_t { kUnknown, kYes, kNo };

struct NameHint {
  NameMeaning meaning = NameMeaning::kNone;
  Amount amount = Amount::kUnknown;
  bool says_key = false;      // id, number, code: more than a word of something
  bool says_illness = false;  // diagnosis, icd, cause: of health, and not what was measured of it
};
NameHint hint_of(std::string_view column);
// Whether the name says an id, or a person who is known by one: not a name, a place or an amount.
bool says_id(const NameHint& hint);

// Words in small letters: "nativeCountry_2" → native, country.
std::vector<std::string> name_words(std::string_view column);
// The name without a number at its end, with the number of such columns a series; empty: there is
// no number. "vf_an_01" → "vf_an_".
std::string series_of(std::string_view column);

}  // namespace semveil
