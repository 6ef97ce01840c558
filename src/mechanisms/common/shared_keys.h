// Keys of [mask] that several methods take in the same sense, and remedies that several name.
#pragma once

#include <array>

#include "semveil/method.h"

namespace semveil {

inline constexpr MethodKey kAllowUnmaskedKey{
    .name = "allow_unmasked",
    .type = KeyType::kFlag,
    .help = "go on where a column cannot be masked",
    .usually = false,
    .told = Told::kNever,
    .stays = true,
};

inline constexpr double kMostK = 4'000'000'000;
// What k is searched among.
inline constexpr std::array<double, 16> kUsualKs{2,  3,  5,   7,   10,  15,  20,  30,
                                                 50, 70, 100, 150, 200, 300, 500, 1000};

inline constexpr std::string_view kAnotherMethod = "Choose another method.",
                                  kTogetherAlready =
                                      "The columns are masked together already: choose another "
                                      "method.";

}  // namespace semveil
