// A key of one byte over and over.
#pragma once

#include <array>

#include "semveil/key.h"

namespace semveil::test {

inline Key filled_key(unsigned char byte) {
  std::array<unsigned char, Key::kSize> bytes{};
  bytes.fill(byte);
  return Key::from_bytes(bytes);
}

}  // namespace semveil::test
