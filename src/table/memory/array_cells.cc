#include "table/memory/array_cells.h"

#include <fmt/format.h>

#include <limits>

namespace semveil {
namespace {

std::int64_t buffers_of(const FieldType& type) {
  switch (type.layout) {
    case ArrayLayout::kNull:
    case ArrayLayout::kRunEnds:
      return 0;
    case ArrayLayout::kStruct:
    case ArrayLayout::kFixedList:
    case ArrayLayout::kSparseUnion:
      return 1;
    case ArrayLayout::kBytes32:
    case ArrayLayout::kBytes64:
    case ArrayLayout::kListView32:
    case ArrayLayout::kListView64:
      return 3;
    case ArrayLayout::kBits:
    case ArrayLayout::kFixed:
    case ArrayLayout::kList32:
    case ArrayLayout::kList64:
    case ArrayLayout::kDenseUnion:
      return 2;
    case ArrayLayout::kViews:
      return 3;  // at least: the sizes of those between come last
  }
  return 0;
}

// How long a child must be for the cells of its parent.
std::int64_t least_child(const FieldType& type, std::int64_t end) {
  switch (type.layout) {
    case ArrayLayout::kStruct:
    case ArrayLayout::kSparseUnion:
      return end;
    case ArrayLayout::kFixedList:
      return end * static_cast<std::int64_t>(type.width);
    default:
      return 0;
  }
}

Status check_buffers(const FieldType& type, const ArrowArray& array) {
  const std::int64_t wanted = buffers_of(type);
  const bool fits =
      type.layout == ArrayLayout::kViews ? array.n_buffers >= wanted : array.n_buffers == wanted;
  if (!fits || (wanted > 0 && array.buffers == nullptr)) {
    return fail(damaged_array(type, fmt::format("has {} buffers", array.n_buffers)));
  }
  if (array.length == 0) return {};
  if (type.has_validity() && array.buffers[0] == nullptr && array.null_count > 0) {
    return fail(damaged_array(type, "has nulls, but does not say which"));
  }
  const std::int64_t first = type.has_validity() ? 1 : 0;
  // Bytes of nothing need no buffer; nor do cells of no size.
  const std::int64_t last =
      is_bytes(type.layout) || (type.layout == ArrayLayout::kFixed && type.width == 0) ? 2 : wanted;
  for (std::int64_t i = first; i < std::min(last, wanted); ++i) {
    if (array.buffers[i] == nullptr && !(type.layout == ArrayLayout::kFixed && type.width == 0)) {
      return fail(damaged_array(type, "has cells, but a buffer of them is not there"));
    }
  }
  return {};
}

std::int64_t view_buffers(const ArrowArray& array) { return array.n_buffers - 3; }

bool has_sound_view(const ArrowArray& array, std::int64_t row) {
  const auto view = load_at<CellView>(array.buffers[1], array.offset + row);
  if (view.size < 0) return false;
  if (view.size <= kBytesInView) return true;
  if (view.buffer < 0 || view.buffer >= view_buffers(array) || view.offset < 0) return false;
  const void* const sizes = array.buffers[array.n_buffers - 1];
  if (sizes == nullptr || array.buffers[2 + view.buffer] == nullptr) return false;
  return std::int64_t{view.offset} + view.size <= load_at<std::int64_t>(sizes, view.buffer);
}

}  // namespace

Error damaged_array(const FieldType& type, std::string_view what) {
  return data_error(fmt::format("the array is damaged: the type '{}' {}", type.format, what))
      .at({.file = {}, .line = 0, .column = type.name});
}

Status check_array(const FieldType& type, const ArrowArray& array) {
  if (array.release == nullptr) return fail(damaged_array(type, "was released already"));
  constexpr std::int64_t kMost = std::numeric_limits<std::int64_t>::max() / 64;
  const std::int64_t widest = std::max<std::int64_t>(1, static_cast<std::int64_t>(type.width));
  if (array.length < 0 || array.offset < 0 || array.length > kMost / widest ||
      array.offset > kMost / widest || array.null_count < -1 || array.null_count > array.length) {
    return fail(damaged_array(type, "has sizes that cannot be"));
  }
  if (array.n_children != static_cast<std::int64_t>(type.children.size())) {
    return fail(damaged_array(type, fmt::format("has {} children", array.n_children)));
  }
  if (const Status status = check_buffers(type, array); !status) return status;
  for (std::size_t i = 0; i < type.children.size(); ++i) {
    if (array.children == nullptr || array.children[i] == nullptr) {
      return fail(damaged_array(type, "lacks a child"));
    }
    const ArrowArray& child = *array.children[i];
    if (const Status status = check_array(type.children[i], child); !status) return status;
    if (child.length < least_child(type, array.offset + array.length)) {
      return fail(damaged_array(type.children[i], "has fewer cells than what it belongs to"));
    }
  }
  if ((array.dictionary != nullptr) != type.is_dictionary()) {
    return fail(damaged_array(
        type, type.is_dictionary() ? "lacks its dictionary" : "has a dictionary of nothing"));
  }
  return type.is_dictionary() ? check_array(type.dictionary.front(), *array.dictionary) : Status();
}

bool has_sound_extent(const FieldType& type, const ArrowArray& array, std::int64_t row) {
  if (type.layout == ArrayLayout::kViews) return has_sound_view(array, row);
  const CellExtent extent = extent_at(type, array, row);
  if (extent.begin < 0 || extent.end < extent.begin) return false;
  if (is_bytes(type.layout)) return extent.end == extent.begin || array.buffers[2] != nullptr;
  return extent.end <= array.children[0]->length;
}

Status check_cells(const FieldType& type, const ArrowArray& array, std::int64_t first,
                   std::int64_t count) {
  if (type.is_dictionary()) {
    const ArrowArray& values = *array.dictionary;
    for (std::int64_t row = first; row < first + count; ++row) {
      if (!is_valid(type, array, row)) continue;
      const std::int64_t index = number_at(type, array, row);
      if (index < 0 || index >= values.length) {
        return fail(damaged_array(type, "has a cell outside of its dictionary"));
      }
    }
    return {};  // its values are checked when they are asked for
  }
  const bool lists = type.meaning == CellMeaning::kListOfTexts;
  if (!lists && !is_bytes(type.layout)) return {};
  for (std::int64_t row = first; row < first + count; ++row) {
    if (!is_valid(type, array, row)) continue;
    if (!has_sound_extent(type, array, row)) {
      return fail(damaged_array(type, "has a cell that lies outside of its buffers"));
    }
    if (!lists) continue;
    const CellExtent extent = extent_at(type, array, row);
    const Status elements =
        check_cells(type.children[0], *array.children[0], extent.begin, extent.end - extent.begin);
    if (!elements) return elements;
  }
  return {};
}

}  // namespace semveil
