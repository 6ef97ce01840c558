#include "release/table_digest.h"

#include <sodium.h>
#include <xxhash.h>

namespace semveil {

struct OrderHash::State {
  alignas(64) XXH3_state_t hash;
};

OrderHash::OrderHash() : state_(std::make_unique<State>()) { XXH3_128bits_reset(&state_->hash); }
OrderHash::~OrderHash() = default;
OrderHash::OrderHash(OrderHash&&) noexcept = default;
OrderHash& OrderHash::operator=(OrderHash&&) noexcept = default;

void OrderHash::add(std::span<const Code> codes) {
  XXH3_128bits_update(&state_->hash, codes.data(), codes.size_bytes());
}

std::string OrderHash::digest() const {
  XXH128_canonical_t canonical;
  XXH128_canonicalFromHash(&canonical, XXH3_128bits_digest(&state_->hash));
  return {reinterpret_cast<const char*>(canonical.digest), sizeof canonical.digest};
}

std::string hash_of(std::string_view bytes) {
  std::string digest(crypto_generichash_BYTES, '\0');
  crypto_generichash(reinterpret_cast<unsigned char*>(digest.data()), digest.size(),
                     reinterpret_cast<const unsigned char*>(bytes.data()), bytes.size(), nullptr,
                     0);
  return digest;
}

std::string table_digest(const FrequencyTable& table, const std::vector<std::string>& orders,
                         std::string_view mechanism,
                         const std::map<std::string, std::string>& parameters) {
  std::string all;
  const auto add = [&all](std::string_view part) {
    all += std::to_string(part.size());
    all += ':';
    all += part;
  };
  add(table.digest());
  for (const std::string& order : orders) add(order);
  add(mechanism);
  for (const auto& [key, value] : parameters) {
    if (key == "demand") continue;  // a check of the result must not change it
    // Nor must the form: the same sets written twice are one release, others would be two.
    if (key == "output" || key == "separator") continue;
    add(key);
    add(value);
  }
  return hash_of(all);
}

}  // namespace semveil
