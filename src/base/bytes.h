// Bytes of files, whichever way they are packed: plain, gzip or zstd, told apart by their first
// bytes. Plain files read whole are mapped, not copied. Files packed in another way are refused.
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
class InputStream;

class FileBytes {  // a whole file
 public:
  // Refuses more than 2^32 − 2 bytes: offsets are 32 bits wide.
  static Result<FileBytes> read(const std::string& path, Unpack unpack = Unpack::kYes);
  // What a stream still has to give; `name` stands in errors.
  static Result<FileBytes> read_all(InputStream& stream, const std::string& name);
  std::string_view view() const { return view_; }
  const std::shared_ptr<const void>& owner() const { return owner_; }  // keeps the view alive

 private:
  std::string_view view_;
  std::shared_ptr<const void> owner_;
};

class InputStream {  // bytes, piece by piece
 public:
  // A file or standard input ("-"), unpacked unless it is asked for as it lies there.
  static Result<std::unique_ptr<InputStream>> open(const std::string& path,
                                                   Unpack unpack = Unpack::kYes);
  // What another stream gives, unpacked; `path` stands in error messages.
  static Result<std::unique_ptr<InputStream>> unpack(std::unique_ptr<InputStream> packed,
                                                     std::string path);
  // Bytes in memory, which must outlive the stream.
  static std::unique_ptr<InputStream> over(std::string_view bytes);
  virtual ~InputStream() = default;
  // Fills up to `size` bytes; 0 at the end. Errors name the file.
  virtual Result<std::size_t> read(char* buffer, std::size_t size) = 0;
  virtual std::uint64_t position() const = 0;  // bytes of the file, as it is packed, so far
};

// Whether what begins so is gzip or zstd.
bool is_packed(std::string_view first_bytes);

// The name that a file has when it is unpacked: without .gz and .zst.
std::string_view unpacked_name(std::string_view name);

// Why a file cannot be read, in words for its user.
Error read_error(const std::string& path, int error);

}  // namespace semveil
