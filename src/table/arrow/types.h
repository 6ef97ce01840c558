// What becomes of a column's type on the way out, and which types have a text.
//
// A released column keeps its type, but for what could carry more than its cells: a dictionary may
// hold values of no row, so its columns are decoded; metadata of fields is free text, so it is left
// out, and with it the extension types that have parameters (their storage comes out).
#pragma once

#include <arrow/api.h>

#include <memory>

namespace semveil {

bool is_text(arrow::Type::type id);  // string and large string
bool is_list_of_texts(const arrow::DataType& type);
bool can_be_text(const arrow::DataType& type);

std::shared_ptr<arrow::DataType> released_type(const std::shared_ptr<arrow::DataType>& type);
std::shared_ptr<arrow::Field> released_field(const arrow::Field& field);

// A column of the type `type` was read as, in released_type(): dictionaries decoded, at any depth.
arrow::Result<std::shared_ptr<arrow::Array>> released_array(
    const std::shared_ptr<arrow::Array>& array);

// The same cells without what Arrow files may hold beside them: values behind nulls, bytes of a
// view's buffers and elements of lists that no cell points to. (Parquet writes cells alone.)
arrow::Result<std::shared_ptr<arrow::Array>> cells_alone(
    const std::shared_ptr<arrow::Array>& array);

}  // namespace semveil
