// SHA-256 of bytes in memory; of files: files.h.
#pragma once

#include <string>
#include <string_view>

namespace semveil {

std::string sha256_of_bytes(std::string_view bytes);  // hexadecimal digits

}  // namespace semveil
