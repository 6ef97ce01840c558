// Rows in a keyed random order.
//
// Every row has a 64-bit draw of the key; rows come out by ascending draw (ties, one in 2^64 a
// pair, in the old order). The top bits of the draw choose a part, each a spool of its own; a part
// is sorted in memory when it is written out. So the order is a function of key and row number
// alone, whatever the number of parts.
//
// Cost: one more write and read of the table. Memory: the largest part and a buffer for each; on
// disk, the written table once more, encrypted.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/packed_file.h"
#include "base/spool.h"
#include "semveil/key.h"
#include "semveil/result.h"

namespace semveil {

// Of draw number 0 of a row: its place among all rows, in every format.
inline Draws shuffle_draws(const Key& key) { return {key.derive("shuffle", {}), ""}; }

class Shuffle {
 public:
  // `table_bytes`: how large the table may be, to choose the number of parts; 0: nobody knows.
  static Result<Shuffle> create(const Key& key, std::uint64_t table_bytes,
                                const std::string& temp_folder);

  // Row first_row + i ends before row_ends[i].
  Status add(std::uint64_t first_row, std::string_view bytes,
             std::span<const std::uint32_t> row_ends);
  Status write_to(PackedFile& file);

 private:
  Shuffle(const Key& key, unsigned bits) : draws_(shuffle_draws(key)), bits_(bits) {}

  Draws draws_;
  unsigned bits_;  // of the draw that choose the part
  std::vector<std::shared_ptr<Spool>> parts_;
  std::vector<std::uint64_t> row_draws_;
};

}  // namespace semveil
