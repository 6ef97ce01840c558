#include "table/csv_output.h"

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "base/csv.h"

namespace semveil {
namespace {

struct Extent {
  std::uint64_t begin;
  std::uint32_t size;
};
constexpr std::size_t kExtent = offsetof(Extent, size) + sizeof(Extent::size);

}  // namespace

EscapedTexts::EscapedTexts(const std::vector<std::string_view>& texts, std::string_view missing,
                           CsvDialect dialect)
    : size_(texts.size()) {
  // Quotes apart, which few texts need.
  const auto is_small = [](std::string_view text) { return text.size() < kSmallSlot; };
  const bool mostly_small = std::ranges::count_if(texts, is_small) * 10 >= std::ssize(texts) * 9;
  slot_size_ = mostly_small ? kSmallSlot : kLargeSlot;
  static_assert(kExtent < kSmallSlot);
  slot_bytes_.make_room(kLine + (size_ + 1) * slot_size_ + CsvChunk::kPadding);
  const auto past_line = reinterpret_cast<std::uintptr_t>(slot_bytes_.data()) % kLine;
  slots_ = slot_bytes_.data() + (kLine - past_line);
  char* slot = slots_;
  const auto add = [&](std::string_view text) {
    const std::string escaped = csv_field(text, dialect);
    if (escaped.size() < slot_size_) {
      std::copy(escaped.begin(), escaped.end(), slot);
      slot[slot_size_ - 1] = static_cast<char>(escaped.size());
    } else {
      const Extent extent{arena_.size(), static_cast<std::uint32_t>(escaped.size())};
      std::memcpy(slot, &extent, kExtent);
      slot[slot_size_ - 1] = static_cast<char>(kLong);
      arena_.append(escaped.data(), escaped.size());
    }
    slot += slot_size_;
  };
  for (const std::string_view text : texts) add(text);
  add(missing);
  arena_.make_room(CsvChunk::kPadding);
}

std::string_view EscapedTexts::long_text(const char* slot) const {
  Extent extent;
  std::memcpy(&extent, slot, kExtent);
  return {arena_.data() + extent.begin, extent.size};
}

CsvSink::CsvSink(PackedFile file, std::optional<CsvShuffle> shuffle, CsvDialect dialect,
                 const Edits& edits)
    : dialect_(dialect),
      file_(std::move(file)),
      shuffle_(std::move(shuffle)),
      missing_text_(edits.missing_text) {
  const std::vector<std::string_view> none;
  for (const Edits::Replace& replace : edits.replace) {
    texts_.emplace_back(replace.set ? none : replace.texts, edits.missing_text, dialect);
    sets_.push_back(replace.set ? std::make_unique<SetTexts>(replace.texts, *replace.set,
                                                             edits.missing_text, dialect)
                                : nullptr);
    has_sets_ = has_sets_ || replace.set;
    known_.push_back(replace.texts);
  }
}

Status TableSink::add_texts(std::size_t /*i*/, std::span<const std::string_view> /*texts*/) {
  return fail(system_error(
      "this output takes no more texts; this is a fault of semveil: please report it"));
}

Status CsvSink::add_texts(std::size_t i, std::span<const std::string_view> texts) {
  known_[i].insert(known_[i].end(), texts.begin(), texts.end());
  texts_[i] = EscapedTexts(known_[i], missing_text_, dialect_);
  return {};
}

Status CsvSink::check(std::span<const std::span<const Code>> cells, std::size_t rows) const {
  for (std::size_t i = 0; i < texts_.size(); ++i) {
    const auto known = [&](Code code) { return code < texts_[i].size() || code >= kAsItWas; };
    const bool fits =
        sets_[i] != nullptr
            ? are_sets(cells[i], rows, sets_[i]->width(), sets_[i]->size())
            : cells[i].size() == rows && std::all_of(cells[i].begin(), cells[i].end(), known);
    if (!fits)
      return fail(
          system_error("a cell was given a code that has no text; this is a fault of semveil: "
                       "please report it"));
  }
  return {};
}

std::optional<TableSink::Written> CsvSink::written() const {
  std::optional<std::string> path = file_.readable_path();
  if (!path) return std::nullopt;
  return Written{std::move(*path), dialect_.separator, dialect_.quote};
}

Status CsvSink::write(std::unique_ptr<RenderedBatch> rendered) {
  auto& batch = static_cast<CsvRendered&>(*rendered);
  if (!shuffle_) return file_.append(std::move(batch.bytes));
  const std::uint64_t first_row = shuffled_rows_;  // among the rows that are not left out
  shuffled_rows_ += batch.row_ends.size();
  return shuffle_->add(first_row, {batch.bytes->data(), batch.bytes->size()}, batch.row_ends);
}

Status CsvSink::finish() {
  if (shuffle_) {
    if (Status status = shuffle_->write_to(file_); !status) return status;
  }
  return file_.finish();
}

Status CsvSink::commit(std::vector<PendingFile> others, Sync sync) {
  Result<PendingFile> file = file_.take();
  if (!file) return fail(file.error());
  others.push_back(*std::move(file));
  return commit_together(std::move(others), sync);
}

}  // namespace semveil
