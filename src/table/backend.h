// Tables that need Apache Arrow: Parquet, Arrow IPC (file and stream), Feather.
//
// The Arrow libraries take longer to load than most CSV runs last. So they are linked only by a
// module, libsemveil_arrow.so, which is loaded on first use; the rest of the program knows it by
// this interface alone.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "semveil/result.h"
#include "semveil/table.h"

namespace semveil {

class TableBackend {  // stateless, thread-safe
 public:
  TableBackend() = default;
  TableBackend(const TableBackend&) = delete;
  TableBackend& operator=(const TableBackend&) = delete;
  virtual ~TableBackend() = default;

  // Counts the distinct texts of one column; nulls and empty texts are missing. Numbers, dates and
  // the like count as the text Arrow casts them to; nested types are an error. What the file holds
  // decides its format, not its name.
  // Cost: one pass over the column; memory for the distinct values and one batch.
  virtual Result<ColumnCounts> count_column(const std::string& path,
                                            std::string_view column) const = 0;
};

// The backend, loaded by the first call. Looked for in the environment variable SEMVEIL_BACKEND
// (the path of the module), then beside the program, then in ../lib/semveil. Thread-safe.
Result<const TableBackend*> table_backend();

// Between the program and the module. Raise the number whenever this header or ColumnCounts
// changes, so that a module of another build is refused instead of called wrongly.
inline constexpr std::uint32_t kTableBackendAbi = 1;
inline constexpr const char* kTableBackendSymbol = "semveil_table_backend";
extern "C" {
// The module's backend; null if the module was built for another kTableBackendAbi.
using TableBackendEntry = const TableBackend* (*)(std::uint32_t abi);
}

}  // namespace semveil
