#include "base/sha256.h"

#include <fcntl.h>
#include <sodium.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <vector>

#include "base/bytes.h"
#include "base/descriptor.h"
#include "base/hex.h"
#include "semveil/files.h"

namespace semveil {

Result<std::string> sha256_of(const std::string& path) {
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC));
  if (file.get() < 0) return fail(read_error(path, errno));
  crypto_hash_sha256_state state;
  crypto_hash_sha256_init(&state);
  std::vector<unsigned char> piece(std::size_t{1} << 20U);
  for (;;) {
    const ssize_t got = ::read(file.get(), piece.data(), piece.size());
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return fail(read_error(path, errno));
    if (got == 0) break;
    crypto_hash_sha256_update(&state, piece.data(), static_cast<unsigned long long>(got));
  }
  std::array<unsigned char, crypto_hash_sha256_BYTES> hash;
  crypto_hash_sha256_final(&state, hash.data());
  return hex(hash);
}

std::string sha256_of_bytes(std::string_view bytes) {
  std::array<unsigned char, crypto_hash_sha256_BYTES> hash;
  crypto_hash_sha256(hash.data(), reinterpret_cast<const unsigned char*>(bytes.data()),
                     bytes.size());
  return hex(hash);
}

}  // namespace semveil
