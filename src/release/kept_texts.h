// What leaves the process in a part of a table: dictionaries, codes, tuples, ranges of rows.
#pragma once

#include <vector>

#include "base/byte_form.h"
#include "base/row_ranges.h"
#include "base/tuple_counter.h"
#include "semveil/table.h"

namespace semveil {

// By code of `from`: the code in `to`.
std::vector<Code> add_texts(const Dictionary& from, Dictionary& to);

void write_texts(const Dictionary& texts, ByteWriter& out);
Dictionary read_texts(ByteReader& in);
// Codes below `limit`, or kMissing.
std::vector<Code> read_codes(std::size_t limit, ByteReader& in);

void write_tuples(const TupleCounter& tuples, ByteWriter& out);
// Their codes are not looked at.
TupleCounter read_tuples(std::size_t width, ByteReader& in);

void write_ranges(const RowRanges& rows, ByteWriter& out);
RowRanges read_ranges(ByteReader& in);

}  // namespace semveil
