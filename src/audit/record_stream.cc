#include "audit/record_stream.h"

#include <utility>

#include "base/stop.h"

namespace semveil {

RecordStream::RecordStream(const Table& table, std::unique_ptr<TableSource> source,
                           std::size_t coded, std::vector<std::size_t> shown, std::string_view what,
                           const WorkProgress& progress)
    : table_(&table),
      source_(std::move(source)),
      dictionaries_(coded),
      shown_(std::move(shown)),
      texts_(shown_.size()),
      what_(what),
      progress_(&progress) {}

Result<RecordStream> RecordStream::open(const Table& table, std::vector<std::size_t> coded,
                                        std::vector<std::size_t> shown, std::string_view what,
                                        const WorkProgress& progress) {
  const std::size_t width = coded.size();
  const Cells cells = shown.empty() && width > 0 ? Cells::kWanted : Cells::kAll;
  Result<std::unique_ptr<TableSource>> source = table.read(std::move(coded), cells);
  if (!source) return fail(source.error());
  return RecordStream(table, *std::move(source), width, std::move(shown), what, progress);
}

Result<bool> RecordStream::next() {
  ++at_;
  while (batch_ == nullptr || at_ == batch_->rows) {
    check_stop();
    Result<std::unique_ptr<TableBatch>> read = source_->next(dictionaries_);
    if (!read) return fail(read.error());
    if (*read == nullptr) return false;
    batch_ = *std::move(read);
    at_ = 0;
    for (std::size_t k = 0; k < shown_.size(); ++k) texts_[k] = batch_->texts(shown_[k]);
    bytes_ += batch_->bytes;
    if (*progress_) (*progress_)(what_, bytes_, table_->bytes());
  }
  return true;
}

}  // namespace semveil
