// Where a table's bytes come from, and how often.
#pragma once

#include <cstdint>
#include <memory>
#include <string>

#include "base/bytes.h"
#include "base/descriptor.h"
#include "base/spool.h"
#include "semveil/result.h"

namespace semveil {

class TableInput {
 public:
  enum class Passes : bool { kOne, kMany };

  // "-" is standard input. What cannot be read twice is spooled if it must.
  static Result<TableInput> open(const std::string& path, Passes passes,
                                 const std::string& temp_folder);

  const std::string& name() const { return name_; }
  bool is_file() const { return file_ != nullptr; }  // not a pipe, which may stand still
  bool is_packed() const { return semveil::is_packed(first_bytes_); }
  bool can_be_read_again() const { return file_ != nullptr || spool_ != nullptr; }
  std::uint64_t bytes() const { return bytes_; }                   // 0: nobody knows
  const std::string& first_bytes() const { return first_bytes_; }  // as they are packed
  // From the beginning, unpacked. Of an input for one pass: once.
  Result<std::unique_ptr<InputStream>> read() const;
  // A path that other libraries can open, as long as this input lives. A spool is copied to memory
  // for it.
  Result<std::string> path();

 private:
  class FileStream;
  struct File;

  std::string name_, path_;
  std::uint64_t bytes_ = 0;
  std::string first_bytes_;
  std::shared_ptr<const File> file_;             // one of these
  std::shared_ptr<const Spool> spool_;           //
  mutable std::unique_ptr<InputStream> once_;    //
  std::shared_ptr<const Descriptor> in_memory_;  // for path()
};

}  // namespace semveil
