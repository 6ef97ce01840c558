#include "release/table_digest.h"

#include <sodium.h>
#include <xxhash.h>

#include "semveil/method.h"

namespace semveil {

namespace {

// Odd, their bits as many ones as zeros; beyond that any would do.
constexpr std::uint64_t kRow = 0x9E3779B97F4A7C15;
constexpr std::uint64_t kFirst = 0xBF58476D1CE4E5B9;
constexpr std::uint64_t kSecond = 0x94D049BB133111EB;
constexpr XXH64_hash_t kMissingSeed = 1;  // no text has the hash of a missing cell

}  // namespace

// The row's number is mixed first: sums of products that are linear in it would not see two
// exchanges of the same two texts over the same distance, there and back.
OrderHash::Wide OrderHash::of_cell(std::uint64_t row, TextHash text) {
  std::uint64_t mixed = (row + 1) * kRow;
  mixed = (mixed ^ (mixed >> 30U)) * kFirst;
  mixed = (mixed ^ (mixed >> 27U)) * kSecond;
  return static_cast<Wide>(text.low ^ mixed) * (text.high ^ (mixed * kRow));
}

void OrderHash::add(std::uint64_t first_row, std::span<const Code> codes, const Dictionary& texts) {
  while (texts_.size() < texts.size()) {
    const std::string_view text = texts.text(static_cast<Code>(texts_.size()));
    const XXH128_hash_t hash = XXH3_128bits(text.data(), text.size());
    texts_.push_back({hash.low64, hash.high64});
  }
  const XXH128_hash_t hash = XXH3_128bits_withSeed(nullptr, 0, kMissingSeed);
  const TextHash missing{hash.low64, hash.high64};
  Wide sum = 0;
  for (std::size_t i = 0; i < codes.size(); ++i) {
    sum += of_cell(first_row + i, codes[i] == kMissing ? missing : texts_[codes[i]]);
  }
  sum_ += sum;
}

void OrderHash::add(const OrderHash& other) { sum_ += other.sum_; }

std::string OrderHash::digest() const {
  std::string bytes;
  for (unsigned shift = 0; shift < 128; shift += 8) {
    bytes += static_cast<char>(static_cast<unsigned char>(sum_ >> shift));
  }
  return bytes;
}

std::optional<OrderHash> OrderHash::from_digest(std::string_view digest) {
  if (digest.size() != sizeof(Wide)) return std::nullopt;
  OrderHash hash;
  for (std::size_t i = digest.size(); i > 0; --i) {
    hash.sum_ = hash.sum_ << 8U | static_cast<unsigned char>(digest[i - 1]);
  }
  return hash;
}

std::string hash_of(std::string_view bytes) {
  std::string digest(crypto_generichash_BYTES, '\0');
  crypto_generichash(reinterpret_cast<unsigned char*>(digest.data()), digest.size(),
                     reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(), nullptr,
                     0);
  return digest;
}

std::string table_digest(const FrequencyTable& table, const std::vector<std::string>& orders,
                         const MethodDescription& method,
                         const std::map<std::string, std::string>& parameters) {
  std::string all;
  const auto add = [&all](std::string_view part) {
    all += std::to_string(part.size());
    all += ':';
    all += part;
  };
  add(table.digest());
  for (const std::string& order : orders) add(order);
  add(method.mechanism);
  for (const auto& [key, value] : parameters) {
    const MethodKey* const described = method.key(key);
    if (described != nullptr && !described->draws) continue;
    add(key);
    add(value);
  }
  return hash_of(all);
}

}  // namespace semveil
