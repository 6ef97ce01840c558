#include "table/arrow/stream.h"

#include <unistd.h>

#include <cerrno>
#include <span>
#include <string_view>
#include <system_error>
#include <utility>

#include "table/arrow/status.h"

namespace semveil {

Result<std::shared_ptr<PendingStream>> PendingStream::create(const std::string& path) {
  auto stream = std::make_shared<PendingStream>();
  stream->path_ = path;
  return stream;
}

arrow::Status PendingStream::Write(const void* data, std::int64_t size) {
  buffer_.append(static_cast<const char*>(data), static_cast<std::size_t>(size));
  written_ += size;
  return arrow::Status::OK();
}

arrow::Status PendingStream::Flush() { return arrow::Status::OK(); }

arrow::Status PendingStream::Close() {
  closed_ = true;
  return arrow::Status::OK();
}

Status PendingStream::finish() {
  const std::string_view piece = buffer_;
  auto file = PendingFile::write(path_, std::span(&piece, 1));
  if (!file) return fail(file.error());
  file_.emplace(std::move(*file));
  return {};
}

Status PendingStream::commit() { return file_->commit(); }

}  // namespace semveil
