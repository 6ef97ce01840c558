#include "table/arrow/stream.h"

#include <cstddef>
#include <string_view>
#include <utility>

#include "base/stop.h"
#include "table/arrow/status.h"

namespace semveil {

namespace {

constexpr std::size_t kBuffer = std::size_t{1} << 18;

// A stop must not unwind Arrow's writers, which would write on while they go: to them it is an
// error like others (guarded() makes it a stop again).
arrow::Status append(PendingFile& file, std::string_view bytes) {
  try {
    return to_arrow(file.append(bytes));
  } catch (const Stopped&) {
    return to_arrow(internal::stopped_error());
  }
}

}  // namespace

Result<std::shared_ptr<PendingStream>> PendingStream::create(const std::string& path) {
  Result<PendingFile> file = PendingFile::create(path);
  if (!file) return fail(file.error());
  return std::make_shared<PendingStream>(std::move(*file));
}

arrow::Status PendingStream::Write(const void* data, std::int64_t size) {
  const std::string_view bytes(static_cast<const char*>(data), static_cast<std::size_t>(size));
  written_ += size;
  if (bytes.size() >= kBuffer) {
    ARROW_RETURN_NOT_OK(Flush());
    return append(file_, bytes);
  }
  buffer_ += bytes;
  return buffer_.size() >= kBuffer ? Flush() : arrow::Status::OK();
}

arrow::Status PendingStream::Flush() {
  arrow::Status status = append(file_, buffer_);
  buffer_.clear();
  return status;
}

arrow::Status PendingStream::Close() {
  closed_ = true;
  return arrow::Status::OK();
}

}  // namespace semveil
