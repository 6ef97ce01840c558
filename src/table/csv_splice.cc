// The sink of CSV tables: new texts are spliced into the bytes that were read.
//
// A batch is copied from its first byte to its last, but for the edits: at a replaced cell the copy
// goes on behind the new text, at a dropped one behind the field and one separator. Only where
// whole lines must be handled (rows that are shuffled or left out, tables of which one column is
// left, where an empty line would be a record) every row is rendered for itself.
//
// Cost: one copy of the batch and a few operations per edited cell.
#include <algorithm>
#include <cstring>
#include <utility>

#include "base/csv.h"
#include "base/text.h"
#include "table/csv_output.h"

namespace semveil {
namespace {

// Appends quickly what lies in padded memory: whole vectors, some of them too far.
class Splice {
 public:
  explicit Splice(Growing<char>& bytes) : bytes_(bytes), out_(bytes.data()), limit_(bytes.data()) {
    bytes_.set_size(0);
    limit_ += bytes_.capacity();
  }

  void append(const char* from, std::size_t size) { append_by<kStep>(from, size); }
  // New texts are short and lie anywhere: of their cache lines no more is touched than must be.
  void append(std::string_view text) { append_by<kStep / 2>(text.data(), text.size()); }
  // Not padded.
  void append_short(std::string_view text) {
    if (static_cast<std::size_t>(limit_ - out_) < text.size()) [[unlikely]]
      grow(text.size());
    out_ = std::copy(text.begin(), text.end(), out_);
  }
  [[gnu::always_inline]] void append(const SetTexts& sets, const Code* codes) {
    if (static_cast<std::size_t>(limit_ - out_) < sets.room()) [[unlikely]]
      grow(sets.room());
    out_ = sets.put(codes, out_);
  }
  std::size_t size() const { return static_cast<std::size_t>(out_ - bytes_.data()); }
  void finish() { bytes_.set_size(size()); }

 private:
  static constexpr std::size_t kStep = 32;
  static_assert(kStep <= CsvChunk::kPadding);

  template <std::size_t kBytes>
  [[gnu::always_inline]] void append_by(const char* from, std::size_t size) {
    if (static_cast<std::size_t>(limit_ - out_) < size + kBytes) [[unlikely]]
      grow(size + kBytes);
    char* out = out_;
    const char* const end = from + size;
    do {
      std::memcpy(out, from, kBytes);
      out += kBytes;
      from += kBytes;
    } while (from < end);
    out_ += size;
  }
  void grow(std::size_t more) {
    const std::size_t used = size();
    bytes_.set_size(used);
    bytes_.make_room(more);
    out_ = bytes_.data() + used;
    limit_ = bytes_.data() + bytes_.capacity();
  }

  Growing<char>& bytes_;
  char *out_, *limit_;
};

class SpliceSink final : public CsvSink {
 public:
  SpliceSink(PackedFile file, std::optional<CsvShuffle> shuffle, CsvDialect dialect,
             const CsvHeader& header, const Edits& edits)
      : CsvSink(std::move(file), std::move(shuffle), dialect, edits),
        quotes_(2, dialect.quote),
        line_end_(header.line_end),
        width_(header.fields.size()),
        one_left_(width_ - edits.drop.size() == 1),
        drops_rows_(edits.drops_rows) {
    auto next_replace = edits.replace.begin();
    auto next_drop = edits.drop.begin();
    for (std::size_t column = 0; column < width_; ++column) {
      if (next_drop != edits.drop.end() && *next_drop == column) {
        ++next_drop;
        if (leading_drops_ == column) {
          ++leading_drops_;
        } else {
          edits_.push_back({column, kDrop});
        }
      } else if (next_replace != edits.replace.end() && next_replace->column == column) {
        edits_.push_back({column, static_cast<std::size_t>(next_replace - edits.replace.begin())});
        ++next_replace;
      }
    }
  }

  Status put_header(const CsvHeader& header, const std::vector<std::string>& columns,
                    const Edits& edits) {
    std::string kept = header.bytes.substr(0, header.fields.front().first);
    std::size_t from = header.fields[leading_drops_].first;
    for (const Edit& edit : edits_) {
      const auto [begin, end] = header.fields[edit.column];
      if (edit.texts == kDrop) {
        kept.append(header.bytes, from, begin - 1 - from);
      } else {
        const Edits::Replace& replace = edits.replace[edit.texts];
        if (!replace.set || replace.set->kind != SetForm::Kind::kColumns) continue;
        kept.append(header.bytes, from, begin - from);
        const std::vector<std::string> names = released_names(columns[edit.column], replace);
        for (const std::string& name : names) {
          if (&name != &names.front()) kept += dialect_.separator;
          const std::string field = csv_field(name, dialect_);
          // Quoted, a name is not taken for the file's byte order mark.
          const std::string quote(kept.empty() && field.starts_with(kByteOrderMark) ? 1 : 0,
                                  dialect_.quote);
          kept.append(quote).append(field).append(quote);
        }
      }
      from = end;
    }
    kept.append(header.bytes, from);
    // Shuffled rows do not know which one stands behind the header.
    if (shuffles() && !kept.ends_with('\n')) kept += line_end_;
    return put(kept);
  }

