// Bytes of files, whichever way they are packed: plain, gzip or zstd, told apart by their first
// bytes. Plain files read whole are mapped, not copied.
#pragma once

#include <cstdint>
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

class InputStream {  // bytes, piece by piece
 public:
  // A file or standard input ("-"), unpacked.
  static Result<std::unique_ptr<InputStream>> open(const std::string& path);
  // What another stream gives, unpacked; `path` stands in error messages.
  static Result<std::unique_ptr<InputStream>> unpack(std::unique_ptr<InputStream> packed,
                                                     std::string path);
  virtual ~InputStream() = default;
  // Fills up to `size` bytes; 0 at the end. Errors name the file.
  virtual Result<std::size_t> read(char* buffer, std::size_t size) = 0;
  virtual std::uint64_t position() const = 0;  // bytes of the file, as it is packed, so far
};

// Why a file cannot be read, in words for its user.
Error read_error(const std::string& path, int error);

}  // namespace semveil
