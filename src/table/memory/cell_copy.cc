#include "table/memory/cell_copy.h"

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <span>
#include <utility>

#include "table/memory/array_cells.h"

namespace semveil {
namespace {

void set_bit(std::vector<unsigned char>& bits, std::int64_t place, bool value) {
  const auto byte = static_cast<std::size_t>(place / 8);
  if (bits.size() <= byte) bits.resize(byte + 1, 0);
  if (value) bits[byte] = static_cast<unsigned char>(bits[byte] | 1U << (place % 8));
}

bool has_ends(ArrayLayout layout) {
  switch (layout) {
    case ArrayLayout::kBytes32:
    case ArrayLayout::kBytes64:
    case ArrayLayout::kList32:
    case ArrayLayout::kList64:
    case ArrayLayout::kListView32:
    case ArrayLayout::kListView64:
      return true;
    default:
      return false;
  }
}

bool is_wide(ArrayLayout layout) {
  return layout == ArrayLayout::kBytes64 || layout == ArrayLayout::kList64 ||
         layout == ArrayLayout::kListView64;
}

// The most that a number of this type can be.
std::int64_t most_of_index(const FieldType& type) {
  const bool is_signed = type.meaning == CellMeaning::kSigned;
  if (type.width == 8) return std::numeric_limits<std::int64_t>::max();
  return (std::int64_t{1} << (8 * type.width - (is_signed ? 1 : 0))) - 1;
}

template <class T>
void add_narrow(std::span<const std::int64_t> numbers, HeldArray& out) {
  std::vector<T> narrow;
  narrow.reserve(numbers.size());
  for (const std::int64_t number : numbers) narrow.push_back(static_cast<T>(number));
  out.add_buffer(std::move(narrow));
}

}  // namespace

CellCopy::CellCopy(const FieldType& type) : type_(type) {
  for (const FieldType& child : type.children) children_.emplace_back(child);
  if (type.is_dictionary()) dictionary_ = std::make_unique<CellCopy>(type.dictionary.front());
  if (has_ends(type.layout)) ends_.push_back(0);
}

void CellCopy::note_valid(bool valid) {
  set_bit(valid_, size_, valid);
  nulls_ += valid ? 0 : 1;
  ++size_;
}

void CellCopy::add_number(std::int64_t number) {
  std::array<unsigned char, sizeof number> bytes;
  std::memcpy(bytes.data(), &number, sizeof number);
  fixed_.insert(fixed_.end(), bytes.begin(),
                bytes.begin() + static_cast<std::ptrdiff_t>(std::min(type_.width, bytes.size())));
}

Status CellCopy::add(const ArrowArray& array, std::int64_t row) {
  if (!is_valid(type_, array, row)) {
    add_null();
    return {};
  }
  if (const Status status = add_cell(array, row); !status) return status;
  note_valid(true);
  return {};
}

void CellCopy::add_null() {
  switch (type_.layout) {
    case ArrayLayout::kNull:
      break;
    case ArrayLayout::kBits:
      set_bit(fixed_, size_, false);
      break;
    case ArrayLayout::kFixed:
      fixed_.resize(fixed_.size() + type_.width, 0);
      break;
    case ArrayLayout::kViews:
      fixed_.resize(fixed_.size() + sizeof(CellView), 0);
      break;
    case ArrayLayout::kFixedList:
      for (std::size_t i = 0; i < type_.width; ++i) children_[0].add_null();
      break;
    case ArrayLayout::kStruct:
      for (CellCopy& child : children_) child.add_null();
      break;
    case ArrayLayout::kSparseUnion:
    case ArrayLayout::kDenseUnion: {
      // A null of the first kind there is.
      const auto first = std::find_if(type_.union_places.begin(), type_.union_places.end(),
                                      [](std::int8_t place) { return place == 0; });
      fixed_.push_back(static_cast<unsigned char>(first - type_.union_places.begin()));
      if (type_.layout == ArrayLayout::kDenseUnion && !children_.empty()) {
        ends_.push_back(children_[0].size());
        children_[0].add_null();
      } else {
        for (CellCopy& child : children_) child.add_null();
      }
      break;
    }
    case ArrayLayout::kRunEnds:
      children_[0].add_number(size_ + 1);
      children_[0].note_valid(true);
      children_[1].add_null();
      break;
    default:
      ends_.push_back(ends_.back());
      break;
  }
  note_valid(false);
}

Status CellCopy::add_cell(const ArrowArray& array, std::int64_t row) {
  const std::int64_t place = array.offset + row;
  if (type_.is_dictionary()) return add_index(array, row);
  switch (type_.layout) {
    case ArrayLayout::kBits:
      set_bit(fixed_, size_, bit_at(array.buffers[1], place));
      return {};
    case ArrayLayout::kFixed: {
      const auto width = static_cast<std::int64_t>(type_.width);
      const auto* const cell = static_cast<const unsigned char*>(array.buffers[1]) + place * width;
      fixed_.insert(fixed_.end(), cell, cell + width);
      return {};
    }
    case ArrayLayout::kBytes32:
    case ArrayLayout::kBytes64:
    case ArrayLayout::kViews:
      if (!has_sound_extent(type_, array, row)) {
        return fail(damaged_array(type_, "has a cell that lies outside of its buffers"));
      }
      add_bytes(bytes_at(type_, array, row));
      return {};
    case ArrayLayout::kSparseUnion:
    case ArrayLayout::kDenseUnion:
      return add_of_union(array, row);
    case ArrayLayout::kRunEnds:
      return add_of_run(array, row);
    default:
      return add_children(array, row);
  }
}

void CellCopy::add_bytes(std::string_view bytes) {
  if (type_.layout != ArrayLayout::kViews) {
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
    ends_.push_back(static_cast<std::int64_t>(bytes_.size()));
    return;
  }
  std::array<unsigned char, sizeof(CellView)> cell{};
  const auto size = static_cast<std::int32_t>(bytes.size());
  if (size <= kBytesInView) {
    std::memcpy(cell.data(), &size, sizeof size);
    if (size > 0) std::memcpy(cell.data() + sizeof size, bytes.data(), bytes.size());
  } else {
    CellView view{
        .size = size, .bytes = {}, .buffer = 0, .offset = static_cast<std::int32_t>(bytes_.size())};
    std::memcpy(view.bytes, bytes.data(), sizeof view.bytes);
    std::memcpy(cell.data(), &view, sizeof view);
    bytes_.insert(bytes_.end(), bytes.begin(), bytes.end());
  }
  fixed_.insert(fixed_.end(), cell.begin(), cell.end());
}

Status CellCopy::add_index(const ArrowArray& array, std::int64_t row) {
  const ArrowArray& values = *array.dictionary;
  const std::int64_t index = number_at(type_, array, row);
  if (index < 0 || index >= values.length) {
    return fail(damaged_array(type_, "has a cell outside of its dictionary"));
  }
  std::vector<std::int64_t>& places = places_[&values];
  if (places.empty()) places.assign(static_cast<std::size_t>(values.length), -1);
  std::int64_t& known = places[static_cast<std::size_t>(index)];
  if (known < 0) {
    known = dictionary_->size();
    if (known > most_of_index(type_)) {
      return fail(data_error("the dictionaries of the column have more values together than its "
                             "index can count: choose a wider index, or one dictionary for all")
                      .at({.file = {}, .line = 0, .column = type_.name}));
    }
    if (const Status status = dictionary_->add(values, index); !status) return status;
  }
  add_number(known);
  return {};
}

Status CellCopy::add_children(const ArrowArray& array, std::int64_t row) {
  if (type_.layout == ArrayLayout::kStruct) {
    for (std::size_t i = 0; i < children_.size(); ++i) {
      const Status status = children_[i].add(*array.children[i], array.offset + row);
      if (!status) return status;
    }
    return {};
  }
  if (!has_sound_extent(type_, array, row)) {
    return fail(damaged_array(type_, "has a list that lies outside of its child"));
  }
  const CellExtent extent = extent_at(type_, array, row);
  for (std::int64_t i = extent.begin; i < extent.end; ++i) {
    if (const Status status = children_[0].add(*array.children[0], i); !status) return status;
  }
  if (has_ends(type_.layout)) ends_.push_back(children_[0].size());
  return {};
}

Status CellCopy::add_of_union(const ArrowArray& array, std::int64_t row) {
  const std::int64_t place = array.offset + row;
  const auto id = load_at<std::int8_t>(array.buffers[0], place);
  const std::int8_t child =
      id < 0 ? std::int8_t{-1} : type_.union_places[static_cast<std::size_t>(id)];
  if (child < 0) return fail(damaged_array(type_, "has a cell of no kind"));
  fixed_.push_back(static_cast<unsigned char>(id));
  if (type_.layout == ArrayLayout::kSparseUnion) {
    for (std::size_t i = 0; i < children_.size(); ++i) {
      // What the other kinds have there is no cell.
      if (i != static_cast<std::size_t>(child)) {
        children_[i].add_null();
      } else if (const Status status = children_[i].add(*array.children[i], place); !status) {
        return status;
      }
    }
    return {};
  }
  const auto at = static_cast<std::size_t>(child);
  const std::int64_t from = load_at<std::int32_t>(array.buffers[1], place);
  if (from < 0 || from >= array.children[at]->length) {
    return fail(damaged_array(type_, "has a cell that lies outside of its child"));
  }
  ends_.push_back(children_[at].size());
  return children_[at].add(*array.children[at], from);
}

// Each row becomes a run of its own.
Status CellCopy::add_of_run(const ArrowArray& array, std::int64_t row) {
  const FieldType& ends = type_.children[0];
  const ArrowArray& runs = *array.children[0];
  std::int64_t low = 0, high = runs.length;
  while (low < high) {  // the first run that ends behind the row
    const std::int64_t middle = low + (high - low) / 2;
    if (number_at(ends, runs, middle) > array.offset + row) {
      high = middle;
    } else {
      low = middle + 1;
    }
  }
  if (low == runs.length || low >= array.children[1]->length) {
    return fail(damaged_array(type_, "has a cell behind its last run"));
  }
  if (size_ + 1 > most_of_index(ends)) {
    return fail(data_error("the column's runs are counted by a number that is too small for this "
                           "many records: give it without runs")
                    .at({.file = {}, .line = 0, .column = type_.name}));
  }
  children_[0].add_number(size_ + 1);
  children_[0].note_valid(true);
  return children_[1].add(*array.children[1], low);
}

Status CellCopy::finish(ArrowArray* out) {
  auto held = std::make_unique<HeldArray>();
  constexpr std::int64_t kMost = std::numeric_limits<std::int32_t>::max();
  const bool too_long =
      (!ends_.empty() && !is_wide(type_.layout) && ends_.back() > kMost) ||
      (type_.layout == ArrayLayout::kViews && static_cast<std::int64_t>(bytes_.size()) > kMost);
  if (too_long) {
    return fail(data_error("the cells of the column are longer than 2 GiB together: give it in "
                           "smaller batches, or as large_string")
                    .at({.file = {}, .line = 0, .column = type_.name}));
  }
  if (type_.has_validity()) {
    if (nulls_ == 0) {
      held->add_no_buffer();
    } else {
      held->add_buffer(std::move(valid_));
    }
  }
  const auto add_ends = [&](std::span<const std::int64_t> numbers) {
    if (is_wide(type_.layout)) {
      add_narrow<std::int64_t>(numbers, *held);
    } else {
      add_narrow<std::int32_t>(numbers, *held);
    }
  };
  switch (type_.layout) {
    case ArrayLayout::kBits:
    case ArrayLayout::kFixed:
    case ArrayLayout::kSparseUnion:
      held->add_buffer(std::move(fixed_));
      break;
    case ArrayLayout::kViews: {
      held->add_buffer(std::move(fixed_));
      std::vector<std::int64_t> sizes{static_cast<std::int64_t>(bytes_.size())};
      held->add_buffer(std::move(bytes_));
      held->add_buffer(std::move(sizes));
      break;
    }
    case ArrayLayout::kBytes32:
    case ArrayLayout::kBytes64:
      add_ends(ends_);
      held->add_buffer(std::move(bytes_));
      break;
    case ArrayLayout::kList32:
    case ArrayLayout::kList64:
      add_ends(ends_);
      break;
    case ArrayLayout::kListView32:
    case ArrayLayout::kListView64: {
      std::vector<std::int64_t> sizes;
      for (std::size_t i = 0; i + 1 < ends_.size(); ++i) sizes.push_back(ends_[i + 1] - ends_[i]);
      ends_.pop_back();
      add_ends(ends_);
      add_ends(sizes);
      break;
    }
    case ArrayLayout::kDenseUnion:
      held->add_buffer(std::move(fixed_));
      add_narrow<std::int32_t>(ends_, *held);
      break;
    default:
      break;
  }
  held->children.resize(children_.size());
  Status status;
  for (std::size_t i = 0; i < children_.size() && status; ++i) {
    status = children_[i].finish(&held->children[i]);
  }
  if (status && dictionary_ != nullptr) status = dictionary_->finish(&held->dictionary);
  const std::int64_t nulls = type_.layout == ArrayLayout::kNull ? size_
                             : type_.has_validity()             ? nulls_
                                                                : 0;
  HeldArray::give(std::move(held), size_, nulls, out);
  if (!status) out->release(out);
  return status;
}

}  // namespace semveil
