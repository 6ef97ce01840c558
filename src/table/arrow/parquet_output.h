// Parquet files, row group by row group. Memory: the columns of one row group, at most
// kMaxRowGroupBytes of values and one batch.
#pragma once

#include "table/arrow/output.h"

namespace semveil {

// Columns may come as dictionaries of the schema's type (CodedColumn::takes) instead, but always
// or never: they are written without looking at every cell's value.
arrow::Result<std::unique_ptr<FormatWriter>> open_parquet_writer(
    const OutputForm& form, const std::shared_ptr<arrow::Schema>& schema,
    const std::shared_ptr<arrow::io::OutputStream>& stream);

}  // namespace semveil
