#pragma once

#include "table/arrow/input.h"

namespace semveil {

arrow::Result<std::unique_ptr<Input>> open_parquet(
    std::shared_ptr<arrow::io::RandomAccessFile> file);

}  // namespace semveil
