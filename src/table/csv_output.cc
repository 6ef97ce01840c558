#include "table/csv_output.h"

#include "base/csv.h"

namespace semveil {

EscapedTexts::EscapedTexts(const std::vector<std::string_view>& texts, std::string_view missing,
                           CsvDialect dialect) {
  begin_.reserve(texts.size() + 2);
  const auto add = [&](std::string_view text) {
    const std::string escaped = csv_field(text, dialect);
    begin_.push_back(arena_.size());
    arena_.append(escaped.data(), escaped.size());
  };
  for (const std::string_view text : texts) add(text);
  add(missing);
  begin_.push_back(arena_.size());
  arena_.make_room(CsvChunk::kPadding);
}

CsvSink::CsvSink(PackedFile file, std::optional<CsvShuffle> shuffle, CsvDialect dialect,
                 const Edits& edits)
    : dialect_(dialect), file_(std::move(file)), shuffle_(std::move(shuffle)) {
  const std::vector<std::string_view> none;
  for (const Edits::Replace& replace : edits.replace) {
    texts_.emplace_back(replace.set ? none : replace.texts, edits.missing_text, dialect);
    sets_.push_back(replace.set ? std::make_unique<SetTexts>(replace.texts, *replace.set,
                                                             edits.missing_text, dialect)
                                : nullptr);
    has_sets_ = has_sets_ || replace.set;
  }
}

Status CsvSink::check(std::span<const std::span<const Code>> cells, std::size_t rows) const {
  for (std::size_t i = 0; i < texts_.size(); ++i) {
    const auto known = [&](Code code) { return code < texts_[i].size() || code >= kAsItWas; };
    const bool fits =
        sets_[i] != nullptr
            ? are_sets(cells[i], rows, sets_[i]->width(), sets_[i]->size())
            : cells[i].size() == rows && std::all_of(cells[i].begin(), cells[i].end(), known);
    if (!fits) return fail(system_error("a cell was given a code that has no text"));
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

}  // namespace semveil
