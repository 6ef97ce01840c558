// The cells of an array of the Arrow C data interface.
//
// An array that passed check_array() has all the parts of its type; one whose cells passed
// check_cells() can be read without looking at a bound again, as far as the interface tells bounds.
#pragma once

#include <cstdint>
#include <cstring>
#include <string_view>

#include "semveil/arrow_c.h"
#include "semveil/result.h"
#include "table/memory/field_type.h"

namespace semveil {

Status check_array(const FieldType& type, const ArrowArray& array);
// `count` cells from `first` on; only of types that have texts.
Status check_cells(const FieldType& type, const ArrowArray& array, std::int64_t first,
                   std::int64_t count);

Error damaged_array(const FieldType& type, std::string_view what);

template <class T>
T load_at(const void* buffer, std::int64_t place) {
  T value;
  std::memcpy(&value, static_cast<const char*>(buffer) + place * std::int64_t{sizeof(T)},
              sizeof value);
  return value;
}

inline bool bit_at(const void* buffer, std::int64_t place) {
  return (static_cast<const unsigned char*>(buffer)[place / 8] >> (place % 8) & 1) != 0;
}

inline bool is_valid(const FieldType& type, const ArrowArray& array, std::int64_t row) {
  if (type.layout == ArrayLayout::kNull) return false;
  if (!type.has_validity() || array.buffers[0] == nullptr) return true;
  return bit_at(array.buffers[0], array.offset + row);
}

// A whole number of the array's width; unsigned ones of 64 bits wrap.
inline std::int64_t number_at(const FieldType& type, const ArrowArray& array, std::int64_t row) {
  const void* const buffer = array.buffers[1];
  const std::int64_t place = array.offset + row;
  const bool is_unsigned = type.meaning == CellMeaning::kUnsigned;
  switch (type.width) {
    case 1:
      return is_unsigned ? std::int64_t{load_at<std::uint8_t>(buffer, place)}
                         : std::int64_t{load_at<std::int8_t>(buffer, place)};
    case 2:
      return is_unsigned ? std::int64_t{load_at<std::uint16_t>(buffer, place)}
                         : std::int64_t{load_at<std::int16_t>(buffer, place)};
    case 4:
      return is_unsigned ? std::int64_t{load_at<std::uint32_t>(buffer, place)}
                         : std::int64_t{load_at<std::int32_t>(buffer, place)};
    default:
      return load_at<std::int64_t>(buffer, place);
  }
}

struct CellExtent {
  std::int64_t begin, end;
};

// Of a cell in the bytes, or in the child, of an array with offsets or lists of a fixed size. For
// lists the child's own offset is not in it.
inline CellExtent extent_at(const FieldType& type, const ArrowArray& array, std::int64_t row) {
  const std::int64_t place = array.offset + row;
  switch (type.layout) {
    case ArrayLayout::kBytes32:
    case ArrayLayout::kList32:
      return {load_at<std::int32_t>(array.buffers[1], place),
              load_at<std::int32_t>(array.buffers[1], place + 1)};
    case ArrayLayout::kBytes64:
    case ArrayLayout::kList64:
      return {load_at<std::int64_t>(array.buffers[1], place),
              load_at<std::int64_t>(array.buffers[1], place + 1)};
    case ArrayLayout::kListView32: {
      const std::int64_t begin = load_at<std::int32_t>(array.buffers[1], place);
      return {begin, begin + load_at<std::int32_t>(array.buffers[2], place)};
    }
    case ArrayLayout::kListView64: {
      const auto begin = load_at<std::int64_t>(array.buffers[1], place);
      const auto size = load_at<std::int64_t>(array.buffers[2], place);
      // Of a damaged array the sum may not fit: then the end lies before the beginning.
      return {begin, static_cast<std::int64_t>(static_cast<std::uint64_t>(begin) +
                                               static_cast<std::uint64_t>(size))};
    }
    default: {
      const auto width = static_cast<std::int64_t>(type.width);
      return {place * width, (place + 1) * width};
    }
  }
}

// Whether a cell of such an array lies in what the array tells of its sizes.
bool has_sound_extent(const FieldType& type, const ArrowArray& array, std::int64_t row);

// One cell of an array of views: its size, and either its bytes or where they are.
struct CellView {
  std::int32_t size;
  char bytes[4];  // the first ones of a long text
  std::int32_t buffer, offset;
};
inline constexpr std::int32_t kBytesInView =
    12;  // of a short text, in the place of all behind size

inline bool is_bytes(ArrayLayout layout) {
  return layout == ArrayLayout::kBytes32 || layout == ArrayLayout::kBytes64 ||
         layout == ArrayLayout::kViews;
}

// The bytes of a cell of texts or bytes that is there.
inline std::string_view bytes_at(const FieldType& type, const ArrowArray& array, std::int64_t row) {
  if (type.layout == ArrayLayout::kViews) {
    const char* const place = static_cast<const char*>(array.buffers[1]) +
                              (array.offset + row) * std::int64_t{sizeof(CellView)};
    const auto view = load_at<CellView>(place, 0);
    const auto size = static_cast<std::size_t>(view.size);
    if (view.size <= kBytesInView) return {place + sizeof view.size, size};
    return {static_cast<const char*>(array.buffers[2 + view.buffer]) + view.offset, size};
  }
  const CellExtent extent = extent_at(type, array, row);
  if (extent.end == extent.begin) return {};
  return {static_cast<const char*>(array.buffers[2]) + extent.begin,
          static_cast<std::size_t>(extent.end - extent.begin)};
}

}  // namespace semveil
