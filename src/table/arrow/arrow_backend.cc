// The table backend on Apache Arrow; see table/backend.h.
#include <cstdint>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "table/arrow/arrow_sink.h"
#include "table/arrow/arrow_table.h"
#include "table/backend.h"

namespace semveil {
namespace {

class ArrowBackend final : public TableBackend {
 public:
  Result<std::unique_ptr<ArrowTable>> open(const std::string& path,
                                           const TableOptions& options) const override {
    return ArrowFileTable::open(path, options);
  }

  Result<std::unique_ptr<TableSink>> write(const std::string& path, ArrowFormat format,
                                           const std::vector<std::string>& columns,
                                           const ArrowTable* same_kind, Edits edits,
                                           const TableOptions& options) const override {
    return make_arrow_sink(path, format, columns, static_cast<const ArrowFileTable*>(same_kind),
                           std::move(edits), options);
  }
};

}  // namespace
}  // namespace semveil

extern "C" __attribute__((visibility("default"))) const semveil::TableBackend*
semveil_table_backend(std::uint32_t abi, semveil::StopSlot stop) {
  static const semveil::ArrowBackend backend;
  if (abi != semveil::kTableBackendAbi) return nullptr;
  semveil::use_stop_slots_of(stop);
  return &backend;
}
