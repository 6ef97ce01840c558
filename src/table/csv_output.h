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
class EscapedTexts {
 public:
  EscapedTexts(const std::vector<std::string_view>& texts, std::string_view missing,
               CsvDialect dialect);
  std::size_t size() const { return begin_.size() - 2; }
  // Some bytes behind it may be read, too. kMissing has a text, kAsItWas has none.
  std::string_view operator[](Code code) const {
    const std::uint64_t* const place = begin_.data() + (code == kMissing ? size() : code);
    return {arena_.data() + place[0], place[1] - place[0]};
  }
  // Texts are many and asked for in no order: who knows which ones come next says so, first where
  // they lie, then that they are wanted.
  [[gnu::always_inline]] void will_want(Code code) const {
    __builtin_prefetch(&begin_[std::min<std::size_t>(code, size())]);
  }
  [[gnu::always_inline]] void want(Code code) const {
    __builtin_prefetch(arena_.data() + begin_[std::min<std::size_t>(code, size())]);
  }

 private:
  std::vector<std::uint64_t> begin_;  // of each text, of what kMissing is written as, of the end
  Growing<char> arena_;
};

class CsvSink : public TableSink {
 public:
  Status write(std::unique_ptr<RenderedBatch> rendered) final;
  Status flush() final { return file_.flush(); }
  Status finish() final;
  std::optional<Written> written() const final;
  Status commit() final { return file_.commit(); }

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
  std::shared_ptr<Pool<Growing<char>>> buffers_ = std::make_shared<Pool<Growing<char>>>();
};

}  // namespace semveil
