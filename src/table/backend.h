// Tables that need Apache Arrow: Parquet, Arrow IPC (file and stream), Feather.
//
// The Arrow libraries take longer to load than most CSV runs last. So they are linked only by a
// module, libsemveil_arrow.so, which is loaded on first use; the rest of the program knows it by
// this interface alone.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "base/stop.h"
#include "semveil/result.h"
#include "semveil/table.h"

namespace semveil {

enum class ArrowFormat : std::uint8_t { kParquet, kIpcFile, kIpcStream };

// A table that can be read again and again; immutable, thread-safe.
class ArrowTable {
 public:
  ArrowTable() = default;
  ArrowTable(const ArrowTable&) = delete;
  ArrowTable& operator=(const ArrowTable&) = delete;
  virtual ~ArrowTable() = default;

  virtual const std::vector<std::string>& columns() const = 0;
  virtual ArrowFormat format() const = 0;
  virtual std::uint64_t bytes() const = 0;
  // As Table::read; the source outlives neither this table nor its options.
  virtual Result<std::unique_ptr<TableSource>> read(std::vector<std::size_t> wanted,
                                                    Cells cells = Cells::kAll) const = 0;
  // Nested columns have none, but for lists of texts, whose text is JSON: they cannot be written to
  // a table of another kind.
  virtual bool has_text(std::size_t column) const = 0;
};

class TableBackend {  // stateless, thread-safe
 public:
  TableBackend() = default;
  TableBackend(const TableBackend&) = delete;
  TableBackend& operator=(const TableBackend&) = delete;
  virtual ~TableBackend() = default;

  // What the file holds decides its format, not its name.
  virtual Result<std::unique_ptr<ArrowTable>> open(const std::string& path,
                                                   const TableOptions& options) const = 0;
  // A sink for batches of `same_kind`, whose types it keeps (its metadata are left out); null where
  // the source is CSV: then the batches give texts() and every column is one of texts.
  virtual Result<std::unique_ptr<TableSink>> write(const std::string& path, ArrowFormat format,
                                                   const std::vector<std::string>& columns,
                                                   const ArrowTable* same_kind, Edits edits,
                                                   const TableOptions& options) const = 0;
};

// The backend, loaded by the first call. Looked for in the environment variable SEMVEIL_BACKEND
// (the path of the module), then beside whatever this code is in, the program or the shared
// library, then in `semveil` beside that and in ../lib/semveil. Thread-safe.
Result<const TableBackend*> table_backend();

// Between the program and the module. Raise the number whenever this header or table.h changes,
// so that a module of another build is refused instead of called wrongly.
inline constexpr std::uint32_t kTableBackendAbi = 5;
inline constexpr const char* kTableBackendSymbol = "semveil_table_backend";
extern "C" {
// The module's backend; null if the module was built for another kTableBackendAbi. The module works
// on threads of the program, whose work may be stopped: it looks where the program does.
using TableBackendEntry = const TableBackend* (*)(std::uint32_t abi, StopSlot stop);
}

}  // namespace semveil
