// What tells one fitted table from another, so that no two releases ever share their errors: which
// tuples it has and how often, in which order its rows come, and how they are masked.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "semveil/frequency_table.h"

namespace semveil {

// A column's codes in the order of the rows, however they are cut into batches. Codes number texts
// as they come, so the same column always has the same ones.
class OrderHash {
 public:
  OrderHash();
  ~OrderHash();
  OrderHash(OrderHash&&) noexcept;
  OrderHash& operator=(OrderHash&&) noexcept;

  void add(std::span<const Code> codes);
  std::string digest() const;  // 16 bytes

 private:
  struct State;
  std::unique_ptr<State> state_;
};

std::string hash_of(std::string_view bytes);  // BLAKE2b-256
std::string table_digest(const FrequencyTable& table, const std::vector<std::string>& orders,
                         std::string_view mechanism,
                         const std::map<std::string, std::string>& parameters);

}  // namespace semveil
