// Enumerations and the words that plans use for them.
#pragma once

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace semveil {

template <class Enum, std::size_t kSize>
using Choices = std::array<std::pair<std::string_view, Enum>, kSize>;

template <class Enum, std::size_t kSize>
std::string_view name_of(const Choices<Enum, kSize>& choices, Enum value) {
  return std::find_if(choices.begin(), choices.end(),
                      [&](const auto& choice) { return choice.second == value; })
      ->first;
}

// The way back, of a word that is one of them.
template <class Enum, std::size_t kSize>
Enum choice_named(const Choices<Enum, kSize>& choices, std::string_view word) {
  return std::find_if(choices.begin(), choices.end(),
                      [&](const auto& choice) { return choice.first == word; })
      ->second;
}

template <class Enum, std::size_t kSize>
constexpr std::array<std::string_view, kSize> words_of(const Choices<Enum, kSize>& choices) {
  std::array<std::string_view, kSize> words;
  for (std::size_t i = 0; i < kSize; ++i) words[i] = choices[i].first;
  return words;
}

}  // namespace semveil
