#pragma once

#include <memory>
#include <string>
#include <vector>

#include "table/arrow/arrow_table.h"
#include "table/backend.h"

namespace semveil {

// TableBackend::write.
Result<std::unique_ptr<TableSink>> make_arrow_sink(const std::string& path, ArrowFormat format,
                                                   const std::vector<std::string>& columns,
                                                   const ArrowFileTable* same_kind, Edits edits,
                                                   const TableOptions& options);

}  // namespace semveil
