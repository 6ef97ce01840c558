// Secret keys, and random numbers that are a pure function of a key and an address.
//
// Whoever holds a release's key can undo its noise: a key is never printed and leaves the process
// only inside a model file. Its bytes are in memory that is not swapped out where the system allows
// it, and are wiped when the last copy goes out of scope.
//
// A draw is eight bytes of ChaCha20 at an address (column, row, draw number), so a row is masked
// alike however the table is cut into batches, threads or partitions. docs/formats/draws.md has
// the layout of keys and nonces.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "semveil/result.h"

namespace [[gnu::visibility("default")]] semveil {

class Key {  // 256 bits
 public:
  static constexpr std::size_t kSize = 32;

  // No moves: none is left without its bytes.
  Key(const Key&) = default;
  Key& operator=(const Key&) = default;
  ~Key() = default;

  static Key fresh();  // from the operating system
  // A seed is a key that can be guessed; Argon2id makes guessing slow. The same text, the same key.
  static Result<Key> from_seed(std::string_view seed);
  // Exactly 32 bytes, or 64 hexadecimal digits and a line end.
  static Result<Key> read(const std::string& path);
  static Key from_bytes(std::span<const unsigned char, kSize> bytes);

  // 64 hexadecimal digits, as read() takes them: for files that only their owner can read.
  std::string hex() const;
  std::span<const unsigned char, kSize> bytes() const& {
    return std::span<const unsigned char, kSize>(bytes_.get(), kSize);
  }
  std::span<const unsigned char, kSize> bytes() const&& = delete;  // wiped before they are read

  // Another key that says nothing about this one: BLAKE2b keyed by it over the parts, each with
  // its length before it.
  Key derive(std::string_view purpose, std::span<const std::string_view> parts) const;
  // The bytes of that key, in ordinary memory: for what is no key itself. wipe() them.
  std::array<unsigned char, kSize> derived_bytes(std::string_view purpose,
                                                 std::span<const std::string_view> parts) const;
  // Tells whether two keys are the same, and nothing else about them: 64 hexadecimal digits.
  std::string fingerprint() const;

 private:
  Key();
  void derive_into(std::span<unsigned char, kSize> out, std::string_view purpose,
                   std::span<const std::string_view> parts) const;
  std::span<unsigned char, kSize> writable() {
    return std::span<unsigned char, kSize>(bytes_.get(), kSize);
  }

  std::shared_ptr<unsigned char[]> bytes_;  // copies share them: a secret stands in one place
};

void wipe(std::span<unsigned char> bytes);  // also where they are never read again

// The key of one release's draws. Two releases must never share their errors, so both the table's
// digest (frequencies, order of the rows, method and parameters: docs/formats/draws.md) and the
// release's name go into it.
Key stream_key(const Key& key, std::string_view table_digest, std::string_view release);
// With `draw_by` a person's draws are the same in every release: neither goes into it.
Key person_stream_key(const Key& key);

class Draws {  // of one column; immutable, thread-safe
 public:
  Draws(const Key& stream, std::string_view column);

  // out[i] is draw number `draw` of row `first_row` + i.
  void of_rows(std::uint64_t first_row, std::uint32_t draw, std::span<std::uint64_t> out) const;
  // The same for addresses that are not in sequence (address()): out[i] belongs to addresses[i].
  void of_addresses(std::span<const std::uint64_t> addresses, std::uint32_t draw,
                    std::span<std::uint64_t> out) const;
  // A keyed hash of a person and the value to mask, each with its length before it.
  std::uint64_t address(std::string_view person, std::string_view value) const;

 private:
  Key key_;
  Key hash_key_;  // the first 16 bytes
};

}  // namespace semveil
