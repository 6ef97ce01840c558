#include "base/pseudonym.h"

#include <algorithm>
#include <array>
#include <vector>

namespace semveil {
namespace {

// Bytes without an end: blocks of a keyed hash, numbered.
class HashedBytes {
 public:
  HashedBytes(const Key& key, std::string_view person) : key_(key), person_(person) {
    next_block();
  }
  ~HashedBytes() { wipe(block_); }
  HashedBytes(const HashedBytes&) = delete;
  HashedBytes& operator=(const HashedBytes&) = delete;

  unsigned next() {
    if (at_ == Key::kSize) next_block();
    return block_[at_++];
  }

 private:
  void next_block() {
    const std::string number = std::to_string(blocks_++);
    const std::array<std::string_view, 2> parts{person_, number};
    block_ = key_.derived_bytes("pseudonym block", parts);
    at_ = 0;
  }

  const Key& key_;
  std::string_view person_;
  unsigned blocks_ = 0;
  std::array<unsigned char, Key::kSize> block_{};
  std::size_t at_ = 0;
};

std::string hex_of(HashedBytes& bytes, std::size_t length) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text;
  while (text.size() < length) {
    const unsigned byte = bytes.next();
    text += kDigits[byte >> 4U];
    if (text.size() < length) text += kDigits[byte & 15U];
  }
  return text;
}

// 250 is the greatest multiple of 10 that a byte reaches: beyond it some digits would be likelier.
std::string digits_of(HashedBytes& bytes, std::size_t length) {
  std::string text;
  while (text.size() < length) {
    const unsigned byte = bytes.next();
    if (byte < 250) text += static_cast<char>('0' + byte % 10);
  }
  return text;
}

// Sixteen consonants and four vowels, so that a syllable is six bits of a byte.
std::string words_of(HashedBytes& bytes, std::size_t length) {
  constexpr std::string_view kConsonants = "bdfghjklmnprstvz", kVowels = "aiou";
  std::string text;
  for (std::size_t word = 0; word < length; ++word) {
    if (word > 0) text += '-';
    for (int syllable = 0; syllable < 2; ++syllable) {
      const unsigned byte = bytes.next();
      text += kConsonants[byte & 15U];
      text += kVowels[(byte >> 4U) & 3U];
    }
  }
  return text;
}

Key key_of(const Key& key, std::optional<std::string_view> release) {
  if (!release) return key.derive("pseudonyms of all releases", {});
  const std::array<std::string_view, 1> parts{*release};
  return key.derive("pseudonyms of a release", parts);
}

}  // namespace

std::size_t usual_length(PseudonymForm form) {
  switch (form) {
    case PseudonymForm::kHex:
      return 16;
    case PseudonymForm::kDigits:
      return 12;
    default:
      return 4;
  }
}

Pseudonyms::Pseudonyms(const Key& key, std::optional<std::string_view> release, PseudonymForm form,
                       std::size_t length)
    : key_(key_of(key, release)), form_(form), length_(length) {}

std::string Pseudonyms::of(std::string_view person, std::size_t length) const {
  HashedBytes bytes(key_, person);
  switch (form_) {
    case PseudonymForm::kHex:
      return hex_of(bytes, length);
    case PseudonymForm::kDigits:
      return digits_of(bytes, length);
    default:
      return words_of(bytes, length);
  }
}

std::optional<std::size_t> Pseudonyms::length_for(std::span<const std::string_view> persons) const {
  // Sorted, those that begin alike stand side by side: what they share decides.
  std::vector<std::string> longest;
  longest.reserve(persons.size());
  for (const std::string_view person : persons) longest.push_back(of(person, kLongestPseudonym));
  std::ranges::sort(longest);
  const std::size_t per_word = form_ == PseudonymForm::kWords ? 5 : 1;
  std::size_t shared = 0;
  for (std::size_t i = 1; i < longest.size(); ++i) {
    const auto [a, b] = std::ranges::mismatch(longest[i - 1], longest[i]);
    if (a == longest[i - 1].end()) return std::nullopt;
    shared = std::max(shared, static_cast<std::size_t>(a - longest[i - 1].begin()));
  }
  return shared / per_word + 1;
}

}  // namespace semveil
