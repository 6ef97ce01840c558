// A coded column as the pages of a Parquet column chunk: one dictionary, then the codes.
//
// Parquet's own writer hashes every cell again, or, of Arrow's dictionaries, finds the distinct
// ones of every thousand cells for its statistics. Here both come from the dictionary, which holds
// what the rows hold and nothing else.
//
// Format:  data pages of version 1; codes in runs or packed in bits (Parquet's "RLE/bit-packing
//          hybrid"), https://parquet.apache.org/docs/file-format/data-pages/encodings
// Choice:  20,000 rows a page, as Parquet's own writer; statistics of the chunk, none of pages.
// Cost:    about 3 ns a cell and the compression.
#pragma once

#include <parquet/column_writer.h>
#include <parquet/metadata.h>
#include <parquet/properties.h>

#include <cstdint>
#include <span>
#include <string>

#include "table/arrow/coded_column.h"

namespace semveil {

// The width of codes of this many values in bits.
int code_width(std::size_t values);

// Appends codes, none negative, as runs and packed bits.
void append_codes(std::span<const std::int32_t> codes, int width, std::string& out);

// Of a column that is not nested. Throws what Parquet throws. The bytes written, before
// compression.
std::int64_t write_coded_chunk(const CodedColumn& column, const parquet::WriterProperties& options,
                               parquet::ColumnChunkMetaDataBuilder& metadata,
                               parquet::PageWriter& pages);

}  // namespace semveil
