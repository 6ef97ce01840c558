// Arrow's output stream over a PendingFile.
#pragma once

#include <arrow/io/interfaces.h>
#include <arrow/result.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "semveil/files.h"
#include "semveil/result.h"

namespace semveil {

class PendingStream final : public arrow::io::OutputStream {
 public:
  static Result<std::shared_ptr<PendingStream>> create(const std::string& path);
  explicit PendingStream(PendingFile file) : file_(std::move(file)) {}

  arrow::Status Write(const void* data, std::int64_t size) override;
  using arrow::io::OutputStream::Write;
  arrow::Result<std::int64_t> Tell() const override { return written_; }
  arrow::Status Flush() override;
  // Arrow closes streams also where it gives up: says nothing about the file.
  arrow::Status Close() override;
  bool closed() const override { return closed_; }

  std::optional<std::string> readable_path() const { return file_.readable_path(); }
  bool in_place() const { return file_.in_place(); }
  PendingFile take() { return std::move(file_); }  // once, behind the last byte

 private:
  PendingFile file_;
  std::string buffer_;
  std::int64_t written_ = 0;
  bool closed_ = false;
};

}  // namespace semveil
