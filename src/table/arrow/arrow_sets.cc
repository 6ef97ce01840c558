#include "table/arrow/arrow_sets.h"

#include <cstdint>
#include <optional>
#include <string_view>
#include <utility>

#include "table/arrow/text_column.h"

namespace semveil {
namespace {

// Where each row's part begins, and the end; which rows have one.
struct Extents {
  std::shared_ptr<arrow::Buffer> offsets, valid;
  std::int64_t size = 0, nulls = 0;

  // `size_of` gives the size of a set that is not missing.
  template <class SizeOf>
  static arrow::Result<Extents> of(std::span<const Code> codes, std::size_t width,
                                   const SizeOf& size_of) {
    Extents extents;
    const std::size_t rows = codes.size() / width;
    const auto length = static_cast<std::int64_t>(rows);
    ARROW_ASSIGN_OR_RAISE(extents.offsets,
                          arrow::AllocateBuffer((length + 1) * std::int64_t{sizeof(std::int32_t)}));
    ARROW_ASSIGN_OR_RAISE(extents.valid, arrow::AllocateEmptyBitmap(length));
    auto* const offsets = extents.offsets->mutable_data_as<std::int32_t>();
    for (std::size_t row = 0; row < rows; ++row) {
      offsets[row] = static_cast<std::int32_t>(extents.size);
      const Code* const set = codes.data() + row * width;
      if (*set == kMissing) {
        ++extents.nulls;
        continue;
      }
      arrow::bit_util::SetBit(extents.valid->mutable_data(), static_cast<std::int64_t>(row));
      extents.size += static_cast<std::int64_t>(size_of(set));
      ARROW_RETURN_NOT_OK(check_text_size(extents.size));
    }
    offsets[rows] = static_cast<std::int32_t>(extents.size);
    if (extents.nulls == 0) extents.valid.reset();
    return extents;
  }
};

}  // namespace

std::shared_ptr<arrow::DataType> type_of_sets(const SetForm& form) {
  return form.kind == SetForm::Kind::kList ? arrow::list(arrow::utf8()) : arrow::utf8();
}

ArrowSets::ArrowSets(const Edits::Replace& edit) : edit_(edit) {
  if (form().kind == SetForm::Kind::kJoined) {
    joined_ = std::make_unique<const SetTexts>(edit.texts, form());
  }
}

bool ArrowSets::takes(std::span<const Code> codes, std::size_t rows) const {
  return are_sets(codes, rows, form().width, edit_.texts.size());
}

arrow::Result<std::shared_ptr<arrow::Array>> ArrowSets::joined(std::span<const Code> codes) const {
  const std::size_t width = form().width;
  ARROW_ASSIGN_OR_RAISE(Extents extents, Extents::of(codes, width, [&](const Code* set) {
                          return joined_->joined_size(set);
                        }));
  const auto room = static_cast<std::int64_t>(joined_->room());
  ARROW_ASSIGN_OR_RAISE(std::unique_ptr<arrow::ResizableBuffer> bytes,
                        arrow::AllocateResizableBuffer(extents.size + room));
  char* out = bytes->mutable_data_as<char>();
  const std::size_t rows = codes.size() / width;
  for (std::size_t row = 0; row < rows; ++row) {
    joined_->look_ahead(codes, row);
    out = joined_->put(codes.data() + row * width, out);  // nothing of a missing one
  }
  ARROW_RETURN_NOT_OK(bytes->Resize(extents.size, /*shrink_to_fit=*/false));
  return std::make_shared<arrow::StringArray>(static_cast<std::int64_t>(rows), extents.offsets,
                                              std::move(bytes), extents.valid, extents.nulls);
}

arrow::Result<std::shared_ptr<arrow::Array>> ArrowSets::lists(std::span<const Code> codes) const {
  const std::size_t width = form().width;
  ARROW_ASSIGN_OR_RAISE(Extents extents,
                        Extents::of(codes, width, [&](const Code*) { return width; }));
  std::vector<Code> there;
  if (extents.nulls > 0) {
    for (const Code code : codes) {
      if (code != kMissing) there.push_back(code);
    }
  }
  ARROW_ASSIGN_OR_RAISE(auto elements, texts(extents.nulls > 0 ? there : codes));
  return std::make_shared<arrow::ListArray>(
      type_of_sets(form()), static_cast<std::int64_t>(codes.size() / width), extents.offsets,
      std::move(elements), extents.valid, extents.nulls);
}

std::vector<Code> ArrowSets::members(std::span<const Code> codes, std::size_t place) const {
  std::vector<Code> members;
  members.reserve(codes.size() / form().width);
  for (std::size_t i = place; i < codes.size(); i += form().width) members.push_back(codes[i]);
  return members;
}

arrow::Result<std::shared_ptr<arrow::Array>> ArrowSets::texts(std::span<const Code> codes) const {
  return text_column(codes.size(), [&](std::size_t i) -> std::optional<std::string_view> {
    if (codes[i] == kMissing) return std::nullopt;
    return edit_.texts[codes[i]];
  });
}

}  // namespace semveil
