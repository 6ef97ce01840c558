// Enumerations and the words that plans use for them.
#pragma once

#include <algorithm>
#include <array>
#include <span>
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

}  // namespace semveil
