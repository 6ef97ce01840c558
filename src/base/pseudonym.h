// Names that stand for persons: a keyed hash, written so that people can read it out.
//
//   hex      9f31c02ab77e5d04           16 digits, 64 bits
//   digits   402975518836               12 digits, 39 bits
//   words    bako-lumi-tesa-nori         4 words of two syllables each, 48 bits
//
// A pseudonym is cut from an endless row of signs that only key, release and person decide: the
// shorter is the beginning of the longer. Without the key nobody can go back to the person, or try
// whether a person fits. Holds: same key, release, person: same pseudonym, in any table.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/choices.h"
#include "semveil/key.h"

namespace semveil {

enum class PseudonymForm : std::uint8_t { kHex, kDigits, kWords };
inline constexpr Choices<PseudonymForm, 3> kPseudonymForms{{{"hex", PseudonymForm::kHex},
                                                            {"digits", PseudonymForm::kDigits},
                                                            {"words", PseudonymForm::kWords}}};
inline constexpr auto kPseudonymFormWords = words_of(kPseudonymForms);

// The usual number of digits, or of words.
std::size_t usual_length(PseudonymForm form);
constexpr std::size_t kLongestPseudonym = 64;

class Pseudonyms {  // immutable, thread-safe
 public:
  // Without a release: the same in all releases of the key.
  Pseudonyms(const Key& key, std::optional<std::string_view> release, PseudonymForm form,
             std::size_t length);

  std::string of(std::string_view person) const { return of(person, length_); }
  // The least length at which these persons, all different, have different pseudonyms. Nothing:
  // none up to kLongestPseudonym.
  std::optional<std::size_t> length_for(std::span<const std::string_view> persons) const;

 private:
  std::string of(std::string_view person, std::size_t length) const;

  Key key_;
  PseudonymForm form_;
  std::size_t length_;
};

}  // namespace semveil
