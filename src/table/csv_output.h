// What sinks of CSV share: the file, the shuffling, the new texts, buffers that are used again.
#pragma once

#include <algorithm>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/csv_scan.h"
#include "base/growing.h"
#include "base/packed_file.h"
#include "base/write_behind.h"
#include "semveil/table.h"
#include "table/csv_shuffle.h"
#include "table/csv_table.h"
#include "table/set_texts.h"

namespace semveil {

class CsvRendered final : public RenderedBatch {
 public:
  std::shared_ptr<Growing<char>> bytes;
  std::vector<std::uint32_t> row_ends;  // where rows are shuffled
};

// New texts as they are written: quoted where they must be, each once.
//
// Texts are many and asked for in no order. So each has a slot within a cache line that holds it if
// it is short, as most are; who knows which ones come next can have them fetched early.
class EscapedTexts {
 public:
  EscapedTexts(const std::vector<std::string_view>& texts, std::string_view missing,
               CsvDialect dialect);
  std::size_t size() const { return size_; }
  // Some bytes behind it may be read, too. kMissing has a text, kAsItWas has none.
  [[gnu::always_inline]] std::string_view operator[](Code code) const {
    const char* const slot = slot_of(code);
    const auto size = static_cast<unsigned char>(slot[slot_size_ - 1]);
    return size != kLong ? std::string_view(slot, size) : long_text(slot);
  }
  [[gnu::always_inline]] void will_want(Code code) const { __builtin_prefetch(slot_of(code)); }

 private:
  static constexpr unsigned char kLong = 255;
  static constexpr std::size_t kSmallSlot = 16, kLargeSlot = 32, kLine = 64;

  const char* slot_of(Code code) const {
    return slots_ + slot_size_ * std::min<std::size_t>(code, size_);
  }
  std::string_view long_text(const char* slot) const;

  std::size_t size_, slot_size_;
  // Of each text, the last of what kMissing is written as. A slot: the text, and its size as the
  // last byte; or the text's extent in the arena, and kLong.
  char* slots_;
  Growing<char> slot_bytes_, arena_;
};

class CsvSink : public TableSink {
 public:
  Status add_texts(std::size_t i, std::span<const std::string_view> texts) final;
  Status write(std::unique_ptr<RenderedBatch> rendered) final;
  Status flush() final { return file_.flush(); }
  Status finish() final;
  std::optional<Written> written() const final;
  bool in_place() const final { return file_.in_place(); }
  Status commit(std::vector<PendingFile> others, Sync sync) final;

 protected:
  CsvSink(PackedFile file, std::optional<CsvShuffle> shuffle, CsvDialect dialect,
          const Edits& edits);
  // An error where one of the codes has no text.
  Status check(std::span<const std::span<const Code>> cells, std::size_t rows) const;
  bool has_sets() const { return has_sets_; }
  Status put(std::string_view bytes) { return file_.append(bytes); }
  bool shuffles() const { return shuffle_.has_value(); }
  std::shared_ptr<Growing<char>> buffer() const {
    std::shared_ptr<Growing<char>> bytes = buffers_->take();
    bytes->set_size(0);
    return bytes;
  }

  const CsvDialect dialect_;
  // By place among the replaced columns.
  std::vector<EscapedTexts> texts_;              // none of a set
  std::vector<std::unique_ptr<SetTexts>> sets_;  // null where it is none

 private:
  WriteBehind file_;
  std::optional<CsvShuffle> shuffle_;
  std::uint64_t shuffled_rows_ = 0;
  bool has_sets_ = false;
  std::string missing_text_;
  std::vector<std::vector<std::string_view>> known_;  // by place: what texts_ were made of
  std::shared_ptr<Pool<Growing<char>>> buffers_ = std::make_shared<Pool<Growing<char>>>();
};

}  // namespace semveil
