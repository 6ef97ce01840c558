// Keys and addressed draws over libsodium; docs/formats/draws.md has the layout, byte by byte.
//
//   seed → key          Argon2id version 1.3 (RFC 9106)
//   key → key           BLAKE2b (RFC 7693), keyed
//   key, row → draw     ChaCha20 in Bernstein's form: a nonce and a block counter of 64 bits each
//   person → address    SipHash-2-4
//
// Choice: a draw is reached by the block counter, not by reading up to it. Rows lie in sequence,
//         eight to a block, so a batch is one call; addresses lie anywhere, one block each.
// Cost:   rows 2 GB of stream a second and core with AVX2; a draw at an address 0.12 µs.
#include "semveil/key.h"

#include <sodium.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <vector>

#include "base/bytes.h"
#include "base/hex.h"
#include "base/locked_slots.h"
#include "base/memory_error.h"

namespace semveil {
namespace {

// Parts of the format: another value is another key for every seed. Memory and passes are those
// that libsodium 1.0.18 calls INTERACTIVE, written out because a later version may raise them.
constexpr std::array<unsigned char, crypto_pwhash_argon2id_SALTBYTES> kSeedSalt{
    's', 'e', 'm', 'v', 'e', 'i', 'l', '.', 's', 'e', 'e', 'd', '.', '0', '0', '1'};
constexpr unsigned long long kSeedPasses = 2;
constexpr std::size_t kSeedMemory = std::size_t{64} << 20U;

constexpr std::uint64_t kDrawsPerBlock = 8;
constexpr std::uint64_t kAddressNonce = std::uint64_t{1} << 63U;

static_assert(crypto_stream_chacha20_KEYBYTES == Key::kSize);
static_assert(crypto_stream_chacha20_NONCEBYTES == 8);
static_assert(crypto_shorthash_KEYBYTES == 16 && crypto_shorthash_BYTES == 8);

using Eight = std::array<unsigned char, 8>;

Eight little_endian(std::uint64_t number) {
  Eight bytes;
  for (std::size_t i = 0; i < bytes.size(); ++i) {
    bytes[i] = static_cast<unsigned char>(number >> (8 * i));
  }
  return bytes;
}

std::uint64_t from_little_endian(std::uint64_t stored) {
  if constexpr (std::endian::native == std::endian::big) return __builtin_bswap64(stored);
  return stored;
}

const unsigned char* bytes_of(std::string_view text) {
  return reinterpret_cast<const unsigned char*>(text.data());
}

// The key stream from the beginning of `block`, for draws that need not fill their last block.
void key_stream(const unsigned char* key, std::uint64_t nonce, std::uint64_t block,
                std::span<std::uint64_t> out) {
  const Eight nonce_bytes = little_endian(nonce);
  auto* bytes = reinterpret_cast<unsigned char*>(out.data());
  std::memset(bytes, 0, out.size_bytes());
  crypto_stream_chacha20_xor_ic(bytes, bytes, out.size_bytes(), nonce_bytes.data(), block, key);
  if constexpr (std::endian::native == std::endian::big) {
    for (std::uint64_t& draw : out) draw = from_little_endian(draw);
  }
}

int hexadecimal(char c) {
  if (c >= '0' && c <= '9') return c - '0';
  if (c >= 'a' && c <= 'f') return c - 'a' + 10;
  if (c >= 'A' && c <= 'F') return c - 'A' + 10;
  return -1;
}

bool decode_hexadecimal(std::string_view digits, std::span<unsigned char, Key::kSize> out) {
  if (digits.size() != 2 * out.size()) return false;
  for (std::size_t i = 0; i < out.size(); ++i) {
    const int high = hexadecimal(digits[2 * i]);
    const int low = hexadecimal(digits[2 * i + 1]);
    if (high < 0 || low < 0) return false;
    out[i] = static_cast<unsigned char>(high * 16 + low);
  }
  return true;
}

}  // namespace

static_assert(kSlotBytes == Key::kSize);
Key::Key() : bytes_(take_locked_slot(), give_back_locked_slot) {}

Key Key::fresh() {
  Key key;
  randombytes_buf(key.writable().data(), kSize);
  return key;
}

Result<Key> Key::from_seed(std::string_view seed) {
  if (seed.empty()) {
    return fail(data_error("the seed is empty: write a text, or leave it out for a secret key"));
  }
  Key key;
  if (crypto_pwhash(key.writable().data(), kSize, seed.data(), seed.size(), kSeedSalt.data(),
                    kSeedPasses, kSeedMemory, crypto_pwhash_ALG_ARGON2ID13) != 0) {
    return fail(memory_error("to stretch the seed, which takes 64 MiB"));
  }
  return key;
}

Result<Key> Key::read(const std::string& path) {
  // As it is: a random key may begin like a packed file.
  const Result<FileBytes> file = FileBytes::read(path, Unpack::kNo);
  if (!file) return fail(file.error());
  std::string_view text = file->view();
  Key key;
  if (text.size() == kSize) {
    std::copy(text.begin(), text.end(), key.writable().begin());
    return key;
  }
  for (const char end : {'\n', '\r'}) {
    if (text.ends_with(end)) text.remove_suffix(1);
  }
  if (decode_hexadecimal(text, key.writable())) return key;
  return fail(
      data_error("this is no key: a key file holds 32 bytes, or 64 hexadecimal digits on one line")
          .at(path));
}

Key Key::from_bytes(std::span<const unsigned char, kSize> bytes) {
  Key key;
  std::copy(bytes.begin(), bytes.end(), key.writable().begin());
  return key;
}

std::string Key::hex() const { return semveil::hex(bytes()); }

std::string Key::fingerprint() const { return derive("fingerprint", {}).hex(); }

Key Key::derive(std::string_view purpose, std::span<const std::string_view> parts) const {
  Key derived;
  derive_into(derived.writable(), purpose, parts);
  return derived;
}

std::array<unsigned char, Key::kSize> Key::derived_bytes(
    std::string_view purpose, std::span<const std::string_view> parts) const {
  std::array<unsigned char, kSize> derived;
  derive_into(derived, purpose, parts);
  return derived;
}

void wipe(std::span<unsigned char> bytes) { sodium_memzero(bytes.data(), bytes.size()); }

void Key::derive_into(std::span<unsigned char, kSize> out, std::string_view purpose,
                      std::span<const std::string_view> parts) const {
  crypto_generichash_state state;
  crypto_generichash_init(&state, bytes().data(), kSize, kSize);
  const auto add = [&state](std::string_view part) {
    const Eight length = little_endian(part.size());
    crypto_generichash_update(&state, length.data(), length.size());
    crypto_generichash_update(&state, bytes_of(part), part.size());
  };
  add(purpose);
  for (const std::string_view part : parts) add(part);
  crypto_generichash_final(&state, out.data(), kSize);
  sodium_memzero(&state, sizeof(state));
}

Key stream_key(const Key& key, std::string_view table_digest, std::string_view release) {
  return key.derive("release", std::array{table_digest, release});
}

Key person_stream_key(const Key& key) { return key.derive("person", {}); }

Draws::Draws(const Key& stream, std::string_view column)
    : key_(stream.derive("column", std::array{column})),
      hash_key_(stream.derive("address", std::array{column})) {}

void Draws::of_rows(std::uint64_t first_row, std::uint32_t draw,
                    std::span<std::uint64_t> out) const {
  std::uint64_t block = first_row / kDrawsPerBlock;
  if (const std::uint64_t skipped = first_row % kDrawsPerBlock; skipped != 0) {
    std::array<std::uint64_t, kDrawsPerBlock> whole;
    key_stream(key_.bytes().data(), draw, block, whole);
    const std::size_t taken = std::min<std::size_t>(kDrawsPerBlock - skipped, out.size());
    std::copy_n(whole.begin() + static_cast<std::ptrdiff_t>(skipped), taken, out.begin());
    out = out.subspan(taken);
    ++block;
  }
  if (!out.empty()) key_stream(key_.bytes().data(), draw, block, out);
}

void Draws::of_addresses(std::span<const std::uint64_t> addresses, std::uint32_t draw,
                         std::span<std::uint64_t> out) const {
  for (std::size_t i = 0; i < addresses.size(); ++i) {
    key_stream(key_.bytes().data(), draw | kAddressNonce, addresses[i], out.subspan(i, 1));
  }
}

std::uint64_t Draws::address(std::string_view person, std::string_view value) const {
  const std::size_t size = 2 * sizeof(Eight) + person.size() + value.size();
  std::array<unsigned char, 512> small;
  std::vector<unsigned char> large(size > small.size() ? size : 0);
  unsigned char* const begin = large.empty() ? small.data() : large.data();
  unsigned char* end = begin;
  for (const std::string_view part : {person, value}) {
    end = std::ranges::copy(little_endian(part.size()), end).out;
    end = std::ranges::copy(part, end).out;
  }
  std::uint64_t hash = 0;
  crypto_shorthash(reinterpret_cast<unsigned char*>(&hash), begin, size, hash_key_.bytes().data());
  return from_little_endian(hash);
}

}  // namespace semveil
