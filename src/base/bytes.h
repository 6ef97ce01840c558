// Bytes of files, whichever way they are packed: plain, gzip or zstd, told apart by their first
// bytes. Plain files read whole are mapped, not copied.
#pragma once

#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "semveil/files.h"
#include "semveil/result.h"

namespace semveil {

enum class Unpack : bool { kNo, kYes };

class FileBytes {  // a whole file
 public:
  // Refuses more than 2^32 − 2 bytes: offsets are 32 bits wide.
  static Result<FileBytes> read(const std::string& path, Unpack unpack = Unpack::kYes);
  std::string_view view() const { return view_; }
  const std::shared_ptr<const void>& owner() const { return owner_; }  // keeps the view alive

 private:
  std::string_view view_;
  std::shared_ptr<const void> owner_;
};

class InputStream {  // a file or standard input ("-"), unpacked piece by piece
 public:
  static Result<std::unique_ptr<InputStream>> open(const std::string& path);
  virtual ~InputStream() = default;
  // Fills up to `size` bytes; 0 at the end. Errors name the file.
  virtual Result<std::size_t> read(char* buffer, std::size_t size) = 0;
};

}  // namespace semveil
