// What tells one fitted table from another, so that no two releases ever share their errors: which
// tuples it has and how often, in which order its rows come, and how they are masked.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "semveil/frequency_table.h"
#include "semveil/table.h"

namespace semveil {

struct MethodDescription;

// Which text stands in which row of a column: the sum mod 2^128, over the rows, of a hash of the
// row's number and the cell's text (docs/formats/draws.md). A sum has no order of its own, so that
// parts of a table can be hashed apart and added up, whatever their dictionaries number texts by.
//
// It tells two tables apart that differ by accident. Whoever writes a table may choose its cells so
// that sums are equal.
class OrderHash {
 public:
  // The rows from first_row on; codes are those of `texts`, which only grows between two calls.
  void add(std::uint64_t first_row, std::span<const Code> codes, const Dictionary& texts);
  void add(const OrderHash& other);  // of other rows
  std::string digest() const;        // 16 bytes
  static std::optional<OrderHash> from_digest(std::string_view digest);

 private:
  __extension__ using Wide = unsigned __int128;
  struct TextHash {
    std::uint64_t low = 0, high = 0;
  };
  static Wide of_cell(std::uint64_t row, TextHash text);

  std::vector<TextHash> texts_;  // by code
  Wide sum_ = 0;
};

std::string hash_of(std::string_view bytes);  // BLAKE2b-256
std::string table_digest(const FrequencyTable& table, const std::vector<std::string>& orders,
                         const MethodDescription& method,
                         const std::map<std::string, std::string>& parameters);

}  // namespace semveil
