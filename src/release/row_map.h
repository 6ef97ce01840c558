// Which record of a table became which row of its release (docs/formats/row_map.md): the steward's
// own, for audits of releases whose rows were shuffled or left out.
//
// Memory: 8 bytes a record.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "semveil/files.h"
#include "semveil/table.h"

namespace semveil {

class RowMap {  // grows batch by batch, as the rows are written
 public:
  void add(std::uint64_t first_row, std::size_t rows, const std::vector<bool>& dropped);
  // By row of the release, from 0: the row of the table. `shuffle`: the key of the order they come
  // out in; nothing: they stay in order.
  std::vector<std::uint64_t> finish(const std::optional<Key>& shuffle) &&;

 private:
  std::vector<std::uint64_t> rows_;
};

Result<PendingFile> prepare_row_map(const std::string& path,
                                    std::span<const std::uint64_t> input_rows);
// Checked: every row of the release once, no row of the table twice.
Result<std::vector<std::uint64_t>> read_row_map(const std::string& path,
                                                std::uint64_t original_records,
                                                std::uint64_t masked_records);

}  // namespace semveil
