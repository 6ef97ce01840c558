// Arrow's output stream over a PendingFile, or standard output.
#pragma once

#include <arrow/io/interfaces.h>
#include <arrow/result.h>

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "semveil/files.h"
#include "semveil/result.h"

namespace semveil {

class PendingStream final : public arrow::io::OutputStream {
 public:
  static Result<std::shared_ptr<PendingStream>> create(const std::string& path);

  arrow::Status Write(const void* data, std::int64_t size) override;
  using arrow::io::OutputStream::Write;
  arrow::Result<std::int64_t> Tell() const override { return written_; }
  arrow::Status Flush() override;
  // The file is finished by finish(): Arrow closes streams also where it gives up.
  arrow::Status Close() override;
  bool closed() const override { return closed_; }

  Status finish();
  Status commit();

 private:
  Status drain();

  std::string path_;
  std::string buffer_;
  std::optional<PendingFile> file_;
  std::int64_t written_ = 0;
  bool closed_ = false;
};

}  // namespace semveil