  Result<std::unique_ptr<RenderedBatch>> render(
      const TableBatch& batch, std::span<const std::span<const Code>> cells) const override {
    const auto& csv = static_cast<const CsvBatch&>(batch);
    if (Status checked = check(cells, csv.rows); !checked) return fail(checked.error());
    auto rendered = std::make_unique<CsvRendered>();
    rendered->bytes = buffer();
    Splice out(*rendered->bytes);
    std::vector<std::uint32_t>* const row_ends = shuffles() ? &rendered->row_ends : nullptr;
    if (shuffles() || one_left_ || drops_rows_) {
      has_sets() ? render_rows<true>(csv, cells, out, row_ends)
                 : render_rows<false>(csv, cells, out, row_ends);
    } else {
      has_sets() ? render_all<true>(csv, cells, out) : render_all<false>(csv, cells, out);
    }
    out.finish();
    return rendered;
  }

 private:
  static constexpr std::size_t kDrop = ~std::size_t{0};
  struct Edit {
    std::size_t column;
    std::size_t texts;  // place among the replaced columns, or kDrop
  };

  // Copies up to the row's edits and makes them; returns where the copy must go on. kSets: some are
  // of sets.
  template <bool kSets>
  [[gnu::always_inline]] std::uint32_t edit_row(const CsvBatch& batch, std::size_t i,
                                                std::span<const std::span<const Code>> cells,
                                                std::uint32_t from, Splice& out) const {
    const CsvChunk& chunk = *batch.chunk;
    const char* const text = chunk.text().data();
    CsvChunk::Fields fields(chunk, batch.first + i);
    if (leading_drops_ > 0) {
      out.append(text + from, fields.begin() - from);
      fields.go_to(leading_drops_);
      from = fields.begin();
    }
    for (const Edit& edit : edits_) {
      fields.go_to(edit.column);
      const std::uint32_t begin = fields.begin();
      if (edit.texts == kDrop) {
        out.append(text + from, begin - 1 - from);
      } else {
        if constexpr (kSets) {
          if (const SetTexts* const set = sets_[edit.texts].get(); set != nullptr) {
            out.append(text + from, begin - from);
            out.append(*set, cells[edit.texts].data() + i * set->width());
            from = fields.end();
            continue;
          }
        }
        const Code code = cells[edit.texts][i];
        if (code == kAsItWas) continue;
        out.append(text + from, begin - from);
        out.append(texts_[edit.texts][code]);
      }
      from = fields.end();
    }
    return from;
  }

  // Inlined, as a function that only prefetches would be taken for one that does nothing.
  template <bool kSets>
  [[gnu::always_inline]] void look_ahead(std::span<const std::span<const Code>> cells,
                                         std::size_t i) const {
    constexpr std::size_t kSoon = 12;
    for (std::size_t k = 0; k < texts_.size(); ++k) {
      if constexpr (kSets) {
        if (sets_[k] != nullptr) {
          sets_[k]->look_ahead(cells[k], i);
          continue;
        }
      }
      if (i + kSoon < cells[k].size()) texts_[k].will_want(cells[k][i + kSoon]);
    }
  }

  template <bool kSets>
  void render_all(const CsvBatch& batch, std::span<const std::span<const Code>> cells,
                  Splice& out) const {
    std::uint32_t from = batch.begin;
    for (std::size_t i = 0; i < batch.rows; ++i) {
      look_ahead<kSets>(cells, i);
      from = edit_row<kSets>(batch, i, cells, from, out);
    }
    out.append(batch.chunk->text().data() + from, batch.end - from);
  }

  template <bool kSets>
  void render_rows(const CsvBatch& batch, std::span<const std::span<const Code>> cells, Splice& out,
                   std::vector<std::uint32_t>* row_ends) const {
    const CsvChunk& chunk = *batch.chunk;
    const char* const text = chunk.text().data();
    for (std::size_t i = 0; i < batch.rows; ++i) {
      if (!batch.dropped.empty() && batch.dropped[i]) continue;
      const std::size_t row = batch.first + i;
      const std::uint32_t begin = chunk.row(row).begin;
      const std::uint32_t content_end = chunk.content_end(row), line_end = chunk.line_end(row);
      const std::size_t start = out.size();
      if constexpr (kSets) look_ahead<kSets>(cells, i);
      const std::uint32_t from = edit_row<kSets>(batch, i, cells, begin, out);
      out.append(text + from, content_end - from);
      // A line that became empty would be overlooked.
      if (one_left_ && out.size() == start && content_end > begin) out.append_short(quotes_);
      if (row_ends == nullptr) {
        out.append(text + content_end, line_end - content_end);
      } else {
        // One for all: by an end of its own a shuffled row would be known again.
        out.append_short(line_end_);
        row_ends->push_back(static_cast<std::uint32_t>(out.size()));
      }
    }
  }

  std::vector<Edit> edits_;        // ascending by column, without …
  std::size_t leading_drops_ = 0;  // … the dropped columns before the first that is kept
  std::string quotes_, line_end_;
  std::size_t width_;
  bool one_left_, drops_rows_;
};

}  // namespace

Result<std::unique_ptr<TableSink>> splice_csv(const std::string& path, CsvDialect dialect,
                                              const CsvHeader& header,
                                              const std::vector<std::string>& columns, Edits edits,
                                              const TableOptions& options) {
  auto file = PackedFile::create(path);
  if (!file) return fail(file.error());
  std::optional<CsvShuffle> shuffle;
  if (edits.shuffle) shuffle.emplace(*edits.shuffle, options.temp_folder);
  auto sink =
      std::make_unique<SpliceSink>(std::move(*file), std::move(shuffle), dialect, header, edits);
  if (Status put = sink->put_header(header, columns, edits); !put) return fail(put.error());
  return sink;
}

}  // namespace semveil
