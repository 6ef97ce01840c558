#include "table/arrow/types.h"

#include <arrow/compute/api_vector.h>
#include <arrow/extension_type.h>

#include <utility>
#include <vector>

namespace semveil {
namespace {

using arrow::Type;

// Without parameters an extension type is a name that Arrow itself defines (it knows no others).
bool says_nothing(const arrow::ExtensionType& type) { return type.Serialize().empty(); }

arrow::FieldVector released_children(const arrow::DataType& type) {
  arrow::FieldVector children;
  children.reserve(type.fields().size());
  for (const auto& child : type.fields()) children.push_back(released_field(*child));
  return children;
}

arrow::Result<std::shared_ptr<arrow::ArrayData>> released_data(
    const std::shared_ptr<arrow::ArrayData>& data) {
  const std::shared_ptr<arrow::DataType> type = released_type(data->type);
  if (data->type->id() == Type::DICTIONARY) {
    const auto coded = std::static_pointer_cast<arrow::DictionaryArray>(arrow::MakeArray(data));
    // The dictionary was validated with its array: no index lies outside.
    ARROW_ASSIGN_OR_RAISE(const auto decoded,
                          arrow::compute::Take(*coded->dictionary(), *coded->indices(),
                                               arrow::compute::TakeOptions::NoBoundsCheck()));
    return released_data(decoded->data());
  }
  if (data->type == type) return data;
  auto released = std::make_shared<arrow::ArrayData>(*data);
  released->type = type;
  for (auto& child : released->child_data) {
    ARROW_ASSIGN_OR_RAISE(child, released_data(child));
  }
  return released;
}

}  // namespace

bool is_text(Type::type id) { return id == Type::STRING || id == Type::LARGE_STRING; }

bool is_list_of_texts(const arrow::DataType& type) {
  if (type.id() != Type::LIST && type.id() != Type::LARGE_LIST &&
      type.id() != Type::FIXED_SIZE_LIST) {
    return false;
  }
  const arrow::DataType* element = type.field(0)->type().get();
  if (element->id() == Type::DICTIONARY) {
    element = static_cast<const arrow::DictionaryType&>(*element).value_type().get();
  }
  return is_text(element->id()) || element->id() == Type::STRING_VIEW;
}

bool can_be_text(const arrow::DataType& type) {
  if (is_list_of_texts(type)) return true;
  switch (type.id()) {
    case Type::NA:
    case Type::STRING_VIEW:
    case Type::BINARY:
    case Type::LARGE_BINARY:
    case Type::BINARY_VIEW:
      return true;
    case Type::DICTIONARY: {
      const arrow::DataType& values = *static_cast<const arrow::DictionaryType&>(type).value_type();
      return values.id() != Type::DICTIONARY && can_be_text(values);
    }
    default:
      return is_text(type.id()) || arrow::is_primitive(type.id()) || arrow::is_decimal(type.id());
  }
}

std::shared_ptr<arrow::Field> released_field(const arrow::Field& field) {
  return arrow::field(field.name(), released_type(field.type()), field.nullable());
}

std::shared_ptr<arrow::DataType> released_type(const std::shared_ptr<arrow::DataType>& type) {
  switch (type->id()) {
    case Type::DICTIONARY:
      return released_type(static_cast<const arrow::DictionaryType&>(*type).value_type());
    case Type::EXTENSION: {
      const auto& extension = static_cast<const arrow::ExtensionType&>(*type);
      return says_nothing(extension) ? type : released_type(extension.storage_type());
    }
    case Type::STRUCT:
      return arrow::struct_(released_children(*type));
    case Type::LIST:
      return arrow::list(released_children(*type)[0]);
    case Type::LARGE_LIST:
      return arrow::large_list(released_children(*type)[0]);
    case Type::LIST_VIEW:
      return arrow::list_view(released_children(*type)[0]);
    case Type::LARGE_LIST_VIEW:
      return arrow::large_list_view(released_children(*type)[0]);
    case Type::FIXED_SIZE_LIST:
      return arrow::fixed_size_list(
          released_children(*type)[0],
          static_cast<const arrow::FixedSizeListType&>(*type).list_size());
    case Type::MAP: {
      const auto& map = static_cast<const arrow::MapType&>(*type);
      return std::make_shared<arrow::MapType>(released_field(*map.key_field()),
                                              released_field(*map.item_field()), map.keys_sorted());
    }
    case Type::SPARSE_UNION:
      return arrow::sparse_union(released_children(*type),
                                 static_cast<const arrow::UnionType&>(*type).type_codes());
    case Type::DENSE_UNION:
      return arrow::dense_union(released_children(*type),
                                static_cast<const arrow::UnionType&>(*type).type_codes());
    case Type::RUN_END_ENCODED: {
      const auto& runs = static_cast<const arrow::RunEndEncodedType&>(*type);
      return arrow::run_end_encoded(runs.run_end_type(), released_type(runs.value_type()));
    }
    default:
      return type;
  }
}

arrow::Result<std::shared_ptr<arrow::Array>> released_array(
    const std::shared_ptr<arrow::Array>& array) {
  ARROW_ASSIGN_OR_RAISE(const auto data, released_data(array->data()));
  return data == array->data() ? array : arrow::MakeArray(data);
}

arrow::Result<std::shared_ptr<arrow::Array>> cells_alone(
    const std::shared_ptr<arrow::Array>& array) {
  const Type::type id = array->type_id();
  if (id == Type::STRING_VIEW || id == Type::BINARY_VIEW) {  // taking rows keeps the old buffers
    ARROW_ASSIGN_OR_RAISE(const auto builder, arrow::MakeBuilder(array->type()));
    ARROW_RETURN_NOT_OK(
        builder->AppendArraySlice(arrow::ArraySpan(*array->data()), 0, array->length()));
    return builder->Finish();
  }
  if (id == Type::NA || id == Type::RUN_END_ENCODED) return array;
  if (array->null_count() == 0 && array->data()->child_data.empty()) return array;
  // Each row is taken by its number, a null by none: then nothing of it is looked at.
  arrow::Int64Builder rows;
  ARROW_RETURN_NOT_OK(rows.Reserve(array->length()));
  for (std::int64_t i = 0; i < array->length(); ++i) {
    if (array->IsValid(i)) {
      rows.UnsafeAppend(i);
    } else {
      rows.UnsafeAppendNull();
    }
  }
  ARROW_ASSIGN_OR_RAISE(const auto indices, rows.Finish());
  return arrow::compute::Take(*array, *indices, arrow::compute::TakeOptions::NoBoundsCheck());
}

}  // namespace semveil
