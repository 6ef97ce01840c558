// Rows of CSV in the order of table/shuffle.h: every part is a spool until all rows are there.
//
// Cost: one more write and read of the table. Memory: the largest part, twice, and 64 KiB for each;
// on disk, the written table once more, encrypted.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "base/spool.h"
#include "base/write_behind.h"
#include "semveil/result.h"
#include "table/shuffle.h"

namespace semveil {

class CsvShuffle {
 public:
  CsvShuffle(const Key& key, std::string temp_folder)
      : order_(key), temp_folder_(std::move(temp_folder)) {}

  // Written row first_row + i ends before row_ends[i], with a line end.
  Status add(std::uint64_t first_row, std::string_view bytes,
             std::span<const std::uint32_t> row_ends);
  Status write_to(WriteBehind& file);

 private:
  ShuffleOrder order_;
  std::string temp_folder_;
  std::array<std::shared_ptr<Spool>, kShuffleParts> parts_;  // null: no row yet
};

}  // namespace semveil
