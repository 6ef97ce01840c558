// A file without a name that holds bytes for this run, encrypted: a table's cells must not be left
// in plain on a disk.
//
// ChaCha20 under a key that is drawn for the file and never leaves the memory; the place of a byte
// in the file is its place in the key stream. There is nobody to tamper with an open file without a
// name but the system's owner, so nothing is authenticated.
//
// Cost: one pass of ChaCha20 (about 2 GB/s) beside that of the disk.
#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

#include "base/bytes.h"
#include "base/descriptor.h"
#include "base/growing.h"
#include "semveil/result.h"

namespace semveil {

class Spool {
 public:
  // `buffer`: bytes collected before they are written.
  static Result<std::shared_ptr<Spool>> create(const std::string& folder,
                                               std::size_t buffer = std::size_t{1} << 20);
  ~Spool();
  Spool(const Spool&) = delete;
  Spool& operator=(const Spool&) = delete;

  Status append(std::string_view bytes);
  Status finish();  // once, before anything is read
  std::uint64_t size() const { return written_ + waiting_.size(); }
  // Fills up to `size` bytes from a place in the file; 0 at its end. Thread-safe.
  Result<std::size_t> read(std::uint64_t from, char* buffer, std::size_t size) const;

 private:
  Spool(Descriptor file, std::string folder, std::size_t buffer);
  Status write_waiting();
  void crypt(std::uint64_t block, char* bytes, std::size_t size) const;

  Descriptor file_;
  std::string folder_;
  std::size_t buffer_;
  Growing<char> waiting_;      // begins at a multiple of the cipher's block
  std::uint64_t written_ = 0;  // bytes in the file
  std::array<unsigned char, 32> key_;
};

// A spool from its beginning to its end, as often as one likes.
std::unique_ptr<InputStream> read_spool(std::shared_ptr<const Spool> spool);

}  // namespace semveil
