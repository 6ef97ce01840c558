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

Status CsvSink::write(std::unique_ptr<RenderedBatch> rendered) {
  const auto& batch = static_cast<const CsvRendered&>(*rendered);
  const std::string_view bytes(batch.bytes->data(), batch.bytes->size());
  if (!shuffle_) return file_.append(bytes);
  const std::uint64_t first_row = shuffled_rows_;  // among the rows that are not left out
  shuffled_rows_ += batch.row_ends.size();
  return shuffle_->add(first_row, bytes, batch.row_ends);
}

Status CsvSink::finish() {
  if (shuffle_) {
    if (Status status = shuffle_->write_to(file_); !status) return status;
  }
  return file_.finish();
}

}  // namespace semveil
