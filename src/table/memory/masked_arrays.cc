// Arrays of masked columns, made when a batch of the release is asked for.
#include <fmt/format.h>

#include <array>
#include <cstring>
#include <functional>
#include <limits>
#include <string_view>
#include <utility>

#include "table/memory/array_cells.h"
#include "table/memory/cell_copy.h"
#include "table/memory/memory_sink.h"

namespace semveil {
namespace {

Error too_long_error(const FieldType& type) {
  return data_error(
             "the texts of a batch are longer than 2 GiB together: choose fewer rows for a "
             "batch, or give the column as large_string")
      .at({.file = {}, .line = 0, .column = type.name});
}

// Which cells are there; no buffer where all are.
class Validity {
 public:
  explicit Validity(std::int64_t rows) : bits_(static_cast<std::size_t>(rows + 7) / 8, 0) {}
  void set(std::size_t row) {
    bits_[row / 8] = static_cast<unsigned char>(bits_[row / 8] | 1U << (row % 8));
    ++there_;
  }
  // How many are not.
  std::int64_t put(std::int64_t rows, HeldArray& out) && {
    if (there_ == rows) {
      out.add_no_buffer();
    } else {
      out.add_buffer(std::move(bits_));
    }
    return rows - there_;
  }

 private:
  std::vector<unsigned char> bits_;
  std::int64_t there_ = 0;
};

// The text of a row; nothing: a null.
using TextOf = std::function<std::optional<std::string_view>(std::size_t row)>;

template <class Offset>
Status give_texts(const FieldType& type, std::int64_t rows, const TextOf& text_of,
                  ArrowArray* out) {
  Validity valid(rows);
  std::vector<Offset> offsets{0};
  offsets.reserve(static_cast<std::size_t>(rows) + 1);
  std::vector<char> bytes;
  for (std::size_t row = 0; row < static_cast<std::size_t>(rows); ++row) {
    if (const auto text = text_of(row)) {
      valid.set(row);
      bytes.insert(bytes.end(), text->begin(), text->end());
      if (bytes.size() > static_cast<std::uint64_t>(std::numeric_limits<Offset>::max())) {
        return fail(too_long_error(type));
      }
    }
    offsets.push_back(static_cast<Offset>(bytes.size()));
  }
  auto held = std::make_unique<HeldArray>();
  const std::int64_t nulls = std::move(valid).put(rows, *held);
  held->add_buffer(std::move(offsets));
  held->add_buffer(std::move(bytes));
  HeldArray::give(std::move(held), rows, nulls, out);
  return {};
}

CellView view_of(std::string_view text, std::int64_t begin) {
  CellView view{};
  view.size = static_cast<std::int32_t>(text.size());
  if (view.size <= kBytesInView) {
    std::array<char, sizeof view> cell{};
    std::memcpy(cell.data(), &view.size, sizeof view.size);
    if (!text.empty()) std::memcpy(cell.data() + sizeof view.size, text.data(), text.size());
    std::memcpy(&view, cell.data(), sizeof view);
    return view;
  }
  std::memcpy(view.bytes, text.data(), sizeof view.bytes);
  view.offset = static_cast<std::int32_t>(begin);
  return view;
}

// All batches share the bytes of the texts.
Status give_views(const ReleasedColumn& column, const ReleasedTexts& texts,
                  const std::vector<Code>& codes, std::int64_t rows, ArrowArray* out) {
  if (texts.joined->size() > std::numeric_limits<std::int32_t>::max()) {
    return fail(too_long_error(column.type));
  }
  Validity valid(rows);
  std::vector<CellView> views(static_cast<std::size_t>(rows));
  for (std::size_t row = 0; row < views.size(); ++row) {
    const Code code = codes[row * column.width + column.place_in_set];
    if (code == kMissing) continue;
    valid.set(row);
    views[row] = view_of(texts.texts[code], texts.begins[code]);
  }
  auto held = std::make_unique<HeldArray>();
  const std::int64_t nulls = std::move(valid).put(rows, *held);
  held->add_buffer(std::move(views));
  held->buffers.push_back(texts.joined->data());
  held->owners.push_back(texts.joined);
  held->add_buffer(std::vector<std::int64_t>{static_cast<std::int64_t>(texts.joined->size())});
  HeldArray::give(std::move(held), rows, nulls, out);
  return {};
}

// Cells of a fixed size: value_of(code).
template <class Number, class ValueOf>
void give_numbers(const ReleasedColumn& column, const std::vector<Code>& codes, std::int64_t rows,
                  const ValueOf& value_of, std::unique_ptr<HeldArray> held, ArrowArray* out) {
  Validity valid(rows);
  std::vector<Number> numbers(static_cast<std::size_t>(rows), Number{0});
  for (std::size_t row = 0; row < numbers.size(); ++row) {
    const Code code = codes[row * column.width + column.place_in_set];
    if (code == kMissing) continue;
    valid.set(row);
    numbers[row] = static_cast<Number>(value_of(code));
  }
  const std::int64_t nulls = std::move(valid).put(rows, *held);
  held->add_buffer(std::move(numbers));
  HeldArray::give(std::move(held), rows, nulls, out);
}

// In the width of the column; the sign changes no byte.
template <class ValueOf>
void give_integers(const ReleasedColumn& column, const std::vector<Code>& codes, std::int64_t rows,
                   const ValueOf& value_of, std::unique_ptr<HeldArray> held, ArrowArray* out) {
  switch (column.type.width) {
    case 1:
      return give_numbers<std::int8_t>(column, codes, rows, value_of, std::move(held), out);
    case 2:
      return give_numbers<std::int16_t>(column, codes, rows, value_of, std::move(held), out);
    case 4:
      return give_numbers<std::int32_t>(column, codes, rows, value_of, std::move(held), out);
    default:
      return give_numbers<std::int64_t>(column, codes, rows, value_of, std::move(held), out);
  }
}

Status give_text_cells(const ReleasedColumn& column, const ReleasedTexts& texts,
                       const std::vector<Code>& codes, std::int64_t rows, ArrowArray* out) {
  if (column.type.is_dictionary()) {
    auto held = std::make_unique<HeldArray>();
    give_shared(texts.dictionary, 0, texts.dictionary->length, &held->dictionary);
    give_integers(column, codes, rows, [](Code code) { return code; }, std::move(held), out);
    return {};
  }
  if (column.type.layout == ArrayLayout::kViews) {
    return give_views(column, texts, codes, rows, out);
  }
  const TextOf text_of = [&](std::size_t row) -> std::optional<std::string_view> {
    const Code code = codes[row * column.width + column.place_in_set];
    if (code == kMissing) return std::nullopt;
    return texts.texts[code];
  };
  return column.type.layout == ArrayLayout::kBytes64
             ? give_texts<std::int64_t>(column.type, rows, text_of, out)
             : give_texts<std::int32_t>(column.type, rows, text_of, out);
}

Status give_joined(const ReleasedColumn& column, const ReleasedTexts& texts,
                   const std::vector<Code>& codes, std::int64_t rows, ArrowArray* out) {
  std::string joined;
  const TextOf text_of = [&](std::size_t row) -> std::optional<std::string_view> {
    if (codes[row * column.width] == kMissing) return std::nullopt;
    joined.clear();
    for (std::size_t i = 0; i < column.width; ++i) {
      if (i > 0) joined += column.separator;
      joined += texts.texts[codes[row * column.width + i]];
    }
    return joined;
  };
  return column.type.layout == ArrayLayout::kBytes64
             ? give_texts<std::int64_t>(column.type, rows, text_of, out)
             : give_texts<std::int32_t>(column.type, rows, text_of, out);
}

Status give_lists(const ReleasedColumn& column, const ReleasedTexts& texts,
                  const std::vector<Code>& codes, std::int64_t rows, ArrowArray* out) {
  Validity valid(rows);
  std::vector<std::int32_t> offsets{0};
  std::vector<Code> elements;
  for (std::size_t row = 0; row < static_cast<std::size_t>(rows); ++row) {
    const auto* const set = codes.data() + row * column.width;
    if (*set != kMissing) {
      valid.set(row);
      elements.insert(elements.end(), set, set + column.width);
    }
    offsets.push_back(static_cast<std::int32_t>(elements.size()));
  }
  auto held = std::make_unique<HeldArray>();
  held->children.resize(1);
  const Status status = give_texts<std::int32_t>(
      column.type, static_cast<std::int64_t>(elements.size()),
      [&](std::size_t i) { return std::optional<std::string_view>(texts.texts[elements[i]]); },
      held->children.data());
  if (!status) return status;
  const std::int64_t nulls = std::move(valid).put(rows, *held);
  held->add_buffer(std::move(offsets));
  HeldArray::give(std::move(held), rows, nulls, out);
  return {};
}

}  // namespace

Status give_masked(const ReleasedColumn& column, const ReleasedTexts& texts,
                   const std::vector<Code>& codes, std::int64_t rows, ArrowArray* out) {
  switch (column.kind) {
    case ReleasedColumn::Kind::kJoined:
      return give_joined(column, texts, codes, rows, out);
    case ReleasedColumn::Kind::kList:
      return give_lists(column, texts, codes, rows, out);
    case ReleasedColumn::Kind::kNumbers:
      if (column.type.meaning == CellMeaning::kFloat) {
        give_numbers<double>(
            column, codes, rows, [&](Code code) { return texts.doubles[code]; },
            std::make_unique<HeldArray>(), out);
      } else {
        give_integers(
            column, codes, rows, [&](Code code) { return texts.integers[code]; },
            std::make_unique<HeldArray>(), out);
      }
      return {};
    default:
      return give_text_cells(column, texts, codes, rows, out);
  }
}

Status ReleasedRecords::give(std::size_t piece, ArrowArray* out) const {
  const ReleasedPiece none{
      .rows = 0, .kept = {}, .codes = std::vector<std::vector<Code>>(texts.size())};
  const ReleasedPiece& from = piece < pieces.size() ? pieces[piece] : none;
  auto held = std::make_unique<HeldArray>();
  held->add_no_buffer();
  held->children.resize(columns.size());
  Status status;
  for (std::size_t i = 0; i < columns.size() && status; ++i) {
    const ReleasedColumn& column = columns[i];
    ArrowArray* const child = &held->children[i];
    if (column.kind != ReleasedColumn::Kind::kKept) {
      status =
          give_masked(column, texts[column.source], from.codes[column.source], from.rows, child);
    } else if (from.kept.empty()) {
      status = CellCopy(column.type).finish(child);
    } else {
      const SharedCells& cells = from.kept[column.source];
      give_shared(cells.array, cells.first, from.rows, child);
    }
  }
  HeldArray::give(std::move(held), from.rows, 0, out);
  if (!status) out->release(out);
  return status;
}

}  // namespace semveil
