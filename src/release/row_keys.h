// Which records of two tables belong together, by a column that both have.
#pragma once

#include <string>
#include <vector>

#include "release/table_rows.h"
#include "semveil/finding.h"

namespace semveil {

inline constexpr std::uint64_t kNobody = ~std::uint64_t{0};

struct KeyNames {
  std::string original, masked, column;  // tables and their key, for messages
};
// By row of the masked table: the row of the original that has its key, or kNobody. The key is the
// first column that is apart in both. An error where it does not tell every record; strangers are
// noted.
Result<std::vector<std::uint64_t>> rows_by_key(const TableRows& original, const TableRows& masked,
                                               const KeyNames& names,
                                               std::vector<std::string>& notes,
                                               std::vector<Finding>& findings);

// Records of the masked table that are nobody's in the original.
void tell_strangers(std::uint64_t records, std::vector<std::string>& notes,
                    std::vector<Finding>& findings);

}  // namespace semveil
